// Division by a block-diagonal mass matrix, for schemes. Blocks that are diagonal, as those of most
// bodies are, need no factor; equal ones have what they need together.
#pragma once

#include <span>
#include <vector>

#include "stickslip/block_matrix.hpp"

namespace stickslip {

class MassFactor {
 public:
  void start(const BlockDiagonal& M);
  /// x := M^-1 x.
  void divide(std::span<double> x) const;
  /// w M^-1 w' of row k of a group.
  double mobility(const BlockRows& rows, int group, int k);

 private:
  struct Block {
    int first = 0;
    int size = 0;
    int inverse = 0;  ///< where it begins in inverse_
    int factor = -1;  ///< its place in factor_; -1: it is diagonal
  };

  std::vector<Block> blocks_;
  std::vector<double> inverse_;  ///< 1 / M_kk, as far as blocks are originals
  std::vector<int> sizes_;       ///< of the blocks that are not diagonal
  BlockDiagonal factor_;         ///< L of these
  std::vector<double> direction_;
};

}  // namespace stickslip
