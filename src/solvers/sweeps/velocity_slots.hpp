// Velocities w = L' v with M = L L', in which every body has the mass one. Each block of M has a
// slot of its own, padded so that no two bodies share more of a cache line than they must. Of
// blocks that are diagonal, as those of most bodies are, only the diagonal is kept, and of equal
// ones only that of the first.
#pragma once

#include <span>
#include <vector>

#include "base/large_pages.hpp"
#include "problem/mass_factor.hpp"
#include "solvers/sweeps/contact_packet.hpp"
#include "stickslip/block_matrix.hpp"

namespace stickslip {

class VelocitySlots {
 public:
  /// Takes the blocks of M.
  void build(const BlockDiagonal& M);

  /// The block that a column belongs to.
  int blockOf(int column) const { return index_.blockOf(column); }
  int firstColumn(int block) const { return blocks_[block].first; }
  int size(int block) const { return blocks_[block].size; }
  int slot(int block) const { return blocks_[block].slot; }
  /// True if the block of M is diagonal: rows of J become rows of A by the factors of scale().
  bool isDiagonal(int block) const { return mass_.isDiagonal(block); }
  /// True if its first velocities, two of three or three of six, are those of one mass, and are not
  /// coupled with the others.
  bool isBody(int block) const { return blocks_[block].is_body; }
  /// True if it is a body that has the same inertia about all axes.
  bool hasOneInertia(int block) const { return blocks_[block].has_one_inertia; }
  const double* scale(int block) const { return scale_.data() + originalSlot(block); }
  /// A row over a whole block, of J, becomes one of A.
  void toScaled(int block, std::span<double> row) const;
  /// The factor of M.
  const BlockDiagonal& L() const { return mass_.L(); }

  /// w from v.
  void start(std::span<const double> v);
  /// v from w.
  void finish(std::span<double> v) const;
  double* w() { return w_.data(); }

 private:
  struct Block {
    int first = 0;  ///< velocity
    int size = 0;
    int slot = 0;
    int original = 0;  ///< block with the same masses
    bool is_body = false;
    bool has_one_inertia = false;
  };

  void place(const BlockDiagonal& M);
  int originalSlot(int block) const { return slot(blocks_[block].original); }

  std::vector<Block> blocks_;
  detail::BlockIndex index_;
  MassFactor mass_;
  std::vector<double> root_;   ///< L_kk, by slots, as far as blocks are originals
  std::vector<double> scale_;  ///< 1 / L_kk
  LargePageVector<double> w_;
};

}  // namespace stickslip
