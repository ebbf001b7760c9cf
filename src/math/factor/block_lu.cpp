// The LU factorization of BlockFactor.
//
// A front keeps L and U' in panels of the same shape, so that both are treated alike; the pivot
// rows and columns of the front itself are factorized in the panel of L, then U's part is copied.
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "math/factor/block_factor.hpp"

namespace stickslip {
namespace {

constexpr double kPivotRounding = std::numeric_limits<double>::epsilon();

// A diagonal entry that is less than this beside the row of its block says nothing about the size
// of the row.
constexpr double kVanishing = 0x1p-40;

}  // namespace

bool BlockFactor::factorLu() {
  is_lu_ = true;
  determinant_sign_ = 1;
  upper_.resize(lower_.size());
  upper_panel_.resize(lower_panel_.size());
  measureRows();
  const FrontKernels& kernels = machineKernels<FrontKernels>();
  for (std::size_t f = 0; f < fronts_.fronts().size(); ++f) {
    const Front& front = fronts_.fronts()[f];
    assembleLower(f);
    assembleUpper(f);
    for (const int child : fronts_.children(front)) addToPanels(fronts_.fronts()[child], front);
    copyPivots(front);
    if (!eliminatePivots(kernels, front)) {
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
  for (int b = 0; b < graph_.blockCount(); ++b) {
    const EntryPlace& diagonal = places_[entry(b, b)];
    const double* row = values_.data() + diagonal.first_value;
    double* scale = scale_.data() + fronts_.firstRow(b);
    for (int i = 0; i < diagonal.rows; ++i, row += diagonal.columns) {
      double largest = 0;
      for (int j = 0; j < diagonal.columns; ++j) largest = std::max(largest, std::abs(row[j]));
      scale[i] = std::sqrt(std::max(std::abs(row[i]), kVanishing * largest));
    }
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

// The exchanges of rows among the pivots concern the columns beside them as well.
bool BlockFactor::eliminatePivots(const FrontKernels& kernels, const Front& front) {
  const int n = front.columns, first = front.first_column, leading = front.panelRows();
  row_scale_.assign(scale_.begin() + first, scale_.begin() + first + n);
  column_scale_.resize(n);
  for (int j = 0; j < n; ++j) column_scale_[j] = kPivotRounding * scale_[first + j];
  multipliers_.resize(front.pivot_rows);
  if (!kernels.lu(lower_.data() + front.pivots, n, front.pivot_rows, row_scale_.data(),
                  column_scale_.data(), inverse_.data() + first, exchange_.data() + first,
                  multipliers_.data()))
    return false;
  for (int c = 0; c < n; ++c) {
    if (inverse_[first + c] < 0) determinant_sign_ = -determinant_sign_;
    const int other = exchange_[first + c];
    if (other == c) continue;
    determinant_sign_ = -determinant_sign_;
    double *a = upper_panel_.data() + c * leading, *b = upper_panel_.data() + other * leading;
    std::swap_ranges(a + front.pivot_rows, a + leading, b + front.pivot_rows);
  }
  copyUpperTriangle(front);
  return true;
}

void BlockFactor::copyUpperTriangle(const Front& front) {
  const double* from = lower_.data() + front.pivots;
  double* to = upper_.data() + front.pivots;
  std::fill_n(to, front.columns * front.pivot_rows, 0.0);
  for (int j = 0; j < front.columns; ++j, from += front.pivot_rows)
    for (int i = 0; i <= j; ++i) to[i * front.pivot_rows + j] = from[i];
}

}  // namespace stickslip
