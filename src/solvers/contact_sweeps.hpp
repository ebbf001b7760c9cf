// Block Gauss-Seidel: one item after the other is solved while the others are held, cones exactly
// (single_contact.hpp), others by projected steps. Quick where few contacts depend on each other,
// and a start for Newton's method everywhere else.
#pragma once

#include <vector>

#include "contact/contact_island.hpp"
#include "solvers/single_contact.hpp"

namespace stickslip {

class ContactSweeps {
 public:
  void reserve(int items, int rows);
  /// Takes what depends on the island alone.
  void prepare(ContactIsland& island);
  /// Sweeps `count` times over all items, starting at pi, and leaves the result there.
  void sweep(ContactIsland& island, int count, std::span<double> pi);

 private:
  void solveItem(const ContactIsland& island, std::size_t index, std::span<const double> b,
                 std::span<double> pi) const;
  void projectedSteps(const ContactIsland& island, std::size_t index, std::span<const double> b,
                      std::span<double> pi) const;

  std::vector<SingleContact> contacts_;
  std::vector<double> blocks_;  ///< of W on the diagonal
};

}  // namespace stickslip
