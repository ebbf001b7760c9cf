// Solver `exact`: Coulomb's law with circular, elliptic and polyhedral cones, to rounding.
//
// Each island (problem/scaled_island) is solved by itself in stages, each of which starts where it
// does best, and all of which keep the best point met. solveIsland() is the table of contents:
//
//  1. Sweeps of block Gauss-Seidel with exact solution of each contact (island_sweeps), from the
//     impulses of the last solve or from zero, as long as they help, and Newton steps from there
//     (semismooth_newton). Often that is all. Polyhedral laws get one sweep: Newton steps find
//     their states for less.
//  2. An interior point method on the true law (interior_point; of complementary pairs where all
//     laws are polyhedral, pair_interior_point), finished by Newton steps: few factorizations
//     whatever the masses. Nothing promises that it converges.
//  3. The relaxed law, whose solution is exact wherever nothing slides.
//  4. Few contacts: Lemke's method on polyhedral cones whose corners close in on the directions of
//     friction (closing_corners), which are exact at once for polyhedral cones.
//  5. A path through folds to a solution: smoothed, of complementary pairs, where all laws are
//     polyhedral (pair_path); where they are round, the central path of the law (central_path), and
//     the path from a convex problem to Coulomb's law (theta_path).
//
// Rolling friction, and friction that does not depend on the load, are for 1 to 4 only.
//
// It ends when the residual is at the target and has stopped falling, or the budget is used up. If
// Lemke's method ends in a ray at the last there may be no solution, and the status says `ray`:
// where contacts jam, restitution may ask for velocities that they cannot have. Sweeps,
// factorizations and pivots count as iterations.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string_view>

#include "solvers/common/island_solver.hpp"
#include "solvers/common/iterate.hpp"
#include "solvers/convex/convex_solver.hpp"
#include "solvers/exact/central_path.hpp"
#include "solvers/exact/closing_corners.hpp"
#include "solvers/exact/pair_path.hpp"
#include "solvers/exact/semismooth_newton.hpp"
#include "solvers/exact/theta_path.hpp"
#include "solvers/interior_point/interior_point.hpp"
#include "solvers/sweeps/island_sweeps.hpp"

namespace stickslip {

/// The stages in the order in which they are tried.
enum class ExactStage : std::uint8_t {
  start,  ///< the better of zero and the impulses of the last solve; cannot be left out
  sweeps,
  newton,
  interior_point,
  convex_start,
  corners,
  pair_path,
  central_path,
  theta_path,
};

inline constexpr std::array<std::string_view, 9> kExactStageNames{
    "start",   "sweeps",    "newton",       "interior point", "convex start",
    "corners", "pair path", "central path", "theta path"};

constexpr std::string_view toString(ExactStage stage) {
  return kExactStageNames[static_cast<std::size_t>(stage)];
}

/// A set of stages to be left out, which tells what each is good for (docs/stages.md).
class ExactStages {
 public:
  constexpr ExactStages() = default;
  constexpr ExactStages(std::initializer_list<ExactStage> stages) {
    for (const ExactStage stage : stages) bits_ |= bit(stage);
  }
  constexpr ExactStages with(ExactStage stage) const {
    ExactStages more = *this;
    more.bits_ |= bit(stage);
    return more;
  }
  constexpr bool has(ExactStage stage) const { return (bits_ & bit(stage)) != 0; }

 private:
  static constexpr std::uint32_t bit(ExactStage stage) {
    return std::uint32_t{1} << static_cast<unsigned>(stage);
  }
  std::uint32_t bits_ = 0;
};

/// How long each stage tries. Residuals are relative to the velocities of the problem.
struct ExactSettings {
  /// Iterations of an island where the user names none.
  std::int64_t budget = 20000;

  /// First sweeps: at most so many, as long as every few of them divide the residual by
  /// `worthwhile`.
  int sweeps = 20, sweeps_at_once = 5;
  double worthwhile = 4;
  /// Newton steps from there, unless the residual is above `near`, where they lead nowhere.
  int first_newton_steps = 8;
  double near = 0.3;

  /// Newton steps from what other stages find.
  int newton_steps = 12;

  int interior_steps = 40;
  /// Residuals at which the interior point method hands over to Newton's.
  std::array<double, 2> hand_over{1e-6, 1e-8};

  std::int64_t convex_steps = 80;

  /// Lemke's method: rounds with up to few_contacts, and with more, where pivoting takes longer;
  /// the spacing of corners in the first of them, and from one to the next.
  std::size_t few_contacts = 24;
  int many_corner_rounds = 10, few_corner_rounds = 3;
  double first_spacing = 0.8, closer_quickly = 0.12, closer_slowly = 0.3;

  /// Central paths: how many, c / t of each in turn, and factorizations of one. Islands of more
  /// contacts have less of them.
  int central_paths = 6;
  std::array<double, 3> kappa{300, 30, 3000};
  std::int64_t central_steps = 3000, many_contacts_central = 500;
  /// c where Newton's method is first tried, from one try to the next, and the last.
  double first_try = 1e-3, next_try = 0.03, last_try = 1e-20;

  /// Factorizations of the theta path: of 19 jammed piles of 2,300 contacts the worst needs 371.
  std::int64_t theta_steps = 1000, many_contacts_theta = 2500;

  /// Islands of more contacts, or rows of them, find room when they first come.
  int reserved_contacts = 256, reserved_dense_rows = 96;
};

class ExactSolver final : public IslandSolver {
 public:
  explicit ExactSolver(const Method& method, ExactStages left_out = {})
      : IslandSolver(method), left_out_(left_out) {}
  std::string_view name() const override { return "exact"; }
  void reserve(int velocities, int contacts, int tangents, int joint_rows) override;

 protected:
  IslandReport solveIsland(ScaledIsland& island, Iterate& point, std::int64_t budget) override;
  std::unique_ptr<IslandSolver> another() const override {
    return std::make_unique<ExactSolver>(method(), left_out_);
  }
  std::int64_t usualBudget() const override { return settings_.budget; }

 private:
  /// Runs a stage, unless it is left out.
  template <class Action>
  void run(ExactStage stage, Action action);
  /// Neither where there is nothing more to do.
  template <class Action>
  void runIfNeeded(ExactStage stage, Action action);
  void sweep();
  void newton(std::span<const double> p);
  void interiorPoint();
  void convexStart();
  void corners();
  void solvePolygons();
  void closeIn(ClosingCorners::Expect expect, double closer);
  void paths();
  void centralPaths(int first, int last);
  void thetaPath();
  std::int64_t affordable(std::int64_t steps, std::int64_t many) const;
  /// Offers a point and goes on from there with Newton's method.
  void finish(std::span<const double> p, int steps);

  ExactSettings settings_;
  ExactStages left_out_;
  Search search_;
  IslandSweeps sweeps_;
  SemismoothNewton newton_;
  CoulombInteriorPoint interior_;
  ConvexIsland convex_;
  DenseIsland dense_;
  ClosingCorners corners_;
  PairPath pair_path_;
  CentralPath central_path_;
  ThetaPath theta_path_;
  SolveStatus lemke_status_{};  ///< how Lemke's method ended when it was last tried
  Iterate now_;
  Iterate relaxed_;  ///< solution of the relaxed law, as Coulomb's law sees it
  std::vector<double> dense_p_;
  std::vector<double> dense_u_;
};

}  // namespace stickslip
