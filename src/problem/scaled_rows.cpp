#include "problem/scaled_rows.hpp"

#include <algorithm>

namespace stickslip {

void ScaledRows::start(const BlockDiagonal& L) {
  block_of_.clear();
  for (int b = 0; b < L.blockCount(); ++b)
    block_of_.insert(block_of_.end(), static_cast<std::size_t>(L.block(b).rows), b);
  dense_.assign(block_of_.size(), 0.0);
  first_.assign(1, 0);
  columns_.clear();
  values_.clear();
}

void ScaledRows::append(const BlockDiagonal& L, const BlockRows& J) {
  for (int group = 0; group < J.groupCount(); ++group) {
    findBlocks(J, group);
    for (int row = 0; row < J.rowsOf(group); ++row) appendRow(L, J, group, row);
  }
}

void ScaledRows::findBlocks(const BlockRows& J, int group) {
  touched_.clear();
  for (const BlockRows::Strip& strip : J.stripsOf(group))
    for (int k = 0; k < strip.columns; ++k) {
      const int block = block_of_[strip.first_column + k];
      if (std::find(touched_.begin(), touched_.end(), block) == touched_.end())
        touched_.push_back(block);
    }
}

void ScaledRows::appendRow(const BlockDiagonal& L, const BlockRows& J, int group, int row) {
  for (const BlockRows::Strip& strip : J.stripsOf(group)) {
    const StripValues entries = J.values(group, strip);
    const std::span<const double> values = entries.row(row);
    std::copy(values.begin(), values.end(), dense_.begin() + strip.first_column);
  }
  for (const int b : touched_) {
    const ConstMatrixView block = L.block(b);
    double* x = dense_.data() + L.firstRow(b);
    for (int i = 0; i < block.rows; ++i) {
      double sum = x[i];
      for (int k = 0; k < i; ++k) sum -= block(i, k) * x[k];
      x[i] = sum / block(i, i);
      if (x[i] == 0) continue;
      columns_.push_back(L.firstRow(b) + i);
      values_.push_back(x[i]);
    }
    std::fill_n(x, block.rows, 0.0);
  }
  first_.push_back(values_.size());
}

double ScaledRows::squaredLength(int row) const {
  double sum = 0;
  for (const double x : values(row)) sum += x * x;
  return sum;
}

void ScaledRows::addTo(int row, double factor, std::span<double> y) const {
  const std::span<const int> column = columns(row);
  const std::span<const double> value = values(row);
  for (std::size_t k = 0; k < column.size(); ++k) y[column[k]] += factor * value[k];
}

}  // namespace stickslip
