// W of another set of items: each contact of an island is split into its normal row and a cone of a
// bound and the tangential rows,
//
//   (pi_n)          with  omega_n,
//   (tau, pi_t)     with  (bound, omega_t),
//
// where tau pushes nothing and the bound is a constant, not a velocity. Complementarity of the two
// cones keeps omega_n >= 0 and |omega_t| <= bound, each by its own impulse: the program (4.29) of
// 004. Tangential impulses are no longer tied to the normal one, and have units in which their rows
// have mean mobility one. Each section of an item has a bound of its own; items without tangents,
// and friction that does not depend on the load, stay as they are.
//
// Linear systems are those of the island's own operator, with S diag(S_n, S_t).
#pragma once

#include <span>
#include <vector>

#include "contact/contact_island.hpp"

namespace stickslip {

class SplitOperator final : public ImpulseOperator {
 public:
  void build(ContactIsland& island);
  std::span<const ContactItem> items() const { return items_; }
  /// Free velocities of the split rows, with the sliding of `omega`, rows of the island, for
  /// bounds.
  void freeVelocities(std::span<const double> omega, std::span<double> q) const;
  /// Impulses; those of bounds become 0.
  void toSplit(std::span<const double> pi, std::span<double> split) const;
  void fromSplit(std::span<const double> split, std::span<double> pi) const;

  void apply(std::span<const double> pi, std::span<double> out) const override;
  void diagonalBlock(int item, MatrixView out) const override;
  bool factor(std::span<const double> S, Symmetry symmetry) override;
  double solve(std::span<const double> r, std::span<const double> s, std::span<double> d_pi,
               std::span<double> d_omega) override;
  void solveOnce(std::span<const double> r, std::span<const double> s, std::span<double> d_pi,
                 std::span<double> d_omega) override;
  int determinantSign() const override { return island_->W().determinantSign(); }
  void startSweeps(std::span<const double> pi) override;
  void sweepVelocity(int item, std::span<double> out) const override;
  void sweepChange(int item, std::span<const double> change) override;

 private:
  static constexpr int kNone = -1;
  void add(ContactItem item, int rows, int source_item);
  void addWhole(int item);
  void addBounded(ContactItem part, int rows, int item, int first_tangent);
  double unitOf(int item, int first, int rows) const;
  void velocitiesToSplit(std::span<const double> omega, std::span<double> split) const;
  void gather(std::span<const double> r, std::span<const double> s);
  /// The impulses tau, which no equation determines: tau = r - S d_omega of their rows.
  void finish(std::span<const double> r, std::span<const double> s, std::span<double> d_pi,
              std::span<double> d_omega) const;

  ContactIsland* island_ = nullptr;
  std::vector<ContactItem> items_;
  std::vector<int> source_row_;   ///< of each row, in the island; kNone for bounds
  std::vector<int> source_item_;  ///< of each item, in the island
  /// Of each row: velocities here are those of the island times this, impulses divided by it.
  std::vector<double> unit_;
  std::vector<double> S_;  ///< as given to factor()
  std::vector<double> source_S_;
  mutable std::vector<double> x_, y_;  ///< rows of the island
  std::vector<double> r_, s_;
};

}  // namespace stickslip
