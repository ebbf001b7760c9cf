#include "solvers/exact/smoothed_law.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace stickslip {
namespace {

using ConeKind = Cone::Kind;
using Vector = std::array<double, kMostRows>;

// phi at x and -x, the root that both have, and hence slopes and their complements.
struct Phi {
  double value;
  double mirrored;
  double root;

  Phi(double x, double tau) : root(std::sqrt(x * x + 4 * tau)) {
    const double larger = (std::abs(x) + root) / 2, smaller = larger > 0 ? tau / larger : 0;
    value = x > 0 ? larger : smaller;
    mirrored = x > 0 ? smaller : larger;
  }
};

// y = p - z of a cone in spectral form.
struct Spectrum {
  Vector axis{};   ///< of y_t
  Vector slope{};  ///< of the slip in u_t
  Phi low;
  Phi high;
};

Spectrum spectrumOf(const Smoothing& smoothing, std::span<const double> p,
                    std::span<const double> u, std::span<const double> centre) {
  const double eps = smoothing.eps;
  double slip = smoothing.tau;
  for (std::size_t k = 1; k < p.size(); ++k) slip += u[k] * u[k];
  slip = p.size() > 1 ? std::sqrt(slip) : 0;
  Vector axis{}, slope{};
  double side = 0;
  for (std::size_t k = 1; k < p.size(); ++k) {
    axis[k] = p[k] - u[k] - eps * (p[k] - centre[k]);
    slope[k] = slip > 0 ? u[k] / slip : 0;
    side += axis[k] * axis[k];
  }
  side = std::sqrt(side);
  for (std::size_t k = 1; k < p.size(); ++k) axis[k] = side > 0 ? axis[k] / side : (k == 1 ? 1 : 0);
  const double y_n = p[0] - u[0] - slip - eps * (p[0] - centre[0]);
  return {axis, slope, Phi(y_n - side, smoothing.tau), Phi(y_n + side, smoothing.tau)};
}

void coneMap(const Spectrum& y, std::span<const double> p, std::span<double> F) {
  const double half = (y.high.value - y.low.value) / 2;
  F[0] = p[0] - (y.high.value + y.low.value) / 2;
  for (std::size_t k = 1; k < p.size(); ++k) F[k] = p[k] - half * y.axis[k];
}

// With eigenvalues D and 1 - D of the derivative: S = (1 - D + eps D)^-1 D T, rhs likewise of -F;
// T adds the slope of the slip to the normal row.
void linearizeCone(const Smoothing& smoothing, const Spectrum& y, std::span<const double> F,
                   MatrixView S, std::span<double> rhs) {
  const double eps = smoothing.eps;
  const auto softened = [&](double value, double mirrored) {
    return value / (mirrored + eps * value);
  };
  const auto damped = [&](double value, double mirrored, double root) {
    return root / (mirrored + eps * value);
  };
  const double s_low = softened(y.low.value, y.low.mirrored);
  const double s_high = softened(y.high.value, y.high.mirrored);
  const double across_value = y.low.value + y.high.value;
  const double across_mirrored = y.low.mirrored + y.high.mirrored;
  const double s_across = softened(across_value, across_mirrored);
  const double d_low = damped(y.low.value, y.low.mirrored, y.low.root);
  const double d_high = damped(y.high.value, y.high.mirrored, y.high.root);
  const double d_across = damped(across_value, across_mirrored, y.low.root + y.high.root);
  const double mean = (s_high + s_low) / 2, half = (s_high - s_low) / 2;
  double along = 0;
  for (std::size_t k = 1; k < F.size(); ++k) along += y.axis[k] * F[k];
  const double to_high = d_high * (F[0] + along) / 2, to_low = d_low * (F[0] - along) / 2;
  rhs[0] = -(to_high + to_low);
  for (std::size_t k = 1; k < F.size(); ++k)
    rhs[k] = -(d_across * (F[k] - along * y.axis[k]) + (to_high - to_low) * y.axis[k]);
  S(0, 0) = mean;
  for (int i = 1; i < S.rows; ++i) {
    const double a_i = y.axis[i];
    S(0, i) = half * a_i + mean * y.slope[i];
    S(i, 0) = half * a_i;
    for (int j = 1; j < S.rows; ++j) {
      const auto k = static_cast<std::size_t>(j);
      S(i, j) =
          (i == j ? s_across : 0) + (mean - s_across) * a_i * y.axis[k] + half * a_i * y.slope[k];
    }
  }
}

// Phi = lower + phi(y - lower) - phi(y - upper), with infinite bounds left out.
struct Clamp {
  double value;
  double slope = 0;       ///< D
  double complement = 0;  ///< 1 - D
};

Clamp smoothedClamp(const Cone& cone, double y, double tau) {
  const bool below = std::isfinite(cone.lower), above = std::isfinite(cone.upper);
  Clamp out{y};
  double lower_slope = 1;
  if (below) {
    const Phi phi(y - cone.lower, tau);
    out.value = cone.lower + phi.value;
    lower_slope = phi.root > 0 ? phi.value / phi.root : 0.5;
    out.complement = phi.root > 0 ? phi.mirrored / phi.root : 0.5;
  }
  if (above) {
    const Phi phi(y - cone.upper, tau);
    out.value -= phi.value;
    const double upper_slope = phi.root > 0 ? phi.value / phi.root : 0.5;
    out.complement += upper_slope;
    lower_slope -= upper_slope;
  }
  out.slope = std::max(lower_slope, 0.0);
  return out;
}

}  // namespace

void smoothedMap(const Cone& cone, const Smoothing& smoothing, std::span<const double> p,
                 std::span<const double> u, std::span<const double> centre, std::span<double> F) {
  if (cone.kind == ConeKind::lorentz || cone.kind == ConeKind::polygon)
    return coneMap(spectrumOf(smoothing, p, u, centre), p, F);
  const double z = u[0] + smoothing.eps * (p[0] - centre[0]);
  F[0] =
      cone.kind == ConeKind::joint ? z : p[0] - smoothedClamp(cone, p[0] - z, smoothing.tau).value;
}

void linearizeSmoothedLaw(const Cone& cone, const Smoothing& smoothing, std::span<const double> p,
                          std::span<const double> u, std::span<const double> centre, MatrixView S,
                          std::span<double> rhs) {
  if (cone.kind == ConeKind::lorentz || cone.kind == ConeKind::polygon) {
    const Spectrum y = spectrumOf(smoothing, p, u, centre);
    Vector F{};
    coneMap(y, p, std::span(F).first(p.size()));
    return linearizeCone(smoothing, y, std::span(F).first(p.size()), S, rhs);
  }
  const double z = u[0] + smoothing.eps * (p[0] - centre[0]);
  if (cone.kind == ConeKind::joint) {
    S(0, 0) = 1 / smoothing.eps;
    rhs[0] = -z / smoothing.eps;
    return;
  }
  const Clamp phi = smoothedClamp(cone, p[0] - z, smoothing.tau);
  const double divisor = phi.complement + smoothing.eps * phi.slope;
  S(0, 0) = phi.slope / divisor;
  rhs[0] = (phi.value - p[0]) / divisor;
}

}  // namespace stickslip
