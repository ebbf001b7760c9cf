#include "math/factor/front_tree.hpp"

#include <algorithm>
#include <cassert>
#include <numeric>
#include <utility>

namespace stickslip {
namespace {

constexpr int kNoFront = -1;

// Beyond this the panel leaves the first-level cache while it is factorized; the next blocks are
// left to a front of their own.
constexpr int kMostColumns = 72;

// Time to factorize a front, in multiplications: those that it takes, the entries of panel and
// update that are cleared, moved and added one by one, and a constant. Measured.
double frontCost(double columns, double rows) {
  constexpr double kPanelEntry = 2, kUpdateEntry = 6, kFront = 300;
  return columns * (columns * columns / 6 + rows * (columns + rows) / 2) +
         kPanelEntry * columns * (columns + rows) + kUpdateEntry * rows * rows / 2 + kFront;
}

int padded(int rows) {
  return (rows + FrontKernels::kStrip - 1) / FrontKernels::kStrip * FrontKernels::kStrip;
}

// Appends to the last of the runs from `first` on if it goes on there.
void extendRuns(std::vector<RowRun>& runs, int first, RowRun next) {
  if (static_cast<int>(runs.size()) > first) {
    RowRun& last = runs.back();
    if (last.to + last.length == next.to) {
      last.length += next.length;
      return;
    }
  }
  runs.push_back(next);
}

}  // namespace

void FrontTree::build(const BlockGraph& graph, const EliminationTree& tree) {
  group(graph, tree);
  numberFronts(tree);
  orderBlocks(graph, tree);
  linkChildren();
  collectRows(graph);
  makeRuns(graph);
  placeStorage();
}

// Decides which blocks share a front. A block that is the top of its front may join that of its
// parent; those with the most rows below fit best and come first.
void FrontTree::group(const BlockGraph& graph, const EliminationTree& tree) {
  const int n = graph.blockCount();
  top_.resize(tree.order().size());
  columns_.resize(tree.order().size());
  first_child_.assign(tree.order().size(), kNoFront);
  next_sibling_.assign(tree.order().size(), kNoFront);
  for (int j = 0; j < n; ++j) {
    top_[j] = j;
    columns_[j] = graph.sizeOf(tree.order()[j]);
    candidates_.clear();
    for (int c = first_child_[j]; c != kNoFront; c = next_sibling_[c]) candidates_.push_back(c);
    std::sort(candidates_.begin(), candidates_.end(), [&](int a, int b) {
      return tree.rowsBelow(a) != tree.rowsBelow(b) ? tree.rowsBelow(a) > tree.rowsBelow(b) : a < b;
    });
    const double rows = tree.rowsBelow(j);
    for (const int c : candidates_) {
      const int together = columns_[c] + columns_[j];
      if (together > kMostColumns) continue;
      if (frontCost(together, rows) >
          frontCost(columns_[c], tree.rowsBelow(c)) + frontCost(columns_[j], rows))
        continue;
      top_[c] = j;
      columns_[j] = together;
    }
    if (const int p = tree.parent(j); p != kNoFront) {
      next_sibling_[j] = first_child_[p];
      first_child_[p] = j;
    }
  }
  for (int j = n; j-- > 0;) top_[j] = top_[top_[j]];
}

// In the order of their tops, which is a postorder, as the blocks are in one.
void FrontTree::numberFronts(const EliminationTree& tree) {
  const int n = static_cast<int>(top_.size());
  number_.resize(top_.size());
  fronts_.clear();
  for (int j = 0; j < n; ++j) {
    if (top_[j] != j) continue;
    number_[j] = static_cast<int>(fronts_.size());
    Front front;
    front.columns = columns_[j];
    front.rows = tree.rowsBelow(j);
    fronts_.push_back(front);
  }
  parent_.resize(fronts_.size());
  for (int j = 0; j < n; ++j) {
    if (top_[j] != j) continue;
    const int p = tree.parent(j);
    parent_[number_[j]] = p == kNoFront ? kNoFront : number_[top_[p]];
  }
}

void FrontTree::orderBlocks(const BlockGraph& graph, const EliminationTree& tree) {
  const int n = graph.blockCount();
  first_block_.assign(fronts_.size() + 1, 0);
  for (int j = 0; j < n; ++j) ++first_block_[number_[top_[j]] + 1];
  std::partial_sum(first_block_.begin(), first_block_.end(), first_block_.begin());
  place_.assign(first_block_.begin(), first_block_.end());
  order_.resize(tree.order().size());
  position_.resize(order_.size());
  front_of_.resize(order_.size());
  for (int j = 0; j < n; ++j) {
    const int front = number_[top_[j]];
    const int place = place_[front]++;
    order_[place] = tree.order()[j];
    position_[order_[place]] = place;
    front_of_[place] = front;
  }
  first_row_.resize(order_.size() + 1);
  first_row_[0] = 0;
  for (int k = 0; k < n; ++k) first_row_[k + 1] = first_row_[k] + graph.sizeOf(order_[k]);
  for (std::size_t f = 0; f < fronts_.size(); ++f)
    fronts_[f].first_column = first_row_[first_block_[f]];
}

void FrontTree::linkChildren() {
  const int count = static_cast<int>(fronts_.size());
  place_.assign(fronts_.size() + 1, 0);
  for (const int p : parent_)
    if (p != kNoFront) ++place_[p + 1];
  std::partial_sum(place_.begin(), place_.end(), place_.begin());
  children_.resize(place_.back());
  for (int f = 0; f < count; ++f) {
    fronts_[f].first_child = fronts_[f].end_child = place_[f];
  }
  for (int f = 0; f < count; ++f)
    if (parent_[f] != kNoFront) children_[fronts_[parent_[f]].end_child++] = f;
}

void FrontTree::addBelow(int position, int front) {
  if (position < first_block_[front + 1] || mark_[position] == front) return;
  mark_[position] = front;
  below_.push_back(position);
}

void FrontTree::collectRows(const BlockGraph& graph) {
  const int count = static_cast<int>(fronts_.size());
  mark_.assign(order_.size(), kNoFront);
  below_.clear();
  first_below_.assign(1, 0);
  most_rows_below_ = 0;
  for (int f = 0; f < count; ++f) {
    for (int k = first_block_[f]; k < first_block_[f + 1]; ++k)
      for (const int neighbour : graph.neighbours(order_[k])) addBelow(position_[neighbour], f);
    for (const int child : children(fronts_[f]))
      for (int k = first_below_[child]; k < first_below_[child + 1]; ++k) addBelow(below_[k], f);
    std::sort(below_.begin() + first_below_[f], below_.end());
    first_below_.push_back(static_cast<int>(below_.size()));
  }
}

void FrontTree::makeRuns(const BlockGraph& graph) {
  const int count = static_cast<int>(fronts_.size());
  row_runs_.clear();
  parent_runs_.clear();
  place_.resize(order_.size());
  for (Front& front : fronts_) {
    front.pivot_rows = padded(front.columns);
    front.rows_below = padded(front.rows);
    most_rows_below_ = std::max(most_rows_below_, front.rows_below);
  }
  for (int p = 0; p < count; ++p) {
    // Rows of the panel; the pivots are there already, below the rows of earlier fronts.
    int row = fronts_[p].pivot_rows;
    for (const int k : below(p)) {
      place_[k] = row;
      row += graph.sizeOf(order_[k]);
    }
    assert(row == fronts_[p].pivot_rows + fronts_[p].rows);
    for (const int child : children(fronts_[p])) runsOfChild(graph, child, p);
  }
}

void FrontTree::runsOfChild(const BlockGraph& graph, int child, int parent) {
  Front& front = fronts_[child];
  front.first_row_run = static_cast<int>(row_runs_.size());
  front.first_parent_run = static_cast<int>(parent_runs_.size());
  int local = 0;
  int zone = front.first_parent_run;  // no run goes on from pivots to rows below
  bool was_pivot = true;
  for (const int k : below(child)) {
    const int size = graph.sizeOf(order_[k]);
    const bool is_pivot = k < first_block_[parent + 1];
    if (was_pivot && !is_pivot) zone = static_cast<int>(parent_runs_.size());
    was_pivot = is_pivot;
    const int row = is_pivot ? first_row_[k] - fronts_[parent].first_column : place_[k];
    extendRuns(row_runs_, front.first_row_run, {local, first_row_[k], size});
    extendRuns(parent_runs_, zone, {local, row, size});
    local += size;
  }
  front.end_row_run = static_cast<int>(row_runs_.size());
  front.end_parent_run = static_cast<int>(parent_runs_.size());
}

// An update lives until the front of the parent is done, so updates of even depth and those of odd
// depth form a stack each: when a front is reached its children are the last ones on the one, and
// its siblings the last ones on the other.
void FrontTree::placeStorage() {
  const int count = static_cast<int>(fronts_.size());
  depth_.resize(fronts_.size());
  for (int f = count; f-- > 0;) depth_[f] = parent_[f] == kNoFront ? 0 : depth_[parent_[f]] + 1;
  std::size_t top[2] = {0, 0}, highest[2] = {0, 0};
  factor_size_ = largest_panel_ = 0;
  for (int f = 0; f < count; ++f) {
    Front& front = fronts_[f];
    const std::size_t columns = front.columns;
    const std::size_t rows_below = front.rows_below;
    front.pivots = factor_size_;
    front.below = front.pivots + columns * static_cast<std::size_t>(front.pivot_rows);
    factor_size_ = front.below + columns * rows_below;
    largest_panel_ = std::max(largest_panel_, factor_size_ - front.pivots);
    const int parity = depth_[f] % 2;
    front.update = top[parity];
    top[parity] += rows_below * rows_below;
    highest[parity] = std::max(highest[parity], top[parity]);
    const auto own = children(front);
    if (!own.empty()) top[1 - parity] = fronts_[own.front()].update;
  }
  for (int f = 0; f < count; ++f)
    if (depth_[f] % 2 == 1) fronts_[f].update += highest[0];
  update_size_ = highest[0] + highest[1];
}

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
