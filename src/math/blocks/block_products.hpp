// Products with the matrices of the contact problem, for schemes and solvers. The certificate has
// its own, on purpose.
#pragma once

#include <cmath>
#include <span>

#include "stickslip/block_matrix.hpp"

namespace stickslip {

/// y = M x.
void multiply(const BlockDiagonal& M, std::span<const double> x, std::span<double> y);

/// x' M x.
double quadraticForm(const BlockDiagonal& M, std::span<const double> x);

/// y = J x, row by row.
void multiply(const BlockRows& J, std::span<const double> x, std::span<double> y);

// Inline, as most vectors here are shorter than a call costs.
inline double dot(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t k = 0; k < a.size(); ++k) sum += a[k] * b[k];
  return sum;
}

inline double norm(std::span<const double> x) {
  return std::sqrt(dot(x, x));
}

/// y += a x.
inline void addScaled(double a, std::span<const double> x, std::span<double> y) {
  for (std::size_t k = 0; k < x.size(); ++k) y[k] += a * x[k];
}

}  // namespace stickslip
