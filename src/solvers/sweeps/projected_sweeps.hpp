// Projected Gauss-Seidel for the relaxed law (convex_point.hpp): for one cone after the other
//
//   p_i <- P_K(p_i - u_i / r_i),   r_i at least the largest eigenvalue of W_ii.
//
// Every change lowers the energy of the convex problem. Far too slow to solve a pile, but a sweep
// costs a small part of a factorization, and what is wrong in a few places (contacts that came or
// went since the last step) is mended there before it spoils a warm start as a whole.
#pragma once

#include <vector>

#include "solvers/common/iterate.hpp"

namespace stickslip {

class ProjectedSweeps {
 public:
  /// Sweeps over all cones as long as that helps, and keeps the best point in `best`, which is
  /// evaluated.
  void run(const ConvexProblem& problem, int most, ConvexIterate& best);
  /// Sweeps so many times, whatever the residual does meanwhile: the energy goes down all the time.
  void runAll(const ConvexProblem& problem, int sweeps, ConvexIterate& best);

 private:
  void measureItems(const ConvexProblem& problem);
  void sweep(const ConvexProblem& problem, std::span<double> p) const;

  std::vector<double> bounds_;  ///< r, of each cone
  ConvexIterate point_;
};

}  // namespace stickslip
