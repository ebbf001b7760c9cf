#include "certificate/scaled_directions.hpp"

#include <algorithm>

namespace stickslip {
namespace {

// Entries of a row to make room for: two bodies in space.
constexpr std::size_t kUsualRowEntries = 12;

}  // namespace

void ScaledDirections::reserve(int velocities, int rows) {
  const std::size_t n = velocities;
  const std::size_t m = rows;
  touched_.reserve(n);
  dense_.reserve(n);
  first_.reserve(m + 1);
  columns_.reserve(m * std::min(n, kUsualRowEntries));
  values_.reserve(m * std::min(n, kUsualRowEntries));
}

void ScaledDirections::start(const BlockDiagonal& M) {
  own_.start(M);
  known_ = nullptr;
  restart(M.size());
}

void ScaledDirections::start(const MassRoots& roots) {
  known_ = &roots;
  restart(roots.size());
}

void ScaledDirections::restart(int velocities) {
  dense_.assign(velocities, 0.0);
  first_.assign(1, 0);
  columns_.clear();
  values_.clear();
}

void ScaledDirections::addGroup(const BlockRows& rows, int group) {
  findBlocks(rows, group);
  for (int k = 0; k < rows.rowsOf(group); ++k) appendRow(rows, group, k);
}

void ScaledDirections::findBlocks(const BlockRows& rows, int group) {
  touched_.clear();
  for (const BlockRows::Strip& strip : rows.stripsOf(group)) {
    if (strip.columns == 0) continue;
    const int last = roots().blockOf(strip.first_column + strip.columns - 1);
    for (int b = roots().blockOf(strip.first_column); b <= last; ++b) touched_.push_back(b);
  }
  std::sort(touched_.begin(), touched_.end());
  touched_.erase(std::unique(touched_.begin(), touched_.end()), touched_.end());
}

void ScaledDirections::appendRow(const BlockRows& rows, int group, int row) {
  for (const BlockRows::Strip& strip : rows.stripsOf(group)) {
    const StripValues entries = rows.values(group, strip);
    const std::span<const double> values = entries.row(row);
    // Added: one body may be on both sides of a contact.
    for (std::size_t k = 0; k < values.size(); ++k) dense_[strip.first_column + k] += values[k];
  }
  for (const int b : touched_) {
    const int first = roots().firstColumn(b), size = roots().sizeOf(b);
    const std::span<double> x = std::span(dense_).subspan(first, size);
    roots().divide(b, x);
    for (int k = 0; k < size; ++k) columns_.push_back(first + k);
    values_.insert(values_.end(), x.begin(), x.end());
    std::fill(x.begin(), x.end(), 0.0);
  }
  first_.push_back(values_.size());
}

std::span<const int> ScaledDirections::columns(int row) const {
  const std::size_t r = row;
  return std::span(columns_).subspan(first_[r], first_[r + 1] - first_[r]);
}

std::span<const double> ScaledDirections::values(int row) const {
  const std::size_t r = row;
  return std::span(values_).subspan(first_[r], first_[r + 1] - first_[r]);
}

double ScaledDirections::times(int row, std::span<const double> x) const {
  const std::span<const int> at = columns(row);
  double sum = 0;
  for (std::size_t k = 0; k < at.size(); ++k) sum += values(row)[k] * x[at[k]];
  return sum;
}

}  // namespace stickslip
