#include "solvers/planar_barrier.hpp"

#include <algorithm>

namespace stickslip {

void PlanarBarrier::select(const ConvexProblem& problem) {
  items_.clear();
  for (std::size_t i = 0; i < problem.items.size(); ++i) {
    const ContactItem& item = problem.items[i];
    if (item.kind != ContactItem::Kind::cone || item.rows != 2) continue;
    items_.push_back({});
    items_.back().first = static_cast<std::size_t>(item.first);
    items_.back().block = problem.W.firstOfBlock(static_cast<int>(i));
  }
}

void PlanarBarrier::enter(double impulse, double velocity, std::span<double> pi,
                          std::span<const double> omega) {
  for (Item& item : items_) {
    double* p = pi.data() + item.first;
    const double* u = omega.data() + item.first;
    item.x = {std::max((p[0] + p[1]) / 2, impulse), std::max((p[0] - p[1]) / 2, impulse)};
    item.z = {std::max(u[0] + u[1], velocity), std::max(u[0] - u[1], velocity)};
    p[0] = item.x[0] + item.x[1];
    p[1] = item.x[0] - item.x[1];
  }
}

double PlanarBarrier::gap(std::span<const double>) const {
  double sum = 0;
  for (const Item& item : items_) sum += item.x[0] * item.z[0] + item.x[1] * item.z[1];
  return sum;
}

void PlanarBarrier::scale(double delta, std::span<const double>, std::span<double> S) {
  delta_ = delta;
  for (Item& item : items_) {
    for (std::size_t k = 0; k < 2; ++k)
      item.softness[k] = item.x[k] / (item.z[k] + delta * item.x[k]);
    double* block = S.data() + item.block;
    block[0] = block[3] = item.softness[0] + item.softness[1];
    block[1] = block[2] = item.softness[0] - item.softness[1];
  }
}

void PlanarBarrier::aim(double mu, double correction, std::span<const double>,
                        std::span<const double> omega, std::span<double> r) {
  for (Item& item : items_)
    for (std::size_t k = 0; k < 2; ++k)
      item.target[k] = mu - (correction > 0 ? correction * item.d_x[k] * item.d_z[k] : 0);
  aimAtTargets(omega, r);
}

void PlanarBarrier::recentre(double step, double mu, std::span<const double> omega,
                             std::span<double> r) {
  for (Item& item : items_) {
    item.last_target = item.target;
    for (std::size_t k = 0; k < 2; ++k) {
      const double now = item.x[k] * item.z[k], second = item.d_x[k] * item.d_z[k];
      item.target[k] += recentring(productAfter(step, now, item.target[k], second), mu);
    }
  }
  aimAtTargets(omega, r);
}

void PlanarBarrier::aimAsBefore(std::span<const double> omega, std::span<double> r) {
  for (Item& item : items_) item.target = item.last_target;
  aimAtTargets(omega, r);
}

// z d_x + x d_z = target - x z, and d_z from barrier.hpp.
void PlanarBarrier::aimAtTargets(std::span<const double> omega, std::span<double> r) {
  for (Item& item : items_) {
    const double* u = omega.data() + item.first;
    const Pair velocity{u[0] + u[1], u[0] - u[1]};
    for (std::size_t k = 0; k < 2; ++k)
      item.push[k] = item.softness[k] * (item.target[k] / item.x[k] - velocity[k]);
    r[item.first] = item.push[0] + item.push[1];
    r[item.first + 1] = item.push[0] - item.push[1];
  }
}

double PlanarBarrier::direct(std::span<const double>, std::span<const double> omega,
                             std::span<const double>, std::span<const double> d_omega) {
  double most = 1;
  for (Item& item : items_) {
    const double *u = omega.data() + item.first, *d_u = d_omega.data() + item.first;
    const Pair velocity{u[0] + u[1], u[0] - u[1]}, change{d_u[0] + d_u[1], d_u[0] - d_u[1]};
    for (std::size_t k = 0; k < 2; ++k) {
      item.d_x[k] = item.push[k] - item.softness[k] * change[k];
      item.d_z[k] = velocity[k] - item.z[k] + change[k] + delta_ * item.d_x[k];
      most = std::max({most, -item.d_x[k] / item.x[k], -item.d_z[k] / item.z[k]});
    }
  }
  return 1 / most;
}

void PlanarBarrier::move(double step, std::span<double> pi, std::span<const double>) {
  for (Item& item : items_) {
    for (std::size_t k = 0; k < 2; ++k) {
      item.x[k] += step * item.d_x[k];
      item.z[k] += step * item.d_z[k];
    }
    pi[item.first] = item.x[0] + item.x[1];
    pi[item.first + 1] = item.x[0] - item.x[1];
  }
}

}  // namespace stickslip
