// The rows of J L^-T with M = L L', kept sparse: the certificate's own algebra, which no
// solver uses. A contact touches a few blocks of velocities, so
// that memory and time grow with the number of contacts only.
#pragma once

#include <span>
#include <vector>

#include "certificate/mass_roots.hpp"
#include "stickslip/block_matrix.hpp"

namespace stickslip {

class ScaledDirections {
 public:
  void reserve(int velocities, int rows);
  /// Factorizes M and drops all rows.
  void start(const BlockDiagonal& M);
  /// The same with factors that are known, and stay where they are.
  void start(const MassRoots& roots);
  /// Appends the rows of a group, which share their columns.
  void addGroup(const BlockRows& rows, int group);

  int rowCount() const { return static_cast<int>(first_.size()) - 1; }
  std::span<const int> columns(int row) const;
  std::span<const double> values(int row) const;
  /// A row times x.
  double times(int row, std::span<const double> x) const;

 private:
  const MassRoots& roots() const { return known_ != nullptr ? *known_ : own_; }
  void restart(int velocities);
  void findBlocks(const BlockRows& rows, int group);
  void appendRow(const BlockRows& rows, int group, int row);

  MassRoots own_;
  const MassRoots* known_ = nullptr;
  std::vector<int> touched_;        ///< blocks of the present group
  std::vector<double> dense_;       ///< one row; zero between calls
  std::vector<std::size_t> first_;  ///< first entry of each row, and the end
  std::vector<int> columns_;
  std::vector<double> values_;
};

}  // namespace stickslip
