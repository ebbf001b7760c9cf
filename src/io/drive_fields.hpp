// Limits, motors, friction and springs along the coordinates of joints, as scenes describe them.
#pragma once

#include "io/field_reader.hpp"
#include "stickslip/joint.hpp"

namespace stickslip {

/// Reads "limits", "limit_restitution", "motor", "friction" and "spring" of one coordinate; a
/// spring that names no "rest" is at rest at `start`.
JointDrive readDrive(FieldReader& fields, double start);

}  // namespace stickslip
