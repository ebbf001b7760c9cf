#include "certificate/row_independence.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>

namespace stickslip {
namespace {

// A row depends on others if less than this part of it is left beside them.
constexpr double kDependent = 1e-9;
// Blocks and entries of a row to make room for: two bodies in space, and as much again.
constexpr std::size_t kUsualParts = 4;
constexpr std::size_t kUsualEntries = 24;

double largestOf(std::span<const double> values) {
  double most = 0;
  for (const double x : values) most = std::max(most, std::abs(x));
  return most;
}

}  // namespace

void RowIndependence::reserve(int velocities, int rows) {
  const std::size_t n = velocities;
  const std::size_t m = std::min(rows, velocities);
  blocks_.reserve(n);
  place_.reserve(n);
  front_blocks_.reserve(n);
  sum_.reserve(n);
  rows_.reserve(2 * m);
  front_rows_.reserve(m);
  parts_.reserve(2 * m * std::min(n, kUsualParts));
  entries_.reserve(2 * m * std::min(n, kUsualParts));
  queue_.reserve(2 * m * std::min(n, kUsualParts) + n);
  values_.reserve(2 * m * std::min(n, kUsualEntries));
  front_.reserve(std::min(m, kUsualEntries) * std::min(n, 4 * kUsualEntries));
}

void RowIndependence::start(const BlockDiagonal& M) {
  blocks_.clear();
  index_ = M.index();
  for (int b = 0; b < M.blockCount(); ++b) {
    blocks_.push_back({M.firstRow(b), M.block(b).columns, 0, -1});
  }
  place_.assign(blocks_.size(), -1);
  rows_.clear();
  parts_.clear();
  values_.clear();
  entries_.clear();
  has_zero_row_ = false;
}

void RowIndependence::add(const ScaledDirections& directions, int first_row,
                          std::span<const double> weights) {
  const std::span<const int> columns = directions.columns(first_row);
  sum_.assign(columns.size(), 0.0);
  for (std::size_t k = 0; k < weights.size(); ++k) {
    if (weights[k] == 0) continue;
    const std::span<const double> values = directions.values(first_row + static_cast<int>(k));
    for (std::size_t e = 0; e < sum_.size(); ++e) sum_[e] += weights[k] * values[e];
  }
  const double size = largestOf(sum_);
  has_zero_row_ |= !(size > 0);
  for (double& x : sum_) x /= size;
  rows_.push_back({parts_.size(), 0});
  for (std::size_t e = 0; e < columns.size();) {
    const int block = index_.blockOf(columns[e]);
    const std::size_t width = blocks_[block].columns;
    addPart(block, std::span(sum_).subspan(e, width));
    e += width;
  }
  closeRow();
}

std::span<const RowIndependence::Part> RowIndependence::partsOf(const Row& row) const {
  return std::span(parts_).subspan(row.first_part, row.parts);
}

void RowIndependence::addPart(int block, std::span<const double> values) {
  if (largestOf(values) == 0) return;
  parts_.push_back({block, values_.size()});
  values_.insert(values_.end(), values.begin(), values.end());
}

// Enters the last row in the lists of its blocks.
void RowIndependence::closeRow() {
  Row& row = rows_.back();
  row.parts = parts_.size() - row.first_part;
  for (const Part& part : partsOf(row)) {
    Block& block = blocks_[part.block];
    entries_.push_back({static_cast<int>(rows_.size()) - 1, block.first_entry});
    block.first_entry = static_cast<int>(entries_.size()) - 1;
    ++block.rows;
  }
}

bool RowIndependence::isProven(std::int64_t work_limit) {
  if (has_zero_row_) return false;
  work_left_ = work_limit;
  queue_.clear();
  for (std::size_t b = 0; b < blocks_.size(); ++b)
    if (blocks_[b].rows > 0) queue_.emplace_back(blocks_[b].rows, static_cast<int>(b));
  std::make_heap(queue_.begin(), queue_.end(), std::greater<>());
  while (!queue_.empty()) {
    const auto [rows, block] = queue_.front();
    std::pop_heap(queue_.begin(), queue_.end(), std::greater<>());
    queue_.pop_back();
    if (rows == blocks_[block].rows && !eliminate(block)) return false;
  }
  return true;
}

// False if a row turned out to depend on others, or if that would take too long.
bool RowIndependence::eliminate(int block) {
  const int columns = blocks_[block].columns;
  gatherRows(block);
  const int count = static_cast<int>(front_rows_.size());
  front_blocks_.assign(1, block);
  bool ok = true;
  std::size_t width = fillFront();
  if (count > columns || pivotOn(columns, width) < count) {
    gatherBlocks(block);
    width = fillFront();
    ok = work_left_ >= 0 && keepRest(static_cast<std::size_t>(pivotOn(columns, width)), width);
  }
  finishRows();
  for (const int b : front_blocks_) place_[b] = -1;
  return ok && work_left_ >= 0;
}

void RowIndependence::gatherRows(int block) {
  front_rows_.clear();
  for (int e = blocks_[block].first_entry; e >= 0;) {
    const ListEntry entry = entries_[e];
    if (!rows_[entry.row].is_done) front_rows_.push_back(entry.row);
    e = entry.next;
  }
}

void RowIndependence::gatherBlocks(int block) {
  place_[block] = 0;
  for (const int row : front_rows_)
    for (const Part& part : partsOf(rows_[row])) {
      int& place = place_[part.block];
      if (place < 0) front_blocks_.push_back(part.block);
      place = 0;
    }
}

// Copies the rows' entries in the front's blocks; returns the width of the front.
std::size_t RowIndependence::fillFront() {
  int width = 0;
  for (const int b : front_blocks_) {
    place_[b] = width;
    width += blocks_[b].columns;
  }
  const std::size_t stride = width;
  work_left_ -= static_cast<std::int64_t>(front_rows_.size() * stride);
  if (work_left_ < 0) return 0;
  front_.assign(front_rows_.size() * stride, 0.0);
  for (std::size_t i = 0; i < front_rows_.size(); ++i)
    for (const Part& part : partsOf(rows_[front_rows_[i]])) {
      const int place = place_[part.block];
      if (place < 0) continue;
      const double* from = values_.data() + part.first_value;
      std::copy(from, from + blocks_[part.block].columns, front_.data() + i * stride + place);
    }
  return stride;
}

// Full pivoting in the first columns; pivot rows end up on top. Returns their number.
int RowIndependence::pivotOn(int columns, std::size_t width) {
  const std::size_t rows = front_rows_.size(),
                    last = std::min(width, static_cast<std::size_t>(columns));
  std::size_t k = 0;
  for (; k < std::min(rows, last); ++k) {
    std::size_t pivot_row = k, pivot_column = 0;
    for (std::size_t i = k; i < rows; ++i)
      for (std::size_t j = 0; j < last; ++j)
        if (std::abs(front_[i * width + j]) > std::abs(front_[pivot_row * width + pivot_column])) {
          pivot_row = i;
          pivot_column = j;
        }
    if (!(std::abs(front_[pivot_row * width + pivot_column]) > kDependent)) break;
    double* pivot = front_.data() + k * width;
    if (pivot_row != k) std::swap_ranges(pivot, pivot + width, front_.data() + pivot_row * width);
    for (std::size_t i = k + 1; i < rows; ++i) {
      double* row = front_.data() + i * width;
      const double factor = row[pivot_column] / pivot[pivot_column];
      if (factor == 0) continue;
      for (std::size_t j = 0; j < width; ++j) row[j] -= factor * pivot[j];
      row[pivot_column] = 0;
      work_left_ -= static_cast<std::int64_t>(width);
    }
  }
  return static_cast<int>(k);
}

// The rows from `first` on, without the columns of the eliminated block, go on as new rows.
bool RowIndependence::keepRest(std::size_t first, std::size_t width) {
  const std::size_t gone = blocks_[front_blocks_.front()].columns;
  for (std::size_t i = first; i < front_rows_.size(); ++i) {
    const std::span<const double> row = std::span(front_).subspan(i * width, width);
    if (!(largestOf(row.subspan(gone)) > kDependent)) return false;
    rows_.push_back({parts_.size(), 0});
    for (const int b : std::span(front_blocks_).subspan(1)) {
      const std::size_t k = b;
      addPart(b, row.subspan(place_[k], blocks_[k].columns));
    }
    closeRow();
  }
  return true;
}

// Takes the rows that were eliminated out of their blocks, which may come sooner then.
void RowIndependence::finishRows() {
  for (const int index : front_rows_) {
    Row& row = rows_[index];
    row.is_done = true;
    for (const Part& part : partsOf(row)) --blocks_[part.block].rows;
  }
  for (const int index : front_rows_)
    for (const Part& part : partsOf(rows_[index])) {
      const int rows = blocks_[part.block].rows;
      if (rows == 0) continue;
      queue_.emplace_back(rows, part.block);
      std::push_heap(queue_.begin(), queue_.end(), std::greater<>());
    }
}

}  // namespace stickslip
