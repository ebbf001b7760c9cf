// Solver `exact`: Coulomb's law to rounding.
#pragma once

#include "solvers/central_path.hpp"
#include "solvers/contact_newton.hpp"
#include "solvers/contact_search.hpp"
#include "solvers/contact_sweeps.hpp"
#include "solvers/coulomb_interior_point.hpp"
#include "solvers/island_solver.hpp"
#include "solvers/smoothed_newton.hpp"

namespace stickslip {

class ExactSolver final : public IslandSolver {
 public:
  explicit ExactSolver(const Method& method) : IslandSolver(method) {}
  std::string_view name() const override { return "exact"; }

 protected:
  SolveReport solveIsland(ContactIsland& island, IslandPoint& point, long budget) override;
  long usualBudget() const override { return 20000; }

 private:
  void sweeps(int count);
  void followSmoothedPaths();
  void interiorPoint();
  void descendCentralPath();

  ContactSearch search_;
  ContactSweeps sweeps_;
  ContactNewton newton_;
  SmoothedNewton smoothed_;
  CoulombInteriorPoint interior_;
  CentralPath central_;
  IslandPoint now_;
};

}  // namespace stickslip
