#include "solvers/auto_solver.hpp"
#include "solvers/convex_solver.hpp"
#include "solvers/exact_solver.hpp"
#include "solvers/fixed_point_solver.hpp"
#include "solvers/gradient_solver.hpp"
#include "solvers/lemke_contact_solver.hpp"
#include "stickslip/input_error.hpp"
#include "stickslip/solver.hpp"
#include "sweeps/sweeps_solver.hpp"

namespace stickslip {

std::unique_ptr<Solver> makeSolver(const Method& method) {
  if (method.solver == "lemke")
    return std::make_unique<LemkeContactSolver>(method.budget, method.directions);
  if (method.solver == "auto") return std::make_unique<AutoSolver>(method);
  if (method.solver == "exact") return std::make_unique<ExactSolver>(method);
  if (method.solver == "convex") return std::make_unique<ConvexSolver>(method);
  if (method.solver == "gradient") return std::make_unique<GradientSolver>(method);
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
