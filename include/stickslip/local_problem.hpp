// The contact problem with the bodies eliminated, as FCLIB's local problems have it:
//
//   u = W p + q,   the law between p_i and u_i as in contact_problem.hpp.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "stickslip/contact_problem.hpp"

namespace stickslip {

/// A sparse matrix by rows: the entries of row i are start[i] ... start[i + 1] - 1, columns
/// ascending, no column twice.
struct SparseRows {
  int rows = 0;
  int columns = 0;
  std::vector<std::size_t> start{0};
  std::vector<int> column;
  std::vector<double> value;

  /// 0 where there is none.
  double entry(int i, int j) const {
    const auto first = static_cast<std::ptrdiff_t>(start[i]);
    const auto last = static_cast<std::ptrdiff_t>(start[i + 1]);
    const auto end = column.begin() + last;
    const auto found = std::lower_bound(column.begin() + first, end, j);
    const bool is_there = found != end && *found == j;
    return is_there ? value[found - column.begin()] : 0;
  }
};

/// A contact problem without bodies; the equations are at the head of this file.
struct LocalProblem {
  SparseRows W;           ///< symmetric but for rounding, positive semidefinite
  std::vector<double> q;  ///< one entry per row of W
  ImpulseSets sets;       ///< their dimensions add up to the rows of W
  Law law = Law::coulomb;

  int contactCount() const { return static_cast<int>(sets.size()); }
};

}  // namespace stickslip
