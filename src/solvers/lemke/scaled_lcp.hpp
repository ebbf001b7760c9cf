// A linear complementarity problem in units of its own.
//
// N is equilibrated by powers of two, N' = R N S, and q' = c R q has maximum near 1. With z = S z'
// / c and w = R^-1 w' / c the problem is the same one, no rounding is added, and tolerances on the
// scaled data do not depend on units.
//
// Scales. If all rows and columns have their largest entry near 1 nothing is done. Otherwise the
// exponents are found by walking through the graph of nonzero entries, each new row or column
// scaled so that the entry that led to it becomes 1, which undoes any choice of units of rows and
// columns exactly; a few passes to the geometric mean of every row and column then even out what
// the entries themselves differ by.
#pragma once

#include <span>
#include <vector>

#include "stickslip/lcp.hpp"

namespace stickslip {

class ScaledLcp {
 public:
  void reserve(int n);
  /// The data of `lcp` must stay as long as the scaled problem is in use: what needs no scaling is
  /// not copied.
  void scale(const Lcp& lcp);

  int size() const { return n_; }
  std::span<const double> row(int i) const {
    const std::size_t width = n_;
    return {matrix_ + static_cast<std::size_t>(i) * width, width};
  }
  double q(int i) const { return q_[i]; }

  /// w'_i = (N' z' + q')_i, for z' that is zero outside the support.
  double slack(int i, std::span<const double> z_scaled, std::span<const int> support) const;
  /// How far z' is from a solution: the largest violation |min(z', w')| relative to the terms that
  /// were added up in its row, within limits set by the whole problem. Infinite if a number is not
  /// finite.
  double residual(std::span<const double> z_scaled);
  /// lcpResidual of z, whose residual was computed last.
  double unscaledResidual(const Lcp& lcp, std::span<const double> z) const;
  /// z from z'.
  void unscale(std::span<const double> z_scaled, std::span<double> z) const;

 private:
  bool isBalanced();
  void equilibrate(const Lcp& lcp);
  void walkFrom(int row);
  void evenOut();
  int exponent(std::size_t i, std::size_t j) const {
    return entry_exponent_[i * static_cast<std::size_t>(n_) + j];
  }

  int n_ = 0;
  const double* matrix_ = nullptr;  ///< N', which is in N_ or with the caller
  std::vector<double> N_;
  std::vector<double> q_;
  bool balanced_ = false;  ///< rows and columns were not scaled
  double q_largest_ = 0;   ///< max |q'|
  double worst_pair_ = 0;  ///< max |min(z', w')| of the point whose residual was computed last
  std::vector<double> column_largest_;
  std::vector<int> row_exponent_;
  std::vector<int> column_exponent_;
  std::vector<int> entry_exponent_;
  std::vector<int> queue_;  ///< of the walk: row i as i, column j as -1-j
  int q_exponent_ = 0;
};

}  // namespace stickslip
