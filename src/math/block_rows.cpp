#include "stickslip/block_rows.hpp"

#include <algorithm>
#include <cassert>
#include <stdexcept>

namespace stickslip {

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
  groups_.data()[groups_.size() - 1] = {rows_, static_cast<int>(strips_.size()), rows, 0};
  rows_ += rows;
}

MatrixView BlockRows::addStrip(int first_column, int columns) {
  assert(groups_.size() > 0);
  Group& group = groups_.data()[groups_.size() - 1];
  const std::size_t first_value = values_.size();
  strips_.resize(strips_.size() + 1);
  strips_.data()[strips_.size() - 1] = {first_column, columns, Form::dense, first_value};
  ++group.strips;
  growValues(static_cast<std::size_t>(group.rows) * static_cast<std::size_t>(columns));
  std::fill(values_.data() + first_value, values_.data() + values_.size(), 0.0);
  return {values_.data() + first_value, group.rows, columns};
}

void BlockRows::addBalls(const BallRows& balls, std::array<int, 2> first_column) {
  const Extent start = extent();
  const std::size_t strips = static_cast<std::size_t>(
      std::count_if(first_column.begin(), first_column.end(), [](int c) { return c != kNoBall; }));
  extend({1, BallRows::kRows, strips, kBallValues});
  writerAt(start).addBalls(balls, first_column);
}

void BlockRows::dropGroup() {
  assert(groups_.size() > 0);
  const Group last = groups_.data()[groups_.size() - 1];
  if (last.strips > 0) values_.resize(strips_.data()[last.first_strip].firstValue());
  strips_.resize(static_cast<std::size_t>(last.first_strip));
  rows_ -= last.rows;
  groups_.resize(groups_.size() - 1);
}

// The values of a group are in one piece.
std::size_t BlockRows::valuesOf(const Group& group) const {
  std::size_t columns = 0;
  for (int k = 0; k < group.strips; ++k) {
    const Strip& strip = strips_.data()[group.first_strip + k];
    if (strip.form() != Form::dense) return kBallValues;
    columns += static_cast<std::size_t>(strip.columns);
  }
  return static_cast<std::size_t>(group.rows) * columns;
}

// In place: a group never moves towards the end.
void BlockRows::dropGroups(std::span<const char> marked) {
  Extent to;
  for (std::size_t i = 0; i < groups_.size(); ++i) {
    if (marked[i]) continue;
    Group group = groups_.data()[i];
    const std::size_t values = valuesOf(group);
    const Strip* const strips = strips_.data() + group.first_strip;
    const std::size_t first = group.strips > 0 ? strips->firstValue() : 0;
    std::copy_n(values_.data() + first, values, values_.data() + to.values);
    group.first_row = to.rows;
    group.first_strip = static_cast<int>(to.strips);
    for (int k = 0; k < group.strips; ++k) {
      const Strip strip = strips[k];
      strips_.data()[to.strips++] = {strip.first_column, strip.columns, strip.form(),
                                     to.values + (strip.firstValue() - first)};
    }
    to.values += values;
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
  growValues(more.values);
  rows_ += more.rows;
}

void BlockRows::growValues(std::size_t more) {
  const std::size_t size = values_.size() + more;
  if (size > Strip::mostValues()) throw std::length_error("rows of more than 2^30 numbers");
  values_.resize(size);
}

void BlockRows::clearRow(int row) {
  const Group* const end = groups_.data() + groups_.size();
  const Group* const group =
      std::upper_bound(static_cast<const Group*>(groups_.data()), end, row,
                       [](int r, const Group& g) { return r < g.first_row; }) -
      1;
  for (const Strip& strip : stripsOf(static_cast<int>(group - groups_.data()))) {
    assert(strip.form() == Form::dense);
    const auto columns = static_cast<std::size_t>(strip.columns);
    double* const first = values_.data() + strip.firstValue() +
                          static_cast<std::size_t>(row - group->first_row) * columns;
    std::fill_n(first, columns, 0.0);
  }
}

}  // namespace stickslip
