#include "math/separator_refinement.hpp"

#include <algorithm>
#include <limits>

namespace stickslip {
namespace {

constexpr int kPasses = 6;

// Moves without a better separator after which a pass ends.
constexpr int kPatience = 40;

// No side may have more than this share of the weight.
constexpr double kLargestShare = 0.6;

constexpr int kBetween = Separator::kBetween;

// Lighter, or of the same weight and better balanced.
bool isBetter(const int* a, const int* b) {
  if (a[kBetween] != b[kBetween]) return a[kBetween] < b[kBetween];
  return std::max(a[0], a[1]) < std::max(b[0], b[1]);
}

}  // namespace

bool Separator::isBetterThan(const Separator& other) const {
  return isBetter(weight, other.weight);
}

void SeparatorRefinement::refine(const LevelGraph& graph, Separator& separator) {
  const auto n = static_cast<std::size_t>(graph.vertexCount());
  for (auto& pull : pull_) pull.resize(n);
  for (int pass = 0; pass < kPasses; ++pass) {
    moved_.assign(n, 0);
    candidates_.clear();
    for (int v = 0; v < graph.vertexCount(); ++v) {
      if (separator.side[v] != kBetween) continue;
      candidates_.push_back(v);
      sumPull(graph, separator, v);
    }
    if (!improveOnce(graph, separator)) return;
  }
}

// Moves until nothing better has come for a while, then goes back to the best state.
bool SeparatorRefinement::improveOnce(const LevelGraph& graph, Separator& separator) {
  log_.clear();
  int best[3];
  std::copy_n(separator.weight, 3, best);
  std::size_t best_length = 0;
  int vertex = 0, side = 0;
  for (int patience = kPatience; patience > 0 && chooseMove(graph, separator, vertex, side);
       --patience) {
    moveTo(graph, separator, vertex, side);
    if (!isBetter(separator.weight, best)) continue;
    std::copy_n(separator.weight, 3, best);
    best_length = log_.size();
    patience = kPatience;
  }
  for (std::size_t k = log_.size(); k-- > best_length;)
    separator.side[log_[k].vertex] = log_[k].from;
  std::copy_n(best, 3, separator.weight);
  return best_length > 0;
}

void SeparatorRefinement::sumPull(const LevelGraph& graph, const Separator& separator, int vertex) {
  pull_[0][vertex] = pull_[1][vertex] = 0;
  for (const auto& edge : graph.edges(vertex))
    if (const int side = separator.side[edge.to]; side != kBetween)
      pull_[1 - side][vertex] += graph.weightOf(edge.to);
}

bool SeparatorRefinement::chooseMove(const LevelGraph& graph, const Separator& separator,
                                     int& vertex, int& side) const {
  const int most = static_cast<int>(kLargestShare * graph.totalWeight());
  const int(&weight)[3] = separator.weight;
  int best_gain = std::numeric_limits<int>::min();
  // The newest first: of equal moves one that goes on where the last one was.
  for (std::size_t k = candidates_.size(); k-- > 0;) {
    const int v = candidates_[k];
    if (separator.side[v] != kBetween || moved_[v]) continue;
    const int own = graph.weightOf(v);
    for (const int to : {0, 1}) {
      const int gain = own - pull_[to][v];
      if (gain < best_gain || weight[to] + own > std::max(most, weight[1 - to])) continue;
      if (gain == best_gain && weight[to] >= weight[side]) continue;
      best_gain = gain;
      vertex = v;
      side = to;
    }
  }
  return best_gain != std::numeric_limits<int>::min();
}

void SeparatorRefinement::moveTo(const LevelGraph& graph, Separator& separator, int vertex,
                                 int side) {
  moved_[vertex] = 1;
  setSide(graph, separator, vertex, side);
  for (const auto& edge : graph.edges(vertex))
    if (separator.side[edge.to] == 1 - side) setSide(graph, separator, edge.to, kBetween);
}

void SeparatorRefinement::setSide(const LevelGraph& graph, Separator& separator, int vertex,
                                  int side) {
  const int own = graph.weightOf(vertex), from = separator.side[vertex];
  log_.push_back({vertex, separator.side[vertex]});
  separator.weight[from] -= own;
  separator.weight[side] += own;
  separator.side[vertex] = static_cast<char>(side);
  for (const auto& edge : graph.edges(vertex)) {
    if (separator.side[edge.to] != kBetween) continue;
    if (from != kBetween) pull_[1 - from][edge.to] -= own;
    if (side != kBetween) pull_[1 - side][edge.to] += own;
  }
  if (side == kBetween) {
    sumPull(graph, separator, vertex);
    candidates_.push_back(vertex);
  }
}

}  // namespace stickslip
