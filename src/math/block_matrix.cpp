#include "stickslip/block_matrix.hpp"

#include <algorithm>

namespace stickslip {

void BlockDiagonal::resize(std::span<const int> block_sizes) {
  blocks_.clear();
  size_ = 0;
  std::size_t values = 0;
  for (const int n : block_sizes) {
    blocks_.push_back({size_, n, values});
    size_ += n;
    values += static_cast<std::size_t>(n) * static_cast<std::size_t>(n);
  }
  values_.assign(values, 0.0);
}

void BlockRows::clear() {
  groups_.clear();
  strips_.clear();
  values_.clear();
  rows_ = 0;
}

void BlockRows::reserve(int groups, int strips, std::size_t values) {
  groups_.reserve(static_cast<std::size_t>(groups));
  strips_.reserve(static_cast<std::size_t>(strips));
  values_.reserve(values);
}

void BlockRows::addGroup(int rows) {
  groups_.push_back({rows_, rows, strips_.size(), 0});
  rows_ += rows;
}

MatrixView BlockRows::addStrip(int first_column, int columns) {
  assert(!groups_.empty());
  Group& group = groups_.back();
  const std::size_t first_value = values_.size();
  strips_.push_back({first_column, columns, first_value});
  ++group.strips;
  values_.resize(first_value +
                 static_cast<std::size_t>(group.rows) * static_cast<std::size_t>(columns));
  return {values_.data() + first_value, group.rows, columns};
}

void BlockRows::dropGroup() {
  assert(!groups_.empty());
  const Group& last = groups_.back();
  if (last.strips > 0) values_.resize(strips_[last.first_strip].first_value);
  strips_.resize(last.first_strip);
  rows_ -= last.rows;
  groups_.pop_back();
}

void BlockRows::clearRow(int row) {
  const auto group = std::upper_bound(groups_.begin(), groups_.end(), row,
                                      [](int r, const Group& g) { return r < g.first_row; }) -
                     1;
  for (std::size_t k = group->first_strip; k < group->first_strip + group->strips; ++k) {
    const auto columns = static_cast<std::size_t>(strips_[k].columns);
    const std::size_t first =
        strips_[k].first_value + static_cast<std::size_t>(row - group->first_row) * columns;
    std::fill_n(values_.begin() + static_cast<std::ptrdiff_t>(first), columns, 0.0);
  }
}

}  // namespace stickslip
