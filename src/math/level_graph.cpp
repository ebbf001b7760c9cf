#include "math/level_graph.hpp"

#include <algorithm>

namespace stickslip {
namespace {

constexpr int kUnnumbered = -1;

// A different order of the numbers for every variant, with no pattern in it (one to one).
unsigned scramble(int number, int variant) {
  unsigned x = static_cast<unsigned>(number) + 0x9e3779b9u * static_cast<unsigned>(variant);
  x = (x ^ (x >> 16)) * 0x85ebca6bu;
  x = (x ^ (x >> 13)) * 0xc2b2ae35u;
  return x ^ (x >> 16);
}

}  // namespace

void LevelGraph::extract(const BlockGraph& graph, std::span<const int> part,
                         std::vector<int>& number) {
  number.assign(static_cast<std::size_t>(graph.blockCount()), kUnnumbered);
  for (std::size_t k = 0; k < part.size(); ++k) number[part[k]] = static_cast<int>(k);
  weights_.clear();
  edges_.clear();
  first_.assign(1, 0);
  total_weight_ = 0;
  for (const int block : part) {
    weights_.push_back(graph.sizeOf(block));
    total_weight_ += weights_.back();
    for (const int neighbour : graph.neighbours(block))
      if (number[neighbour] != kUnnumbered) edges_.push_back({number[neighbour], 1});
    first_.push_back(static_cast<int>(edges_.size()));
  }
}

void LevelGraph::coarsen(const LevelGraph& fine, int most_weight, int variant) {
  matchVertices(fine, most_weight, variant);
  total_weight_ = fine.total_weight_;
  edges_.clear();
  first_.assign(1, 0);
  place_.assign(weights_.size(), kUnnumbered);
  for (int v = 0; v < vertexCount(); ++v) {
    addEdges(fine, members_[2 * v], v);
    if (members_[2 * v + 1] != members_[2 * v]) addEdges(fine, members_[2 * v + 1], v);
    first_.push_back(static_cast<int>(edges_.size()));
  }
}

// Heavy edges first (Karypis and Kumar 1998), from vertices with few neighbours on, as these find a
// partner the hardest; equal ones in an order that depends on the variant.
void LevelGraph::matchVertices(const LevelGraph& fine, int most_weight, int variant) {
  const int n = fine.vertexCount();
  by_degree_.clear();
  for (int v = 0; v < n; ++v) by_degree_.push_back(v);
  std::sort(by_degree_.begin(), by_degree_.end(), [&](int a, int b) {
    const auto edges_a = fine.edges(a).size(), edges_b = fine.edges(b).size();
    return edges_a != edges_b ? edges_a < edges_b : scramble(a, variant) < scramble(b, variant);
  });
  coarse_of_.assign(static_cast<std::size_t>(n), kUnnumbered);
  weights_.clear();
  members_.clear();
  for (const int v : by_degree_) {
    if (coarse_of_[v] != kUnnumbered) continue;
    const int partner = matchOf(fine, v, most_weight);
    coarse_of_[v] = coarse_of_[partner] = vertexCount();
    weights_.push_back(partner == v ? fine.weightOf(v) : fine.weightOf(v) + fine.weightOf(partner));
    members_.push_back(v);
    members_.push_back(partner);
  }
}

int LevelGraph::matchOf(const LevelGraph& fine, int vertex, int most_weight) const {
  int best = vertex, best_weight = 0;
  for (const Edge& edge : fine.edges(vertex)) {
    if (coarse_of_[edge.to] != kUnnumbered) continue;
    if (fine.weightOf(vertex) + fine.weightOf(edge.to) > most_weight) continue;
    if (edge.weight < best_weight) continue;
    if (edge.weight == best_weight && fine.weightOf(edge.to) >= fine.weightOf(best)) continue;
    best = edge.to;
    best_weight = edge.weight;
  }
  return best;
}

void LevelGraph::addEdges(const LevelGraph& fine, int fine_vertex, int vertex) {
  const int start = first_[vertex];
  for (const Edge& edge : fine.edges(fine_vertex)) {
    const int to = coarse_of_[edge.to];
    if (to == vertex) continue;
    // place_ holds where the edge to a vertex is, if it is one of this vertex.
    if (place_[to] >= start) {
      edges_[place_[to]].weight += edge.weight;
    } else {
      place_[to] = static_cast<int>(edges_.size());
      edges_.push_back({to, edge.weight});
    }
  }
}

}  // namespace stickslip
