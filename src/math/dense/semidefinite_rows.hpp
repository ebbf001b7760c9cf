// A symmetric matrix without negative eigenvalues as a sum of rows, A = sum_j weight_j w_j' w_j.
//
// Cholesky's method with the largest pivot first, on the matrix scaled to a unit diagonal, so that
// the units of the coordinates do not matter. It ends where what is left is rounding.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace stickslip {

struct WeightedRow {
  std::vector<double> w;
  double weight = 0;  ///< > 0
};

/// None if A, n x n and row-major, is not symmetric or has a negative eigenvalue. An empty A is 0.
std::optional<std::vector<WeightedRow>> semidefiniteRows(std::span<const double> A, std::size_t n);

}  // namespace stickslip
