#include "solvers/coulomb_barrier.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace stickslip {
namespace {

using Kind = ContactItem::Kind;
using Vector = std::array<double, kMostRows>;

// Softness of impulses without bounds, beside which W is 1.
constexpr double kFreeSoftness = 1e-9;

double tangentialDot(const Vector& a, const Vector& b) {
  double sum = 0;
  for (std::size_t k = 1; k < kMostRows; ++k) sum += a[k] * b[k];
  return sum;
}

double tangentialNorm(const Vector& a) {
  return std::sqrt(tangentialDot(a, a));
}

// The root of x'J x of a point inside; of one that rounding has put on the boundary, nearly zero.
double hyperbolicNorm(const Vector& x) {
  const double side = tangentialNorm(x);
  const double least = std::numeric_limits<double>::epsilon() * x[0];
  return std::sqrt(std::max(x[0] - side, least) * (x[0] + side));
}

Vector jordanProduct(const Vector& a, const Vector& b) {
  Vector out;
  out[0] = a[0] * b[0] + tangentialDot(a, b);
  for (std::size_t k = 1; k < kMostRows; ++k) out[k] = a[0] * b[k] + b[0] * a[k];
  return out;
}

// x with a o x = b, for a inside the cone.
Vector jordanQuotient(const Vector& b, const Vector& a) {
  const double norm = hyperbolicNorm(a);
  Vector out;
  out[0] = (a[0] * b[0] - tangentialDot(a, b)) / (norm * norm);
  for (std::size_t k = 1; k < kMostRows; ++k) out[k] = (b[k] - a[k] * out[0]) / a[0];
  return out;
}

// How many times the way to the boundary d goes, seen from x inside the cone.
double boundaryRatio(const Vector& x, const Vector& d) {
  const double norm = hyperbolicNorm(x);
  const double along = (x[0] * d[0] - tangentialDot(x, d)) / norm;
  const double factor = (along + d[0]) / (x[0] / norm + 1);
  double square = 0;
  for (std::size_t k = 1; k < kMostRows; ++k) {
    const double part = d[k] - factor * x[k] / norm;
    square += part * part;
  }
  return (std::sqrt(square) - along) / norm;
}

void pushInside(Vector& x, double margin) {
  const double side = tangentialNorm(x);
  if (side > x[0]) {
    const double n = std::max(0.0, (x[0] + side) / 2);
    for (std::size_t k = 1; k < kMostRows; ++k) x[k] *= side > 0 ? n / side : 0;
    x[0] = n;
  }
  x[0] = std::max(x[0], tangentialNorm(x) + margin);
}

Vector load(std::span<const double> x) {
  Vector out{};
  std::copy(x.begin(), x.end(), out.begin());
  return out;
}

}  // namespace

void CoulombBarrier::enter(const ContactItem& item, Law law, std::span<const double> pi,
                           std::span<const double> omega, double impulse, double velocity) {
  item_ = item;
  law_ = law;
  rows_ = pi.size();
  pi_ = load(pi);
  z_ = load(omega);
  if (isCone()) {
    degree_ = 1;
    pushInside(pi_, impulse);
    z_[0] += slip();
    pushInside(z_, velocity);
    return;
  }
  lower_ = {item.kind == Kind::interval && std::isfinite(item.lower)};
  upper_ = {item.kind == Kind::interval && std::isfinite(item.upper)};
  degree_ = (lower_.bounded ? 1 : 0) + (upper_.bounded ? 1 : 0);
  const double range = degree_ == 2 ? item.upper - item.lower : 4 * impulse;
  const double margin = std::min(impulse, range / 4);
  if (lower_.bounded) pi_[0] = std::max(pi_[0], item.lower + margin);
  if (upper_.bounded) pi_[0] = std::min(pi_[0], item.upper - margin);
  lower_.distance = pi_[0] - item.lower;
  upper_.distance = item.upper - pi_[0];
  if (lower_.bounded) lower_.z = std::max(omega[0], 0.0) + velocity;
  if (upper_.bounded) upper_.z = std::max(-omega[0], 0.0) + velocity;
}

double CoulombBarrier::slip() const {
  return law_ == Law::coulomb && isCone() ? tangentialNorm(z_) : 0;
}

void CoulombBarrier::setNormal(double pi_n, double margin) {
  const double side = tangentialNorm(pi_), most = pi_n - std::min(margin, pi_n / 2);
  pi_[0] = pi_n;
  if (side <= most) return;
  for (std::size_t k = 1; k < rows_; ++k) pi_[k] *= most / side;
}

double CoulombBarrier::gap() const {
  if (isCone()) return pi_[0] * z_[0] + tangentialDot(pi_, z_);
  return (lower_.bounded ? lower_.distance * lower_.z : 0) +
         (upper_.bounded ? upper_.distance * upper_.z : 0);
}

void CoulombBarrier::impulse(std::span<double> pi) const {
  std::copy_n(pi_.begin(), rows_, pi.begin());
}

// The function of H with these values at its eigenvalues, times x.
Vector CoulombBarrier::spectral(double plus, double minus, double across, const Vector& x) const {
  const double along = tangentialDot(axis_, x);
  const double a = plus * (x[0] + along) / 2, b = minus * (x[0] - along) / 2;
  Vector out;
  out[0] = a + b;
  const double on_axis = a - b - across * along;
  for (std::size_t k = 1; k < kMostRows; ++k) out[k] = across * x[k] + on_axis * axis_[k];
  return out;
}

void CoulombBarrier::scale(double delta, MatrixView S) {
  delta_ = delta;
  if (isCone())
    scaleCone(S);
  else
    scaleRow(S);
}

void CoulombBarrier::scaleRow(MatrixView S) {
  double stiffness = degree_ == 0 ? kFreeSoftness : delta_;
  if (lower_.bounded) stiffness += lower_.z / lower_.distance;
  if (upper_.bounded) stiffness += upper_.z / upper_.distance;
  S(0, 0) = 1 / stiffness;
  stretch_ = stiffness;
}

void CoulombBarrier::scaleCone(MatrixView S) {
  const double norm_pi = hyperbolicNorm(pi_), norm_z = hyperbolicNorm(z_);
  const double cosine = gap() / (norm_pi * norm_z);
  const double gamma = std::sqrt((1 + cosine) / 2);
  Vector w{};
  for (std::size_t k = 1; k < rows_; ++k) w[k] = (pi_[k] / norm_pi - z_[k] / norm_z) / (2 * gamma);
  const double side = tangentialNorm(w);
  stretch_ = std::sqrt(1 + side * side) + side;
  eta_ = std::sqrt(norm_pi / norm_z);
  for (std::size_t k = 1; k < kMostRows; ++k) axis_[k] = side > 0 ? w[k] / side : 0;
  lambda_ = spectral(eta_ * stretch_, eta_ / stretch_, eta_, z_);

  const auto soft = [&](double l) { return l / (1 + delta_ * l); };
  const double square = eta_ * eta_, stretch = stretch_ * stretch_;
  const double plus = soft(square * stretch), minus = soft(square / stretch), across = soft(square);
  const double mean = (plus + minus) / 2, half = (plus - minus) / 2;
  const double z_side = slip();
  const auto slope = [&](int j) {
    return z_side > 0 ? z_[static_cast<std::size_t>(j)] / z_side : 0;
  };
  S(0, 0) = mean;
  for (int i = 1; i < S.rows; ++i) {
    const double a_i = axis_[static_cast<std::size_t>(i)];
    S(0, i) = half * a_i + mean * slope(i);
    S(i, 0) = half * a_i;
    for (int j = 1; j < S.rows; ++j)
      S(i, j) = (i == j ? across : 0) + (mean - across) * a_i * axis_[static_cast<std::size_t>(j)] +
                half * a_i * slope(j);
  }
}

void CoulombBarrier::aim(double mu, double correction, std::span<const double> omega,
                         std::span<double> r, std::span<double> residual) {
  if (!isCone()) {
    for (Side* side : {&lower_, &upper_})
      side->target = mu - (correction > 0 ? correction * side->second : 0);
    double push = 0;
    if (lower_.bounded) push += lower_.target / lower_.distance - lower_.z;
    if (upper_.bounded) push -= upper_.target / upper_.distance - upper_.z;
    r[0] = push / stretch_;
    residual[0] = omega[0] - lower_.z + upper_.z;
    return;
  }
  Vector target{};
  target[0] = mu;
  if (correction > 0)
    for (std::size_t k = 0; k < rows_; ++k) target[k] -= correction * second_[k];
  Vector centre = spectral(eta_ * stretch_, eta_ / stretch_, eta_, jordanQuotient(target, lambda_));
  for (std::size_t k = 0; k < rows_; ++k) centre[k] -= pi_[k];
  const double square = eta_ * eta_, stretch = stretch_ * stretch_;
  const Vector damped =
      spectral(1 / (1 + delta_ * square * stretch), 1 / (1 + delta_ * square / stretch),
               1 / (1 + delta_ * square), centre);
  for (std::size_t k = 0; k < rows_; ++k) {
    r[k] = damped[k];
    residual[k] = omega[k] - z_[k];
  }
  residual[0] += slip();
}

// distance (z + d_z) + z d = target.
double CoulombBarrier::directRow(double d_pi) {
  d_pi_[0] = d_pi;
  double most = 0;
  const auto side = [&](Side& s, double sign) {
    if (!s.bounded) return;
    const double d = sign * d_pi;
    s.d_z = (s.target - s.z * d) / s.distance - s.z;
    s.second = d * s.d_z;
    most = std::max({most, -d / s.distance, -s.d_z / s.z});
  };
  side(lower_, 1);
  side(upper_, -1);
  return most;
}

Vector CoulombBarrier::velocityChange(std::span<const double> d_omega) const {
  Vector out = load(d_omega);
  const double side = slip();
  if (side > 0) out[0] += tangentialDot(z_, out) / side;
  for (std::size_t k = 0; k < rows_; ++k) out[k] += delta_ * d_pi_[k];
  return out;
}

double CoulombBarrier::direct(std::span<const double> d_pi, std::span<const double> d_omega) {
  if (!isCone()) return directRow(d_pi[0]);
  d_pi_ = load(d_pi);
  d_z_ = velocityChange(d_omega);
  const Vector scaled_pi = spectral(1 / (eta_ * stretch_), stretch_ / eta_, 1 / eta_, d_pi_);
  const Vector scaled_z = spectral(eta_ * stretch_, eta_ / stretch_, eta_, d_z_);
  second_ = jordanProduct(scaled_pi, scaled_z);
  return std::max(boundaryRatio(lambda_, scaled_pi), boundaryRatio(lambda_, scaled_z));
}

void CoulombBarrier::move(double step) {
  for (std::size_t k = 0; k < rows_; ++k) {
    pi_[k] += step * d_pi_[k];
    z_[k] += step * d_z_[k];
  }
  for (Side* side : {&lower_, &upper_}) {
    if (isCone() || !side->bounded) continue;
    side->distance += step * (side == &lower_ ? d_pi_[0] : -d_pi_[0]);
    side->z += step * side->d_z;
  }
}

}  // namespace stickslip
