// min |A x - b|, x >= 0, for a few rows: Lawson and Hanson, Solving Least Squares Problems (1974),
// chapter 23. A finite method of active sets; every least squares problem is solved anew by
// orthogonal columns, which costs little with six rows.
#pragma once

#include <array>
#include <span>

namespace stickslip {

inline constexpr std::size_t kMostFitRows = 6;
using FitColumn = std::array<double, kMostFitRows>;

struct NonnegativeFit {
  int count = 0;  ///< columns with x > 0
  std::array<int, kMostFitRows> column{};
  std::array<double, kMostFitRows> x{};
  FitColumn rest{};  ///< b - A x
};

/// Rows that are not in use are zero in all columns and in b.
NonnegativeFit fitNonnegative(std::span<const FitColumn> columns, const FitColumn& b);

}  // namespace stickslip
