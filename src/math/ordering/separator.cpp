#include "math/ordering/separator.hpp"

#include <algorithm>
#include <limits>

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

namespace {

constexpr int kPasses = 6;

// Moves without a better separator after which a pass ends.
constexpr int kPatience = 30;

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

namespace {

// The coarsest graph has about this many vertices, and halves grow from this many of them.
constexpr int kCoarsest = 80;
constexpr int kStarts = 8;

// The first separators decide about most of the work: in parts of this many blocks the best of
// several searches is taken.
constexpr int kLargePart = 300;
constexpr int kVariants = 2;

// A level that has more than this share of the vertices of the finer one is not worth its cost.
constexpr double kSlowest = 0.9;

// Heavier vertices would spoil the balance.
constexpr double kHeaviestShare = 1.5 / kCoarsest;

}  // namespace

void VertexSeparator::find(const BlockGraph& graph, std::span<const int> part) {
  if (levels_.empty()) levels_.resize(1);
  levels_[0].extract(graph, part, number_);
  for (Separator* separator : {&best_, &current_, &trial_}) separator->side.reserve(part.size());
  const int variants = static_cast<int>(part.size()) >= kLargePart ? kVariants : 1;
  for (int variant = 0; variant < variants; ++variant) {
    search(variant);
    if (variant == 0 || current_.isBetterThan(best_)) std::swap(current_, best_);
  }
}

void VertexSeparator::search(int variant) {
  const std::size_t last = coarsen(variant);
  separateCoarsest(levels_[last]);
  for (std::size_t level = last; level-- > 0;) {
    project(levels_[level], levels_[level + 1]);
    refinement_.refine(levels_[level], current_);
  }
}

// Returns the number of the coarsest level.
std::size_t VertexSeparator::coarsen(int variant) {
  const int most_weight = static_cast<int>(kHeaviestShare * levels_[0].totalWeight());
  std::size_t level = 0;
  while (levels_[level].vertexCount() > kCoarsest) {
    if (levels_.size() == level + 1) levels_.emplace_back();
    levels_[level + 1].coarsen(levels_[level], most_weight, variant);
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
    if (k == 0 || trial_.isBetterThan(current_)) std::swap(current_, trial_);
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
  trial_.side.resize(fine.vertexCount());
  for (int v = 0; v < fine.vertexCount(); ++v) trial_.side[v] = current_.side[coarse.coarseOf(v)];
  current_.side.swap(trial_.side);
}

}  // namespace stickslip
