// A separator of a graph: a side for every vertex, such that no edge joins the two sides, and how
// to make it lighter.
//
// Single vertices are moved out of the separator to one side, which pulls their neighbours on the
// other side into it: the best move first, even if it makes the separator heavier for a while, and
// the lightest separator on the way is kept (Fiduccia and Mattheyses 1982; for vertex separators
// Ashcraft and Liu 1995).
#pragma once

#include <vector>

#include "math/level_graph.hpp"

namespace stickslip {

struct Separator {
  static constexpr int kBetween = 2;

  std::vector<char> side;     ///< of every vertex: 0, 1 or kBetween
  int weight[3] = {0, 0, 0};  ///< of the sides and of the separator itself
  bool isBetterThan(const Separator& other) const;
};

class SeparatorRefinement {
 public:
  void refine(const LevelGraph& graph, Separator& separator);

 private:
  struct Move {
    int vertex;
    char from;  ///< side
  };

  bool improveOnce(const LevelGraph& graph, Separator& separator);
  void sumPull(const LevelGraph& graph, const Separator& separator, int vertex);
  bool chooseMove(const LevelGraph& graph, const Separator& separator, int& vertex,
                  int& side) const;
  void moveTo(const LevelGraph& graph, Separator& separator, int vertex, int side);
  void setSide(const LevelGraph& graph, Separator& separator, int vertex, int side);

  std::vector<int> pull_[2];  ///< weight that a move to side 0 or 1 would pull into the separator
  std::vector<char> moved_;
  std::vector<int> candidates_;  ///< vertices that are or were in the separator
  std::vector<Move> log_;
};

}  // namespace stickslip
