#include "solvers/interior_point/planar_barrier.hpp"

#include <algorithm>

namespace stickslip {

void PlanarBarrier::select(const ConvexProblem& problem) {
  cones_.clear();
  for (std::size_t i = 0; i < problem.cones.size(); ++i) {
    const Cone& cone = problem.cones[i];
    if (cone.kind != Cone::Kind::lorentz || cone.rows != 2) continue;
    cones_.push_back({});
    cones_.back().first = static_cast<std::size_t>(cone.first);
    cones_.back().block = problem.W.firstOfBlock(static_cast<int>(i));
  }
}

void PlanarBarrier::enter(double impulse, double velocity, std::span<double> p,
                          std::span<const double> u) {
  for (Item& cone : cones_) {
    double* x = p.data() + cone.first;
    const double* y = u.data() + cone.first;
    cone.x = {std::max((x[0] + x[1]) / 2, impulse), std::max((x[0] - x[1]) / 2, impulse)};
    cone.z = {std::max(y[0] + y[1], velocity), std::max(y[0] - y[1], velocity)};
    x[0] = cone.x[0] + cone.x[1];
    x[1] = cone.x[0] - cone.x[1];
  }
}

double PlanarBarrier::gap(std::span<const double>) const {
  double sum = 0;
  for (const Item& cone : cones_) sum += cone.x[0] * cone.z[0] + cone.x[1] * cone.z[1];
  return sum;
}

void PlanarBarrier::scale(double delta, std::span<const double>, std::span<double> S) {
  delta_ = delta;
  for (Item& cone : cones_) {
    for (std::size_t k = 0; k < 2; ++k)
      cone.softness[k] = cone.x[k] / (cone.z[k] + delta * cone.x[k]);
    double* block = S.data() + cone.block;
    block[0] = block[3] = cone.softness[0] + cone.softness[1];
    block[1] = block[2] = cone.softness[0] - cone.softness[1];
  }
}

void PlanarBarrier::aim(double mu, double correction, std::span<const double>,
                        std::span<const double> u, std::span<double> r) {
  for (Item& cone : cones_)
    for (std::size_t k = 0; k < 2; ++k)
      cone.target[k] = mu - (correction > 0 ? correction * cone.d_x[k] * cone.d_z[k] : 0);
  aimAtTargets(u, r);
}

void PlanarBarrier::recentre(double step, double mu, std::span<const double> u,
                             std::span<double> r) {
  for (Item& cone : cones_) {
    cone.last_target = cone.target;
    for (std::size_t k = 0; k < 2; ++k) {
      const double now = cone.x[k] * cone.z[k], second = cone.d_x[k] * cone.d_z[k];
      cone.target[k] += recentring(productAfter(step, now, cone.target[k], second), mu);
    }
  }
  aimAtTargets(u, r);
}

void PlanarBarrier::aimAsBefore(std::span<const double> u, std::span<double> r) {
  for (Item& cone : cones_) cone.target = cone.last_target;
  aimAtTargets(u, r);
}

// z d_x + x d_z = target - x z, and d_z from barrier.hpp.
void PlanarBarrier::aimAtTargets(std::span<const double> u, std::span<double> r) {
  for (Item& cone : cones_) {
    const double* y = u.data() + cone.first;
    const Pair velocity{y[0] + y[1], y[0] - y[1]};
    for (std::size_t k = 0; k < 2; ++k)
      cone.push[k] = cone.softness[k] * (cone.target[k] / cone.x[k] - velocity[k]);
    r[cone.first] = cone.push[0] + cone.push[1];
    r[cone.first + 1] = cone.push[0] - cone.push[1];
  }
}

double PlanarBarrier::direct(std::span<const double>, std::span<const double> u,
                             std::span<const double>, std::span<const double> d_u) {
  double most = 1;
  for (Item& cone : cones_) {
    const double *y = u.data() + cone.first, *d_y = d_u.data() + cone.first;
    const Pair velocity{y[0] + y[1], y[0] - y[1]}, change{d_y[0] + d_y[1], d_y[0] - d_y[1]};
    for (std::size_t k = 0; k < 2; ++k) {
      cone.d_x[k] = cone.push[k] - cone.softness[k] * change[k];
      cone.d_z[k] = velocity[k] - cone.z[k] + change[k] + delta_ * cone.d_x[k];
      most = std::max({most, -cone.d_x[k] / cone.x[k], -cone.d_z[k] / cone.z[k]});
    }
  }
  return 1 / most;
}

void PlanarBarrier::move(double step, std::span<double> p, std::span<const double>) {
  for (Item& cone : cones_) {
    for (std::size_t k = 0; k < 2; ++k) {
      cone.x[k] += step * cone.d_x[k];
      cone.z[k] += step * cone.d_z[k];
    }
    p[cone.first] = cone.x[0] + cone.x[1];
    p[cone.first + 1] = cone.x[0] - cone.x[1];
  }
}

}  // namespace stickslip
