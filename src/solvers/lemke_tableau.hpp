// The path of Lemke's method on a dense tableau.
//
// With a covering vector d > 0 and an artificial variable z0 the system w = N z + q + d z0 has an
// almost complementary ray for large z0. Its path is followed by pivots (the complement of the
// variable that left enters next) until z0 leaves, which is a solution, or nothing limits the
// entering variable, which is a secondary ray (Cottle, Pang & Stone, The Linear Complementarity
// Problem, 4.4; 003 section 2).
//
// Anti-cycling. The ratio test is lexicographic in (constant, columns of the basis inverse), which
// amounts to perturbing q by (eps, eps^2, ..., eps^n): no basis can return, so the number of pivots
// is finite. The basis inverse need not be stored: its columns are those of the tableau that belong
// to nonbasic w, with opposite sign, and unit vectors for basic w. In floating point, numbers that
// rounding cannot tell apart count as equal; should that lead back to a basis, it is noticed
// (Brent's method on a hash of the basis).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "solvers/scaled_lcp.hpp"

namespace stickslip {

class LemkeTableau {
 public:
  enum class End { solution, ray, limit, cycle };

  void reserve(int n);
  /// Sets up the tableau with the covering vector d > 0.
  void start(const ScaledLcp& lcp, std::span<const double> cover);
  /// Follows the path, counting in `pivots`, until it ends or `pivots` reaches the limit.
  End follow(long pivot_limit, long& pivots);

  /// z of the present basis and, in `support`, the indices of its basic variables.
  void readPoint(std::span<double> z, std::vector<int>& support) const;
  /// After End::ray: how z changes along the ray.
  void readRay(std::span<double> z) const;

 private:
  double* row(int i) { return tableau_.data() + static_cast<std::size_t>(i) * stride_; }
  const double* row(int i) const { return tableau_.data() + static_cast<std::size_t>(i) * stride_; }
  double constant(int i) const { return row(i)[n_ + 1]; }

  int firstLeavingRow() const;
  int leavingRow(int column);
  int leavingRowAbove(double floor, int column);
  int lexicographicLeast(int column);
  double perturbation(int i, int k) const;
  void pivot(int r, int column);
  void pivotConstants(int r, int column);
  void exchange(int r, int column);
  bool basisReturned();
  int columnOfComplement(int variable) const;

  int n_ = 0;
  std::size_t stride_ = 0;
  std::vector<double> tableau_;  ///< row i: n+1 coefficients of the nonbasic, then the constant,
                                 ///< then zeros up to whole fours
  std::vector<int> basic_;       ///< variable of each row: 0..n-1 w, n..2n-1 z, 2n z0
  std::vector<int> nonbasic_;    ///< variable of each column
  std::vector<int> place_;       ///< of each variable: row r as r, column c as -1-c
  std::vector<double> slope_;    ///< how each row falls along the entering column
  std::vector<double> room_;     ///< its constant, at least zero
  std::vector<int> candidates_;
  int ray_column_ = 0;
  std::uint64_t basis_hash_ = 0;
  std::uint64_t remembered_hash_ = 0;
  long pivots_since_ = 0;    ///< since that basis was remembered
  long remembered_for_ = 0;  ///< pivots until another one is
};

}  // namespace stickslip
