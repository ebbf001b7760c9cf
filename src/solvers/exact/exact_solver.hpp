// Solver `exact`: Coulomb's law with circular, elliptic and polyhedral cones, to rounding.
//
// Each island (contact/contact_island) is solved by itself, each part of this starting where it
// does best, and all keeping the best point met:
//
//  0. Islands in the plane and with polyhedral cones are linear complementarity problems, for which
//     planar_exact knows ways of its own; what follows is for what is left.
//  1. Sweeps of block Gauss-Seidel with exact solution of each contact (island_sweeps), from the
//     impulses of the last solve or from zero, as long as they help.
//  2. Newton steps from there (contact_newton). Often that is all.
//  3. An interior point method on the true law (coulomb_interior_point), finished by Newton steps:
//     few factorizations whatever the masses. Nothing promises that it converges.
//  4. Small islands: solutions by DenseLemke's method with polyhedral cones whose corners close in
//  on
//     the directions of friction (polyhedral_start), which are exact at once for polyhedral cones.
//  5. The central path of the law, followed through its folds (central_path), each time another
//     one, finished by Newton steps.
//  6. A smoothed problem with a proximal term, both of which shrink (smoothed_newton).
//
// Rolling friction, and friction that does not depend on the load, are for 1 to 4 only.
//
// It ends when the residual is at the target and has stopped falling, or the budget is used up. If
// DenseLemke's method ends in a ray at the last there may be no solution, and the status says
// `ray`: where contacts jam, restitution may ask for velocities that they cannot have. Sweeps,
// factorizations and pivots count as iterations.
#pragma once

#include <cstdint>

#include "solvers/common/island_solver.hpp"
#include "solvers/common/iterate.hpp"
#include "solvers/convex/convex_solver.hpp"
#include "solvers/exact/central_path.hpp"
#include "solvers/exact/closing_corners.hpp"
#include "solvers/exact/dense_island.hpp"
#include "solvers/exact/exact_stages.hpp"
#include "solvers/exact/polyhedral/polyhedral_exact.hpp"
#include "solvers/exact/semismooth_newton.hpp"
#include "solvers/exact/smoothed_newton.hpp"
#include "solvers/interior_point/interior_point.hpp"
#include "solvers/sweeps/island_sweeps.hpp"

namespace stickslip {

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
  std::int64_t usualBudget() const override;

 private:
  /// Runs a stage, unless it is left out.
  template <class Action>
  void run(ExactStage stage, Action action);
  /// Neither where there is nothing more to do.
  template <class Action>
  void runIfNeeded(ExactStage stage, Action action);
  void solveLinearLaws();
  void approach();
  void solveRoundCones();
  void solveSections();
  void sweeps(int count);
  void interiorPoint();
  void relaxedFirst();
  void manySweeps();
  void pivot();
  void solvePolygons();
  void closeIn(ClosingCorners::Expect expect, double closer);
  std::int64_t affordable(std::int64_t steps) const;
  void followCentralPaths();
  void followCentralPath(std::int64_t limit);
  void followSmoothedPaths();
  /// Offers a point and goes on from there with Newton's method.
  void finish(std::span<const double> p, int steps);

  ExactStages left_out_;
  Search search_;
  IslandSweeps sweeps_;
  SemismoothNewton newton_;
  CoulombInteriorPoint interior_;
  ConvexIsland relaxed_;
  PolyhedralExact linear_;
  CentralPath central_;
  SmoothedNewton smoothed_;
  DenseIsland dense_;
  ClosingCorners polyhedral_;
  SolveStatus lemke_status_{};  ///< how DenseLemke's method ended when it was last tried
  Iterate now_;
  std::vector<double> dense_p_;
  std::vector<double> dense_u_;
};

}  // namespace stickslip
