#include "solvers/lemke/sparse_basis.hpp"

#include <algorithm>
#include <cassert>
#include <cstdint>

namespace stickslip {

void SparseBasis::start(const MixedLcp& lcp, std::span<const int> basic_z) {
  lcp_ = &lcp;
  refined_ = false;
  free_ = lcp.freeCount();
  pairs_ = lcp.size();
  findOrder();
  const auto slots = coverSlot() + 1;
  place_.assign(coverVariable() + 1, kNonbasic);
  basic_.resize(pairs_);
  value_.assign(slots, 0.0);
  direction_.assign(slots, 0.0);
  cover_.assign(free_ + pairs_, 0.0);
  column_.assign(free_ + pairs_, 0.0);
  // Room for the largest kernel, so that growing ones are not copied.
  update_.reserve(kLemke.most_updates * (free_ + pairs_ + 1 + kLemke.most_updates));
  std::fill_n(place_.begin(), free_, 0);
  for (int i = 0; i < pairs_; ++i) {
    basic_[i] = wOf(i);
    place_[wOf(i)] = kOwnRow;
  }
  for (const int i : basic_z) {
    basic_[i] = zOf(i);
    place_[zOf(i)] = 0;
    place_[wOf(i)] = kNonbasic;
  }
}

// The same pattern as last time has the same order.
void SparseBasis::findOrder() {
  const SparseColumns& columns = lcp_->columns();
  pattern_.clear();
  for (int c = 0; c < columns.columns(); ++c) {
    const std::span<const int> rows = columns.rowsOf(c);
    pattern_.push_back(static_cast<int>(rows.size()));
    pattern_.insert(pattern_.end(), rows.begin(), rows.end());
  }
  if (pattern_ == order_pattern_) return;
  column_order_.find(columns, order_);
  order_pattern_.swap(pattern_);
}

bool SparseBasis::factorize() {
  buildKernel();
  updates_ = 0;
  refined_ = false;
  extra_pair_.clear();
  update_place_.clear();
  update_.resize(kLemke.most_updates * (kernel_size_ + kLemke.most_updates));
  update_rows_.resize(kLemke.most_updates * pairs_);
  work_.resize(kernel_size_ + kLemke.most_updates);
  if (kernel_.columns() != kernel_size_ || !lu_.factorizeInOrder(kernel_)) return false;
  solveForValues(lcp_->rightSide(), value_);
  return true;
}

void SparseBasis::buildKernel() {
  kernel_row_.assign(free_ + pairs_, -1);
  kernel_size_ = 0;
  for (int row = 0; row < free_; ++row) kernel_row_[row] = kernel_size_++;
  for (int i = 0; i < pairs_; ++i) {
    int& place = place_[wOf(i)];
    if (place != kNonbasic)
      place = kOwnRow;
    else
      kernel_row_[free_ + i] = kernel_size_++;
  }
  kernel_.start(kernel_size_);
  at_place_.clear();
  kernel_column_.assign(value_.size(), -1);
  for (const int variable : order_)
    if (isBasic(variable)) appendColumn(variable);
  if (isBasic(coverVariable())) appendColumn(coverVariable());
}

// Calls visit(row, value) for the entries of a variable's column.
template <typename Visit>
void SparseBasis::visitColumn(int variable, Visit visit) const {
  if (variable == coverVariable()) {
    for (std::size_t row = 0; row < cover_.size(); ++row)
      if (cover_[row] != 0) visit(row, cover_[row]);
  } else if (variable >= wOf(0)) {
    visit(slotOf(variable), 1.0);
  } else {
    const std::span<const int> rows = lcp_->columns().rowsOf(variable);
    const std::span<const double> values = lcp_->columns().valuesOf(variable);
    for (std::size_t k = 0; k < rows.size(); ++k) visit(rows[k], values[k]);
  }
}

void SparseBasis::appendColumn(int variable) {
  visitColumn(variable, [&](std::size_t row, double value) {
    if (kernel_row_[row] >= 0) kernel_.add(kernel_row_[row], value);
  });
  kernel_.endColumn();
  const int place = static_cast<int>(at_place_.size());
  place_[variable] = kernel_column_[slotOf(variable)] = place;
  at_place_.push_back(variable);
}

// From work_ by places to `out` by slots. The basic w outside the kernel are what row_sum_ holds,
// minus their rows times x, z and z0.
void SparseBasis::spread(std::span<double> out) {
  for (std::size_t k = 0; k < at_place_.size(); ++k) {
    const int variable = at_place_[k];
    const double value = work_[k];
    out[slotOf(variable)] = value;
    if (value == 0 || (variable >= wOf(0) && variable != coverVariable())) continue;
    if (variable == coverVariable()) {
      for (std::size_t i = 0; i < row_sum_.size(); ++i) row_sum_[i] -= value * cover_[free_ + i];
    } else {
      const std::span<const int> pairs = lcp_->pairsOf(variable);
      const double* entry = lcp_->pairValuesOf(variable).data();
      for (std::size_t e = 0; e < pairs.size(); ++e) row_sum_[pairs[e]] -= value * entry[e];
    }
  }
  for (int i = 0; i < pairs_; ++i) {
    if (place_[wOf(i)] == kOwnRow)
      out[free_ + i] = row_sum_[i];
    else if (basic_[i] < 0)
      out[free_ + i] = 0;
  }
  if (!isBasic(coverVariable())) out[coverSlot()] = 0;
}

// Directly after a factorization.
void SparseBasis::solveForValues(std::span<const double> right_side, std::span<double> out) {
  const std::span<double> x = std::span(work_).first(kernel_size_);
  for (std::size_t row = 0; row < right_side.size(); ++row)
    if (kernel_row_[row] >= 0) x[kernel_row_[row]] = right_side[row];
  lu_.solve(x);
  row_sum_.assign(right_side.begin() + free_, right_side.end());
  spread(out);
}

void SparseBasis::refine() {
  assert(isFresh());
  residual_.assign(lcp_->rightSide().begin(), lcp_->rightSide().end());
  addBasis(-1, value_, residual_);
  correction_.resize(value_.size());
  solveForValues(residual_, correction_);
  for (std::size_t k = 0; k < value_.size(); ++k) value_[k] += correction_[k];
  refined_ = true;
}

// to += factor B values.
void SparseBasis::addBasis(double factor, std::span<const double> values,
                           std::span<double> to) const {
  const auto add = [&](int variable) {
    const double scaled = factor * values[slotOf(variable)];
    if (scaled != 0)
      visitColumn(variable, [&](std::size_t row, double entry) { to[row] += scaled * entry; });
  };
  for (int variable = 0; variable < free_; ++variable) add(variable);
  for (const int variable : basic_)
    if (variable >= 0) add(variable);
  if (isBasic(coverVariable())) add(coverVariable());
}

void SparseBasis::setCoverOfBasic(std::span<const double> amounts) {
  residual_.assign(cover_.size(), 0.0);
  addBasis(1, amounts, residual_);
  cover_.swap(residual_);
}

void SparseBasis::findDirection(int entering) {
  std::fill(work_.begin(), work_.end(), 0.0);
  visitColumn(entering, [&](std::size_t row, double value) {
    column_[row] = value;
    if (kernel_row_[row] >= 0) work_[kernel_row_[row]] = value;
  });
  lu_.solve(std::span(work_).first(kernel_size_));
  startExtraPlaces();
  applyUpdates();
  row_sum_.assign(column_.begin() + free_, column_.end());
  visitColumn(entering, [&](std::size_t row, double) { column_[row] = 0; });
  spread(direction_);
}

// Rows that have changed had their own w when the kernel was factorized.
void SparseBasis::startExtraPlaces() {
  const int z_0 = kernel_column_[coverSlot()];
  for (std::size_t e = 0; e < extra_pair_.size(); ++e) {
    const int pair = extra_pair_[e];
    double value = column_[free_ + pair];
    for (const MixedLcp::Entry& entry : lcp_->row(pair)) {
      const int k = kernel_column_[entry.column];
      if (k >= 0) value -= entry.value * work_[k];
    }
    if (z_0 >= 0) value -= cover_[free_ + pair] * work_[z_0];
    work_[kernel_size_ + e] = value;
  }
}

void SparseBasis::applyUpdates() {
  const std::size_t places = at_place_.size(), stride = kernel_size_ + kLemke.most_updates;
  double* __restrict x = work_.data();
  for (std::size_t u = 0; u < updates_; ++u) {
    const double* __restrict column = update_.data() + u * stride;
    const std::size_t pivot = update_place_[u];
    if (x[pivot] == 0) continue;
    const double factor = x[pivot] / column[pivot];
    for (std::size_t k = 0; k < places; ++k) x[k] -= factor * column[k];
    x[pivot] = factor;
  }
}

void SparseBasis::exchange(int leaving, int entering, double step) {
  assert(updates_ < kLemke.most_updates);
  refined_ = false;
  for (std::size_t k = 0; k < value_.size(); ++k) value_[k] -= step * direction_[k];
  value_[slotOf(leaving)] = 0;
  value_[slotOf(entering)] = step;

  const int place = makePlace(leaving);
  const std::size_t u = updates_++;
  const std::size_t stride = kernel_size_ + kLemke.most_updates;
  std::copy_n(work_.begin(), at_place_.size(),
              update_.begin() + static_cast<std::ptrdiff_t>(u * stride));
  std::copy_n(direction_.begin() + free_, pairs_,
              update_rows_.begin() + static_cast<std::ptrdiff_t>(u * pairs_));
  update_place_.push_back(place);
  at_place_[place] = entering;
  place_[entering] = place;
  place_[leaving] = kNonbasic;
  if (leaving != coverVariable()) basic_[slotOf(leaving) - free_] = -1;
  if (entering != coverVariable()) basic_[slotOf(entering) - free_] = entering;
}

// The place of the variable; a w that leaves its own row gets one behind the kernel.
int SparseBasis::makePlace(int leaving) {
  if (place_[leaving] != kOwnRow) return place_[leaving];
  const int place = static_cast<int>(at_place_.size());
  const int pair = slotOf(leaving) - free_;
  const std::size_t stride = kernel_size_ + kLemke.most_updates;
  for (std::size_t u = 0; u < updates_; ++u)
    update_[u * stride + place] = update_rows_[u * pairs_ + pair];
  work_[place] = direction_[slotOf(leaving)];
  at_place_.push_back(leaving);
  extra_pair_.push_back(pair);
  return place;
}

}  // namespace stickslip
