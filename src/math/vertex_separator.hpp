// A small set of blocks whose removal cuts a connected part of a graph into two, about equally
// heavy.
//
// Multilevel: the part is made coarser until few vertices are left, there the best of several
// halves that grow from one vertex each is taken, and on the way back to the part the separator is
// refined on every level (Hendrickson and Leland 1995; Karypis and Kumar 1998).
#pragma once

#include <span>
#include <vector>

#include "math/separator_refinement.hpp"

namespace stickslip {

class VertexSeparator {
 public:
  static constexpr int kSeparator = Separator::kBetween;

  void find(const BlockGraph& graph, std::span<const int> part);

  /// 0 or 1, or kSeparator, for part[k].
  int sideOf(std::size_t k) const { return best_.side[k]; }

 private:
  std::size_t coarsen();
  void separateCoarsest(const LevelGraph& graph);
  void growHalf(const LevelGraph& graph, int start);
  void project(const LevelGraph& fine, const LevelGraph& coarse);

  std::vector<LevelGraph> levels_;
  std::vector<int> number_;
  SeparatorRefinement refinement_;
  Separator best_, trial_;
  std::vector<int> queue_;
};

}  // namespace stickslip
