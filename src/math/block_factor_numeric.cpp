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
    double* panel = lower_.data() + front.panel;
    assembleLower(f);
    expectDiagonal(front);
    const int first = front.first_column;
    for (const int child : fronts_.children(front)) addToPanel(fronts_.fronts()[child], front);
    if (!kernels.cholesky(panel, front.shape(), scale_.data() + first, inverse_.data() + first))
      return false;
    kernels.updateLower(updates_.data() + front.update, front.rows, panel, front.shape());
    for (const int child : fronts_.children(front))
      addToUpdate(fronts_.fronts()[child], front, false);
  }
  return true;
}

void BlockFactor::assembleLower(std::size_t f) {
  const Front& front = fronts_.fronts()[f];
  const auto leading = static_cast<std::size_t>(front.leading);
  double* panel = lower_.data() + front.panel;
  std::fill(panel, panel + leading * static_cast<std::size_t>(front.columns), 0.0);
  for (int k = first_arrival_[f]; k < first_arrival_[f + 1]; ++k) {
    const Arrival& arrival = arrivals_[k];
    const double* value = values_.data() + arrival.lower_value;
    double* to = lower_.data() + arrival.lower_place;
    for (int i = 0; i < arrival.rows; ++i)
      for (int j = 0; j < arrival.columns; ++j)
        to[static_cast<std::size_t>(j) * leading + static_cast<std::size_t>(i)] =
            value[i * arrival.columns + j];
  }
}

// A pivot that is nothing but rounding beside the diagonal entry of K is taken for zero, whatever
// the unit of its row.
void BlockFactor::expectDiagonal(const Front& front) {
  const double* panel = lower_.data() + front.panel;
  const auto next_diagonal = static_cast<std::size_t>(front.leading) + 1;
  for (int j = 0; j < front.columns; ++j)
    scale_[front.first_column + j] = kRounding * panel[static_cast<std::size_t>(j) * next_diagonal];
}

// Columns of the child's update that are pivots of the parent, from the diagonal on.
void BlockFactor::addToPanel(const Front& child, const Front& parent) {
  const auto runs = fronts_.parentRuns(child);
  const auto from_leading = static_cast<std::size_t>(child.update_leading);
  const auto to_leading = static_cast<std::size_t>(parent.leading);
  const double* update = updates_.data() + child.update;
  double* panel = lower_.data() + parent.panel;
  for (std::size_t c = 0; c < runs.size() && runs[c].to < parent.columns; ++c)
    for (int j = 0; j < runs[c].length; ++j) {
      const double* from = update + static_cast<std::size_t>(runs[c].from + j) * from_leading;
      double* to = panel + static_cast<std::size_t>(runs[c].to + j) * to_leading;
      addRun(from + runs[c].from + j, to + runs[c].to + j, runs[c].length - j);
      for (std::size_t r = c + 1; r < runs.size(); ++r)
        addRun(from + runs[r].from, to + runs[r].to, runs[r].length);
    }
}

void BlockFactor::addToUpdate(const Front& child, const Front& parent, bool full) {
  const auto runs = fronts_.parentRuns(child);
  const auto from_leading = static_cast<std::size_t>(child.update_leading);
  const auto to_leading = static_cast<std::size_t>(parent.update_leading);
  const double* update = updates_.data() + child.update;
  // Rows of the panel, less where the rows below start in it.
  double* below = updates_.data() + parent.update;
  std::size_t first = 0;
  while (first < runs.size() && runs[first].to < parent.columns) ++first;
  for (std::size_t c = first; c < runs.size(); ++c)
    for (int j = 0; j < runs[c].length; ++j) {
      const int column = runs[c].to - parent.first_below;
      const double* from = update + static_cast<std::size_t>(runs[c].from + j) * from_leading;
      double* to = below + static_cast<std::size_t>(column + j) * to_leading;
      if (!full) addRun(from + runs[c].from + j, to + column + j, runs[c].length - j);
      for (std::size_t r = full ? first : c + 1; r < runs.size(); ++r)
        addRun(from + runs[r].from, to + (runs[r].to - parent.first_below), runs[r].length);
    }
}

}  // namespace stickslip
