// The rows of J L^-T with M = L L', kept sparse, and a test of their independence: the
// certificate's own algebra, which no solver uses. A contact touches a few blocks of velocities, so
// that memory and time grow with the number of contacts only.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "stickslip/block_matrix.hpp"

namespace stickslip {

class ScaledDirections {
 public:
  void reserve(int velocities, int rows);
  /// Factorizes M and drops all rows.
  void start(const BlockDiagonal& M);
  /// Appends the rows of a group, which share their columns.
  void addGroup(const BlockRows& rows, int group);

  std::span<const int> columns(int row) const;
  std::span<const double> values(int row) const;
  /// A row times x.
  double times(int row, std::span<const double> x) const;

 private:
  void factorizeMass();
  void findBlocks(const BlockRows& rows, int group);
  void appendRow(const BlockRows& rows, int group, int row);
  std::span<double> part(int block);

  BlockDiagonal factor_;
  std::vector<int> block_of_;       ///< block of each velocity
  std::vector<int> touched_;        ///< blocks of the present group
  std::vector<double> dense_;       ///< one row; zero between calls
  std::vector<std::size_t> first_;  ///< first entry of each row, and the end
  std::vector<int> columns_;
  std::vector<double> values_;
};

/// Gaussian elimination of one row after the other; the pivot is the largest entry left. A row
/// depends on the ones before it if next to nothing of it is left.
class IndependenceTest {
 public:
  enum class Answer { independent, dependent, too_long };

  void reserve(int velocities, int rows);
  /// `work_limit`: most multiplications over all rows.
  void start(int velocities, long work_limit);
  /// Adds the combination of rows first_row, first_row + 1, ... (which share their columns) with
  /// the given weights.
  Answer add(const ScaledDirections& directions, int first_row, std::span<const double> weights);

 private:
  void touch(int column);
  double largest() const;

  long work_left_ = 0;
  std::vector<double> x_;         ///< the row being eliminated; zero between calls
  std::vector<char> is_touched_;  ///< per column
  std::vector<int> touched_;
  std::vector<int> pivot_;          ///< pivot column of each stored row
  std::vector<std::size_t> first_;  ///< first entry of each stored row, and the end
  std::vector<int> columns_;
  std::vector<double> values_;
};

}  // namespace stickslip
