#include "math/elimination_tree.hpp"

#include <utility>

namespace stickslip {
namespace {

constexpr int kNone = -1;

}  // namespace

void EliminationTree::build(const BlockGraph& graph, const std::vector<int>& order) {
  order_.assign(order.begin(), order.end());
  position_.resize(order_.size());
  for (int j = 0; j < static_cast<int>(order_.size()); ++j) position_[order_[j]] = j;
  findParents(graph);
  postorder();
  countRows(graph);
}

void EliminationTree::findParents(const BlockGraph& graph) {
  const int n = static_cast<int>(order_.size());
  parent_.assign(order_.size(), kNone);
  ancestor_.assign(order_.size(), kNone);
  for (int i = 0; i < n; ++i) {
    for (const int neighbour : graph.neighbours(order_[i])) {
      // Up from the neighbour to the root of its tree so far; what is passed points to i from now
      // on, so that later climbs are short.
      int k = position_[neighbour];
      if (k >= i) continue;
      while (ancestor_[k] != kNone && ancestor_[k] != i) k = std::exchange(ancestor_[k], i);
      if (ancestor_[k] == i) continue;
      ancestor_[k] = i;
      parent_[k] = i;
    }
  }
}

void EliminationTree::postorder() {
  const int n = static_cast<int>(order_.size());
  first_child_.assign(order_.size(), kNone);
  next_sibling_.assign(order_.size(), kNone);
  for (int j = n; j-- > 0;) {
    if (parent_[j] == kNone) continue;
    next_sibling_[j] = first_child_[parent_[j]];
    first_child_[parent_[j]] = j;
  }
  renumbered_.clear();
  for (int root = 0; root < n; ++root) {
    if (parent_[root] != kNone) continue;
    stack_.assign(1, root);
    while (!stack_.empty()) {
      const int j = stack_.back();
      const int child = first_child_[j];
      if (child == kNone) {
        renumbered_.push_back(j);
        stack_.pop_back();
      } else {
        first_child_[j] = next_sibling_[child];
        stack_.push_back(child);
      }
    }
  }
  // Renumber: blocks first, then parents.
  std::vector<int>&new_number = ancestor_, &old_order = next_sibling_, &old_parent = first_child_;
  old_order = order_;
  old_parent = parent_;
  for (int k = 0; k < n; ++k) new_number[renumbered_[k]] = k;
  for (int k = 0; k < n; ++k) {
    const int j = renumbered_[k];
    order_[k] = old_order[j];
    position_[order_[k]] = k;
    parent_[k] = old_parent[j] == kNone ? kNone : new_number[old_parent[j]];
  }
}

// Row i of the factor fills the paths from its neighbours up to i (row subtrees).
void EliminationTree::countRows(const BlockGraph& graph) {
  const int n = static_cast<int>(order_.size());
  below_.assign(order_.size(), 0);
  std::vector<int>& visited_for = ancestor_;
  visited_for.assign(order_.size(), kNone);
  for (int i = 0; i < n; ++i) {
    visited_for[i] = i;
    const int rows = graph.sizeOf(order_[i]);
    for (const int neighbour : graph.neighbours(order_[i])) {
      int k = position_[neighbour];
      if (k >= i) continue;
      for (; visited_for[k] != i; k = parent_[k]) {
        visited_for[k] = i;
        below_[k] += rows;
      }
    }
  }
  cost_ = 0;
  for (int j = 0; j < n; ++j) {
    const double columns = graph.sizeOf(order_[j]), rows = below_[j];
    cost_ += columns * (columns * columns / 6 + rows * (columns + rows) / 2);
  }
}

}  // namespace stickslip
