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
  value_count_ = 0;
  rows_ = 0;
}

void BlockRows::reserve(int groups, int strips, std::size_t values) {
  groups_.reserve(static_cast<std::size_t>(groups));
  strips_.reserve(static_cast<std::size_t>(strips));
  values_.reserve(values);
}

// What is in use no more stays in its place, to be written over. Room grows by an eighth: this is
// most of the memory of a large scene.
void BlockRows::growValues(std::size_t count) {
  if (count > values_.capacity()) values_.reserve(count + count / 8);
  if (count > values_.size()) values_.resize(count);
  value_count_ = count;
}

void BlockRows::addGroup(int rows) {
  groups_.push_back({rows_, rows, strips_.size(), 0});
  rows_ += rows;
}

MatrixView BlockRows::addStrip(int first_column, int columns) {
  assert(!groups_.empty());
  Group& group = groups_.back();
  const std::size_t first_value = value_count_;
  strips_.push_back({first_column, columns, first_value});
  ++group.strips;
  growValues(first_value +
             static_cast<std::size_t>(group.rows) * static_cast<std::size_t>(columns));
  std::fill(values_.data() + first_value, values_.data() + value_count_, 0.0);
  return {values_.data() + first_value, group.rows, columns};
}

void BlockRows::dropGroup() {
  assert(!groups_.empty());
  const Group& last = groups_.back();
  if (last.strips > 0) value_count_ = strips_[last.first_strip].first_value;
  strips_.resize(last.first_strip);
  rows_ -= last.rows;
  groups_.pop_back();
}

// In place: a group never moves towards the end.
void BlockRows::dropGroups(std::span<const char> marked) {
  Extent to;
  for (std::size_t i = 0; i < groups_.size(); ++i) {
    if (marked[i]) continue;
    Group group = groups_[i];
    const std::size_t first_strip = group.first_strip;
    group.first_row = to.rows;
    group.first_strip = to.strips;
    for (std::size_t k = 0; k < group.strips; ++k) {
      Strip strip = strips_[first_strip + k];
      const std::size_t count =
          static_cast<std::size_t>(group.rows) * static_cast<std::size_t>(strip.columns);
      std::copy_n(values_.data() + strip.first_value, count, values_.data() + to.values);
      strip.first_value = to.values;
      strips_[to.strips++] = strip;
      to.values += count;
    }
    to.rows += group.rows;
    groups_[static_cast<std::size_t>(to.groups++)] = group;
  }
  groups_.resize(static_cast<std::size_t>(to.groups));
  strips_.resize(to.strips);
  value_count_ = to.values;
  rows_ = to.rows;
}

void BlockRows::extend(const Extent& more) {
  groups_.resize(groups_.size() + static_cast<std::size_t>(more.groups));
  strips_.resize(strips_.size() + more.strips);
  growValues(value_count_ + more.values);
  rows_ += more.rows;
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
