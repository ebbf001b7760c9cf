// What ended a solve, in words for the user.
#pragma once

#include <cstdint>
#include <string>

#include "stickslip/solve_status.hpp"

namespace stickslip::cli {

/// The status, and of limits which one: the budget that was given or, where it is 0, the solver's.
std::string describe(SolveStatus status, std::int64_t budget);

}  // namespace stickslip::cli
