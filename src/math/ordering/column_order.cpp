#include "math/ordering/column_order.hpp"

#include <algorithm>
#include <cmath>

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
  const auto n = at(columns_);
  clique_.assign(at(A.rows()), {});
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

}  // namespace stickslip
