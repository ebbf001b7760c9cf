#include "stickslip/block_matrix.hpp"

#include <algorithm>
#include <cassert>

namespace stickslip {

void BlockIndex::build(std::span<const int> block_sizes) {
  size_ = 0;
  common_size_ = block_sizes.empty() ? 1 : block_sizes.front();
  for (const int n : block_sizes) {
    size_ += n;
    if (n != common_size_) common_size_ = 0;
  }
  block_of_.clear();
  if (common_size_ > 0) return;
  for (std::size_t b = 0; b < block_sizes.size(); ++b)
    block_of_.insert(block_of_.end(), static_cast<std::size_t>(block_sizes[b]),
                     static_cast<int>(b));
}

void BlockDiagonal::resize(std::span<const int> block_sizes, std::span<const int> like) {
  index_.build(block_sizes);
  rows_with_originals_ = 0;
  blocks_.clear();
  blocks_.reserve(block_sizes.size());
  std::size_t values = 0;
  int row = 0;
  for (std::size_t b = 0; b < block_sizes.size(); ++b) {
    const int n = block_sizes[b], original = like.empty() ? static_cast<int>(b) : like[b];
    assert(original <= static_cast<int>(b) && n == block_sizes[static_cast<std::size_t>(original)]);
    blocks_.push_back({row, n, original, values});
    row += n;
    if (original < static_cast<int>(b)) {
      blocks_.back().first_value = blocks_[static_cast<std::size_t>(original)].first_value;
      continue;
    }
    values += static_cast<std::size_t>(n) * static_cast<std::size_t>(n);
    rows_with_originals_ = row;
  }
  values_.assign(values, 0.0);
}

void BlockRows::clear() {
  groups_.resize(0);
  strips_.resize(0);
  values_.resize(0);
  rows_ = 0;
}

void BlockRows::reserve(int groups, int strips, std::size_t values) {
  groups_.reserve(static_cast<std::size_t>(groups));
  strips_.reserve(static_cast<std::size_t>(strips));
  values_.reserve(values);
}

void BlockRows::addGroup(int rows) {
  groups_.resize(groups_.size() + 1);
  groups_.data()[groups_.size() - 1] = {rows_, rows, static_cast<int>(strips_.size()), 0};
  rows_ += rows;
}

MatrixView BlockRows::addStrip(int first_column, int columns) {
  assert(groups_.size() > 0);
  Group& group = groups_.data()[groups_.size() - 1];
  const std::size_t first_value = values_.size();
  strips_.resize(strips_.size() + 1);
  strips_.data()[strips_.size() - 1] = {first_column, columns, first_value};
  ++group.strips;
  values_.resize(first_value +
                 static_cast<std::size_t>(group.rows) * static_cast<std::size_t>(columns));
  std::fill(values_.data() + first_value, values_.data() + values_.size(), 0.0);
  return {values_.data() + first_value, group.rows, columns};
}

void BlockRows::dropGroup() {
  assert(groups_.size() > 0);
  const Group last = groups_.data()[groups_.size() - 1];
  if (last.strips > 0) values_.resize(strips_.data()[last.first_strip].first_value);
  strips_.resize(static_cast<std::size_t>(last.first_strip));
  rows_ -= last.rows;
  groups_.resize(groups_.size() - 1);
}

// In place: a group never moves towards the end.
void BlockRows::dropGroups(std::span<const char> marked) {
  Extent to;
  for (std::size_t i = 0; i < groups_.size(); ++i) {
    if (marked[i]) continue;
    Group group = groups_.data()[i];
    const Strip* const strips = strips_.data() + group.first_strip;
    group.first_row = to.rows;
    group.first_strip = static_cast<int>(to.strips);
    for (int k = 0; k < group.strips; ++k) {
      Strip strip = strips[k];
      const std::size_t count =
          static_cast<std::size_t>(group.rows) * static_cast<std::size_t>(strip.columns);
      std::copy_n(values_.data() + strip.first_value, count, values_.data() + to.values);
      strip.first_value = to.values;
      strips_.data()[to.strips++] = strip;
      to.values += count;
    }
    to.rows += group.rows;
    groups_.data()[to.groups++] = group;
  }
  groups_.resize(static_cast<std::size_t>(to.groups));
  strips_.resize(to.strips);
  values_.resize(to.values);
  rows_ = to.rows;
}

void BlockRows::extend(const Extent& more) {
  groups_.resize(groups_.size() + static_cast<std::size_t>(more.groups));
  strips_.resize(strips_.size() + more.strips);
  values_.resize(values_.size() + more.values);
  rows_ += more.rows;
}

void BlockRows::clearRow(int row) {
  const Group* const end = groups_.data() + groups_.size();
  const Group* const group =
      std::upper_bound(static_cast<const Group*>(groups_.data()), end, row,
                       [](int r, const Group& g) { return r < g.first_row; }) -
      1;
  for (const Strip& strip : stripsOf(static_cast<int>(group - groups_.data()))) {
    const auto columns = static_cast<std::size_t>(strip.columns);
    double* const first = values_.data() + strip.first_value +
                          static_cast<std::size_t>(row - group->first_row) * columns;
    std::fill_n(first, columns, 0.0);
  }
}

}  // namespace stickslip
