// Euler's equations of a body over one step: I w' = T - w x I w in body coordinates.
//
// The implicit midpoint rule I (w1 - w0) = h (T - wm x I wm), wm = (w0 + w1)/2, keeps every
// quadratic invariant, so that without torque both the energy w.I w / 2 and |I w| stay what they
// are, to rounding, for any number of steps; the explicit force -w0 x I w0 would feed energy in at
// every step. The rule is solved by Newton's method, in substeps short enough for it to converge.
// (The gyroscopic force: 003 section 5, 001 A3.)
#pragma once

#include "stickslip/vector.hpp"

namespace stickslip {

/// The constant torque that has the same effect on w over the time h > 0: I (w1 - w0) / h.
/// `inertia` is symmetric positive definite; w0 and T are in body coordinates.
Vec3 effectiveTorque(const Mat3& inertia, Vec3 w0, Vec3 torque, double h);

}  // namespace stickslip
