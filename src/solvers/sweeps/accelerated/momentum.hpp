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

#include "stickslip/contact_problem.hpp"

namespace stickslip {

// What momentum is for: impulses p of cones, one point after the other, with a
// projected Gauss-Seidel step of each cone as the iteration.

class SweepSystem {
 public:
  virtual ~SweepSystem() = default;
  /// One sweep from y = p + momentum (p - last p). Returns the sum of (y - p) . (p - last p) over
  /// the new p, in a metric in which steps have length one.
  virtual double sweep(double momentum) = 0;
  /// The largest violation of the law, as the certificate measures it or a little more.
  virtual double residual() = 0;
  /// 1/2 p.W p + q.p: what sweeps with the relaxed law make smaller; 0 without impulses.
  virtual double energy() = 0;
  /// Computes anew what sweeps keep up to date.
  virtual void refresh() = 0;
  /// Remembers p; goes back to what was remembered, as if it had been there for ever.
  virtual void keep() = 0;
  virtual void takeBack() = 0;
};

struct SweepOutcome {
  std::int64_t iterations = 0;
  double residual = 0;
};

/// Iterates from the point at hand until SweepSystem::residual is at most `target`; leaves the
/// system at the best point met.
SweepOutcome accelerateSweeps(SweepSystem& system, Law law, double target, std::int64_t budget);

}  // namespace stickslip
