// Solver `convex`: the relaxed law (Law::relaxed), in which a sliding contact lifts off. One
// strictly convex program in the velocities ([A06] (5.3), with circular cones (5.5)), solved island
// by island by ConvexIsland.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "solvers/common/island_solver.hpp"
#include "solvers/convex/proximal_newton.hpp"
#include "solvers/interior_point/interior_point.hpp"
#include "solvers/sweeps/island_sweeps.hpp"
#include "stickslip/solve_status.hpp"

namespace stickslip {

// The relaxed law on one island, with normal velocities shifted by constants ([AH04] (4.17) with
// Gamma for the shift): p in K, u + shift e_n in K*, complementary.
//
// An impulse that is nearly right is finished by proximal Newton steps alone; from anywhere else
// the interior point method comes first, warm if the impulse is any good after a few sweeps.
// Proximal steps from zero are slow and safe, and come last.

struct ConvexReport {
  SolveStatus status = SolveStatus::solved;
  std::int64_t iterations = 0;  ///< factorizations
  double residual = 0;          ///< of the relaxed law with the shift
};

class ConvexIsland {
 public:
  /// Residuals are relative, as those of ScaledIsland; steps are factorizations. Found on the
  /// problems of scenes/problems, piles and mechanisms.
  struct Settings {
    double warm = 0.5;             ///< residual of a point that is worth starting from
    double nearly_right = 1e-5;    ///< and of one that is left to Newton steps alone,
    std::int64_t warm_steps = 12;  ///< so many
    int sweeps = 40;               ///< over the impulses of an earlier step at first
    /// Where the interior point method hands over: much earlier, and redundant contacts cost
    /// Newton's method tens of steps.
    double hand_over = 1e-6;
    std::int64_t interior_steps = 60;
    std::int64_t newton_steps = 100;
    double good = 5;  ///< targets: what rounding keeps above the target still counts as solved
    // Weights of proximal steps from a point that is nearly right, and from anywhere.
    double large_weight = 1e5;
    double small_weight = 10;
    // Sweeps where all else has failed, so many times; so many cost what a Newton step does.
    int rescues = 6;
    int rescue_sweeps = 400;
    int sweeps_per_step = 20;
  };

  /// Solves that follow note their stages there.
  void logTo(StageLog& log) { log_ = &log; }
  /// Improves `p`, a guess, until the residual is at most `target`; at most `budget` iterations.
  /// `normal_shift` has one entry for each cone, or none at all. Returns the best point met.
  ConvexReport solve(ScaledIsland& island, std::span<const double> normal_shift,
                     std::span<double> p, double target, std::int64_t budget);
  /// The same for any problem of this kind.
  ConvexReport solve(const ConvexProblem& problem, std::span<double> p, double target,
                     std::int64_t budget);

 private:
  template <typename Action>
  void run(std::string_view stage, Action action);
  void improve(const ConvexProblem& problem);
  void sweepSlowly(const ConvexProblem& problem);
  bool anyImpulse() const;
  /// Neither solved nor known to have no solution, and budget left.
  bool open() const;
  void followPath(const ConvexProblem& problem, bool warm, ConvexIterate& point);
  /// Makes an attempt at other_, which starts at zero, and keeps it if it is better.
  template <typename Attempt>
  void fromZero(const ConvexProblem& problem, Attempt attempt);
  void polish(const ConvexProblem& problem, double weight, std::int64_t most, ConvexIterate& point);

  StageLog* log_ = nullptr;
  Settings settings_;
  ProjectedSweeps sweeps_;
  InteriorPoint interior_;
  ProximalNewton newton_;
  double target_ = 0;
  std::int64_t left_ = 0;  ///< of the budget
  bool ray_ = false;
  ConvexIterate point_;
  ConvexIterate other_;
  std::vector<double> q_;
};

class ConvexSolver final : public IslandSolver {
 public:
  explicit ConvexSolver(const Method& method) : IslandSolver(method) { convex_.logTo(stages()); }
  std::string_view name() const override { return "convex"; }

 private:
  IslandReport solveIsland(ScaledIsland& island, Iterate& point, std::int64_t budget) override;
  std::unique_ptr<IslandSolver> another() const override {
    return std::make_unique<ConvexSolver>(method());
  }
  bool isBetterStart(const ScaledIsland& island, const Iterate& last,
                     const Iterate& zero) const override;
  std::int64_t usualBudget() const override;

  ConvexIsland convex_;
};

}  // namespace stickslip
