#include <algorithm>

#include "solvers/auto/auto_solver.hpp"
#include "solvers/convex/convex_solver.hpp"
#include "solvers/exact/exact_solver.hpp"
#include "solvers/fixed_point/fixed_point_solver.hpp"
#include "solvers/lemke/lemke_solver.hpp"
#include "solvers/sweeps/accelerated/accelerated_solver.hpp"
#include "solvers/sweeps/sweeps_solver.hpp"
#include "stickslip/input_error.hpp"
#include "stickslip/solve_status.hpp"
#include "stickslip/solver.hpp"

namespace stickslip {

std::string_view toString(SolveStatus status) {
  switch (status) {
    case SolveStatus::solved:
      return "solved";
    case SolveStatus::ray:
      return "ray";
    case SolveStatus::iteration_limit:
      return "iteration_limit";
    case SolveStatus::solver_limit:
      return "solver_limit";
    case SolveStatus::diverged:
      return "diverged";
    case SolveStatus::inaccurate:
      break;
  }
  return "inaccurate";
}

SolveStatus withBudget(SolveStatus status, std::int64_t budget) {
  return status == SolveStatus::iteration_limit && budget == 0 ? SolveStatus::solver_limit : status;
}

SolveStatus worseOf(SolveStatus a, SolveStatus b) {
  for (const SolveStatus status :
       {SolveStatus::ray, SolveStatus::iteration_limit, SolveStatus::solver_limit,
        SolveStatus::inaccurate, SolveStatus::diverged})
    if (a == status || b == status) return status;
  return SolveStatus::solved;
}

void SolveReport::add(const SolveReport& later) {
  status = worseOf(status, later.status);
  iterations += later.iterations;
  solved_by = later.solved_by;
  outer_iterations = std::max(outer_iterations, later.outer_iterations);
  contraction = std::max(contraction, later.contraction);
  friction_iterations += later.friction_iterations;
  stages.add(later.stages);
}

void SolveReport::addCost(const SolveReport& discarded) {
  iterations += discarded.iterations;
  stages.addCost(discarded.stages);
}

std::unique_ptr<Solver> makeSolver(const Method& method) {
  if (method.solver == "lemke")
    return std::make_unique<LemkeSolver>(method.budget, method.directions);
  if (method.solver == "auto") return std::make_unique<AutoSolver>(method);
  if (method.solver == "exact") return std::make_unique<ExactSolver>(method);
  if (method.solver == "convex") return std::make_unique<ConvexSolver>(method);
  if (method.solver == "accelerated" || method.solver == "gradient")
    return std::make_unique<AcceleratedSolver>(method);
  using Map = FixedPointSolver::Map;
  using Length = FixedPointSolver::Length;
  if (method.solver == "fixed-point-1")
    return std::make_unique<FixedPointSolver>(Map::first, Length::repeated, method);
  if (method.solver == "fixed-point-2")
    return std::make_unique<FixedPointSolver>(Map::second, Length::repeated, method);
  if (method.solver == "one-step")
    return std::make_unique<FixedPointSolver>(Map::first, Length::once, method);
  if (method.solver == "one-step-2")
    return std::make_unique<FixedPointSolver>(Map::second, Length::once, method);
  if (method.solver == "sweeps") return std::make_unique<SweepsSolver>(method);
  throw InputError("solver \"" + method.solver + "\" is not known");
}

}  // namespace stickslip
