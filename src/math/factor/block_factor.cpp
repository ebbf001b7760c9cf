#include "math/factor/block_factor.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

namespace stickslip {
namespace {

// Multiplications per block. A dissection takes about 7 us a block and saves a quarter of the work,
// again and again while the pattern stays.
constexpr double kCostWorthDissecting = 16000;

}  // namespace

bool BlockFactor::analyze(std::span<const int> block_sizes,
                          std::span<const std::pair<int, int>> couplings) {
  if (graph_.assign(block_sizes, couplings)) return true;
  chooseOrder();
  fronts_.build(graph_, tree_);
  placeEntries();
  placeArrivals();
  resizeStorage();
  return false;
}

// Minimum degree, and where that leaves enough work to be worth the search (as in space from a few
// hundred bodies on) nested dissection, if that leaves less.
void BlockFactor::chooseOrder() {
  const int blocks = graph_.blockCount();
  stages_.assign(blocks, 0);
  minimum_degree_.order(graph_, stages_, order_);
  tree_.build(graph_, order_);
  if (tree_.cost() < kCostWorthDissecting * blocks) return;
  dissection_.stages(graph_, stages_);
  minimum_degree_.order(graph_, stages_, order_);
  other_tree_.build(graph_, order_);
  if (other_tree_.cost() < tree_.cost()) std::swap(tree_, other_tree_);
}

// Block row by block row, the diagonal entry first.
void BlockFactor::placeEntries() {
  const int blocks = graph_.blockCount();
  places_.clear();
  is_lower_.clear();
  first_row_.clear();
  size_ = 0;
  std::size_t values = 0;
  const auto add = [&](int a, int b) {
    const int rows = graph_.sizeOf(a), columns = graph_.sizeOf(b);
    places_.push_back({values, rows, columns});
    is_lower_.push_back(fronts_.position(a) >= fronts_.position(b));
    values += static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns);
  };
  for (int a = 0; a < blocks; ++a) {
    first_row_.push_back(size_);
    size_ += graph_.sizeOf(a);
    add(a, a);
    for (const int b : graph_.neighbours(a)) add(a, b);
  }
  values_.assign(values, 0.0);
}

int BlockFactor::entry(int a, int b) const {
  const int diagonal = graph_.firstNeighbour(a) + a;
  if (a == b) return diagonal;
  const auto neighbours = graph_.neighbours(a);
  const auto found = std::lower_bound(neighbours.begin(), neighbours.end(), b);
  assert(found != neighbours.end() && *found == b);
  return diagonal + 1 + static_cast<int>(found - neighbours.begin());
}

void BlockFactor::clear() {
  std::fill(values_.begin(), values_.end(), 0.0);
}

// For every front the entries of its columns: diagonal ones, those among its pivots, and those in
// the rows below.
void BlockFactor::placeArrivals() {
  arrivals_.clear();
  first_arrival_.assign(1, 0);
  place_.resize(graph_.blockCount());
  std::size_t next_block = 0;
  for (int f = 0; f < static_cast<int>(fronts_.fronts().size()); ++f) {
    const Front& front = fronts_.fronts()[f];
    int row = front.pivot_rows;
    for (const int k : fronts_.below(f)) {
      const int block = fronts_.order()[k];
      place_[block] = row;
      row += graph_.sizeOf(block);
    }
    const std::size_t first_block = next_block;
    for (; next_block < fronts_.order().size(); ++next_block) {
      const int block = fronts_.order()[next_block];
      if (fronts_.frontOf(block) != f) break;
      place_[block] = fronts_.firstRow(block) - front.first_column;
    }
    for (std::size_t k = first_block; k < next_block; ++k) {
      const int column = fronts_.order()[k];
      arrivals_.push_back(arrivalOf(f, column, column));
      for (const int other : graph_.neighbours(column))
        if (fronts_.position(other) > fronts_.position(column))
          arrivals_.push_back(arrivalOf(f, other, column));
    }
    first_arrival_.push_back(static_cast<int>(arrivals_.size()));
  }
}

BlockFactor::Arrival BlockFactor::arrivalOf(int f, int row_block, int column_block) const {
  const int row = place_[row_block], column = place_[column_block];
  const int leading = fronts_.fronts()[f].panelRows();
  Arrival arrival;
  arrival.lower_value = places_[entry(row_block, column_block)].first_value;
  arrival.upper_value = places_[entry(column_block, row_block)].first_value;
  arrival.lower_place = column * leading + row;
  arrival.among_pivots = fronts_.frontOf(row_block) == f;
  arrival.upper_place = arrival.among_pivots ? row * leading + column : arrival.lower_place;
  arrival.rows = graph_.sizeOf(row_block);
  arrival.columns = graph_.sizeOf(column_block);
  return arrival;
}

void BlockFactor::resizeStorage() {
  const std::size_t rows = size_;
  lower_.resize(fronts_.factorSize());
  lower_panel_.resize(fronts_.largestPanel());
  updates_.resize(fronts_.updateSize());
  scale_.resize(rows);
  inverse_.resize(rows);
  exchange_.resize(rows);
  work_.assign(rows + FrontKernels::kStrip, 0.0);
  below_.assign(fronts_.mostRowsBelow(), 0.0);
}

// Triangular solves and products of BlockFactor.

void BlockFactor::solve(std::span<double> x) const {
  const int blocks = graph_.blockCount();
  for (int b = 0; b < blocks; ++b)
    std::copy_n(x.data() + first_row_[b], graph_.sizeOf(b), work_.data() + fronts_.firstRow(b));
  // Padding meets zeros, but has to be a number, whatever the right-hand side before was.
  std::fill(work_.begin() + size_, work_.end(), 0.0);
  const auto fronts = fronts_.fronts();
  const FrontKernels& kernels = machineKernels<FrontKernels>();
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
