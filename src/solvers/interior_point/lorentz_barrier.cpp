#include "solvers/interior_point/lorentz_barrier.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "solvers/interior_point/lorentz_algebra.hpp"

namespace stickslip {
namespace {

template <std::size_t N>
using Array = LorentzVector<N>;

}  // namespace

template <int N>
void LorentzBarrier<N>::select(const ConvexProblem& problem) {
  cones_.clear();
  for (std::size_t i = 0; i < problem.cones.size(); ++i) {
    const Cone& cone = problem.cones[i];
    if (cone.kind != Cone::Kind::lorentz || cone.rows != N) continue;
    cones_.push_back({});
    cones_.back().first = static_cast<std::size_t>(cone.first);
    cones_.back().block = problem.W.firstOfBlock(static_cast<int>(i));
  }
}

template <int N>
void LorentzBarrier<N>::enter(double impulse, double velocity, std::span<double> p,
                              std::span<const double> u) {
  for (Item& cone : cones_) {
    Vector x = load<N>(p, cone.first);
    pushInside(x, impulse);
    std::copy(x.begin(), x.end(), p.begin() + static_cast<std::ptrdiff_t>(cone.first));
    cone.z = load<N>(u, cone.first);
    pushInside(cone.z, velocity);
  }
}

template <int N>
double LorentzBarrier<N>::gap(std::span<const double> p) const {
  double sum = 0;
  for (const Item& cone : cones_)
    for (std::size_t k = 0; k < N; ++k) sum += p[cone.first + k] * cone.z[k];
  return sum;
}

template <int N>
auto LorentzBarrier<N>::spectral(const Item& cone, double plus, double minus, double across,
                                 const Vector& x) -> Vector {
  const double along = tangentialDot(cone.axis, x);
  const double a = plus * (x[0] + along) / 2, b = minus * (x[0] - along) / 2;
  Vector out;
  out[0] = a + b;
  const double on_axis = a - b - across * along;
  for (std::size_t k = 1; k < N; ++k) out[k] = across * x[k] + on_axis * cone.axis[k];
  return out;
}

template <int N>
std::array<double, 3> LorentzBarrier<N>::softened(const Item& cone) const {
  const double square = cone.eta * cone.eta, stretch = cone.stretch * cone.stretch;
  std::array<double, 3> l{square * stretch, square / stretch, square};
  for (double& value : l) value /= 1 + delta_ * value;
  return l;
}

template <int N>
std::array<double, 3> LorentzBarrier<N>::damping(const Item& cone) const {
  std::array<double, 3> l = softened(cone);
  for (double& value : l) value = 1 - delta_ * value;
  return l;
}

template <int N>
auto LorentzBarrier<N>::timesScaling(const Item& cone, const Vector& x) -> Vector {
  return spectral(cone, cone.eta * cone.stretch, cone.eta / cone.stretch, cone.eta, x);
}

template <int N>
auto LorentzBarrier<N>::timesInverse(const Item& cone, const Vector& x) -> Vector {
  return spectral(cone, 1 / (cone.eta * cone.stretch), cone.stretch / cone.eta, 1 / cone.eta, x);
}

template <int N>
void LorentzBarrier<N>::scaleItem(Item& cone, const Vector& x) const {
  const double norm_x = hyperbolicNorm(x), norm_z = hyperbolicNorm(cone.z);
  double cosine = 0;
  for (std::size_t k = 0; k < N; ++k) cosine += x[k] * cone.z[k];
  const double gamma = std::sqrt((1 + cosine / (norm_x * norm_z)) / 2);
  for (std::size_t k = 1; k < N; ++k)
    cone.w[k] = (x[k] / norm_x - cone.z[k] / norm_z) / (2 * gamma);
  const double side = tangentialNorm(cone.w);
  cone.w[0] = std::sqrt(1 + side * side);
  cone.stretch = cone.w[0] + side;
  cone.eta = std::sqrt(norm_x / norm_z);
  for (std::size_t k = 1; k < N; ++k) cone.axis[k] = side > 0 ? cone.w[k] / side : 0;
  cone.lambda = timesScaling(cone, cone.z);
}

template <int N>
void LorentzBarrier<N>::scale(double delta, std::span<const double> p, std::span<double> S) {
  delta_ = delta;
  for (Item& cone : cones_) {
    scaleItem(cone, load<N>(p, cone.first));
    const auto [plus, minus, across] = softened(cone);
    const double mean = (plus + minus) / 2, half = (plus - minus) / 2;
    double* block = S.data() + cone.block;
    block[0] = mean;
    for (std::size_t i = 1; i < N; ++i) {
      block[i] = block[i * N] = half * cone.axis[i];
      for (std::size_t j = 1; j < N; ++j)
        block[i * N + j] = (i == j ? across : 0) + (mean - across) * cone.axis[i] * cone.axis[j];
    }
  }
}

template <int N>
void LorentzBarrier<N>::aim(double mu, double correction, std::span<const double>,
                            std::span<const double> u, std::span<double> r) {
  for (Item& cone : cones_) {
    cone.target = {mu};
    if (correction > 0)
      for (std::size_t k = 0; k < N; ++k) cone.target[k] -= correction * cone.second[k];
  }
  aimAtTargets(u, r);
}

// The eigenvalues of the product are brought back.
template <int N>
void LorentzBarrier<N>::recentre(double step, double mu, std::span<const double> u,
                                 std::span<double> r) {
  for (Item& cone : cones_) {
    Vector product = jordanProduct(cone.lambda, cone.lambda);
    for (std::size_t k = 0; k < N; ++k)
      product[k] = productAfter(step, product[k], cone.target[k], cone.second[k]);
    cone.last_target = cone.target;
    const double side = tangentialNorm(product);
    const double plus = recentring(product[0] + side, mu);
    const double minus = recentring(product[0] - side, mu);
    cone.target[0] += (plus + minus) / 2;
    for (std::size_t k = 1; k < N && side > 0; ++k)
      cone.target[k] += (plus - minus) / 2 * product[k] / side;
  }
  aimAtTargets(u, r);
}

template <int N>
void LorentzBarrier<N>::aimAsBefore(std::span<const double> u, std::span<double> r) {
  for (Item& cone : cones_) cone.target = cone.last_target;
  aimAtTargets(u, r);
}

// c = -p + H (lambda \ target), r = (1 + delta H^2)^-1 (c - H^2 (u - z)); H^2 z = p.
template <int N>
void LorentzBarrier<N>::aimAtTargets(std::span<const double> u, std::span<double> r) const {
  for (const Item& cone : cones_) {
    const Vector centre = timesScaling(cone, jordanQuotient(cone.target, cone.lambda));
    const auto soft = softened(cone), damp = damping(cone);
    const Vector velocity = load<N>(u, cone.first);
    const Vector pull = spectral(cone, soft[0], soft[1], soft[2], velocity);
    const Vector push = spectral(cone, damp[0], damp[1], damp[2], centre);
    for (std::size_t k = 0; k < N; ++k) r[cone.first + k] = push[k] - pull[k];
  }
}

template <int N>
double LorentzBarrier<N>::direct(std::span<const double>, std::span<const double> u,
                                 std::span<const double> d_p, std::span<const double> d_u) {
  double most = 1;
  for (Item& cone : cones_) {
    const Vector d_x = load<N>(d_p, cone.first);
    for (std::size_t k = 0; k < N; ++k)
      cone.d_z[k] = u[cone.first + k] - cone.z[k] + d_u[cone.first + k] + delta_ * d_x[k];
    const Vector scaled_x = timesInverse(cone, d_x), scaled_z = timesScaling(cone, cone.d_z);
    cone.second = jordanProduct(scaled_x, scaled_z);
    most = std::max(
        {most, boundaryRatio(cone.lambda, scaled_x), boundaryRatio(cone.lambda, scaled_z)});
  }
  return 1 / most;
}

template <int N>
void LorentzBarrier<N>::move(double step, std::span<double> p, std::span<const double> d_p) {
  for (Item& cone : cones_)
    for (std::size_t k = 0; k < N; ++k) {
      p[cone.first + k] += step * d_p[cone.first + k];
      cone.z[k] += step * cone.d_z[k];
    }
}

template class LorentzBarrier<3>;
template class LorentzBarrier<4>;
template class LorentzBarrier<5>;
template class LorentzBarrier<6>;

}  // namespace stickslip
