// W of another set of cones: each contact of an island is split into its normal row and a cone of a
// bound and the tangential rows,
//
//   (p_n)          with  u_n,
//   (tau, p_t)     with  (bound, u_t),
//
// where tau pushes nothing and the bound is a constant, not a velocity. Complementarity of the two
// cones keeps u_n >= 0 and |u_t| <= bound, each by its own impulse: the program (4.29) of
// [AH04]. Tangential impulses are no longer tied to the normal one, and have units in which their
// rows have mean mobility one. Each section of a cone has a bound of its own; cones without
// tangents, and friction that does not depend on the load, stay as they are.
//
// Linear systems are those of the island's own operator, with S diag(S_n, S_t).
#pragma once

#include <span>
#include <vector>

#include "problem/scaled_island.hpp"

namespace stickslip {

class SplitDelassus final : public Delassus {
 public:
  void build(ScaledIsland& island);
  std::span<const Cone> cones() const { return cones_; }
  /// Free velocities of the split rows, with the sliding of `u`, rows of the island, for
  /// bounds.
  void freeVelocities(std::span<const double> u, std::span<double> q) const;
  /// Impulses; those of bounds become 0.
  void toSplit(std::span<const double> p, std::span<double> split) const;
  void fromSplit(std::span<const double> split, std::span<double> p) const;

  void apply(std::span<const double> p, std::span<double> out) const override;
  void diagonalBlock(int cone, MatrixView out) const override;
  bool factor(std::span<const double> S, Symmetry symmetry) override;
  double solve(std::span<const double> r, std::span<const double> s, std::span<double> d_p,
               std::span<double> d_u) override;
  void solveOnce(std::span<const double> r, std::span<const double> s, std::span<double> d_p,
                 std::span<double> d_u) override;
  int determinantSign() const override { return island_->W().determinantSign(); }
  void startSweeps(std::span<const double> p) override;
  void sweepVelocity(int cone, std::span<double> out) const override;
  void sweepChange(int cone, std::span<const double> change) override;

 private:
  static constexpr int kNone = -1;
  void add(Cone cone, int rows, int source_cone);
  void addWhole(int cone);
  void addBounded(Cone part, int rows, int cone, int first_tangent);
  double unitOf(int cone, int first, int rows) const;
  void velocitiesToSplit(std::span<const double> u, std::span<double> split) const;
  void gather(std::span<const double> r, std::span<const double> s);
  /// The impulses tau, which no equation determines: tau = r - S d_u of their rows.
  void finish(std::span<const double> r, std::span<const double> s, std::span<double> d_p,
              std::span<double> d_u) const;

  ScaledIsland* island_ = nullptr;
  std::vector<Cone> cones_;
  std::vector<int> source_row_;   ///< of each row, in the island; kNone for bounds
  std::vector<int> source_cone_;  ///< of each cone, in the island
  /// Of each row: velocities here are those of the island times this, impulses divided by it.
  std::vector<double> unit_;
  std::vector<double> S_;  ///< as given to factor()
  std::vector<double> source_S_;
  mutable std::vector<double> x_, y_;  ///< rows of the island
  std::vector<double> r_, s_;
};

}  // namespace stickslip
