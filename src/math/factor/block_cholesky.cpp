// Assembly of fronts, and the Cholesky factorization of BlockFactor.
#include <algorithm>
#include <limits>

#include "math/factor/block_factor.hpp"
#include "simd/vectors.hpp"

namespace stickslip {
namespace {

constexpr double kRounding = std::numeric_limits<double>::epsilon();

// Two at a time, without more ado: most runs are as short as a block.
void addRun(const double* from, double* to, int length) {
  int i = 0;
  for (; i + 2 <= length; i += 2)
    storeNumbers(loadNumbers<Pair>(to + i) + loadNumbers<Pair>(from + i), to + i);
  if (i < length) to[i] += from[i];
}

// to(j, i) = from(i, j), where from is row-major and columns of `to` are `leading` apart.
[[gnu::always_inline]] inline void copyTransposed(const double* from, int rows, int columns,
                                                  double* to, int leading) {
  for (int j = 0; j < columns; ++j, to += leading)
    for (int i = 0; i < rows; ++i) to[i] = from[i * columns + j];
}

// Constant sizes for the blocks of bodies in the plane and in space.
void copyBlock(const double* from, int rows, int columns, double* to, int leading) {
  if (rows == 3 && columns == 3) return copyTransposed(from, 3, 3, to, leading);
  if (rows == 6 && columns == 6) return copyTransposed(from, 6, 6, to, leading);
  copyTransposed(from, rows, columns, to, leading);
}

}  // namespace

bool BlockFactor::factorCholesky() {
  is_lu_ = false;
  const FrontKernels& kernels = machineKernels<FrontKernels>();
  for (std::size_t f = 0; f < fronts_.fronts().size(); ++f) {
    const Front& front = fronts_.fronts()[f];
    assembleLower(f);
    expectDiagonal(front);
    for (const int child : fronts_.children(front)) addToPanel(fronts_.fronts()[child], front);
    copyPivots(front);
    double *pivots = lower_.data() + front.pivots, *below = lower_.data() + front.below;
    double* inverse = inverse_.data() + front.first_column;
    if (!kernels.cholesky(pivots, front.columns, front.pivot_rows,
                          scale_.data() + front.first_column, inverse))
      return false;
    kernels.solveStrips(lower_panel_.data() + front.pivot_rows, front.panelRows(), front.rows_below,
                        {pivots, front.columns, front.pivot_rows}, inverse, below);
    kernels.updateLower(updates_.data() + front.update, front.rows_below, below, front.columns);
    for (const int child : fronts_.children(front))
      addToUpdate(fronts_.fronts()[child], front, false);
  }
  return true;
}

void BlockFactor::assembleLower(std::size_t f) {
  const Front& front = fronts_.fronts()[f];
  const int leading = front.panelRows();
  std::fill_n(lower_panel_.data(), leading * front.columns, 0.0);
  for (int k = first_arrival_[f]; k < first_arrival_[f + 1]; ++k) {
    const Arrival& arrival = arrivals_[k];
    copyBlock(values_.data() + arrival.lower_value, arrival.rows, arrival.columns,
              lower_panel_.data() + arrival.lower_place, leading);
  }
}

// A pivot that is nothing but rounding beside the diagonal entry of K is taken for zero, whatever
// the unit of its row.
void BlockFactor::expectDiagonal(const Front& front) {
  for (int j = 0; j < front.columns; ++j)
    scale_[front.first_column + j] = kRounding * lower_panel_[j * (front.panelRows() + 1)];
}

// Columns of the child's update that are pivots of the parent, from the diagonal on.
void BlockFactor::addToPanel(const Front& child, const Front& parent) {
  const auto runs = fronts_.parentRuns(child);
  for (std::size_t c = 0; c < runs.size() && runs[c].to < parent.columns; ++c)
    for (int j = 0; j < runs[c].length; ++j) {
      const double* from = updates_.data() + child.update + (runs[c].from + j) * child.rows_below;
      double* to = lower_panel_.data() + (runs[c].to + j) * parent.panelRows();
      addRun(from + runs[c].from + j, to + runs[c].to + j, runs[c].length - j);
      for (std::size_t r = c + 1; r < runs.size(); ++r)
        addRun(from + runs[r].from, to + runs[r].to, runs[r].length);
    }
}

// The other columns: from the diagonal on, or in full for LU.
void BlockFactor::addToUpdate(const Front& child, const Front& parent, bool full) {
  const auto runs = fronts_.parentRuns(child);
  std::size_t first = 0;
  while (first < runs.size() && runs[first].to < parent.columns) ++first;
  for (std::size_t c = first; c < runs.size(); ++c)
    for (int j = 0; j < runs[c].length; ++j) {
      const int column = runs[c].to - parent.pivot_rows;
      const double* from = updates_.data() + child.update + (runs[c].from + j) * child.rows_below;
      double* to = updates_.data() + parent.update + (column + j) * parent.rows_below;
      if (!full) addRun(from + runs[c].from + j, to + column + j, runs[c].length - j);
      for (std::size_t r = full ? first : c + 1; r < runs.size(); ++r)
        addRun(from + runs[r].from, to + runs[r].to - parent.pivot_rows, runs[r].length);
    }
}

void BlockFactor::copyPivots(const Front& front) {
  const double* from = lower_panel_.data();
  double* to = lower_.data() + front.pivots;
  for (int j = 0; j < front.columns; ++j, from += front.panelRows(), to += front.pivot_rows)
    std::copy_n(from, front.pivot_rows, to);
}

}  // namespace stickslip
