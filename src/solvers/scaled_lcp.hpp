// A linear complementarity problem in units of its own.
//
// N is equilibrated by powers of two, N' = R N S, so that the largest entries of rows and columns
// are near 1, and q' = c R q has maximum near 1. With z = S z' / c and w = R^-1 w' / c the problem
// is the same one, no rounding is added, and tolerances on the scaled data do not depend on units.
#pragma once

#include <span>
#include <vector>

#include "stickslip/lcp.hpp"

namespace stickslip {

class ScaledLcp {
 public:
  void reserve(int n);
  void scale(const Lcp& lcp);

  int size() const { return n_; }
  std::span<const double> row(int i) const {
    const auto width = static_cast<std::size_t>(n_);
    return {N_.data() + static_cast<std::size_t>(i) * width, width};
  }
  double q(int i) const { return q_[static_cast<std::size_t>(i)]; }

  /// w'_i = (N' z' + q')_i.
  double slack(int i, std::span<const double> z_scaled) const;
  /// |min(z', w')|_inf; infinite if a number is not finite.
  double residual(std::span<const double> z_scaled) const;
  /// z from z'.
  void unscale(std::span<const double> z_scaled, std::span<double> z) const;

 private:
  void equilibrate(const Lcp& lcp);

  int n_ = 0;
  std::vector<double> N_;
  std::vector<double> q_;
  std::vector<int> row_exponent_;
  std::vector<int> column_exponent_;
  int q_exponent_ = 0;
};

}  // namespace stickslip
