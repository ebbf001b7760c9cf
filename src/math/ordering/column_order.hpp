// An order of the columns of a sparse matrix that keeps its LU factors sparse whatever rows the
// pivots are taken from: minimum degree on the pattern of A'A, which is never formed.
//
// Every row is a clique of columns. Eliminating a column merges the cliques it is in; the degree of
// a column is estimated as the size of the new clique plus that of what its other cliques have
// outside it (Davis, Gilbert, Larimore & Ng, "A column approximate minimum degree ordering
// algorithm", 2004). The order depends on the pattern alone.
#pragma once

#include <vector>

#include "math/blocks/sparse_columns.hpp"

namespace stickslip {

class ColumnOrder {
 public:
  /// Fills `order` with the columns of A, first to be eliminated first.
  void find(const SparseColumns& A, std::vector<int>& order);

 private:
  void build(const SparseColumns& A);
  void eliminate(int column);
  void measureOutside();
  void updateDegrees();
  void enqueue(int column, int degree);
  void dequeue(int column);
  int leastDegree();

  struct List {
    int first = 0;
    int size = 0;
  };
  int columns_ = 0;
  std::vector<List> column_;  ///< cliques of each column, in cliques_of_
  std::vector<int> cliques_of_;
  std::vector<List> clique_;  ///< columns of each clique, in members_; size 0: merged
  std::vector<int> members_;
  std::vector<int> outside_;       ///< of each clique: members that are not in the newest one
  std::vector<int> outside_mark_;  ///< the elimination that outside_ belongs to
  std::vector<int> mark_;          ///< of each column: the last elimination whose clique it is in
  std::vector<int> degree_;
  std::vector<int> head_, next_, previous_;  ///< lists of columns of equal degree
  int least_ = 0;
  int newest_ = 0;
  int stamp_ = 0;
};

}  // namespace stickslip
