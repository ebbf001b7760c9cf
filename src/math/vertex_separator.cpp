#include "math/vertex_separator.hpp"

#include <algorithm>

namespace stickslip {
namespace {

// The coarsest graph has about this many vertices, and halves grow from this many of them.
constexpr int kCoarsest = 48;
constexpr int kStarts = 8;

// A level that has more than this share of the vertices of the finer one is not worth its cost.
constexpr double kSlowest = 0.9;

// Heavier vertices would spoil the balance.
constexpr double kHeaviestShare = 1.5 / kCoarsest;

}  // namespace

void VertexSeparator::find(const BlockGraph& graph, std::span<const int> part) {
  if (levels_.empty()) levels_.resize(1);
  levels_[0].extract(graph, part, number_);
  for (Separator* separator : {&best_, &trial_}) separator->side.reserve(part.size());
  const std::size_t last = coarsen();
  separateCoarsest(levels_[last]);
  for (std::size_t level = last; level-- > 0;) {
    project(levels_[level], levels_[level + 1]);
    refinement_.refine(levels_[level], best_);
  }
}

/// Returns the number of the coarsest level.
std::size_t VertexSeparator::coarsen() {
  const int most_weight = static_cast<int>(kHeaviestShare * levels_[0].totalWeight());
  std::size_t level = 0;
  while (levels_[level].vertexCount() > kCoarsest) {
    if (levels_.size() == level + 1) levels_.emplace_back();
    levels_[level + 1].coarsen(levels_[level], most_weight);
    const double before = levels_[level].vertexCount(), after = levels_[level + 1].vertexCount();
    if (after > kSlowest * before) break;
    ++level;
  }
  return level;
}

void VertexSeparator::separateCoarsest(const LevelGraph& graph) {
  const int n = graph.vertexCount(), starts = std::min(kStarts, n);
  for (int k = 0; k < starts; ++k) {
    growHalf(graph, k * n / starts);
    refinement_.refine(graph, trial_);
    if (k == 0 || trial_.isBetterThan(best_)) std::swap(best_, trial_);
  }
}

// The half that is nearest to `start`; what touches it of the rest is the separator.
void VertexSeparator::growHalf(const LevelGraph& graph, int start) {
  trial_.side.assign(static_cast<std::size_t>(graph.vertexCount()), 1);
  std::fill_n(trial_.weight, 3, 0);
  trial_.weight[1] = graph.totalWeight();
  const auto put = [&](int vertex, int side) {
    trial_.weight[static_cast<int>(trial_.side[vertex])] -= graph.weightOf(vertex);
    trial_.weight[side] += graph.weightOf(vertex);
    trial_.side[vertex] = static_cast<char>(side);
  };
  queue_.assign(1, start);
  put(start, kSeparator);
  for (std::size_t k = 0; k < queue_.size() && 2 * trial_.weight[0] < graph.totalWeight(); ++k) {
    put(queue_[k], 0);
    for (const auto& edge : graph.edges(queue_[k]))
      if (trial_.side[edge.to] == 1) {
        put(edge.to, kSeparator);
        queue_.push_back(edge.to);
      }
  }
}

void VertexSeparator::project(const LevelGraph& fine, const LevelGraph& coarse) {
  trial_.side.resize(static_cast<std::size_t>(fine.vertexCount()));
  for (int v = 0; v < fine.vertexCount(); ++v) trial_.side[v] = best_.side[coarse.coarseOf(v)];
  best_.side.swap(trial_.side);
}

}  // namespace stickslip
