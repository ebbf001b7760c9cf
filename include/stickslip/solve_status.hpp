// How a solver says that it ended.
#pragma once

#include <string_view>

namespace stickslip {

enum class SolveStatus {
  solved,           ///< by the solver's own test
  ray,              ///< the pivoting path ended in a ray: no solution found
  iteration_limit,  ///< the budget ran out
  inaccurate,       ///< finished, but rounding errors spoilt the answer
  diverged,         ///< iterates do not approach a solution, or too slowly
};

/// "solved", "ray", "iteration_limit", "inaccurate", "diverged".
std::string_view toString(SolveStatus status);

/// What two islands make together: of failures a ray says most, then a limit.
SolveStatus worseOf(SolveStatus a, SolveStatus b);

}  // namespace stickslip
