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

#include "stickslip/growing_array.hpp"
#include "stickslip/matrix_view.hpp"

namespace stickslip {

/// Which block a velocity belongs to. Where all blocks are alike, as those of bodies are, that
/// needs no table.
class BlockIndex {
 public:
  void build(std::span<const int> block_sizes);

  int size() const { return size_; }
  int blockOf(int row) const {
    // Divisors that the compiler knows are quicker.
    if (common_size_ == 6) return row / 6;
    if (common_size_ == 3) return row / 3;
    return common_size_ > 0 ? row / common_size_ : block_of_[static_cast<std::size_t>(row)];
  }

 private:
  int size_ = 0;
  int common_size_ = 0;  ///< 0: see the table
  std::vector<int> block_of_;
};

/// Square matrix with dense blocks on its diagonal, each stored in full, row-major. Blocks with the
/// same entries may be stored once.
class BlockDiagonal {
 public:
  /// Sets the sizes of the blocks; all entries become zero. Keeps memory for later calls.
  /// `like` has for each block the first one that has the same entries, which may be itself; if it
  /// is empty, every block has its own.
  void resize(std::span<const int> block_sizes, std::span<const int> like = {});

  int size() const { return index_.size(); }
  int blockCount() const { return static_cast<int>(blocks_.size()); }
  /// Row and column where block `b` starts.
  int firstRow(int b) const { return blocks_[static_cast<std::size_t>(b)].first_row; }
  /// The block that a row belongs to.
  int blockOf(int row) const { return index_.blockOf(row); }
  const BlockIndex& index() const { return index_; }
  /// The first block with the entries of this one.
  int original(int b) const { return blocks_[static_cast<std::size_t>(b)].original; }
  /// What changes entries in their place changes originals, and passes over all other blocks.
  bool isOriginal(int b) const { return original(b) == b; }
  /// All originals are among the first so many rows.
  int rowsWithOriginals() const { return rows_with_originals_; }

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
    int original;
    std::size_t first_value;
  };
  std::vector<Block> blocks_;
  std::vector<double> values_;
  int rows_with_originals_ = 0;
  BlockIndex index_;
};

/// Groups of rows; each group (one contact, one joint) has dense strips over a few column blocks.
class BlockRows {
 public:
  struct Strip {
    int first_column;
    int columns;
    std::size_t first_value;
  };

  /// How much of everything: what there is, or where a part of it begins.
  struct Extent {
    int groups = 0;
    int rows = 0;
    std::size_t strips = 0;
    std::size_t values = 0;

    friend Extent operator+(const Extent& a, const Extent& b) {
      return {a.groups + b.groups, a.rows + b.rows, a.strips + b.strips, a.values + b.values};
    }
  };
  class Writer;

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
  /// Takes away the groups that are marked.
  void dropGroups(std::span<const char> marked);

  Extent extent() const { return {groupCount(), rows_, strips_.size(), values_.size()}; }
  /// Appends groups of this extent together, all of which have yet to be written by writers: one or
  /// several that start where others end, in any order and on any thread.
  void extend(const Extent& more);
  Writer writerAt(const Extent& start);

  /// Sets a row to zero.
  void clearRow(int row);

  int groupCount() const { return static_cast<int>(groups_.size()); }
  int rowCount() const { return rows_; }
  int firstRow(int group) const { return groups_.data()[group].first_row; }
  int rowsOf(int group) const { return groups_.data()[group].rows; }
  std::span<const Strip> stripsOf(int group) const {
    const Group& g = groups_.data()[group];
    return {strips_.data() + g.first_strip, static_cast<std::size_t>(g.strips)};
  }
  /// The entries of one strip, rowsOf(group) x strip.columns.
  ConstMatrixView values(int group, const Strip& strip) const {
    return {values_.data() + strip.first_value, rowsOf(group), strip.columns};
  }

 private:
  struct Group {
    int first_row;
    int rows;
    int first_strip;
    int strips;
  };

  GrowingArray<Group> groups_;
  GrowingArray<Strip> strips_;
  GrowingArray<double> values_;
  int rows_ = 0;
};

/// Writes groups one after the other into a part of a BlockRows that was extended for them.
class BlockRows::Writer {
 public:
  Writer(BlockRows& rows, const Extent& start) : rows_(rows), at_(start) {}

  const Extent& position() const { return at_; }
  void addGroup(int rows) {
    rows_.groups_.data()[at_.groups++] = {at_.rows, rows, static_cast<int>(at_.strips), 0};
    at_.rows += rows;
  }
  /// The numbers in the strip are whatever they are: all of them are to be written.
  double* addStrip(int first_column, int columns) {
    Group& group = rows_.groups_.data()[at_.groups - 1];
    ++group.strips;
    rows_.strips_.data()[at_.strips++] = {first_column, columns, at_.values};
    double* first = rows_.values_.data() + at_.values;
    at_.values += static_cast<std::size_t>(group.rows) * static_cast<std::size_t>(columns);
    return first;
  }

 private:
  BlockRows& rows_;
  Extent at_;
};

inline BlockRows::Writer BlockRows::writerAt(const Extent& start) {
  return {*this, start};
}

}  // namespace stickslip
