// The factors L of a block-diagonal mass matrix, M = L L', for the certificate alone: no solver
// uses this file, and it uses nothing of theirs.
//
// Blocks that are diagonal, as those of most bodies are, keep one number per velocity; only the
// others keep a factor. Equal blocks have theirs together.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "stickslip/block_matrix.hpp"

namespace stickslip {

class MassRoots {
 public:
  void start(const BlockDiagonal& M);

  int size() const { return index_.size(); }
  int blockCount() const { return static_cast<int>(blocks_.size()); }
  int blockOf(int column) const { return index_.blockOf(column); }
  int firstColumn(int block) const { return blocks_[block].first; }
  int sizeOf(int block) const { return blocks_[block].size; }
  bool isDiagonal(int block) const { return blocks_[block].factor < 0; }
  /// M_kk^-1/2 for the columns of a strip that is all of one block, if that one is diagonal and
  /// there is nothing else to know about it; nullptr otherwise.
  const double* simpleRoots(const BlockRows::Strip& strip) const {
    if (strip.columns == 0) return inverse_root_.data();
    const Block& b = blocks_[blockOf(strip.first_column)];
    const bool simple = b.factor < 0 && b.first == strip.first_column && b.size == strip.columns;
    return simple ? inverse_root_.data() + b.roots : nullptr;
  }
  /// M_kk^-1/2 of the velocities of a block.
  const double* inverseRoots(int block) const {
    return inverse_root_.data() + blocks_[block].roots;
  }

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
    int roots = 0;    ///< where its roots begin
    int factor = -1;  ///< where its factor begins, row-major; -1: diagonal
  };

  void startBlock(const BlockDiagonal& M, int b);
  void factorize(ConstMatrixView A, const Block& block);

  std::vector<Block> blocks_;
  detail::BlockIndex index_;
  std::vector<double> diagonal_;  ///< of the last M: mostly it is the same again
  std::vector<double> inverse_root_;
  std::vector<double> factors_;
};

}  // namespace stickslip
