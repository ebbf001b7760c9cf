// Tables on a terminal.
#pragma once

#include <string>

#include "report/blocks.hpp"

namespace stickslip {

/// The caption, then columns as wide as they need: the first to the left, others to the right.
std::string textOf(const Table& table);

}  // namespace stickslip
