// The two sparse matrices of the contact problem.
//
// Velocities come in blocks: one block of size f for a system in generalized coordinates, one block
// of 3 or 6 per rigid body. The mass matrix is block-diagonal in them, and a contact or a joint
// touches only a few of them (block_rows.hpp). One representation therefore serves a
// three-coordinate toy and a pile of 10^5 bodies.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "stickslip/block_rows.hpp"
#include "stickslip/detail/block_index.hpp"
#include "stickslip/matrix_view.hpp"

namespace stickslip {

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
  int firstRow(int b) const { return blocks_[b].first_row; }
  /// The block that a row belongs to.
  int blockOf(int row) const { return index_.blockOf(row); }
  const detail::BlockIndex& index() const { return index_; }
  /// The first block with the entries of this one.
  int original(int b) const { return blocks_[b].original; }
  /// What changes entries in their place changes originals, and passes over all other blocks.
  bool isOriginal(int b) const { return original(b) == b; }
  /// All originals are among the first so many rows.
  int rowsWithOriginals() const { return rows_with_originals_; }

  MatrixView block(int b) {
    const Block& k = blocks_[b];
    return {values_.data() + k.first_value, k.size, k.size};
  }
  ConstMatrixView block(int b) const {
    const Block& k = blocks_[b];
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
  detail::BlockIndex index_;
};

}  // namespace stickslip
