// The path of DenseLemke's method on dense data, one column of the tableau at a time.
//
// With a covering vector d > 0 and an artificial variable z0 the system w = N z + q + d z0 has an
// almost complementary ray for large z0. Its path is followed by pivots (the complement of the
// variable that left enters next) until z0 leaves, which is a solution, or nothing limits the
// entering variable, which is a secondary ray (Cottle, Pang & Stone, The Linear Complementarity
// Problem, 4.4; 003 section 2).
//
// Only the column that enters is needed, so the others are not kept: it is computed from the data
// by the pivots so far, in product form. After as many pivots as there are rows the product is
// built anew from the basis, which is shorter and forgets the rounding errors of the way.
//
// Anti-cycling. The ratio test is lexicographic in (constant, columns of the basis inverse), which
// amounts to perturbing q by (eps, eps^2, ..., eps^n): no basis can return, so the number of pivots
// is finite. In floating point, numbers that rounding cannot tell apart count as equal; should that
// lead back to a basis, it is noticed (Brent's method on a hash of the basis).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "solvers/lemke/pivot_product.hpp"
#include "solvers/lemke/scaled_lcp.hpp"

namespace stickslip {

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
  bool basisReturned();
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
  std::uint64_t basis_hash_ = 0;
  std::uint64_t remembered_hash_ = 0;
  std::int64_t pivots_since_ = 0;    ///< since that basis was remembered
  std::int64_t remembered_for_ = 0;  ///< pivots until another one is
};

}  // namespace stickslip
