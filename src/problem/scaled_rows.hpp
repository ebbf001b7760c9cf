// The rows of J L^-T with M = L L', kept sparse: contacts and joints in velocities y = L' v, whose
// mass matrix is the identity.
#pragma once

#include <span>
#include <vector>

#include "stickslip/block_matrix.hpp"

namespace stickslip {

class ScaledRows {
 public:
  /// Drops all rows. L holds the factors of the mass matrix (math/cholesky).
  void start(const BlockDiagonal& L);
  /// Appends all rows of J; zeros are left out.
  void append(const BlockDiagonal& L, const BlockRows& J);

  int rowCount() const { return static_cast<int>(first_.size()) - 1; }
  std::span<const int> columns(int row) const { return part(columns_, row); }
  std::span<const double> values(int row) const { return part(values_, row); }
  double squaredLength(int row) const;
  /// y += factor row.
  void addTo(int row, double factor, std::span<double> y) const;

 private:
  template <typename T>
  std::span<const T> part(const std::vector<T>& all, int row) const {
    const auto r = static_cast<std::size_t>(row);
    return {all.data() + first_[r], first_[r + 1] - first_[r]};
  }
  void findBlocks(const BlockRows& J, int group);
  void appendRow(const BlockDiagonal& L, const BlockRows& J, int group, int row);

  std::vector<int> block_of_;  ///< block of each velocity
  std::vector<int> touched_;   ///< blocks of the present group
  std::vector<double> dense_;  ///< one row; zero between calls
  std::vector<std::size_t> first_{0};
  std::vector<int> columns_;
  std::vector<double> values_;
};

}  // namespace stickslip
