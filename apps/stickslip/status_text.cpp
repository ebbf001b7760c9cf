#include "status_text.hpp"

#include <fmt/core.h>

namespace stickslip::cli {

std::string describe(SolveStatus status, std::int64_t budget) {
  if (status == SolveStatus::iteration_limit && budget > 0)
    return fmt::format("{}: the budget of {} iterations is used up", toString(status), budget);
  if (status == SolveStatus::solver_limit)
    return fmt::format("{}: the solver's own limit; a budget takes it further", toString(status));
  return std::string(toString(status));
}

}  // namespace stickslip::cli
