// The rows of a contact between one or two bodies of up to six velocities, times L^-T with M = L
// L': group_rows.hpp for the many, without memory of its own.
#pragma once

#include <array>
#include <span>

#include "cones/cone.hpp"
#include "stickslip/block_matrix.hpp"

namespace stickslip {

struct PairRows {
  static constexpr int kColumns = 6;  ///< of each body

  int count = 0;  ///< of bodies
  std::array<int, 2> blocks{};
  std::array<std::array<double, 2 * kColumns>, kMostRows> rows{};

  /// `inverse_L` has the inverses of the lower triangles of L, `block_of_column` the block of each
  /// velocity.
  PairRows(const BlockDiagonal& L, const BlockDiagonal& inverse_L, const BlockRows& J, int contact,
           std::span<const int> block_of_column);

  /// The product of two rows: an entry of W.
  double product(int i, int j) const;

 private:
  std::size_t sideOf(int block);
};

}  // namespace stickslip
