// Products with the matrices of the contact problem, for schemes and solvers. The certificate has
// its own, on purpose.
#pragma once

#include <span>

#include "stickslip/block_matrix.hpp"

namespace stickslip {

/// y = M x.
void multiply(const BlockDiagonal& M, std::span<const double> x, std::span<double> y);

/// y = J x, row by row.
void multiply(const BlockRows& J, std::span<const double> x, std::span<double> y);

double dot(std::span<const double> a, std::span<const double> b);

/// y += a x.
void addScaled(double a, std::span<const double> x, std::span<double> y);

}  // namespace stickslip
