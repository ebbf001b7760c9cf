// Assembly of fronts, and the Cholesky factorization of BlockFactor.
#include <algorithm>
#include <limits>

#include "math/block_factor.hpp"

namespace stickslip {
namespace {

constexpr double kRounding = std::numeric_limits<double>::epsilon();

void addRun(const double* from, double* to, int length) {
  for (int i = 0; i < length; ++i) to[i] += from[i];
}

}  // namespace

bool BlockFactor::factorCholesky() {
  is_lu_ = false;
  const FrontKernels& kernels = frontKernels();
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
    const double* value = values_.data() + arrival.lower_value;
    double* to = lower_panel_.data() + arrival.lower_place;
    for (int j = 0; j < arrival.columns; ++j, to += leading)
      for (int i = 0; i < arrival.rows; ++i) to[i] = value[i * arrival.columns + j];
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
