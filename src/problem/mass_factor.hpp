// The factor of a block-diagonal mass matrix, M = L L', for schemes and solvers. Equal blocks have
// what they need together, those that are diagonal, as of most bodies, are divided by without L,
// and masses that are those of the last time, as they mostly are, are not factored again.
#pragma once

#include <span>
#include <vector>

#include "problem/scaled_rows.hpp"
#include "stickslip/block_matrix.hpp"

namespace stickslip {

class MassFactor {
 public:
  /// Returns whether M is another one than the last time.
  bool start(const BlockDiagonal& M);

  /// Lower triangles.
  const BlockDiagonal& L() const { return L_; }
  bool isDiagonal(int block) const { return blocks_[block].is_diagonal; }
  /// Six velocities with one mass and one inertia.
  bool isBall(int block) const { return blocks_[block].share > 0; }
  /// Of a ball: 1 / sqrt(mass), 1 / sqrt(inertia).
  double share(int block) const { return blocks_[block].share; }
  double turn(int block) const { return blocks_[block].turn; }

  /// x := M^-1 x.
  void divide(std::span<double> x) const;
  /// w M^-1 w' of row k of a group.
  double mobility(const BlockRows& rows, int group, int k);

 private:
  struct Block {
    int first = 0;
    int size = 0;
    int inverse = 0;  ///< where it begins in inverse_
    bool is_diagonal = false;
    double share = 0;  ///< 0: no ball
    double turn = 0;
  };
  bool isFor(const BlockDiagonal& M) const;
  Block blockOf(int b);

  BlockDiagonal M_;
  BlockDiagonal L_;
  std::vector<Block> blocks_;
  std::vector<double> inverse_;  ///< 1 / M_kk, as far as blocks are originals
  ScaledRows row_;
};

}  // namespace stickslip
