#include "math/column_order.hpp"

#include <algorithm>
#include <cmath>

#include "math/index.hpp"

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
    for (const int r : A.rowsOf(c)) ++clique_[at(r)].size;
  int place = 0;
  for (List& clique : clique_) {
    clique.first = place;
    place += clique.size;
    clique.size = 0;
  }
  members_.resize(at(place));
  cliques_of_.resize(at(place));
  column_.assign(n, {});
  const int dense = static_cast<int>(std::max(16.0, kDense * std::sqrt(columns_)));
  place = 0;
  for (int c = 0; c < columns_; ++c) {
    for (const int r : A.rowsOf(c)) {
      List& clique = clique_[at(r)];
      members_[at(clique.first + clique.size++)] = c;
    }
  }
  for (int c = 0; c < columns_; ++c) {
    column_[at(c)].first = place;
    for (const int r : A.rowsOf(c))
      if (clique_[at(r)].size <= dense) cliques_of_[at(place++)] = r;
    column_[at(c)].size = place - column_[at(c)].first;
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
    const List list = column_[at(c)];
    for (int k = 0; k < list.size; ++k)
      degree += clique_[at(cliques_of_[at(list.first + k)])].size - 1;
    enqueue(c, degree);
  }
}

void ColumnOrder::enqueue(int column, int degree) {
  degree = std::min(degree, columns_);
  degree_[at(column)] = degree;
  const int before = head_[at(degree)];
  next_[at(column)] = before;
  previous_[at(column)] = -1;
  if (before >= 0) previous_[at(before)] = column;
  head_[at(degree)] = column;
  least_ = std::min(least_, degree);
}

void ColumnOrder::dequeue(int column) {
  const int before = previous_[at(column)], after = next_[at(column)];
  if (after >= 0) previous_[at(after)] = before;
  (before >= 0 ? next_[at(before)] : head_[at(degree_[at(column)])]) = after;
}

int ColumnOrder::leastDegree() {
  while (head_[at(least_)] < 0) ++least_;
  return head_[at(least_)];
}

// Merges the cliques of the column into a new one, which takes the number of the first of them.
void ColumnOrder::eliminate(int column) {
  const List cliques = column_[at(column)];
  if (cliques.size == 0) return;
  ++stamp_;
  mark_[at(column)] = stamp_;
  const int first = static_cast<int>(members_.size());
  for (int k = 0; k < cliques.size; ++k) {
    List& clique = clique_[at(cliques_of_[at(cliques.first + k)])];
    for (int m = 0; m < clique.size; ++m) {
      const int other = members_[at(clique.first + m)];
      if (mark_[at(other)] == stamp_) continue;
      mark_[at(other)] = stamp_;
      members_.push_back(other);
    }
    clique.size = 0;
  }
  newest_ = cliques_of_[at(cliques.first)];
  clique_[at(newest_)] = {first, static_cast<int>(members_.size()) - first};
  measureOutside();
  updateDegrees();
}

// How many members each clique has beside those of the newest.
void ColumnOrder::measureOutside() {
  const List newest = clique_[at(newest_)];
  for (int m = 0; m < newest.size; ++m) {
    const List list = column_[at(members_[at(newest.first + m)])];
    for (int k = 0; k < list.size; ++k) {
      const int clique = cliques_of_[at(list.first + k)];
      if (outside_mark_[at(clique)] != stamp_) {
        outside_mark_[at(clique)] = stamp_;
        outside_[at(clique)] = clique_[at(clique)].size;
      }
      --outside_[at(clique)];
    }
  }
}

void ColumnOrder::updateDegrees() {
  const List newest = clique_[at(newest_)];
  for (int m = 0; m < newest.size; ++m) {
    const int column = members_[at(newest.first + m)];
    List& list = column_[at(column)];
    int kept = 0, degree = newest.size - 1;
    for (int k = 0; k < list.size; ++k) {
      const int clique = cliques_of_[at(list.first + k)];
      // Merged ones, and those that lie within the newest, are gone.
      if (clique == newest_ || clique_[at(clique)].size == 0 || outside_[at(clique)] <= 0) continue;
      cliques_of_[at(list.first + kept++)] = clique;
      degree += outside_[at(clique)];
    }
    cliques_of_[at(list.first + kept++)] = newest_;
    list.size = kept;
    dequeue(column);
    enqueue(column, degree);
  }
}

}  // namespace stickslip
