#include "solvers/lemke_contact_solver.hpp"
#include "stickslip/input_error.hpp"
#include "stickslip/solver.hpp"

namespace stickslip {

std::unique_ptr<Solver> makeSolver(const Method& method) {
  if (method.solver == "lemke")
    return std::make_unique<LemkeContactSolver>(method.budget, method.directions);
  throw InputError("solver \"" + method.solver + "\" is not known");
}

}  // namespace stickslip
