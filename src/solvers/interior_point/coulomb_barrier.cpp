#include "solvers/interior_point/coulomb_barrier.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "solvers/interior_point/lorentz_algebra.hpp"

namespace stickslip {
namespace {

using Kind = Cone::Kind;
using Vector = std::array<double, kMostRows>;

// Softness of impulses without bounds, beside which W is 1.
constexpr double kFreeSoftness = 1e-9;

Vector loadVector(std::span<const double> x) {
  Vector out{};
  std::copy(x.begin(), x.end(), out.begin());
  return out;
}

}  // namespace

void CoulombBarrier::enter(const Cone& cone, Law law, std::span<const double> p,
                           std::span<const double> u, double impulse, double velocity) {
  cone_ = cone;
  law_ = law;
  rows_ = p.size();
  p_ = loadVector(p);
  z_ = loadVector(u);
  if (isCone()) {
    degree_ = 1;
    pushInside(p_, impulse);
    z_[0] += slip();
    pushInside(z_, velocity);
    return;
  }
  lower_ = {cone.kind == Kind::interval && std::isfinite(cone.lower)};
  upper_ = {cone.kind == Kind::interval && std::isfinite(cone.upper)};
  degree_ = (lower_.bounded ? 1 : 0) + (upper_.bounded ? 1 : 0);
  const double range = degree_ == 2 ? cone.upper - cone.lower : 4 * impulse;
  const double margin = std::min(impulse, range / 4);
  if (lower_.bounded) p_[0] = std::max(p_[0], cone.lower + margin);
  if (upper_.bounded) p_[0] = std::min(p_[0], cone.upper - margin);
  lower_.distance = p_[0] - cone.lower;
  upper_.distance = cone.upper - p_[0];
  if (lower_.bounded) lower_.z = std::max(u[0], 0.0) + velocity;
  if (upper_.bounded) upper_.z = std::max(-u[0], 0.0) + velocity;
}

double CoulombBarrier::slip() const {
  return law_ == Law::coulomb && isCone() ? tangentialNorm(z_) : 0;
}

void CoulombBarrier::setNormal(double p_n, double margin) {
  const double side = tangentialNorm(p_), most = p_n - std::min(margin, p_n / 2);
  p_[0] = p_n;
  if (side <= most) return;
  for (std::size_t k = 1; k < rows_; ++k) p_[k] *= most / side;
}

double CoulombBarrier::gap() const {
  if (isCone()) return p_[0] * z_[0] + tangentialDot(p_, z_);
  return (lower_.bounded ? lower_.distance * lower_.z : 0) +
         (upper_.bounded ? upper_.distance * upper_.z : 0);
}

void CoulombBarrier::impulse(std::span<double> p) const {
  std::copy_n(p_.begin(), rows_, p.begin());
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
  const double norm_pi = hyperbolicNorm(p_), norm_z = hyperbolicNorm(z_);
  const double cosine = gap() / (norm_pi * norm_z);
  const double gamma = std::sqrt((1 + cosine) / 2);
  Vector w{};
  for (std::size_t k = 1; k < rows_; ++k) w[k] = (p_[k] / norm_pi - z_[k] / norm_z) / (2 * gamma);
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
  const auto slope = [&](int j) { return z_side > 0 ? z_[j] / z_side : 0; };
  S(0, 0) = mean;
  for (int i = 1; i < S.rows; ++i) {
    const double a_i = axis_[i];
    S(0, i) = half * a_i + mean * slope(i);
    S(i, 0) = half * a_i;
    for (int j = 1; j < S.rows; ++j)
      S(i, j) = (i == j ? across : 0) + (mean - across) * a_i * axis_[j] + half * a_i * slope(j);
  }
}

void CoulombBarrier::aim(double mu, double correction, std::span<const double> u,
                         std::span<double> r, std::span<double> residual) {
  if (!isCone()) {
    for (Side* side : {&lower_, &upper_})
      side->target = mu - (correction > 0 ? correction * side->second : 0);
    double push = 0;
    if (lower_.bounded) push += lower_.target / lower_.distance - lower_.z;
    if (upper_.bounded) push -= upper_.target / upper_.distance - upper_.z;
    r[0] = push / stretch_;
    residual[0] = u[0] - lower_.z + upper_.z;
    return;
  }
  Vector target{};
  target[0] = mu;
  if (correction > 0)
    for (std::size_t k = 0; k < rows_; ++k) target[k] -= correction * second_[k];
  Vector centre = spectral(eta_ * stretch_, eta_ / stretch_, eta_, jordanQuotient(target, lambda_));
  for (std::size_t k = 0; k < rows_; ++k) centre[k] -= p_[k];
  const double square = eta_ * eta_, stretch = stretch_ * stretch_;
  const Vector damped =
      spectral(1 / (1 + delta_ * square * stretch), 1 / (1 + delta_ * square / stretch),
               1 / (1 + delta_ * square), centre);
  for (std::size_t k = 0; k < rows_; ++k) {
    r[k] = damped[k];
    residual[k] = u[k] - z_[k];
  }
  residual[0] += slip();
}

// distance (z + d_z) + z d = target.
double CoulombBarrier::directRow(double d_p) {
  d_p_[0] = d_p;
  double most = 0;
  const auto side = [&](Side& s, double sign) {
    if (!s.bounded) return;
    const double d = sign * d_p;
    s.d_z = (s.target - s.z * d) / s.distance - s.z;
    s.second = d * s.d_z;
    most = std::max({most, -d / s.distance, -s.d_z / s.z});
  };
  side(lower_, 1);
  side(upper_, -1);
  return most;
}

Vector CoulombBarrier::velocityChange(std::span<const double> d_u) const {
  Vector out = loadVector(d_u);
  const double side = slip();
  if (side > 0) out[0] += tangentialDot(z_, out) / side;
  for (std::size_t k = 0; k < rows_; ++k) out[k] += delta_ * d_p_[k];
  return out;
}

double CoulombBarrier::direct(std::span<const double> d_p, std::span<const double> d_u) {
  if (!isCone()) return directRow(d_p[0]);
  d_p_ = loadVector(d_p);
  d_z_ = velocityChange(d_u);
  const Vector scaled_pi = spectral(1 / (eta_ * stretch_), stretch_ / eta_, 1 / eta_, d_p_);
  const Vector scaled_z = spectral(eta_ * stretch_, eta_ / stretch_, eta_, d_z_);
  second_ = jordanProduct(scaled_pi, scaled_z);
  return std::max(boundaryRatio(lambda_, scaled_pi), boundaryRatio(lambda_, scaled_z));
}

void CoulombBarrier::move(double step) {
  for (std::size_t k = 0; k < rows_; ++k) {
    p_[k] += step * d_p_[k];
    z_[k] += step * d_z_[k];
  }
  for (Side* side : {&lower_, &upper_}) {
    if (isCone() || !side->bounded) continue;
    side->distance += step * (side == &lower_ ? d_p_[0] : -d_p_[0]);
    side->z += step * side->d_z;
  }
}

}  // namespace stickslip
