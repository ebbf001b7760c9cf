// The elimination tree of a block-sparse matrix in a given order, and what factorizing will cost.
//
// Block j's parent is the first block after it that its elimination couples with others (Liu 1986).
// The order is made a postorder on the way: children come right before their parent, which changes
// neither fill nor cost.
#pragma once

#include <vector>

#include "math/block_graph.hpp"

namespace stickslip {

class EliminationTree {
 public:
  /// `order` lists the blocks as they shall be eliminated.
  void build(const BlockGraph& graph, const std::vector<int>& order);

  /// The order, as a postorder of the tree.
  const std::vector<int>& order() const { return order_; }
  /// Parent of the block that is eliminated as number j, as such a number; -1 for a root.
  int parent(int j) const { return parent_[j]; }
  /// Rows below the diagonal block in block column j of the factor.
  int rowsBelow(int j) const { return below_[j]; }
  /// Multiplications of a Cholesky factorization.
  double cost() const { return cost_; }

 private:
  void findParents(const BlockGraph& graph);
  void postorder();
  void countRows(const BlockGraph& graph);

  std::vector<int> order_, position_, parent_, below_;
  std::vector<int> ancestor_, first_child_, next_sibling_, stack_, renumbered_;
  double cost_ = 0;
};

}  // namespace stickslip
