// A small set of blocks whose removal cuts a connected part of a graph into two, about equally
// heavy.
//
// Start: the half of the part that is nearest to a block at its rim, by breadth-first search.
// Then single blocks are moved out of the separator, the best one first even if that makes it
// heavier for a while, and the lightest separator on the way is kept (Fiduccia and Mattheyses 1982,
// for vertex separators Ashcraft and Liu 1995). The best of a few starts wins.
#pragma once

#include <span>
#include <vector>

#include "math/block_graph.hpp"

namespace stickslip {

class VertexSeparator {
 public:
  static constexpr int kSeparator = 2;

  void find(const BlockGraph& graph, std::span<const int> part);

  /// 0 or 1, or kSeparator, for the blocks of the last part.
  int sideOf(int block) const { return best_side_[block]; }

 private:
  struct Move {
    int block;
    int from;  ///< side
  };

  int farthestFrom(const BlockGraph& graph, int start);
  void smooth(const BlockGraph& graph);
  void halve(const BlockGraph& graph);
  void refine(const BlockGraph& graph);
  bool improveOnce(const BlockGraph& graph);
  void sumPull(const BlockGraph& graph, int block);
  bool chooseMove(const BlockGraph& graph, int& block, int& side) const;
  void moveTo(const BlockGraph& graph, int block, int side);
  void setSide(const BlockGraph& graph, int block, int side);
  bool isBetter(const int (&a)[3], const int (&b)[3]) const;

  std::span<const int> part_;
  int rows_ = 0;
  std::vector<int> side_, best_side_;
  int weight_[3] = {0, 0, 0};  ///< rows on each side and in the separator
  std::vector<int> queue_;     ///< in the order of breadth-first search
  std::vector<int> distance_;
  std::vector<int> nearest_;  ///< smallest distance to the starts so far
  std::vector<int> pull_[2];  ///< rows that a move to side 0 or 1 would pull into the separator
  std::vector<double> coordinate_, smoothed_;
  std::vector<char> moved_;
  std::vector<int> separator_;  ///< blocks that are or were in it
  std::vector<Move> log_;
};

}  // namespace stickslip
