// Block Gauss-Seidel: one item after the other is solved while the others are held
// (item_solves.hpp). Quick where few contacts depend on each other, and a start for Newton's method
// everywhere else.
#pragma once

#include <span>

#include "contact/contact_island.hpp"
#include "solvers/item_solves.hpp"

namespace stickslip {

class ContactSweeps {
 public:
  void reserve(int items, int rows);
  /// Takes what depends on the island alone.
  void prepare(ContactIsland& island);
  /// Sweeps `count` times over all items, starting at pi, and leaves the result there.
  void sweep(ContactIsland& island, int count, std::span<double> pi);
  /// The same, every sweep followed by one in the opposite order.
  void sweepThereAndBack(ContactIsland& island, int count, std::span<double> pi);

 private:
  void solveItem(ContactIsland& island, int index, std::span<double> pi) const;

  ItemSolves solves_;
};

}  // namespace stickslip
