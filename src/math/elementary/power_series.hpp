// Sums of powers for elementary functions: on ranges this small Taylor's coefficients do almost as
// well as fitted ones, and can be checked by eye.
#pragma once

#include <array>
#include <cstddef>

namespace stickslip {

/// c[0] + c[1] x + c[2] x^2 + ..., by Horner's rule.
template <std::size_t n>
constexpr double powerSeries(const std::array<double, n>& c, double x) {
  double sum = c[n - 1];
  for (std::size_t i = n - 1; i-- > 0;) sum = c[i] + x * sum;
  return sum;
}

/// 1 / (first!), 1 / (first + step)!, ..., with the sign of every other one turned if `alternate`.
template <std::size_t n>
constexpr std::array<double, n> inverseFactorials(int first, int step, bool alternate = false) {
  std::array<double, n> c{};
  double factorial = 1;  // Up to 18! exact in a double.
  int k = 0;
  for (std::size_t i = 0; i < n; ++i) {
    while (k < first + static_cast<int>(i) * step) factorial *= ++k;
    c[i] = (alternate && i % 2 == 1 ? -1 : 1) / factorial;
  }
  return c;
}

}  // namespace stickslip
