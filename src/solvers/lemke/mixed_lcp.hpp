// A sparse linear complementarity problem with free unknowns x beside the pairs (z, w):
//
//   F x + Z z = r                                    F square and regular
//   w = R x + T z + q,   z >= 0, w >= 0, z.w = 0
//
// that is w = N z + q' with N = T - R F^-1 Z and q' = q + R F^-1 r, which is never formed: contact
// problems are sparse with their velocities, and full without them.
//
// Every pair has a unit, the size that counts as one in w_i and in z_i, in which noise is measured;
// and a weight in the covering vector of Lemke's method.
#pragma once

#include <span>
#include <vector>

#include "math/factor/sparse_lu.hpp"

namespace stickslip {

class MixedLcp {
 public:
  struct Entry {
    int row;
    int column;
    double value;
  };

  /// Drops everything; then come the entries of (F, Z; -R, -T), each place at most once, the right
  /// side (r; q), units, weights, and finish().
  void start(int free_count, int pair_count);
  void add(int row, int column, double value) {
    if (value != 0) entries_.push_back({row, column, value});
  }
  std::span<double> rightSide() { return right_side_; }
  std::span<double> units() { return units_; }
  std::span<double> weights() { return weights_; }
  void finish();

  int freeCount() const { return free_; }
  int size() const { return pairs_; }
  const SparseColumns& columns() const { return columns_; }
  std::span<const double> rightSide() const { return right_side_; }
  double unit(int pair) const { return units_[pair]; }
  /// The entries of a column in the rows of pairs.
  std::span<const int> pairsOf(int column) const {
    const std::size_t k = column;
    return {pair_.data() + pair_first_[k], pair_first_[k + 1] - pair_first_[k]};
  }
  std::span<const double> pairValuesOf(int column) const {
    const std::size_t k = column;
    return {pair_value_.data() + pair_first_[k], pair_first_[k + 1] - pair_first_[k]};
  }
  double weight(int pair) const { return weights_[pair]; }
  /// The entries of (-R, -T) in the row of a pair.
  std::span<const Entry> row(int pair) const {
    const std::size_t i = pair;
    return {rows_.data() + first_[i], first_[i + 1] - first_[i]};
  }

 private:
  int free_ = 0;
  int pairs_ = 0;
  SparseColumns columns_;
  std::vector<double> right_side_;
  std::vector<double> units_;
  std::vector<double> weights_;
  std::vector<Entry> entries_;
  std::vector<std::size_t> first_;  ///< place of the first entry of each pair's row
  std::vector<Entry> rows_;         ///< entries of the pairs' rows, row by row
  std::vector<Entry> sorted_;       ///< all entries, column by column
  std::vector<std::size_t> pair_first_;
  std::vector<int> pair_;
  std::vector<double> pair_value_;
};

}  // namespace stickslip
