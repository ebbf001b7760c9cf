#include "problem/group_rows.hpp"

#include <algorithm>

#include "math/dense/cholesky.hpp"

namespace stickslip {

void GroupRows::load(const BlockDiagonal& L, const BlockRows& source, int group, int first,
                     int rows, std::span<const int> block_of_column) {
  parts_.clear();
  rows_ = rows;
  width_ = 0;
  for (const BlockRows::Strip& strip : source.stripsOf(group))
    for (int k = 0; k < strip.columns; ++k) {
      const int block = block_of_column[strip.first_column + k];
      const auto has = [&](const Part& part) { return part.block == block; };
      if (std::any_of(parts_.begin(), parts_.end(), has)) continue;
      parts_.push_back({block, width_, L.block(block).rows});
      width_ += parts_.back().columns;
    }
  values_.assign(static_cast<std::size_t>(rows * width_), 0.0);
  for (const BlockRows::Strip& strip : source.stripsOf(group))
    for (int k = 0; k < strip.columns; ++k) {
      const int column = strip.first_column + k;
      const Part& part = partOf(block_of_column[column]);
      const auto place = static_cast<std::size_t>(part.column + column - L.firstRow(part.block));
      for (int i = 0; i < rows; ++i) row(i)[place] += source.values(group, strip)(first + i, k);
    }
  for (int i = 0; i < rows; ++i)
    for (const Part& part : parts_)
      solveLower(L.block(part.block), row(i).subspan(static_cast<std::size_t>(part.column),
                                                     static_cast<std::size_t>(part.columns)));
}

const GroupRows::Part& GroupRows::partOf(int block) const {
  return *std::find_if(parts_.begin(), parts_.end(),
                       [&](const Part& part) { return part.block == block; });
}

void GroupRows::scale(const JointScaling& scaling) {
  std::array<double, kMostRows> column{};
  for (int k = 0; k < width_; ++k) {
    for (int i = 0; i < rows_; ++i) column[i] = row(i)[k];
    scaling.toScaled(std::span(column).first(static_cast<std::size_t>(rows_)));
    for (int i = 0; i < rows_; ++i) row(i)[k] = column[i];
  }
}

double GroupRows::product(int i, int j) const {
  const std::span<const double> a = row(i), b = row(j);
  double sum = 0;
  for (std::size_t k = 0; k < a.size(); ++k) sum += a[k] * b[k];
  return sum;
}

}  // namespace stickslip
