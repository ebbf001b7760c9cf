// Which velocity block a column belongs to.
#pragma once

#include "stickslip/block_matrix.hpp"

namespace stickslip {

/// By bisection; blocks follow each other without gaps.
inline int blockOfColumn(const BlockDiagonal& M, int column) {
  int low = 0, high = M.blockCount() - 1;
  while (low < high) {
    const int middle = (low + high + 1) / 2;
    if (M.firstRow(middle) <= column)
      low = middle;
    else
      high = middle - 1;
  }
  return low;
}

}  // namespace stickslip
