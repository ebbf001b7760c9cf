// Whether a contact problem that was put together by hand, or read from somewhere, is one: solvers
// and certificates take it that it is, and look no further.
#pragma once

#include "stickslip/contact_problem.hpp"
#include "stickslip/local_problem.hpp"

namespace stickslip {

/// Throws InputError with one line that names the member and what would be right, unless
/// - lists have the lengths that belong together, and hold finite numbers (bounds of intervals may
///   be infinite);
/// - M is symmetric up to rounding and positive definite, W is a matrix with no negative entry on
///   its diagonal;
/// - strips of J and G are over velocities that there are, each within one block of M;
/// - sets are what ImpulseSet says, and compliance is not negative.
/// Of what only reports need, v_old, gap, joint_gap and joint_drive are asked for as well.
void checkProblem(const ContactProblem& problem);
void checkProblem(const LocalProblem& problem);

}  // namespace stickslip
