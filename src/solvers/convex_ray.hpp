// A proof that the relaxed law has no solution: an impulse d of the recession cone of K with
//
//   W d = 0,   q.d < 0.
//
// Every omega = W pi + q then has d.omega = q.d < 0 and is outside the dual cone: no motion fits
// all contacts and joints, as between walls that close on a body.
#pragma once

#include "solvers/convex_point.hpp"

namespace stickslip {

/// True if d, with W d as given, is such a proof but for small errors; they matter the less, the
/// larger d. Replaces d by its nearest point of the recession cone.
bool provesInfeasible(const ConvexProblem& problem, std::span<double> d,
                      std::span<const double> W_d);

}  // namespace stickslip
