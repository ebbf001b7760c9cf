// Contacts that do not feel each other's impulses, told apart: the blocks of W that vanish.
//
// An island is a set of contacts that are connected by blocks of W that do not; each one is a
// problem of its own. Bodies that only touch fixed ones separate islands, as fixed bodies have no
// velocities, and joints connect what they join.
#pragma once

#include <span>
#include <vector>

#include "stickslip/block_matrix.hpp"

namespace stickslip {

class ContactIslands {
 public:
  void reserve(int contacts);
  /// Group i of J is contact i.
  void find(ConstMatrixView W, const BlockRows& J);

  int count() const { return static_cast<int>(first_.size()) - 1; }
  /// The contacts of an island, ascending; islands come in the order of their first contacts.
  std::span<const int> contacts(int island) const;

 private:
  int rootOf(int contact);
  void collect();

  std::vector<int> parent_;  ///< towards the first contact of the island
  std::vector<int> island_;  ///< of each contact
  std::vector<int> first_;   ///< place of each island's first contact in order_, and the end
  std::vector<int> order_;
};

}  // namespace stickslip
