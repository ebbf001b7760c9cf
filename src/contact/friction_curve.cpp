#include "stickslip/friction_curve.hpp"

#include <cmath>

#include "stickslip/elementary.hpp"

namespace stickslip {

double FrictionCurve::factor(double s) const {
  if (isConstant()) return 1;
  const double x = s / speed;
  const double at_rest =
      transition == Transition::smooth ? 1 / (1 + x * x) : math::exp(-math::pow(x, exponent));
  return kinetic_ratio + (1 - kinetic_ratio) * at_rest;
}

}  // namespace stickslip
