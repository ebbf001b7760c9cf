// Order of elimination that keeps fill low: approximate minimum degree.
//
// The graph of what is left is kept as a quotient graph: an eliminated block becomes an element,
// the set of blocks that it couples. Next comes the block with the least (upper bound of the)
// number of rows that it would couple; blocks that have become indistinguishable are eliminated as
// one, and elements that lie within the newest one are absorbed by it (Amestoy, Davis and Duff
// 1996). Degrees count rows, not blocks.
//
// Stages constrain the order, which is all that nested dissection needs: its separators get a later
// stage than the parts they separate, and within a stage the degree decides.
#pragma once

#include <span>
#include <vector>

#include "math/ordering/block_graph.hpp"

namespace stickslip {

class MinimumDegree {
 public:
  /// order[k] becomes the block that is eliminated as number k. Blocks of a lower stage come
  /// first; stages are 0 ... max, one per block.
  void order(const BlockGraph& graph, std::span<const int> stages, std::vector<int>& order);

 private:
  void start(const BlockGraph& graph, std::span<const int> stages);
  void enterStage();
  int takeLowest();
  void insert(int i);
  void remove(int i);

  void eliminate(int p);
  void gather(int p);
  void take(int i);
  void measureElements(int p);
  void updateVariable(int i, int p);
  void pruneList(int i, int p, int& degree, unsigned& hash);
  void mergeIndistinguishable();
  bool sameList(int i, int j) const;
  void mergeInto(int i, int j);
  void finishElement(int p);
  void emit(int p, std::vector<int>& order);

  int blocks_ = 0;
  int stage_ = 0;
  int rows_left_ = 0;     ///< rows not eliminated
  int blocks_left_ = 0;   ///< blocks not eliminated
  int lowest_ = 0;        ///< no block in the lists has a lower degree
  int stamp_ = 0;         ///< tells marks of this elimination from older ones
  int element_rows_ = 0;  ///< rows of the element in the making
  std::vector<int> stages_;
  std::vector<int> weight_;  ///< rows of a block and those merged into it; 0: no longer there
  std::vector<int> degree_;
  // Lists of a block: elements, then blocks. List of an element: blocks.
  std::vector<int> pool_, first_, elements_, length_;
  std::vector<int> element_weight_;  ///< rows of an element; 0: absorbed, or none yet
  std::vector<int> outside_, outside_stamp_;
  std::vector<int> mark_;
  std::vector<int> head_, next_, previous_;        ///< lists by degree
  std::vector<int> next_member_, last_member_;     ///< blocks that are eliminated together
  std::vector<int> bucket_, hash_next_, touched_;  ///< blocks with lists of the same hash
};

}  // namespace stickslip
