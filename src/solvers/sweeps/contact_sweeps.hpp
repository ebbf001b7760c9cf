// Block Gauss-Seidel: one cone after the other is solved while the others are held
// (item_solves.hpp). Quick where few contacts depend on each other, and a start for Newton's method
// everywhere else.
#pragma once

#include <span>

#include "cones/single_contact.hpp"
#include "problem/scaled_island.hpp"

namespace stickslip {

class ContactSweeps {
 public:
  void reserve(int cones, int rows);
  /// Takes what depends on the island alone.
  void prepare(ScaledIsland& island);
  /// Sweeps `count` times over all cones, starting at p, and leaves the result there.
  void sweep(ScaledIsland& island, int count, std::span<double> p);
  /// The same, every sweep followed by one in the opposite order.
  void sweepThereAndBack(ScaledIsland& island, int count, std::span<double> p);

 private:
  void solveItem(ScaledIsland& island, int index, std::span<double> p) const;

  ConeSolves solves_;
};

}  // namespace stickslip
