// The LU factorization of BlockFactor.
//
// A front keeps L and U' in panels of the same shape, so that both are treated alike; the pivot
// rows and columns of the front itself are factorized in the panel of L, then U's part is copied.
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "math/block_factor.hpp"

namespace stickslip {
namespace {

constexpr double kRounding = std::numeric_limits<double>::epsilon();

// A diagonal entry that is less than this beside its row says nothing about the size of the row.
constexpr double kVanishing = 0x1p-40;

}  // namespace

bool BlockFactor::factorLu() {
  is_lu_ = true;
  determinant_sign_ = 1;
  upper_.resize(lower_.size());
  upper_panel_.resize(lower_panel_.size());
  measureRows();
  const FrontKernels& kernels = frontKernels();
  for (std::size_t f = 0; f < fronts_.fronts().size(); ++f) {
    const Front& front = fronts_.fronts()[f];
    assembleLower(f);
    assembleUpper(f);
    for (const int child : fronts_.children(front)) addToPanels(fronts_.fronts()[child], front);
    copyPivots(front);
    if (!eliminatePivots(front)) {
      determinant_sign_ = 0;
      return false;
    }
    const int leading = front.panelRows();
    const TriangleView L{lower_.data() + front.pivots, front.columns, front.pivot_rows};
    const TriangleView U{upper_.data() + front.pivots, front.columns, front.pivot_rows};
    double *below = lower_.data() + front.below, *beside = upper_.data() + front.below;
    kernels.solveStrips(lower_panel_.data() + front.pivot_rows, leading, front.rows_below, U,
                        inverse_.data() + front.first_column, below);
    kernels.solveStrips(upper_panel_.data() + front.pivot_rows, leading, front.rows_below, L,
                        nullptr, beside);
    kernels.updateFull(updates_.data() + front.update, front.rows_below, below, beside,
                       front.columns);
    for (const int child : fronts_.children(front))
      addToUpdate(fronts_.fronts()[child], front, true);
  }
  return true;
}

// Scale of row r: the root of |K_rr|, so that the ratio of K_rs to the scales of r and s does not
// depend on units.
void BlockFactor::measureRows() {
  int entry = 0;
  for (int a = 0; a < graph_.blockCount(); ++a) {
    const int entries = 1 + static_cast<int>(graph_.neighbours(a).size());
    for (int i = 0; i < graph_.sizeOf(a); ++i) {
      double largest = 0;
      for (int k = entry; k < entry + entries; ++k) {
        const double* row = values_.data() + places_[k].first_value + i * places_[k].columns;
        for (int j = 0; j < places_[k].columns; ++j) largest = std::max(largest, std::abs(row[j]));
      }
      const EntryPlace& diagonal = places_[entry];
      const double own =
          values_[diagonal.first_value + static_cast<std::size_t>(i) * (diagonal.columns + 1)];
      scale_[fronts_.firstRow(a) + i] = std::sqrt(std::max(std::abs(own), kVanishing * largest));
    }
    entry += entries;
  }
}

// What is above the diagonal among the pivots goes to the panel of L, the rest to that of U'.
void BlockFactor::assembleUpper(std::size_t f) {
  const Front& front = fronts_.fronts()[f];
  const int leading = front.panelRows();
  std::fill_n(upper_panel_.data(), leading * front.columns, 0.0);
  for (int k = first_arrival_[f]; k < first_arrival_[f + 1]; ++k) {
    const Arrival& arrival = arrivals_[k];
    const double* value = values_.data() + arrival.upper_value;
    if (arrival.among_pivots) {
      double* to = lower_panel_.data() + arrival.upper_place;
      for (int j = 0; j < arrival.rows; ++j, to += leading)
        for (int i = 0; i < arrival.columns; ++i) to[i] = value[i * arrival.rows + j];
    } else {
      double* to = upper_panel_.data() + arrival.upper_place;
      for (int i = 0; i < arrival.columns; ++i, to += leading, value += arrival.rows)
        std::copy_n(value, arrival.rows, to);
    }
  }
}

// Columns of the child's update that are pivots of the parent go to the panel of L, rows that are
// pivots, beside the other columns, to that of U'.
void BlockFactor::addToPanels(const Front& child, const Front& parent) {
  const auto runs = fronts_.parentRuns(child);
  const int leading = parent.panelRows();
  for (const RowRun& columns : runs)
    for (int j = 0; j < columns.length; ++j) {
      const double* from = updates_.data() + child.update + (columns.from + j) * child.rows_below;
      const int column = columns.to + j;
      for (const RowRun& rows : runs) {
        if (columns.to < parent.columns) {
          double* to = lower_panel_.data() + column * leading + rows.to;
          for (int i = 0; i < rows.length; ++i) to[i] += from[rows.from + i];
        } else if (rows.to < parent.columns) {
          double* to = upper_panel_.data() + rows.to * leading + column;
          for (int i = 0; i < rows.length; ++i, to += leading) *to += from[rows.from + i];
        } else {
          break;
        }
      }
    }
}

// Gaussian elimination among the pivot rows, with exchanges.
bool BlockFactor::eliminatePivots(const Front& front) {
  const int n = front.columns, leading = front.pivot_rows;
  row_scale_.assign(scale_.begin() + front.first_column, scale_.begin() + front.first_column + n);
  double* column = lower_.data() + front.pivots;
  for (int c = 0; c < n; ++c, column += leading) {
    const int pivot = choosePivot(column, c, n);
    exchange_[front.first_column + c] = pivot;
    if (pivot != c) exchangeRows(front, c, pivot);
    const double size = scale_[front.first_column + c];
    if (!(std::abs(column[c]) > kRounding * row_scale_[c] * size)) return false;
    if (column[c] < 0) determinant_sign_ = -determinant_sign_;
    const double inverse = inverse_[front.first_column + c] = 1 / column[c];
    for (int i = c + 1; i < n; ++i) column[i] *= inverse;
    double* other = column + leading;
    for (int j = c + 1; j < n; ++j, other += leading)
      for (int i = c + 1; i < n; ++i) other[i] -= column[i] * other[c];
  }
  copyUpperTriangle(front);
  return true;
}

int BlockFactor::choosePivot(const double* column, int first, int end) const {
  int best = first;
  for (int i = first + 1; i < end; ++i)
    if (std::abs(column[i]) * row_scale_[best] > std::abs(column[best]) * row_scale_[i]) best = i;
  return best;
}

void BlockFactor::exchangeRows(const Front& front, int a, int b) {
  double* pivots = lower_.data() + front.pivots;
  for (int j = 0; j < front.columns; ++j, pivots += front.pivot_rows)
    std::swap(pivots[a], pivots[b]);
  const int leading = front.panelRows();
  double *beside_a = upper_panel_.data() + a * leading,
         *beside_b = upper_panel_.data() + b * leading;
  std::swap_ranges(beside_a + front.pivot_rows, beside_a + leading, beside_b + front.pivot_rows);
  std::swap(row_scale_[a], row_scale_[b]);
  determinant_sign_ = -determinant_sign_;
}

void BlockFactor::copyUpperTriangle(const Front& front) {
  const double* from = lower_.data() + front.pivots;
  double* to = upper_.data() + front.pivots;
  std::fill_n(to, front.columns * front.pivot_rows, 0.0);
  for (int j = 0; j < front.columns; ++j, from += front.pivot_rows)
    for (int i = 0; i <= j; ++i) to[i * front.pivot_rows + j] = from[i];
}

}  // namespace stickslip
