// The factors L of a block-diagonal mass matrix, M = L L', for the certificate alone: no solver
// uses this file, and it uses nothing of theirs.
//
// Blocks that are diagonal, as those of most bodies are, keep one number per velocity; only the
// others keep a factor.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "stickslip/block_matrix.hpp"

namespace stickslip {

class MassRoots {
 public:
  void reserve(int velocities);
  void start(const BlockDiagonal& M);

  int size() const { return static_cast<int>(block_of_.size()); }
  int blockCount() const { return static_cast<int>(blocks_.size()); }
  int blockOf(int column) const { return block_of_[static_cast<std::size_t>(column)]; }
  int firstColumn(int block) const { return blocks_[static_cast<std::size_t>(block)].first; }
  int sizeOf(int block) const { return blocks_[static_cast<std::size_t>(block)].size; }
  bool isDiagonal(int block) const { return blocks_[static_cast<std::size_t>(block)].factor < 0; }
  /// True if the strip is all of one block, and that one is diagonal.
  bool isSimple(const BlockRows::Strip& strip) const {
    if (strip.columns == 0) return true;
    const Block& b = blocks_[static_cast<std::size_t>(blockOf(strip.first_column))];
    return b.factor < 0 && b.first == strip.first_column && b.size == strip.columns;
  }
  /// M_kk^-1/2, which is all there is to know about diagonal blocks.
  const double* inverseRoots() const { return inverse_root_.data(); }

  /// x := L^-1 x for one block.
  void divide(int block, std::span<double> x) const;
  /// x := M^-1 x for all of them.
  void divideTwice(std::span<double> x) const;
  /// J M^-1 J' of one row of a group, whatever its strips are; `part` is a workspace.
  double squareNorm(const BlockRows& rows, int group, int row, std::vector<double>& part) const;

 private:
  struct Block {
    int first = 0;
    int size = 0;
    std::ptrdiff_t factor = -1;  ///< where its factor begins, row-major; -1: diagonal
  };

  void factorize(ConstMatrixView A, const Block& block);

  std::vector<Block> blocks_;
  std::vector<int> block_of_;     ///< block of each velocity
  std::vector<double> diagonal_;  ///< of the last M: mostly it is the same again
  std::vector<double> inverse_root_;
  std::vector<double> factors_;
};

}  // namespace stickslip
