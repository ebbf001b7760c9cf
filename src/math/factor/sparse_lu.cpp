#include "math/factor/sparse_lu.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>

#include "base/index.hpp"

namespace stickslip {
namespace {

// Entries that may become pivots, relative to the largest of their column.
constexpr double kThreshold = 0.1;

// +1 if the permutation is even.
int parity(std::span<const int> permutation, std::vector<char>& seen) {
  seen.assign(permutation.size(), 0);
  int sign = 1;
  for (std::size_t start = 0; start < permutation.size(); ++start) {
    int length = 0;
    for (std::size_t k = start; seen[k] == 0; k = at(permutation[k]), ++length) seen[k] = 1;
    if (length > 0 && length % 2 == 0) sign = -sign;
  }
  return sign;
}

}  // namespace

bool SparseLu::factorize(const SparseColumns& A, double dependent) {
  column_order_.find(A, order_);
  return eliminateColumns(A, dependent);
}

bool SparseLu::factorizeInOrder(const SparseColumns& A, double dependent) {
  order_.resize(A.columns());
  std::iota(order_.begin(), order_.end(), 0);
  return eliminateColumns(A, dependent);
}

bool SparseLu::eliminateColumns(const SparseColumns& A, double dependent) {
  countRows(A);
  n_ = 0;
  pivot_row_.clear();
  dependent_.clear();
  L_first_.assign(1, 0);
  U_first_.assign(1, 0);
  L_row_.clear();
  L_search_.clear();
  L_value_.clear();
  U_row_.clear();
  U_value_.clear();
  U_diagonal_.clear();
  x_.assign(at(A.rows()), 0.0);
  mark_.assign(at(A.rows()), -1);
  stamp_ = 0;
  for (const int column : order_) {
    findPattern(A.rowsOf(column));
    double largest = 0;
    for (std::size_t k = 0; k < A.rowsOf(column).size(); ++k) {
      x_[A.rowsOf(column)[k]] = A.valuesOf(column)[k];
      largest = std::max(largest, std::abs(A.valuesOf(column)[k]));
    }
    eliminate();
    const int pivot = choosePivot(dependent * largest);
    if (pivot < 0) {
      dependent_.push_back(column);
      for (const int step : reached_) x_[pivot_row_[step]] = 0;
      for (const int row : pattern_) x_[row] = 0;
    } else {
      store(pivot);
    }
  }
  renumber();
  return dependent_.empty();
}

void SparseLu::countRows(const SparseColumns& A) {
  row_count_.assign(at(A.rows()), 0);
  step_of_.assign(at(A.rows()), -1);
  for (int c = 0; c < A.columns(); ++c)
    for (const int r : A.rowsOf(c)) ++row_count_[r];
}

void SparseLu::findPattern(std::span<const int> rows) {
  ++stamp_;
  pattern_.clear();
  reached_.clear();
  for (const int row : rows)
    if (mark_[row] != stamp_) search(row);
}

// Depth first from a row through the columns of L; a step is noted when all that it acts on are.
void SparseLu::search(int row) {
  stack_.assign(1, row);
  mark_[row] = stamp_;
  stack_place_.clear();
  while (!stack_.empty()) {
    const int step = step_of_[stack_.back()];
    if (step < 0) {
      pattern_.push_back(stack_.back());
      stack_.pop_back();
      continue;
    }
    if (stack_place_.size() < stack_.size()) stack_place_.push_back(L_first_[step]);
    std::size_t& place = stack_place_.back();
    const std::size_t end = L_search_[step];
    while (place < end && mark_[L_row_[place]] == stamp_) ++place;
    if (place < end) {
      mark_[L_row_[place]] = stamp_;
      stack_.push_back(L_row_[place++]);
    } else {
      reached_.push_back(step);
      stack_.pop_back();
      stack_place_.pop_back();
    }
  }
}

void SparseLu::eliminate() {
  for (std::size_t k = reached_.size(); k-- > 0;) {
    const int step = reached_[k];
    const double factor = x_[pivot_row_[step]];
    if (factor == 0) continue;
    for (std::size_t e = L_first_[step]; e < L_first_[step + 1]; ++e)
      x_[L_row_[e]] -= factor * L_value_[e];
  }
}

int SparseLu::choosePivot(double floor) const {
  double largest = 0;
  for (const int row : pattern_) largest = std::max(largest, std::abs(x_[row]));
  if (!(largest > floor)) return -1;
  int best = -1;
  for (const int row : pattern_) {
    if (std::abs(x_[row]) < kThreshold * largest) continue;
    const bool better = best < 0 || row_count_[row] < row_count_[best] ||
                        (row_count_[row] == row_count_[best] &&
                         (std::abs(x_[row]) > std::abs(x_[best]) ||
                          (std::abs(x_[row]) == std::abs(x_[best]) && row < best)));
    if (better) best = row;
  }
  return best;
}

void SparseLu::store(int pivot_row) {
  for (const int step : reached_) {
    double& entry = x_[pivot_row_[step]];
    if (entry != 0) {
      U_row_.push_back(step);
      U_value_.push_back(entry);
    }
    entry = 0;
  }
  U_first_.push_back(U_row_.size());
  const double pivot = x_[pivot_row];
  U_diagonal_.push_back(pivot);
  for (const int row : pattern_) {
    double& entry = x_[row];
    if (row != pivot_row && entry != 0) {
      L_row_.push_back(row);
      L_value_.push_back(entry / pivot);
    }
    entry = 0;
  }
  const bool complete = L_row_.size() - L_first_.back() + 1 == pattern_.size();
  L_first_.push_back(L_row_.size());
  L_search_.push_back(L_row_.size());
  step_of_[pivot_row] = n_++;
  pivot_row_.push_back(pivot_row);
  // Entries that cancelled are not in the new column and have to be found in the old ones.
  if (complete) prune(pivot_row);
}

// A column of L that has the new pivot row leads to all its rows without a pivot through the new
// column; the search need only follow it to those with one.
void SparseLu::prune(int pivot_row) {
  for (const int step : reached_) {
    const std::size_t first = L_first_[step], end = L_first_[step + 1];
    if (L_search_[step] != end) continue;
    if (std::find(&L_row_[first], &L_row_[first] + (end - first), pivot_row) ==
        &L_row_[first] + (end - first))
      continue;
    std::size_t kept = first;
    for (std::size_t e = first; e < end; ++e) {
      if (step_of_[L_row_[e]] < 0) continue;
      std::swap(L_row_[e], L_row_[kept]);
      std::swap(L_value_[e], L_value_[kept]);
      ++kept;
    }
    L_search_[step] = kept;
  }
}

// Rows of L by their steps. Rows that never became pivots, of which only matrices with more rows
// than columns or dependent columns have any, stay behind the last step.
void SparseLu::renumber() {
  int next = n_;
  for (int& step : step_of_)
    if (step < 0) step = next++;
  for (int& row : L_row_) row = step_of_[row];
  if (!dependent_.empty())
    std::erase_if(order_, [&](int column) {
      return std::find(dependent_.begin(), dependent_.end(), column) != dependent_.end();
    });
}

void SparseLu::solve(std::span<double> x) {
  assert(x.size() == at(n_) && dependent_.empty());
  work_.resize(n_);
  for (int k = 0; k < n_; ++k) work_[k] = x[pivot_row_[k]];
  for (int k = 0; k < n_; ++k) {
    const double factor = work_[k];
    if (factor == 0) continue;
    for (std::size_t e = L_first_[k]; e < L_first_[k + 1]; ++e)
      work_[L_row_[e]] -= factor * L_value_[e];
  }
  for (int k = n_; k-- > 0;) {
    if (work_[k] == 0) continue;
    const double factor = work_[k] /= U_diagonal_[k];
    for (std::size_t e = U_first_[k]; e < U_first_[k + 1]; ++e)
      work_[U_row_[e]] -= factor * U_value_[e];
  }
  for (int k = 0; k < n_; ++k) x[order_[k]] = work_[k];
}

void SparseLu::solveTransposed(std::span<double> x) {
  assert(x.size() == at(n_) && dependent_.empty());
  work_.resize(n_);
  for (int k = 0; k < n_; ++k) {
    double sum = x[order_[k]];
    for (std::size_t e = U_first_[k]; e < U_first_[k + 1]; ++e)
      sum -= U_value_[e] * work_[U_row_[e]];
    work_[k] = sum / U_diagonal_[k];
  }
  for (int k = n_; k-- > 0;)
    for (std::size_t e = L_first_[k]; e < L_first_[k + 1]; ++e)
      work_[k] -= L_value_[e] * work_[L_row_[e]];
  for (int k = 0; k < n_; ++k) x[pivot_row_[k]] = work_[k];
}

int SparseLu::determinantSign() const {
  assert(dependent_.empty());
  std::vector<char> seen;
  int sign = parity(order_, seen) * parity(pivot_row_, seen);
  for (const double pivot : U_diagonal_)
    if (pivot < 0) sign = -sign;
  return sign;
}

}  // namespace stickslip
