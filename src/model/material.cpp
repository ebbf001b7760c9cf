#include "stickslip/material.hpp"

#include <algorithm>
#include <cmath>

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

}  // namespace stickslip
