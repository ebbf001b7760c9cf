// Friction that depends on the sliding speed, as scenes give it:
//   "kinetic_friction": 0.3, "transition": {"type": "stribeck", "speed": 0.01, "exponent": 1}
#pragma once

#include "io/field_reader.hpp"
#include "stickslip/friction_curve.hpp"
#include "stickslip/friction_directions.hpp"

namespace stickslip {

/// The curve from `friction`, which holds at rest and is field `friction_key`, to field
/// `kinetic_key` over field "transition"; constant if neither of the two is there.
FrictionCurve readFrictionCurve(FieldReader& fields, double friction, const char* friction_key,
                                const char* kinetic_key);

/// "directions": corners of a polyhedral cone, 3 to 64; `fallback` if they are not there.
int readDirectionCount(FieldReader& fields, int fallback);

/// "friction_directions": a list of directions with two components or, if they may have `moments`,
/// three or five (FrictionDirections).
FrictionDirections::Pointer readFrictionDirections(FieldReader& fields, bool moments);

}  // namespace stickslip
