#include "solvers/lorentz_barrier.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace stickslip {
namespace {

template <std::size_t N>
using Array = std::array<double, N>;

template <std::size_t N>
double tangentialDot(const Array<N>& a, const Array<N>& b) {
  double sum = 0;
  for (std::size_t k = 1; k < N; ++k) sum += a[k] * b[k];
  return sum;
}

template <std::size_t N>
double tangentialNorm(const Array<N>& a) {
  return std::sqrt(tangentialDot(a, a));
}

template <std::size_t N>
Array<N> load(std::span<const double> x, std::size_t first) {
  Array<N> out;
  for (std::size_t k = 0; k < N; ++k) out[k] = x[first + k];
  return out;
}

// The root of x'J x of a point inside; of one that rounding has put on the boundary, nearly zero.
template <std::size_t N>
double hyperbolicNorm(const Array<N>& x) {
  const double side = tangentialNorm(x);
  const double least = std::numeric_limits<double>::epsilon() * x[0];
  return std::sqrt(std::max(x[0] - side, least) * (x[0] + side));
}

// a o b of the Jordan algebra.
template <std::size_t N>
Array<N> jordanProduct(const Array<N>& a, const Array<N>& b) {
  Array<N> out;
  out[0] = a[0] * b[0] + tangentialDot(a, b);
  for (std::size_t k = 1; k < N; ++k) out[k] = a[0] * b[k] + b[0] * a[k];
  return out;
}

// x with a o x = b, for a inside the cone.
template <std::size_t N>
Array<N> jordanQuotient(const Array<N>& b, const Array<N>& a) {
  const double norm = hyperbolicNorm(a);
  const double across = tangentialDot(a, b);
  Array<N> out;
  out[0] = (a[0] * b[0] - across) / (norm * norm);
  for (std::size_t k = 1; k < N; ++k) out[k] = (b[k] - a[k] * out[0]) / a[0];
  return out;
}

// How many times the way to the boundary x + d goes, seen from x inside the cone: <= 1 inside.
template <std::size_t N>
double boundaryRatio(const Array<N>& x, const Array<N>& d) {
  const double norm = hyperbolicNorm(x);
  const double along = (x[0] * d[0] - tangentialDot(x, d)) / norm;
  const double factor = (along + d[0]) / (x[0] / norm + 1);
  double square = 0;
  for (std::size_t k = 1; k < N; ++k) {
    const double part = d[k] - factor * x[k] / norm;
    square += part * part;
  }
  return (std::sqrt(square) - along) / norm;
}

template <std::size_t N>
void pushInside(Array<N>& x, double margin) {
  const double side = tangentialNorm(x);
  // The nearest point of the cone, then up.
  if (side > x[0]) {
    const double n = std::max(0.0, (x[0] + side) / 2);
    for (std::size_t k = 1; k < N; ++k) x[k] *= side > 0 ? n / side : 0;
    x[0] = n;
  }
  x[0] = std::max(x[0], tangentialNorm(x) + margin);
}

}  // namespace

template <int N>
void LorentzBarrier<N>::select(const ConvexProblem& problem) {
  items_.clear();
  for (std::size_t i = 0; i < problem.items.size(); ++i) {
    const ContactItem& item = problem.items[i];
    if (item.kind != ContactItem::Kind::cone || item.rows != N) continue;
    items_.push_back({});
    items_.back().first = static_cast<std::size_t>(item.first);
    items_.back().block = problem.W.firstOfBlock(static_cast<int>(i));
  }
}

template <int N>
void LorentzBarrier<N>::enter(double impulse, double velocity, std::span<double> pi,
                              std::span<const double> omega) {
  for (Item& item : items_) {
    Vector x = load<N>(pi, item.first);
    pushInside(x, impulse);
    std::copy(x.begin(), x.end(), pi.begin() + static_cast<std::ptrdiff_t>(item.first));
    item.z = load<N>(omega, item.first);
    pushInside(item.z, velocity);
  }
}

template <int N>
double LorentzBarrier<N>::gap(std::span<const double> pi) const {
  double sum = 0;
  for (const Item& item : items_)
    for (std::size_t k = 0; k < N; ++k) sum += pi[item.first + k] * item.z[k];
  return sum;
}

template <int N>
auto LorentzBarrier<N>::spectral(const Item& item, double plus, double minus, double across,
                                 const Vector& x) -> Vector {
  const double along = tangentialDot(item.axis, x);
  const double a = plus * (x[0] + along) / 2, b = minus * (x[0] - along) / 2;
  Vector out;
  out[0] = a + b;
  const double on_axis = a - b - across * along;
  for (std::size_t k = 1; k < N; ++k) out[k] = across * x[k] + on_axis * item.axis[k];
  return out;
}

template <int N>
std::array<double, 3> LorentzBarrier<N>::softened(const Item& item) const {
  const double square = item.eta * item.eta, stretch = item.stretch * item.stretch;
  std::array<double, 3> l{square * stretch, square / stretch, square};
  for (double& value : l) value /= 1 + delta_ * value;
  return l;
}

template <int N>
std::array<double, 3> LorentzBarrier<N>::damping(const Item& item) const {
  std::array<double, 3> l = softened(item);
  for (double& value : l) value = 1 - delta_ * value;
  return l;
}

template <int N>
auto LorentzBarrier<N>::timesScaling(const Item& item, const Vector& x) -> Vector {
  return spectral(item, item.eta * item.stretch, item.eta / item.stretch, item.eta, x);
}

template <int N>
auto LorentzBarrier<N>::timesInverse(const Item& item, const Vector& x) -> Vector {
  return spectral(item, 1 / (item.eta * item.stretch), item.stretch / item.eta, 1 / item.eta, x);
}

template <int N>
void LorentzBarrier<N>::scaleItem(Item& item, const Vector& x) const {
  const double norm_x = hyperbolicNorm(x), norm_z = hyperbolicNorm(item.z);
  double cosine = 0;
  for (std::size_t k = 0; k < N; ++k) cosine += x[k] * item.z[k];
  const double gamma = std::sqrt((1 + cosine / (norm_x * norm_z)) / 2);
  for (std::size_t k = 1; k < N; ++k)
    item.w[k] = (x[k] / norm_x - item.z[k] / norm_z) / (2 * gamma);
  const double side = tangentialNorm(item.w);
  item.w[0] = std::sqrt(1 + side * side);
  item.stretch = item.w[0] + side;
  item.eta = std::sqrt(norm_x / norm_z);
  for (std::size_t k = 1; k < N; ++k) item.axis[k] = side > 0 ? item.w[k] / side : 0;
  item.lambda = timesScaling(item, item.z);
}

template <int N>
void LorentzBarrier<N>::scale(double delta, std::span<const double> pi, std::span<double> S) {
  delta_ = delta;
  for (Item& item : items_) {
    scaleItem(item, load<N>(pi, item.first));
    const auto [plus, minus, across] = softened(item);
    const double mean = (plus + minus) / 2, half = (plus - minus) / 2;
    double* block = S.data() + item.block;
    block[0] = mean;
    for (std::size_t i = 1; i < N; ++i) {
      block[i] = block[i * N] = half * item.axis[i];
      for (std::size_t j = 1; j < N; ++j)
        block[i * N + j] = (i == j ? across : 0) + (mean - across) * item.axis[i] * item.axis[j];
    }
  }
}

template <int N>
void LorentzBarrier<N>::aim(double mu, double correction, std::span<const double>,
                            std::span<const double> omega, std::span<double> r) {
  for (Item& item : items_) {
    item.target = {mu};
    if (correction > 0)
      for (std::size_t k = 0; k < N; ++k) item.target[k] -= correction * item.second[k];
  }
  aimAtTargets(omega, r);
}

// The eigenvalues of the product are brought back.
template <int N>
void LorentzBarrier<N>::recentre(double step, double mu, std::span<const double> omega,
                                 std::span<double> r) {
  for (Item& item : items_) {
    Vector product = jordanProduct(item.lambda, item.lambda);
    for (std::size_t k = 0; k < N; ++k)
      product[k] = productAfter(step, product[k], item.target[k], item.second[k]);
    item.last_target = item.target;
    const double side = tangentialNorm(product);
    const double plus = recentring(product[0] + side, mu);
    const double minus = recentring(product[0] - side, mu);
    item.target[0] += (plus + minus) / 2;
    for (std::size_t k = 1; k < N && side > 0; ++k)
      item.target[k] += (plus - minus) / 2 * product[k] / side;
  }
  aimAtTargets(omega, r);
}

template <int N>
void LorentzBarrier<N>::aimAsBefore(std::span<const double> omega, std::span<double> r) {
  for (Item& item : items_) item.target = item.last_target;
  aimAtTargets(omega, r);
}

// c = -pi + H (lambda \ target), r = (1 + delta H^2)^-1 (c - H^2 (omega - z)); H^2 z = pi.
template <int N>
void LorentzBarrier<N>::aimAtTargets(std::span<const double> omega, std::span<double> r) const {
  for (const Item& item : items_) {
    const Vector centre = timesScaling(item, jordanQuotient(item.target, item.lambda));
    const auto soft = softened(item), damp = damping(item);
    const Vector u = load<N>(omega, item.first);
    const Vector pull = spectral(item, soft[0], soft[1], soft[2], u);
    const Vector push = spectral(item, damp[0], damp[1], damp[2], centre);
    for (std::size_t k = 0; k < N; ++k) r[item.first + k] = push[k] - pull[k];
  }
}

template <int N>
double LorentzBarrier<N>::direct(std::span<const double>, std::span<const double> omega,
                                 std::span<const double> d_pi, std::span<const double> d_omega) {
  double most = 1;
  for (Item& item : items_) {
    const Vector d_x = load<N>(d_pi, item.first);
    for (std::size_t k = 0; k < N; ++k)
      item.d_z[k] = omega[item.first + k] - item.z[k] + d_omega[item.first + k] + delta_ * d_x[k];
    const Vector scaled_x = timesInverse(item, d_x), scaled_z = timesScaling(item, item.d_z);
    item.second = jordanProduct(scaled_x, scaled_z);
    most = std::max(
        {most, boundaryRatio(item.lambda, scaled_x), boundaryRatio(item.lambda, scaled_z)});
  }
  return 1 / most;
}

template <int N>
void LorentzBarrier<N>::move(double step, std::span<double> pi, std::span<const double> d_pi) {
  for (Item& item : items_)
    for (std::size_t k = 0; k < N; ++k) {
      pi[item.first + k] += step * d_pi[item.first + k];
      item.z[k] += step * item.d_z[k];
    }
}

template class LorentzBarrier<3>;
template class LorentzBarrier<4>;
template class LorentzBarrier<5>;
template class LorentzBarrier<6>;

}  // namespace stickslip
