// Solver `exact`: Coulomb's law with circular, elliptic and polyhedral cones, to rounding.
//
// Each island (contact/contact_island) is solved by itself, each part of this starting where it
// does best, and all keeping the best point met:
//
//  0. Islands in the plane and with polyhedral cones are linear complementarity problems, for which
//     planar_exact knows ways of its own; what follows is for what is left.
//  1. Sweeps of block Gauss-Seidel with exact solution of each contact (contact_sweeps), from the
//     impulses of the last solve or from zero, as long as they help.
//  2. Newton steps from there (contact_newton). Often that is all.
//  3. An interior point method on the true law (coulomb_interior_point), finished by Newton steps:
//     few factorizations whatever the masses. Nothing promises that it converges.
//  4. Small islands: solutions by Lemke's method with polyhedral cones whose corners close in on
//     the directions of friction (polyhedral_start), which are exact at once for polyhedral cones.
//  5. The central path of the law, followed through its folds (central_path), each time another
//     one, finished by Newton steps.
//  6. A smoothed problem with a proximal term, both of which shrink (smoothed_newton).
//
// Rolling friction, and friction that does not depend on the load, are for 1 to 4 only.
//
// It ends when the residual is at the target and has stopped falling, or the budget is used up. If
// Lemke's method ends in a ray at the last there may be no solution, and the status says `ray`:
// where contacts jam, restitution may ask for velocities that they cannot have. Sweeps,
// factorizations and pivots count as iterations.
#pragma once

#include <cstdint>

#include "solvers/central_path.hpp"
#include "solvers/contact_newton.hpp"
#include "solvers/contact_search.hpp"
#include "solvers/contact_sweeps.hpp"
#include "solvers/convex_island.hpp"
#include "solvers/coulomb_interior_point.hpp"
#include "solvers/dense_island.hpp"
#include "solvers/island_solver.hpp"
#include "solvers/planar_exact.hpp"
#include "solvers/polyhedral_start.hpp"
#include "solvers/smoothed_newton.hpp"

namespace stickslip {

class ExactSolver final : public IslandSolver {
 public:
  explicit ExactSolver(const Method& method) : IslandSolver(method) {}
  std::string_view name() const override { return "exact"; }
  void reserve(int velocities, int contacts, int tangents, int joint_rows) override;

 protected:
  SolveReport solveIsland(ContactIsland& island, IslandPoint& point, std::int64_t budget) override;
  std::unique_ptr<IslandSolver> another() const override {
    return std::make_unique<ExactSolver>(method());
  }
  std::int64_t usualBudget() const override;

 private:
  void solveLinearLaws();
  void solveRoundCones();
  void solveSections();
  void sweeps(int count);
  void interiorPoint();
  void relaxedFirst();
  void manySweeps();
  void pivot();
  void solvePolygons();
  void closeIn(PolyhedralStart::Expect expect, double closer);
  std::int64_t affordable(std::int64_t steps) const;
  void followCentralPaths();
  void followCentralPath(std::int64_t limit);
  void followSmoothedPaths();
  /// Offers a point and goes on from there with Newton's method.
  void finish(std::span<const double> pi, int steps);

  ContactSearch search_;
  ContactSweeps sweeps_;
  ContactNewton newton_;
  CoulombInteriorPoint interior_;
  ConvexIsland relaxed_;
  PlanarExact linear_;
  CentralPath central_;
  SmoothedNewton smoothed_;
  DenseIsland dense_;
  PolyhedralStart polyhedral_;
  SolveStatus lemke_status_{};  ///< how Lemke's method ended when it was last tried
  IslandPoint now_;
  std::vector<double> dense_pi_;
  std::vector<double> dense_omega_;
};

}  // namespace stickslip
