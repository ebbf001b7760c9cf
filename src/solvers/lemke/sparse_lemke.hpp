// Lemke's method on a sparse problem with free unknowns (mixed_lcp).
//
// Cold, the path of w = N z + q + d z0 from large z0 down to 0, with a generic covering vector d,
// and with another one when a path fails or is longer than most: as long as there are pivots left,
// each pair of paths may be twice as long as the one before. The status says what ended it: the
// pivots that were given, the solver's own limit where none were, or paths that got lost in
// rounding errors. Warm, from a basis that has served before ([AP97] section 6): if it is feasible
// for the new data the problem is solved by one factorization; otherwise it is made feasible by a
// small cover of what is negative, and the path goes on from there.
//
// The answer is computed from fresh factors with a step of refinement, so that it does not depend
// on the way to its basis, and is called solved if nothing is more negative than a tolerance in its
// own unit. A ray is one if z >= 0, z.N z = 0 and q'.z < 0 up to rounding; if not it was a failure.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "solvers/lemke/cycle_guard.hpp"
#include "solvers/lemke/sparse_basis.hpp"
#include "stickslip/solve_status.hpp"

namespace stickslip {

// The path of Lemke's method on a sparse basis, one system with its matrix a pivot.
//
// From a basis that z0 makes feasible the complement of the variable that left enters next, until
// z0 leaves (a solution) or nothing limits the entering variable (a ray), as in dense_path.hpp.
//
// Ratio test in two passes (Harris 1973): all variables may undershoot zero by the noise, and of
// those that block by then the one with the largest pivot leaves; z0 whenever it may. A small
// pivot, or a ray, is believed only with fresh factors. Ties are left to the covering vector, which
// should be generic; a basis that returns is noticed (cycle_guard.hpp), and so are values that a
// new factorization does not confirm.
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

  std::vector<double> noise_;  ///< of each pair, then of z0
  double largest_direction_ = 0;
  int ray_variable_ = 0;
  CycleGuard guard_;
};

class SparseLemke {
 public:
  struct Report {
    SolveStatus status = SolveStatus::solved;
    std::int64_t pivots = 0;
    bool basis_reused = false;  ///< the basis that was offered solved the problem as it was
  };

  /// Solves the problem in at most `pivot_limit` pivots (0: some for every pair); `basis` holds the
  /// pairs whose z were basic in a similar one.
  Report solve(const MixedLcp& lcp, std::int64_t pivot_limit, std::span<const int> basis = {});

  /// The solution, or the best point met: x and z >= 0.
  std::span<const double> x() const { return x_; }
  std::span<const double> z() const { return z_; }
  /// The pairs whose z is basic there.
  std::span<const int> basis() const { return pairs_; }
  /// With status ray: the direction in z, scaled to maximum 1.
  std::span<const double> ray() const { return ray_; }

 private:
  bool followWarm(std::span<const int> basis);
  SparsePath::End followCold(int attempt);
  bool settle(SparsePath::End end);
  double readPoint();
  bool verifyRay();
  double alongRay(int variable) const;
  double worstViolation() const;
  void coverNegative(double worst);

  const MixedLcp* lcp_ = nullptr;
  std::int64_t limit_ = 0;
  SparseBasis basis_;
  SparsePath path_;
  Report report_;
  double best_ = 0;                ///< violation of x_, z_
  std::vector<double> constants_;  ///< q' = w at z = 0
  std::vector<double> cover_;
  std::vector<double> x_, z_;
  std::vector<int> pairs_;
  std::vector<double> ray_;
};

}  // namespace stickslip
