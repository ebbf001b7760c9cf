#include "stickslip/solve_status.hpp"

namespace stickslip {

std::string_view toString(SolveStatus status) {
  switch (status) {
    case SolveStatus::solved:
      return "solved";
    case SolveStatus::ray:
      return "ray";
    case SolveStatus::iteration_limit:
      return "iteration_limit";
    case SolveStatus::inaccurate:
      break;
  }
  return "inaccurate";
}

}  // namespace stickslip
