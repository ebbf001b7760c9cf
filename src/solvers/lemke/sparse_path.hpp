// The path of DenseLemke's method on a sparse basis, one system with its matrix a pivot.
//
// From a basis that z0 makes feasible the complement of the variable that left enters next, until
// z0 leaves (a solution) or nothing limits the entering variable (a ray), as in lemke_tableau.
//
// Ratio test in two passes (Harris 1973): all variables may undershoot zero by the noise, and of
// those that block by then the one with the largest pivot leaves; z0 whenever it may. A small
// pivot, or a ray, is believed only with fresh factors. Ties are left to the covering vector, which
// should be generic; a basis that returns is noticed (Brent's method on a hash), and so are values
// that a new factorization does not confirm.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "solvers/lemke/sparse_basis.hpp"

namespace stickslip {

class SparsePath {
 public:
  enum class End { solution, ray, limit, lost };

  /// z0 enters `basis`, which has fresh factors and a cover that raises every negative variable;
  /// counts in `pivots`, up to the limit. Units of the pairs are those of `lcp`.
  End follow(const MixedLcp& lcp, SparseBasis& basis, std::int64_t pivot_limit,
             std::int64_t& pivots);
  /// After End::ray: the variable that grows for ever; the basis has its direction.
  int rayVariable() const { return ray_variable_; }

 private:
  void setNoise(const MixedLcp& lcp);
  int firstLeaving(const SparseBasis& basis) const;
  int leaving(const SparseBasis& basis);
  bool findTrustedLeaving(SparseBasis& basis, int entering, int& leaving_variable);
  bool renew(SparseBasis& basis) const;
  void note(int entering, int leaving_variable);
  bool basisReturned();

  std::vector<double> noise_;  ///< of each pair, then of z0
  double largest_direction_ = 0;
  int ray_variable_ = 0;
  std::uint64_t basis_hash_ = 0, remembered_hash_ = 0;
  std::int64_t pivots_since_ = 0;    ///< since that basis was remembered
  std::int64_t remembered_for_ = 0;  ///< pivots until another one is
};

}  // namespace stickslip
