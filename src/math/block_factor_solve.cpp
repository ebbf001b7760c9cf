// Triangular solves and products of BlockFactor.
#include <algorithm>
#include <utility>

#include "math/block_factor.hpp"

namespace stickslip {

void BlockFactor::solve(std::span<double> x) const {
  const int blocks = graph_.blockCount();
  for (int b = 0; b < blocks; ++b)
    std::copy_n(x.data() + first_row_[b], graph_.sizeOf(b), work_.data() + fronts_.firstRow(b));
  const auto fronts = fronts_.fronts();
  for (const Front& front : fronts) forward(front, work_.data());
  const double* upper = is_lu_ ? upper_.data() : lower_.data();
  for (std::size_t f = fronts.size(); f-- > 0;) backward(fronts[f], upper, work_.data());
  for (int b = 0; b < blocks; ++b)
    std::copy_n(work_.data() + fronts_.firstRow(b), graph_.sizeOf(b), x.data() + first_row_[b]);
}

void BlockFactor::forward(const Front& front, double* x) const {
  const auto leading = static_cast<std::size_t>(front.leading);
  const double* column = lower_.data() + front.panel;
  double* pivots = x + front.first_column;
  if (is_lu_)
    for (int j = 0; j < front.columns; ++j)
      std::swap(pivots[j], pivots[exchange_[front.first_column + j]]);
  std::fill_n(below_.data(), front.update_leading, 0.0);
  for (int j = 0; j < front.columns; ++j, column += leading) {
    if (!is_lu_) pivots[j] *= inverse_[front.first_column + j];
    const double factor = pivots[j];
    for (int i = j + 1; i < front.columns; ++i) pivots[i] -= column[i] * factor;
    const double* rows = column + front.first_below;
    for (int i = 0; i < front.update_leading; ++i) below_[i] += rows[i] * factor;
  }
  for (const RowRun& run : fronts_.rowRuns(front))
    for (int i = 0; i < run.length; ++i) x[run.to + i] -= below_[run.from + i];
}

void BlockFactor::backward(const Front& front, const double* upper, double* x) const {
  const auto leading = static_cast<std::size_t>(front.leading);
  double* pivots = x + front.first_column;
  for (const RowRun& run : fronts_.rowRuns(front))
    std::copy_n(x + run.to, run.length, below_.data() + run.from);
  std::fill(below_.data() + front.rows, below_.data() + front.update_leading, 0.0);
  for (int j = front.columns; j-- > 0;) {
    const double* column = upper + front.panel + static_cast<std::size_t>(j) * leading;
    const double* rows = column + front.first_below;
    // Four sums, as one would wait for itself.
    double sums[4] = {0, 0, 0, 0};
    for (int i = 0; i < front.update_leading; i += 4)
      for (int l = 0; l < 4; ++l) sums[l] += rows[i + l] * below_[i + l];
    double sum = (sums[0] + sums[2]) + (sums[1] + sums[3]);
    for (int i = j + 1; i < front.columns; ++i) sum += column[i] * pivots[i];
    pivots[j] = (pivots[j] - sum) * inverse_[front.first_column + j];
  }
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
