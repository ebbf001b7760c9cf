// The path of Lemke's method on dense data, without a tableau: one column of it at a time.
//
// With a covering vector d > 0 and an artificial variable z0 the system w = N z + q + d z0 has an
// almost complementary ray for large z0. Its path is followed by pivots (the complement of the
// variable that left enters next) until z0 leaves, which is a solution, or nothing limits the
// entering variable, which is a secondary ray (Cottle, Pang & Stone, The Linear Complementarity
// Problem, 4.4; [AP97] section 2).
//
// Only the column that enters is needed, so the others are not kept: it is computed from the data
// by the pivots so far, in product form. After as many pivots as there are rows the product is
// built anew from the basis, which is shorter and forgets the rounding errors of the way.
//
// Anti-cycling. The ratio test is lexicographic in (constant, columns of the basis inverse), which
// amounts to perturbing q by (eps, eps^2, ..., eps^n): no basis can return, so the number of pivots
// is finite. In floating point, numbers that rounding cannot tell apart count as equal; should that
// lead back to a basis, it is noticed (cycle_guard.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "solvers/lemke/cycle_guard.hpp"
#include "solvers/lemke/scaled_lcp.hpp"

namespace stickslip {

/// The inverse of a basis as a product of pivots (Dantzig & Orchard-Hays 1954). Columns are stored
/// in whole fours; what is beyond their size is zero.
class PivotProduct {
 public:
  /// Length of a column of n entries with its zeros.
  static std::size_t paddedSize(std::size_t n) { return (n + 3) / 4 * 4; }

  void reserve(std::size_t n, std::size_t pivots) {
    row_.reserve(pivots);
    factor_.reserve(pivots * paddedSize(n));
  }
  /// The identity of size n, with room for so many pivots.
  void start(std::size_t n, std::size_t pivots) {
    size_ = paddedSize(n);
    row_.clear();
    factor_.resize(pivots * size_);
  }
  void clear() { row_.clear(); }
  /// Pivots so far.
  std::size_t count() const { return row_.size(); }

  /// `column` (transformed by the pivots so far) takes the place of the unit vector of row r.
  void append(int r, const double* column) {
    double* factor = factor_.data() + row_.size() * size_;
    const double inverse = 1.0 / column[r];
    for (std::size_t i = 0; i < size_; ++i) factor[i] = -inverse * column[i];
    factor[r] = inverse;
    row_.push_back(r);
  }
  /// x := B^-1 x, by all pivots or by those from `first` on.
  void apply(double* x, std::size_t first = 0) const {
    const double* factor = factor_.data() + first * size_;
    for (std::size_t k = first; k < row_.size(); ++k, factor += size_) {
      const double entry = x[row_[k]];
      if (entry == 0) continue;
      x[row_[k]] = 0;
      addScaled(entry, factor, x);
    }
  }

 private:
  // Written out in fours, which compilers turn into vector instructions without a remainder.
  void addScaled(double a, const double* __restrict from, double* __restrict to) const {
    for (const double* end = from + size_; from != end; from += 4, to += 4) {
      to[0] += a * from[0];
      to[1] += a * from[1];
      to[2] += a * from[2];
      to[3] += a * from[3];
    }
  }

  std::size_t size_ = 0;
  std::vector<int> row_;
  std::vector<double> factor_;  ///< what a pivot adds to a column, per unit of its entry in row r
};

class DensePath {
 public:
  enum class End { solution, ray, limit, cycle };

  void reserve(int n);
  /// Starts with the covering vector d > 0. Problem and vector must stay while the path is
  /// followed.
  void start(const ScaledLcp& lcp, std::span<const double> cover);
  /// Follows the path, counting in `pivots`, until it ends or `pivots` reaches the limit.
  End follow(std::int64_t pivot_limit, std::int64_t& pivots);

  /// z of the present basis and, in `support`, the indices of its basic variables.
  void readPoint(std::span<double> z, std::vector<int>& support) const;
  /// After End::ray: how z changes along the ray.
  void readRay(std::span<double> z) const;

 private:
  int firstLeavingRow() const;
  void findSlopes(int variable, double* slope);
  int leavingRow();
  int leavingRowAbove(double floor);
  int lexicographicLeast();
  void pivot(int r, int entering);
  bool rebuild();
  int complementOf(int variable) const { return variable < n_ ? variable + n_ : variable - n_; }

  int n_ = 0;
  const ScaledLcp* lcp_ = nullptr;
  std::vector<double> cover_;
  std::vector<int> basic_;        ///< variable of each row: 0..n-1 w, n..2n-1 z, 2n z0
  std::vector<int> place_;        ///< row of each variable, -1: not basic
  std::vector<double> constant_;  ///< value of the variable of each row
  std::vector<double> slope_;     ///< how it falls along the entering variable
  std::vector<double> order_;     ///< a column of the basis inverse
  PivotProduct inverse_;
  std::size_t worn_at_ = 0;  ///< pivots at which the product is built anew
  std::vector<int> candidates_;
  std::vector<char> is_taken_;
  int ray_variable_ = 0;
  CycleGuard guard_;
};

}  // namespace stickslip
