// The relaxed law on one island, with normal velocities shifted by constants (004 (4.17) with
// Gamma for the shift): pi in K, omega + shift e_n in K*, complementary.
//
// An impulse that is nearly right is finished by proximal Newton steps alone; from anywhere else
// the interior point method comes first, warm if the impulse is any good after a few sweeps.
// Proximal steps from zero are slow and safe, and come last.
#pragma once

#include <cstdint>
#include <span>

#include "solvers/cone_interior_point.hpp"
#include "solvers/projected_sweeps.hpp"
#include "solvers/proximal_newton.hpp"
#include "stickslip/solve_status.hpp"

namespace stickslip {

struct ConvexReport {
  SolveStatus status = SolveStatus::solved;
  std::int64_t iterations = 0;  ///< factorizations
  double residual = 0;          ///< of the relaxed law with the shift
};

class ConvexIsland {
 public:
  /// Improves `pi`, a guess, until the residual is at most `target`; at most `budget` iterations.
  /// `normal_shift` has one entry for each item, or none at all. Returns the best point met.
  ConvexReport solve(ContactIsland& island, std::span<const double> normal_shift,
                     std::span<double> pi, double target, std::int64_t budget);
  /// The same for any problem of this kind.
  ConvexReport solve(const ConvexProblem& problem, std::span<double> pi, double target,
                     std::int64_t budget);

 private:
  void improve(const ConvexProblem& problem);
  bool anyImpulse() const;
  /// Neither solved nor known to have no solution, and budget left.
  bool open() const;
  void followPath(const ConvexProblem& problem, bool warm, ConvexPoint& point);
  /// Makes an attempt at other_, which starts at zero, and keeps it if it is better.
  template <typename Attempt>
  void fromZero(const ConvexProblem& problem, Attempt attempt);
  void polish(const ConvexProblem& problem, double weight, std::int64_t most, ConvexPoint& point);

  ProjectedSweeps sweeps_;
  ConeInteriorPoint interior_;
  ProximalNewton newton_;
  double target_ = 0;
  std::int64_t left_ = 0;  ///< of the budget
  bool ray_ = false;
  ConvexPoint point_;
  ConvexPoint other_;
  std::vector<double> q_;
};

}  // namespace stickslip
