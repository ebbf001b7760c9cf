// Projected Gauss-Seidel with Nesterov's momentum, restarted where it leads astray.
//
//   y = p + beta (p - last p),   p := sweep(y),   beta as in Nesterov (1983)
//
// and beta starts from zero again when a sweep goes against the way of the points, (y - p) . (p -
// last p) > 0 (O'Donoghue and Candes 2015, the gradient scheme). A sweep is no gradient step, and
// there is no theorem; it needs a third of the iterations of the accelerated projected gradient
// method (Mazhar et al. 2015) on piles, at less cost each (docs/solvers.md).
//
// Coulomb's law is no minimum of anything, and momentum can run away: beta is limited, and where
// residuals do not fall any more another limit is tried.
//
// Iterations end when the residual is small enough or the budget is spent; the best point met is
// kept.
#pragma once

#include <cstdint>

#include "solvers/sweep_system.hpp"
#include "stickslip/contact_problem.hpp"

namespace stickslip {

struct SweepOutcome {
  std::int64_t iterations = 0;
  double residual = 0;
};

/// Iterates from the point at hand until SweepSystem::residual is at most `target`; leaves the
/// system at the best point met.
SweepOutcome accelerateSweeps(SweepSystem& system, Law law, double target, std::int64_t budget);

}  // namespace stickslip
