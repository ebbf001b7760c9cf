#include "stickslip/block_rows.hpp"

#include <algorithm>
#include <cassert>
#include <stdexcept>

namespace stickslip::detail {

void PackedRows::clear() {
  strips_.resize(0);
  values_.resize(0);
  groups_ = rows_ = 0;
}

void PackedRows::reserve(int groups, int strips, std::size_t values) {
  starts_.reserve(static_cast<std::size_t>(groups) + 1);
  strips_.reserve(strips);
  values_.reserve(values);
}

void PackedRows::setEnd() {
  starts_.resize(static_cast<std::size_t>(groups_) + 1);
  starts_.data()[groups_] = {rows_, static_cast<int>(strips_.size())};
}

void PackedRows::addGroup(int rows) {
  setEnd();
  ++groups_;
  rows_ += rows;
  setEnd();
}

MatrixView PackedRows::addStrip(int first_column, int columns) {
  assert(groups_ > 0);
  const int rows = rowsOf(groups_ - 1);
  const std::size_t first_value = values_.size();
  strips_.resize(strips_.size() + 1);
  strips_.data()[strips_.size() - 1] = {first_column, columns, Form::dense, first_value};
  setEnd();
  growValues(static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns));
  std::fill(values_.data() + first_value, values_.data() + values_.size(), 0.0);
  return {values_.data() + first_value, rows, columns};
}

void PackedRows::addBalls(const BallRows& balls, std::array<int, 2> first_column) {
  const Extent start = extent();
  const std::size_t strips =
      std::count_if(first_column.begin(), first_column.end(), [](int c) { return c != kNoBall; });
  extend({1, BallRows::kRows, strips, kBallValues});
  writerAt(start).addBalls(balls, first_column);
}

void PackedRows::dropGroup() {
  assert(groups_ > 0);
  const std::span<const Strip> strips = stripsOf(--groups_);
  if (!strips.empty()) values_.resize(strips.front().firstValue());
  strips_.resize(strips_.size() - strips.size());
  rows_ = firstRow(groups_);
}

// The values of a group are in one piece.
std::size_t PackedRows::valuesOf(int group) const {
  std::size_t columns = 0;
  for (const Strip& strip : stripsOf(group)) {
    if (strip.form() != Form::dense) return kBallValues;
    columns += static_cast<std::size_t>(strip.columns);
  }
  return static_cast<std::size_t>(rowsOf(group)) * columns;
}

// In place: a group never moves towards the end.
void PackedRows::dropGroups(std::span<const char> marked) {
  Extent to;
  for (int i = 0; i < groups_; ++i) {
    if (marked[i]) continue;
    const std::size_t values = valuesOf(i);
    const int rows = rowsOf(i);
    const std::span<const Strip> strips = stripsOf(i);
    const std::size_t first = strips.empty() ? 0 : strips.front().firstValue();
    std::copy_n(values_.data() + first, values, values_.data() + to.values);
    starts_.data()[to.groups++] = {to.rows, static_cast<int>(to.strips)};
    for (const Strip strip : strips)
      strips_.data()[to.strips++] = {strip.first_column, strip.columns, strip.form(),
                                     to.values + (strip.firstValue() - first)};
    to.values += values;
    to.rows += rows;
  }
  groups_ = to.groups;
  rows_ = to.rows;
  strips_.resize(to.strips);
  values_.resize(to.values);
  setEnd();
}

void PackedRows::extend(const Extent& more) {
  groups_ += more.groups;
  rows_ += more.rows;
  strips_.resize(strips_.size() + more.strips);
  growValues(more.values);
  setEnd();
}

void PackedRows::growValues(std::size_t more) {
  const std::size_t size = values_.size() + more;
  if (size > Strip::mostValues()) throw std::length_error("rows of more than 2^30 numbers");
  values_.resize(size);
}

void PackedRows::clearRow(int row) {
  const Start* const starts = starts_.data();
  const Start* const start = std::upper_bound(starts, starts + groups_, row,
                                              [](int r, const Start& g) { return r < g.row; }) -
                             1;
  for (const Strip& strip : stripsOf(static_cast<int>(start - starts))) {
    assert(strip.form() == Form::dense);
    const std::size_t columns = strip.columns;
    double* const first =
        values_.data() + strip.firstValue() + static_cast<std::size_t>(row - start->row) * columns;
    std::fill_n(first, columns, 0.0);
  }
}

}  // namespace stickslip::detail
