// Plots on a terminal: letters for points, one letter a series.
#pragma once

#include <string>

#include "report/blocks.hpp"

namespace stickslip {

/// Caption, a frame of characters with the ends of both axes, and which letter is which series.
/// Dashed series are left out.
std::string textOf(const Plot& plot);

}  // namespace stickslip
