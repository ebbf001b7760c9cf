// Symbolic multifrontal factorization: fronts, where their rows go, and where everything is stored.
//
// A front is a dense matrix that holds a group of blocks to be eliminated together (its pivot rows
// and columns) and the rows below that they couple with. After the elimination what is left of the
// rows below, the update, is added to the front of the parent (Duff and Reid 1983; Liu 1992).
//
// Blocks of a child are put into the front of the parent where the work that is saved (an update
// less to pass on, a front less to start) outweighs that on the zeros that this stores; blocks with
// the same rows (fundamental supernodes) are the case without zeros.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "math/factor/front_kernels.hpp"
#include "math/ordering/block_graph.hpp"

namespace stickslip {

// The elimination tree of a block-sparse matrix in a given order, and what factorizing will cost.
//
// Block j's parent is the first block after it that its elimination couples with others (Liu 1986).
// The order is made a postorder on the way: children come right before their parent, which changes
// neither fill nor cost.

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

struct Front {
  int first_column = 0;  ///< in the order of elimination
  int columns = 0;       ///< rows and columns that are eliminated here
  int rows = 0;          ///< rows below
  int pivot_rows = 0;    ///< `columns` with padding
  int rows_below = 0;    ///< `rows` with padding
  int first_row_run = 0, end_row_run = 0;
  int first_parent_run = 0, end_parent_run = 0;
  int first_child = 0, end_child = 0;
  std::size_t pivots = 0;  ///< where the pivot rows are stored, pivot_rows x columns
  std::size_t below = 0;   ///< where the rows below are stored, in strips
  std::size_t update = 0;  ///< where the update is stored while it is needed

  /// Rows of the panel in which the front is assembled: pivot rows, then rows below.
  int panelRows() const { return pivot_rows + rows_below; }
};

/// Rows below a front, `from` on, that are consecutive elsewhere as well, `to` on.
struct RowRun {
  int from;
  int to;
  int length;
};

class FrontTree {
 public:
  void build(const BlockGraph& graph, const EliminationTree& tree);

  /// Children come before their parents.
  std::span<const Front> fronts() const { return fronts_; }
  /// From the rows below to the order of elimination.
  std::span<const RowRun> rowRuns(const Front& front) const {
    return {row_runs_.data() + front.first_row_run, row_runs_.data() + front.end_row_run};
  }
  /// From the rows below to the rows of the parent's panel.
  std::span<const RowRun> parentRuns(const Front& front) const {
    return {parent_runs_.data() + front.first_parent_run,
            parent_runs_.data() + front.end_parent_run};
  }
  std::span<const int> children(const Front& front) const {
    return {children_.data() + front.first_child, children_.data() + front.end_child};
  }

  /// Blocks in the order of elimination.
  std::span<const int> order() const { return order_; }
  int position(int block) const { return position_[block]; }
  /// Row where a block starts in the order of elimination.
  int firstRow(int block) const { return first_row_[position_[block]]; }
  /// The front that eliminates a block.
  int frontOf(int block) const { return front_of_[position_[block]]; }
  /// Blocks below a front, as places in the order of elimination, ascending.
  std::span<const int> below(int front) const {
    return {below_.data() + first_below_[front], below_.data() + first_below_[front + 1]};
  }

  std::size_t factorSize() const { return factor_size_; }
  std::size_t updateSize() const { return update_size_; }
  std::size_t largestPanel() const { return largest_panel_; }
  int mostRowsBelow() const { return most_rows_below_; }

 private:
  void group(const BlockGraph& graph, const EliminationTree& tree);
  void numberFronts(const EliminationTree& tree);
  void orderBlocks(const BlockGraph& graph, const EliminationTree& tree);
  void linkChildren();
  void collectRows(const BlockGraph& graph);
  void addBelow(int position, int front);
  void makeRuns(const BlockGraph& graph);
  void runsOfChild(const BlockGraph& graph, int child, int parent);
  void placeStorage();

  std::vector<Front> fronts_;
  std::vector<RowRun> row_runs_, parent_runs_;
  std::vector<int> parent_, children_;  ///< of fronts
  std::vector<int> order_, position_, first_row_, front_of_;
  std::vector<int> first_block_;  ///< place of the first block of each front, and the end
  std::vector<int> below_, first_below_;
  // By number in the elimination tree: the block on top of the front that it belongs to, columns
  // of the front so far, and the front in the end.
  std::vector<int> top_, columns_, number_;
  std::vector<int> first_child_, next_sibling_, candidates_;
  std::vector<int> mark_, place_, depth_;
  std::size_t factor_size_ = 0, update_size_ = 0, largest_panel_ = 0;
  int most_rows_below_ = 0;
};

}  // namespace stickslip
