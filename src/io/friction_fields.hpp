// Friction that depends on the sliding speed, as scenes give it:
//   "kinetic_friction": 0.3, "transition": {"type": "stribeck", "speed": 0.01, "exponent": 1}
#pragma once

#include "io/field_reader.hpp"
#include "stickslip/friction_curve.hpp"

namespace stickslip {

/// The curve from `friction`, which holds at rest and is field `friction_key`, to field
/// `kinetic_key` over field "transition"; constant if neither of the two is there.
FrictionCurve readFrictionCurve(FieldReader& fields, double friction, const char* friction_key,
                                const char* kinetic_key);

}  // namespace stickslip
