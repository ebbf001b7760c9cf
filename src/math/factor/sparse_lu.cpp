#include "math/factor/sparse_lu.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>

#include "base/index.hpp"

namespace stickslip {

namespace {

// Rows with more entries than this many times sqrt(columns) say nothing about the order.
constexpr double kDense = 10;

}  // namespace

void ColumnOrder::find(const SparseColumns& A, std::vector<int>& order) {
  build(A);
  order.clear();
  for (int k = 0; k < columns_; ++k) {
    const int column = leastDegree();
    dequeue(column);
    order.push_back(column);
    eliminate(column);
  }
}

void ColumnOrder::build(const SparseColumns& A) {
  columns_ = A.columns();
  const std::size_t n = columns_;
  clique_.assign(A.rows(), {});
  for (int c = 0; c < columns_; ++c)
    for (const int r : A.rowsOf(c)) ++clique_[r].size;
  int place = 0;
  for (List& clique : clique_) {
    clique.first = place;
    place += clique.size;
    clique.size = 0;
  }
  members_.resize(place);
  cliques_of_.resize(place);
  column_.assign(n, {});
  const int dense = static_cast<int>(std::max(16.0, kDense * std::sqrt(columns_)));
  place = 0;
  for (int c = 0; c < columns_; ++c) {
    for (const int r : A.rowsOf(c)) {
      List& clique = clique_[r];
      members_[clique.first + clique.size++] = c;
    }
  }
  for (int c = 0; c < columns_; ++c) {
    column_[c].first = place;
    for (const int r : A.rowsOf(c))
      if (clique_[r].size <= dense) cliques_of_[place++] = r;
    column_[c].size = place - column_[c].first;
  }
  outside_.assign(clique_.size(), 0);
  outside_mark_.assign(clique_.size(), -1);
  mark_.assign(n, -1);
  stamp_ = 0;
  head_.assign(n + 1, -1);
  next_.assign(n, -1);
  previous_.assign(n, -1);
  degree_.assign(n, 0);
  least_ = 0;
  for (int c = columns_; c-- > 0;) {
    int degree = 0;
    const List list = column_[c];
    for (int k = 0; k < list.size; ++k) degree += clique_[cliques_of_[list.first + k]].size - 1;
    enqueue(c, degree);
  }
}

void ColumnOrder::enqueue(int column, int degree) {
  degree = std::min(degree, columns_);
  degree_[column] = degree;
  const int before = head_[degree];
  next_[column] = before;
  previous_[column] = -1;
  if (before >= 0) previous_[before] = column;
  head_[degree] = column;
  least_ = std::min(least_, degree);
}

void ColumnOrder::dequeue(int column) {
  const int before = previous_[column], after = next_[column];
  if (after >= 0) previous_[after] = before;
  (before >= 0 ? next_[before] : head_[degree_[column]]) = after;
}

int ColumnOrder::leastDegree() {
  while (head_[least_] < 0) ++least_;
  return head_[least_];
}

// Merges the cliques of the column into a new one, which takes the number of the first of them.
void ColumnOrder::eliminate(int column) {
  const List cliques = column_[column];
  if (cliques.size == 0) return;
  ++stamp_;
  mark_[column] = stamp_;
  const int first = static_cast<int>(members_.size());
  for (int k = 0; k < cliques.size; ++k) {
    List& clique = clique_[cliques_of_[cliques.first + k]];
    for (int m = 0; m < clique.size; ++m) {
      const int other = members_[clique.first + m];
      if (mark_[other] == stamp_) continue;
      mark_[other] = stamp_;
      members_.push_back(other);
    }
    clique.size = 0;
  }
  newest_ = cliques_of_[cliques.first];
  clique_[newest_] = {first, static_cast<int>(members_.size()) - first};
  measureOutside();
  updateDegrees();
}

// How many members each clique has beside those of the newest.
void ColumnOrder::measureOutside() {
  const List newest = clique_[newest_];
  for (int m = 0; m < newest.size; ++m) {
    const List list = column_[members_[newest.first + m]];
    for (int k = 0; k < list.size; ++k) {
      const int clique = cliques_of_[list.first + k];
      if (outside_mark_[clique] != stamp_) {
        outside_mark_[clique] = stamp_;
        outside_[clique] = clique_[clique].size;
      }
      --outside_[clique];
    }
  }
}

void ColumnOrder::updateDegrees() {
  const List newest = clique_[newest_];
  for (int m = 0; m < newest.size; ++m) {
    const int column = members_[newest.first + m];
    List& list = column_[column];
    int kept = 0, degree = newest.size - 1;
    for (int k = 0; k < list.size; ++k) {
      const int clique = cliques_of_[list.first + k];
      // Merged ones, and those that lie within the newest, are gone.
      if (clique == newest_ || clique_[clique].size == 0 || outside_[clique] <= 0) continue;
      cliques_of_[list.first + kept++] = clique;
      degree += outside_[clique];
    }
    cliques_of_[list.first + kept++] = newest_;
    list.size = kept;
    dequeue(column);
    enqueue(column, degree);
  }
}

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
  x_.assign(A.rows(), 0.0);
  mark_.assign(A.rows(), -1);
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
  row_count_.assign(A.rows(), 0);
  step_of_.assign(A.rows(), -1);
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
    const int* const rows = L_row_.data();
    if (std::find(rows + first, rows + end, pivot_row) == rows + end) continue;
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
