// How a solver says that it ended.
#pragma once

#include <cstdint>
#include <string_view>

namespace stickslip {

enum class SolveStatus {
  solved,           ///< by the solver's own test
  ray,              ///< the pivoting path ended in a ray: no solution found
  iteration_limit,  ///< the budget that was given ran out, or the one iteration of one-step
  inaccurate,       ///< finished, but rounding errors spoilt the answer
  solver_limit,     ///< none was given, and the solver's own limit was reached: a budget raises it
  diverged,         ///< iterates do not approach a solution, or too slowly
};

/// "solved", "ray", "iteration_limit", "inaccurate", "solver_limit", "diverged".
std::string_view toString(SolveStatus status);

/// `status` of a solve with this budget: where it is 0, a limit is the solver's own.
SolveStatus withBudget(SolveStatus status, std::int64_t budget);

/// What two islands make together: of failures a ray says most, then a limit.
SolveStatus worseOf(SolveStatus a, SolveStatus b);

}  // namespace stickslip
