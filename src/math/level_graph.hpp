// Graphs of the multilevel search for separators: a part of a BlockGraph, and ever coarser pictures
// of it, in which pairs of neighbours have become one vertex.
#pragma once

#include <span>
#include <vector>

#include "math/block_graph.hpp"

namespace stickslip {

class LevelGraph {
 public:
  struct Edge {
    int to;
    int weight;  ///< number of couplings that it stands for
  };

  /// The subgraph of `part`; vertex k is block part[k]. `number` is a workspace, one per block.
  void extract(const BlockGraph& graph, std::span<const int> part, std::vector<int>& number);
  /// A coarser picture of `fine`. Vertices of more than `most_weight` do not grow.
  void coarsen(const LevelGraph& fine, int most_weight);

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
  void matchVertices(const LevelGraph& fine, int most_weight);
  void addEdges(const LevelGraph& fine, int fine_vertex, int vertex);

  int total_weight_ = 0;
  std::vector<int> weights_;
  std::vector<int> first_;
  std::vector<Edge> edges_;
  std::vector<int> coarse_of_;
  std::vector<int> members_;  ///< two fine vertices for each vertex, or one twice
  std::vector<int> by_degree_, place_;
};

}  // namespace stickslip
