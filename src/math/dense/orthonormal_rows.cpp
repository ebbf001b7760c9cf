#include "math/dense/orthonormal_rows.hpp"

#include <algorithm>
#include <cmath>

#include "math/blocks/block_products.hpp"

namespace stickslip {
namespace {

constexpr double kDependent = 1e-10;

}  // namespace

void OrthonormalRows::reserve(int rows, int columns) {
  const std::size_t m = rows;
  const std::size_t n = columns;
  basis_.reserve(m * n);
  remainder_.reserve(m * n);
  length_.reserve(m);
  coefficient_.reserve(m * m);
  chosen_.reserve(m);
  used_.reserve(m);
  work_.reserve(m);
}

void OrthonormalRows::factorize(ConstMatrixView B) {
  rows_ = static_cast<std::size_t>(B.rows);
  columns_ = static_cast<std::size_t>(B.columns);
  rank_ = 0;
  remainder_.assign(B.data, B.data + rows_ * columns_);
  basis_.assign(rows_ * columns_, 0.0);
  coefficient_.assign(rows_ * rows_, 0.0);
  work_.assign(rows_, 0.0);
  chosen_.clear();
  used_.assign(rows_, false);
  length_.resize(rows_);
  for (std::size_t i = 0; i < rows_; ++i) length_[i] = norm(B.row(static_cast<int>(i)));

  while (rank_ < std::min(B.rows, B.columns)) {
    const int pivot = largestRemainder(B);
    if (pivot < 0) return;
    const std::span<double> vector(basis_.data() + static_cast<std::size_t>(rank_) * columns_,
                                   columns_);
    const double* rest = remainder_.data() + static_cast<std::size_t>(pivot) * columns_;
    std::copy_n(rest, columns_, vector.begin());
    removeRowSpace(vector);
    const double length = norm(vector);
    for (double& x : vector) x /= length;

    for (std::size_t i = 0; i < rows_; ++i) {
      const std::span<double> row(remainder_.data() + i * columns_, columns_);
      const double projection = dot(row, vector);
      coefficient_[i * rows_ + rank_] = projection;
      addScaled(-projection, vector, row);
    }
    used_[pivot] = true;
    chosen_.push_back(pivot);
    ++rank_;
  }
}

int OrthonormalRows::largestRemainder(ConstMatrixView B) const {
  int best = -1;
  double largest = kDependent;
  for (std::size_t i = 0; i < static_cast<std::size_t>(B.rows); ++i) {
    if (used_[i]) continue;
    const double left = norm({remainder_.data() + i * columns_, columns_});
    if (left > largest * length_[i]) {
      largest = left / length_[i];
      best = static_cast<int>(i);
    }
  }
  return best;
}

void OrthonormalRows::removeRowSpace(std::span<double> x) const {
  for (int pass = 0; pass < 2; ++pass)
    for (int k = 0; k < rank_; ++k) addScaled(-dot(basis(k), x), basis(k), x);
}

void OrthonormalRows::solveRows(std::span<const double> r, std::span<double> y) {
  std::fill(y.begin(), y.end(), 0.0);
  for (std::size_t k = 0; k < static_cast<std::size_t>(rank_); ++k) {
    const std::size_t row = chosen_[k];
    double sum = r[row];
    for (std::size_t j = 0; j < k; ++j) sum -= coefficient_[row * rows_ + j] * work_[j];
    work_[k] = sum / coefficient_[row * rows_ + k];
    addScaled(work_[k], basis(static_cast<int>(k)), y);
  }
}

void OrthonormalRows::solveTransposed(std::span<const double> d, std::span<double> c) {
  std::fill(c.begin(), c.end(), 0.0);
  for (std::size_t k = rank_; k-- > 0;) {
    double sum = dot(basis(static_cast<int>(k)), d);
    for (std::size_t j = k + 1; j < static_cast<std::size_t>(rank_); ++j) {
      const std::size_t row = chosen_[j];
      sum -= coefficient_[row * rows_ + k] * c[row];
    }
    const std::size_t row = chosen_[k];
    c[row] = sum / coefficient_[row * rows_ + k];
  }
}

}  // namespace stickslip
