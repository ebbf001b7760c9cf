// The rows of one contact or joint in velocities y = L' v, block after block: J L^-T with M = L L'.
#pragma once

#include <span>
#include <vector>

#include "problem/joint_scaling.hpp"
#include "stickslip/contact_problem.hpp"

namespace stickslip {

class GroupRows {
 public:
  struct Part {
    int block;   ///< of M
    int column;  ///< where it begins in these rows
    int columns;
  };

  /// Takes `rows` rows of a group, from `first` on. `block_of_column` has the block of each
  /// velocity.
  void load(const BlockDiagonal& L, const BlockRows& source, int group, int first, int rows,
            std::span<const int> block_of_column);

  std::span<const Part> parts() const { return parts_; }
  int rowCount() const { return rows_; }
  std::span<double> row(int k) {
    return std::span(values_).subspan(static_cast<std::size_t>(k * width_),
                                      static_cast<std::size_t>(width_));
  }
  std::span<const double> row(int k) const { return const_cast<GroupRows*>(this)->row(k); }
  /// Rows of a joint: multiplies them by R^-1.
  void scale(const JointScaling& scaling);
  /// The product of two rows: an entry of W.
  double product(int i, int j) const;

 private:
  const Part& partOf(int block) const;

  int rows_ = 0;
  int width_ = 0;
  std::vector<Part> parts_;
  std::vector<double> values_;
};

}  // namespace stickslip
