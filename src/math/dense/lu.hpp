// Solution of small dense linear systems by Gaussian elimination with partial pivoting.
#pragma once

#include <span>

namespace stickslip {

/// Replaces A (n x n, row-major) by its factors and notes the row exchanges. False if a pivot
/// vanishes relative to the largest entry of A: the matrix is singular to rounding.
bool factorizeLu(std::span<double> A, std::span<int> exchanges);

/// x := A^-1 x with the factors of factorizeLu.
void solveLu(std::span<const double> A, std::span<const int> exchanges, std::span<double> x);

}  // namespace stickslip
