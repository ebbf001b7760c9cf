// The two sparse matrices of the contact problem.
//
// Velocities come in blocks: one block of size f for a system in generalized coordinates, one block
// of 3 or 6 per rigid body. The mass matrix is block-diagonal in them, and a contact or a joint
// touches only a few of them. One representation therefore serves a three-coordinate toy and a pile
// of 10^5 bodies.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "stickslip/matrix_view.hpp"

namespace stickslip {

/// Square matrix with dense blocks on its diagonal, each stored in full, row-major.
class BlockDiagonal {
 public:
  /// Sets the sizes of the blocks; all entries become zero. Keeps memory for later calls.
  void resize(std::span<const int> block_sizes);

  int size() const { return size_; }
  int blockCount() const { return static_cast<int>(blocks_.size()); }
  /// Row and column where block `b` starts.
  int firstRow(int b) const { return blocks_[static_cast<std::size_t>(b)].first_row; }

  MatrixView block(int b) {
    const Block& k = blocks_[static_cast<std::size_t>(b)];
    return {values_.data() + k.first_value, k.size, k.size};
  }
  ConstMatrixView block(int b) const {
    const Block& k = blocks_[static_cast<std::size_t>(b)];
    return {values_.data() + k.first_value, k.size, k.size};
  }

 private:
  struct Block {
    int first_row;
    int size;
    std::size_t first_value;
  };
  std::vector<Block> blocks_;
  std::vector<double> values_;
  int size_ = 0;
};

/// Groups of rows; each group (one contact, one joint) has dense strips over a few column blocks.
class BlockRows {
 public:
  struct Strip {
    int first_column;
    int columns;
    std::size_t first_value;
  };

  /// Drops all groups and keeps the memory.
  void clear();
  /// Makes room, so that later growth up to these numbers allocates nothing.
  void reserve(int groups, int strips, std::size_t values);

  /// Starts a new group of `rows` rows.
  void addGroup(int rows);
  /// Adds a strip of zeros to the last group, for the columns that start at `first_column`.
  /// The view is valid until the next strip is added.
  MatrixView addStrip(int first_column, int columns);

  /// Takes the last group away again.
  void dropGroup();

  /// Sets a row to zero.
  void clearRow(int row);

  int groupCount() const { return static_cast<int>(groups_.size()); }
  int rowCount() const { return rows_; }
  int firstRow(int group) const { return groups_[static_cast<std::size_t>(group)].first_row; }
  int rowsOf(int group) const { return groups_[static_cast<std::size_t>(group)].rows; }
  std::span<const Strip> stripsOf(int group) const {
    const Group& g = groups_[static_cast<std::size_t>(group)];
    return {strips_.data() + g.first_strip, g.strips};
  }
  /// The entries of one strip, rowsOf(group) x strip.columns.
  ConstMatrixView values(int group, const Strip& strip) const {
    return {values_.data() + strip.first_value, rowsOf(group), strip.columns};
  }

 private:
  struct Group {
    int first_row;
    int rows;
    std::size_t first_strip;
    std::size_t strips;
  };
  std::vector<Group> groups_;
  std::vector<Strip> strips_;
  std::vector<double> values_;
  int rows_ = 0;
};

}  // namespace stickslip
