// Are sparse rows linearly independent? The certificate's own algebra, which no solver uses.
//
// Gaussian elimination block by block of velocities, the block with the fewest rows first. Rows
// that are independent in the columns of one block alone are so among all others too, and are done;
// so a heap of bodies comes apart from its outside at a cost in proportion to its contacts. Of a
// block with more rows than that, as many as its columns allow become pivot rows, by full pivoting,
// and the rest goes on without those columns.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "certificate/scaled_directions.hpp"

namespace stickslip {

class RowIndependence {
 public:
  void reserve(int velocities, int rows);
  /// Drops all rows; the columns are the velocities of M and come in its blocks.
  void start(const BlockDiagonal& M);
  /// Adds the combination of rows first_row, first_row + 1, ... (which share their columns) with
  /// the given weights.
  void add(const ScaledDirections& directions, int first_row, std::span<const double> weights);
  /// True if no row is a combination of the others; false also if that is not known after
  /// `work_limit` multiplications. To be asked once.
  bool isProven(std::int64_t work_limit);

 private:
  struct Block {
    int first_column;
    int columns;
    int rows = 0;         ///< that have an entry here and are not done
    int first_entry = 0;  ///< of its list; -1 ends it
  };
  struct Part {
    int block;
    std::size_t first_value;
  };
  struct Row {
    std::size_t first_part;
    std::size_t parts;
    bool is_done = false;
  };
  struct ListEntry {
    int row;
    int next;
  };

  std::span<const Part> partsOf(const Row& row) const;
  void addPart(int block, std::span<const double> values);
  void closeRow();
  bool eliminate(int block);
  void gatherRows(int block);
  void gatherBlocks(int block);
  std::size_t fillFront();
  int pivotOn(int columns, std::size_t width);
  bool keepRest(std::size_t first, std::size_t width);
  void finishRows();

  std::vector<Block> blocks_;
  detail::BlockIndex index_;
  std::vector<Row> rows_;
  std::vector<Part> parts_;
  std::vector<double> values_;
  std::vector<ListEntry> entries_;
  std::vector<std::pair<int, int>> queue_;  ///< heap of (rows, block), some out of date
  bool has_zero_row_ = false;
  std::int64_t work_left_ = 0;

  // The block being eliminated: its rows, all blocks that these touch (itself first), where each
  // starts in the dense front, and the front, a row after the other.
  std::vector<int> front_rows_;
  std::vector<int> front_blocks_;
  std::vector<int> place_;  ///< first column of each block in the front; -1 if it is not there
  std::vector<double> front_;
  std::vector<double> sum_;
};

}  // namespace stickslip
