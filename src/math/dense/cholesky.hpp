// Cholesky factorization of symmetric positive definite block-diagonal matrices.
#pragma once

#include <span>

#include "stickslip/block_matrix.hpp"

namespace stickslip {

/// Replaces the lower triangle of every block of M by its factor L, M = L L'. If M is not positive
/// definite the factor holds NaN, and so does everything that is computed with it; a step on such
/// numbers is refused by its certificate.
void factorizeCholesky(BlockDiagonal& M);

/// x := L^-1 x for one block,
void solveLower(ConstMatrixView L, std::span<double> x);
/// and x := L^-T x.
void solveLowerTransposed(ConstMatrixView L, std::span<double> x);

/// x := L^-1 x.
void solveLower(const BlockDiagonal& L, std::span<double> x);

/// x := L^-T x.
void solveLowerTransposed(const BlockDiagonal& L, std::span<double> x);

/// y := L' x.
void multiplyLowerTransposed(const BlockDiagonal& L, std::span<const double> x,
                             std::span<double> y);

}  // namespace stickslip
