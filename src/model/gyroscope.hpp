// Euler's equations of a free body: I w' = -w x I w in body coordinates.
//
// The implicit midpoint rule I (w1 - w0) = -h wm x I wm, wm = (w0 + w1)/2, keeps every quadratic
// invariant, so that both the energy w.I w / 2 and |I w| stay what they are, to rounding, for any
// number of steps; the explicit force -w0 x I w0 would feed energy in at every step. The rule is
// solved by Newton's method, in substeps short enough for it to converge. (The gyroscopic force:
// 003 section 5, 001 A3.)
#pragma once

#include "stickslip/vector.hpp"

namespace stickslip {

/// The angular velocity after the time dt >= 0 without torque. `inertia` is symmetric positive
/// definite; all in body coordinates.
Vec3 spinAfter(const Mat3& inertia, Vec3 w, double dt);

}  // namespace stickslip
