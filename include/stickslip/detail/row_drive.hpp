// Rheonomic terms of rows: what velocities they have by themselves.
#pragma once

#include <cstddef>
#include <span>

namespace stickslip {

/// The term of one row. They are given row by row, or not at all where all of them are 0: most
/// scenes have none, and rows are many.
inline double driveOf(std::span<const double> drive, std::size_t row) {
  return drive.empty() ? 0 : drive[row];
}

}  // namespace stickslip
