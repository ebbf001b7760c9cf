// Velocities w = L' v with M = L L', in which every body has the mass one. Each block of M has a
// slot of its own, padded so that no two bodies share more of a cache line than they must.
#pragma once

#include <span>
#include <vector>

#include "stickslip/block_matrix.hpp"
#include "sweeps/contact_packet.hpp"

namespace stickslip {

class VelocitySlots {
 public:
  void reserve(int velocities);
  /// Takes the blocks of M.
  void build(const BlockDiagonal& M);

  /// The block that a column belongs to.
  int blockOf(int column) const { return block_of_[static_cast<std::size_t>(column)]; }
  int firstColumn(int block) const { return L_.firstRow(block); }
  int size(int block) const { return L_.block(block).rows; }
  int slot(int block) const { return slots_[static_cast<std::size_t>(block)]; }
  /// True if the block of M is diagonal: rows of J become rows of A by the factors of scale().
  bool isDiagonal(int block) const { return diagonal_[static_cast<std::size_t>(block)] != 0; }
  const double* scale(int block) const { return scale_.data() + slot(block); }
  /// A row over a whole block, of J, becomes one of A.
  void toScaled(int block, std::span<double> row) const;

  /// w from v.
  void start(std::span<const double> v);
  /// v from w.
  void finish(std::span<double> v) const;
  double* w() { return w_.data(); }

 private:
  void place();

  BlockDiagonal M_;  ///< for which L_ was computed
  BlockDiagonal L_;
  std::vector<int> block_of_;
  std::vector<int> slots_;
  std::vector<char> diagonal_;
  std::vector<double> scale_;  ///< 1 / diagonal of L
  std::vector<double> w_;
};

}  // namespace stickslip
