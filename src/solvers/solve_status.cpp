#include "stickslip/solve_status.hpp"

#include <algorithm>

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
}

}  // namespace stickslip
