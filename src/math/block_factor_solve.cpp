// Triangular solves and products of BlockFactor.
#include <algorithm>
#include <utility>

#include "math/block_factor.hpp"

namespace stickslip {

void BlockFactor::solve(std::span<double> x) const {
  const int blocks = graph_.blockCount();
  for (int b = 0; b < blocks; ++b)
    std::copy_n(x.data() + first_row_[b], graph_.sizeOf(b), work_.data() + fronts_.firstRow(b));
  // Padding meets zeros, but has to be a number, whatever the right-hand side before was.
  std::fill(work_.begin() + size_, work_.end(), 0.0);
  const auto fronts = fronts_.fronts();
  const FrontKernels& kernels = frontKernels();
  for (const Front& front : fronts) forward(kernels, front, work_.data());
  const double* upper = is_lu_ ? upper_.data() : lower_.data();
  for (std::size_t f = fronts.size(); f-- > 0;) backward(kernels, fronts[f], upper, work_.data());
  for (int b = 0; b < blocks; ++b)
    std::copy_n(work_.data() + fronts_.firstRow(b), graph_.sizeOf(b), x.data() + first_row_[b]);
}

void BlockFactor::forward(const FrontKernels& kernels, const Front& front, double* x) const {
  double* pivots = x + front.first_column;
  if (is_lu_)
    for (int j = 0; j < front.columns; ++j)
      std::swap(pivots[j], pivots[exchange_[front.first_column + j]]);
  kernels.forward({lower_.data() + front.pivots, front.columns, front.pivot_rows},
                  is_lu_ ? nullptr : inverse_.data() + front.first_column,
                  lower_.data() + front.below, front.rows_below, pivots, below_.data());
  for (const RowRun& run : fronts_.rowRuns(front))
    for (int i = 0; i < run.length; ++i) x[run.to + i] -= below_[run.from + i];
}

// So has that of the rows below.
void BlockFactor::backward(const FrontKernels& kernels, const Front& front, const double* upper,
                           double* x) const {
  for (const RowRun& run : fronts_.rowRuns(front))
    std::copy_n(x + run.to, run.length, below_.data() + run.from);
  std::fill(below_.data() + front.rows, below_.data() + front.rows_below, 0.0);
  kernels.backward({upper + front.pivots, front.columns, front.pivot_rows},
                   inverse_.data() + front.first_column, upper + front.below, front.rows_below,
                   below_.data(), x + front.first_column);
}

void BlockFactor::multiply(std::span<const double> x, std::span<double> y) const {
  std::fill(y.begin(), y.end(), 0.0);
  int entry = 0;
  const auto add = [&](int a, int b) {
    const EntryPlace& place = places_[entry];
    const bool is_lower = isLower(entry++);
    if (!is_lu_ && !is_lower) return;
    const double* value = values_.data() + place.first_value;
    const double *x_a = x.data() + first_row_[a], *x_b = x.data() + first_row_[b];
    double *y_a = y.data() + first_row_[a], *y_b = y.data() + first_row_[b];
    const bool mirror = !is_lu_ && a != b;
    for (int i = 0; i < place.rows; ++i, value += place.columns)
      for (int j = 0; j < place.columns; ++j) {
        y_a[i] += value[j] * x_b[j];
        if (mirror) y_b[j] += value[j] * x_a[i];
      }
  };
  for (int a = 0; a < graph_.blockCount(); ++a) {
    add(a, a);
    for (const int b : graph_.neighbours(a)) add(a, b);
  }
}

}  // namespace stickslip
