#include "stickslip/friction_curve.hpp"

#include <algorithm>
#include <cmath>

#include "stickslip/elementary.hpp"

namespace stickslip {
namespace {

// The lower incomplete gamma function of a > 1, y >= 0:
//   y^a e^-y (1/a + y/(a (a + 1)) + y^2/(a (a + 1) (a + 2)) + ...).
double incompleteGamma(double a, double y) {
  constexpr double kNegligible = 1e-17;
  // Beyond this nothing is added; there, terms are still far from overflow.
  y = std::min(y, 3 * a + 200);
  if (!(y > 0)) return 0;
  double term = 1 / a, sum = term;
  for (double n = 1; term > kNegligible * sum; ++n) {
    term *= y / (a + n);
    sum += term;
  }
  return sum * math::exp(a * math::log(y) - y);
}

}  // namespace

double FrictionCurve::factor(double s) const {
  if (isConstant()) return 1;
  const double x = s / speed;
  const double at_rest =
      transition == Transition::smooth ? 1 / (1 + x * x) : math::exp(-math::pow(x, exponent));
  return kinetic_ratio + (1 - kinetic_ratio) * at_rest;
}

// With g = (x - mu_k/mu_s) / (1 - mu_k/mu_s) = f(z), the integral of f - g from 0 to z: smooth, z =
// sqrt(1/g - 1), atan(z) - g z; Stribeck's, z^exponent = -log g, by parts the gamma function of
// that.
double FrictionCurve::excess(double x) const {
  if (isConstant()) return 0;
  const double g = std::clamp((x - kinetic_ratio) / (1 - kinetic_ratio), 0.0, 1.0);
  const double per_speed =
      transition == Transition::smooth
          ? math::atan2(std::sqrt(1 - g), std::sqrt(g)) - std::sqrt(g * (1 - g))
          : incompleteGamma(1 + 1 / exponent, -math::log(g));
  return (1 - kinetic_ratio) * speed * per_speed;
}

}  // namespace stickslip
