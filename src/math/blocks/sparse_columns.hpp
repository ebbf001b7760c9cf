// A sparse matrix, column after column. Columns are appended at the end and keep their order of
// entries; memory stays for the next matrix.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace stickslip {

class SparseColumns {
 public:
  void reserve(int columns, std::size_t entries) {
    first_.reserve(static_cast<std::size_t>(columns) + 1);
    row_.reserve(entries);
    value_.reserve(entries);
  }
  /// Drops all columns.
  void start(int rows) {
    rows_ = rows;
    first_.assign(1, 0);
    row_.clear();
    value_.clear();
  }
  /// An entry of the column that is being appended; rows of a column must differ.
  void add(int row, double value) {
    row_.push_back(row);
    value_.push_back(value);
  }
  void endColumn() { first_.push_back(row_.size()); }

  int rows() const { return rows_; }
  int columns() const { return static_cast<int>(first_.size()) - 1; }
  std::size_t entries() const { return row_.size(); }
  std::span<const int> rowsOf(int column) const {
    const auto k = static_cast<std::size_t>(column);
    return {row_.data() + first_[k], first_[k + 1] - first_[k]};
  }
  std::span<const double> valuesOf(int column) const {
    const auto k = static_cast<std::size_t>(column);
    return {value_.data() + first_[k], first_[k + 1] - first_[k]};
  }

 private:
  int rows_ = 0;
  std::vector<std::size_t> first_{0};
  std::vector<int> row_;
  std::vector<double> value_;
};

}  // namespace stickslip
