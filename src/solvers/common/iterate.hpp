// An iterate of the relaxed law with normal velocities shifted by constants:
//
//   p in K,  u in K*,  p.u = 0,   u = W p + q + shift.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "problem/scaled_island.hpp"
#include "solvers/common/island_solver.hpp"

namespace stickslip {

/// Which residual is close enough to the target to be called a solution.
struct SearchSettings {
  /// With more contacts than this rounding may not allow the target,
  std::size_t few_contacts = 24;
  /// and so many times as much is accepted. The target is a tenth of the tolerance.
  double leeway = 5;
};

// What the parts of the exact solver share while they look for a solution of one island: the best
// point met so far, and the iterations that are left.
class Search {
 public:
  void start(ScaledIsland& island, Iterate& best, double target, std::int64_t budget);

  ScaledIsland& island() const { return *island_; }
  const Iterate& best() const { return *best_; }
  /// Keeps a point if it is better than all before.
  void offer(const Iterate& point);

  bool solved() const { return best_->residual <= target_; }
  /// Close enough to the target to be called a solution: with many contacts rounding may not allow
  /// more.
  bool accepted() const { return best_->residual <= enough_; }
  double target() const { return target_; }
  void count(std::int64_t iterations = 1) { iterations_ += iterations; }
  std::int64_t iterations() const { return iterations_; }
  std::int64_t left() const { return budget_ - iterations_; }
  /// Nothing more to do, or no iterations to do it with.
  bool ended() const { return accepted() || left() <= 0; }

 private:
  ScaledIsland* island_ = nullptr;
  Iterate* best_ = nullptr;
  double target_ = 0;
  double enough_ = 0;
  std::int64_t budget_ = 0;
  std::int64_t iterations_ = 0;
};

/// Sum of squares of the natural map: what line searches decrease.
double meritOf(const ScaledIsland& island, const Iterate& point);

/// The problem: cones, W, and free velocities with the shift in them.
struct ConvexProblem {
  std::span<const Cone> cones;
  Delassus& W;
  std::span<const double> q;
  /// Where residuals get the units of the problem; without it they are those of the scaled rows.
  const ScaledIsland* island = nullptr;
  Law law = Law::relaxed;  ///< with Coulomb's the problem is not convex

  void velocity(std::span<const double> p, std::span<double> u) const {
    W.apply(p, u);
    for (std::size_t k = 0; k < q.size(); ++k) u[k] += q[k];
  }
  double residual(std::span<const double> p, std::span<const double> u) const;
};

struct ConvexIterate : Iterate {
  void resize(std::size_t rows) {
    p.resize(rows);
    u.resize(rows);
  }
  /// Computes u and the residual from p.
  void evaluate(const ConvexProblem& problem) {
    problem.velocity(p, u);
    residual = problem.residual(p, u);
  }
};

}  // namespace stickslip
