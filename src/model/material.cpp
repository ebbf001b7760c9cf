#include <algorithm>
#include <cmath>

#include "stickslip/elementary.hpp"
#include "stickslip/friction_curve.hpp"
#include "stickslip/material.hpp"

namespace stickslip {
namespace {

// A surface that does not have it takes part in what the other one does.
double combinedForce(double a, double b) {
  return a > 0 && b > 0 ? std::sqrt(a * b) : std::max(a, b);
}

}  // namespace

bool transitionsAgree(const FrictionCurve& a, const FrictionCurve& b) {
  return a.isConstant() || b.isConstant() ||
         (a.transition == b.transition && a.speed == b.speed && a.exponent == b.exponent);
}

FrictionCurve combine(const FrictionCurve& a, const FrictionCurve& b) {
  if (a.isConstant() && b.isConstant()) return {};
  const auto ratio = [](const FrictionCurve& c) { return c.isConstant() ? 1 : c.kinetic_ratio; };
  FrictionCurve curve = a.isConstant() ? b : a;
  curve.kinetic_ratio = std::sqrt(ratio(a) * ratio(b));
  return curve;
}

ContactProperties combine(const ContactProperties& a, const ContactProperties& b) {
  return {.friction = std::sqrt(a.friction * b.friction),
          .restitution = std::max(a.restitution, b.restitution),
          .tangential_restitution = std::max(a.tangential_restitution, b.tangential_restitution),
          .rolling_friction = std::sqrt(a.rolling_friction * b.rolling_friction),
          .torsional_friction = std::sqrt(a.torsional_friction * b.torsional_friction),
          .friction_force = combinedForce(a.friction_force, b.friction_force),
          .friction_curve = combine(a.friction_curve, b.friction_curve),
          .directions = std::max(a.directions, b.directions)};
}

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
