// Order of elimination by nested dissection (George 1973): a set of blocks, the separator, cuts the
// graph into two parts that are not coupled; the separator is eliminated last, and the parts are
// cut again until they are small.
//
// The result is a stage for every block, for MinimumDegree, which fills in the rest. In space this
// beats minimum degree alone from a few hundred bodies on; in the plane it hardly ever does.
#pragma once

#include <span>
#include <vector>

#include "math/ordering/block_graph.hpp"

namespace stickslip {

// A small set of blocks whose removal cuts a connected part of a graph into two, about equally
// heavy.
//
// Multilevel: the part is made coarser until few vertices are left, there the best of several
// halves that grow from one vertex each is taken, and on the way back to the part the separator is
// refined on every level (Hendrickson and Leland 1995; Karypis and Kumar 1998).

// Its graphs: a part of a BlockGraph, and ever coarser pictures of it, in which pairs of neighbours
// have become one vertex.
class LevelGraph {
 public:
  struct Edge {
    int to;
    int weight;  ///< number of couplings that it stands for
  };

  /// The subgraph of `part`; vertex k is block part[k]. `number` is a workspace, one per block.
  void extract(const BlockGraph& graph, std::span<const int> part, std::vector<int>& number);
  /// A coarser picture of `fine`, one of many. Vertices of more than `most_weight` do not grow.
  void coarsen(const LevelGraph& fine, int most_weight, int variant);

  int vertexCount() const { return static_cast<int>(weights_.size()); }
  int weightOf(int vertex) const { return weights_[vertex]; }
  int totalWeight() const { return total_weight_; }
  std::span<const Edge> edges(int vertex) const {
    return {edges_.data() + first_[vertex], edges_.data() + first_[vertex + 1]};
  }
  /// Vertex of this graph that holds a vertex of the finer one.
  int coarseOf(int fine_vertex) const { return coarse_of_[fine_vertex]; }

 private:
  int matchOf(const LevelGraph& fine, int vertex, int most_weight) const;
  void matchVertices(const LevelGraph& fine, int most_weight, int variant);
  void addEdges(const LevelGraph& fine, int fine_vertex, int vertex);

  int total_weight_ = 0;
  std::vector<int> weights_;
  std::vector<int> first_;
  std::vector<Edge> edges_;
  std::vector<int> coarse_of_;
  std::vector<int> members_;  ///< two fine vertices for each vertex, or one twice
  std::vector<int> by_degree_, place_;
};

// A separator of a graph: a side for every vertex, such that no edge joins the two sides, and how
// to make it lighter.
//
// Single vertices are moved out of the separator to one side, which pulls their neighbours on the
// other side into it: the best move first, even if it makes the separator heavier for a while, and
// the lightest separator on the way is kept (Fiduccia and Mattheyses 1982; for vertex separators
// Ashcraft and Liu 1995).
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

class VertexSeparator {
 public:
  static constexpr int kSeparator = Separator::kBetween;

  void find(const BlockGraph& graph, std::span<const int> part);

  /// 0 or 1, or kSeparator, for part[k].
  int sideOf(std::size_t k) const { return best_.side[k]; }

 private:
  void search(int variant);
  std::size_t coarsen(int variant);
  void separateCoarsest(const LevelGraph& graph);
  void growHalf(const LevelGraph& graph, int start);
  void project(const LevelGraph& fine, const LevelGraph& coarse);

  std::vector<LevelGraph> levels_;
  std::vector<int> number_;
  SeparatorRefinement refinement_;
  Separator best_, current_, trial_;
  std::vector<int> queue_;
};

class NestedDissection {
 public:
  /// Stage of every block: 0 for blocks in no separator, 1 for those of the last separators, and
  /// so on up to the first.
  void stages(const BlockGraph& graph, std::vector<int>& stages);

 private:
  struct Part {
    int first, end;  ///< in blocks_
    int depth;
  };
  void split(const BlockGraph& graph, Part part);
  void cut(const BlockGraph& graph, Part part);

  std::vector<int> blocks_;  ///< every part is a range of these
  std::vector<int> part_of_;
  std::vector<int> depth_;  ///< of the separator that a block belongs to
  std::vector<Part> todo_;
  std::vector<int> reached_;
  int parts_ = 0;
  VertexSeparator separator_;
};

}  // namespace stickslip
