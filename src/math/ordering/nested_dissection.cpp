#include "math/ordering/nested_dissection.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace stickslip {

namespace {

struct DissectionSettings {
  /// Parts with fewer blocks are left to minimum degree.
  int small_part = 150;

  // The search for a separator.

  /// The coarsest graph has about this many vertices,
  int coarsest = 80;
  /// and halves grow from this many of them.
  int starts = 8;
  /// The first separators decide about most of the work: in parts of this many blocks the best of
  /// so many searches is taken.
  int large_part = 300, variants = 2;
  /// A level that has more than this share of the vertices of the finer one is not worth its cost.
  double slowest = 0.9;
  /// Share of the weight above which a vertex does not grow: heavier ones would spoil the balance.
  double heaviest = 1.5 / 80;

  // Its refinement.

  /// No side may have more than this share of the weight.
  double largest_side = 0.6;
  /// Passes, and moves without a better separator after which a pass ends.
  int passes = 6, patience = 30;
};
constexpr DissectionSettings kDissection{};

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
  number.assign(graph.blockCount(), kUnnumbered);
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
  coarse_of_.assign(n, kUnnumbered);
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
  const std::size_t n = graph.vertexCount();
  for (auto& pull : pull_) pull.resize(n);
  for (int pass = 0; pass < kDissection.passes; ++pass) {
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
  for (int patience = kDissection.patience;
       patience > 0 && chooseMove(graph, separator, vertex, side); --patience) {
    moveTo(graph, separator, vertex, side);
    if (!isBetter(separator.weight, best)) continue;
    std::copy_n(separator.weight, 3, best);
    best_length = log_.size();
    patience = kDissection.patience;
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
  const int most = static_cast<int>(kDissection.largest_side * graph.totalWeight());
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

void VertexSeparator::find(const BlockGraph& graph, std::span<const int> part) {
  if (levels_.empty()) levels_.resize(1);
  levels_[0].extract(graph, part, number_);
  for (Separator* separator : {&best_, &current_, &trial_}) separator->side.reserve(part.size());
  const int variants =
      static_cast<int>(part.size()) >= kDissection.large_part ? kDissection.variants : 1;
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
  const int most_weight = static_cast<int>(kDissection.heaviest * levels_[0].totalWeight());
  std::size_t level = 0;
  while (levels_[level].vertexCount() > kDissection.coarsest) {
    if (levels_.size() == level + 1) levels_.emplace_back();
    levels_[level + 1].coarsen(levels_[level], most_weight, variant);
    const double before = levels_[level].vertexCount(), after = levels_[level + 1].vertexCount();
    if (after > kDissection.slowest * before) break;
    ++level;
  }
  return level;
}

void VertexSeparator::separateCoarsest(const LevelGraph& graph) {
  const int n = graph.vertexCount(), starts = std::min(kDissection.starts, n);
  for (int k = 0; k < starts; ++k) {
    growHalf(graph, k * n / starts);
    refinement_.refine(graph, trial_);
    if (k == 0 || trial_.isBetterThan(current_)) std::swap(current_, trial_);
  }
}

// The half that is nearest to `start`; what touches it of the rest is the separator.
void VertexSeparator::growHalf(const LevelGraph& graph, int start) {
  trial_.side.assign(graph.vertexCount(), 1);
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

namespace {

constexpr int kNoSeparator = -1, kNoPart = -1;

}  // namespace

void NestedDissection::stages(const BlockGraph& graph, std::vector<int>& stages) {
  const std::size_t n = graph.blockCount();
  blocks_.resize(n);
  std::iota(blocks_.begin(), blocks_.end(), 0);
  part_of_.assign(n, 0);
  depth_.assign(n, kNoSeparator);
  parts_ = 1;
  todo_.assign(1, {0, graph.blockCount(), 0});
  while (!todo_.empty()) {
    const Part part = todo_.back();
    todo_.pop_back();
    if (part.end - part.first > kDissection.small_part) split(graph, part);
  }
  const int deepest = n == 0 ? 0 : *std::max_element(depth_.begin(), depth_.end());
  stages.resize(n);
  for (std::size_t b = 0; b < n; ++b)
    stages[b] = depth_[b] == kNoSeparator ? 0 : deepest - depth_[b] + 1;
}

// Components come first, as they need no separator.
void NestedDissection::split(const BlockGraph& graph, Part part) {
  const int number = part_of_[blocks_[part.first]], own_number = parts_++;
  reached_.assign(1, blocks_[part.first]);
  part_of_[blocks_[part.first]] = own_number;
  for (std::size_t k = 0; k < reached_.size(); ++k)
    for (const int b : graph.neighbours(reached_[k]))
      if (part_of_[b] == number) {
        part_of_[b] = own_number;
        reached_.push_back(b);
      }
  const int middle = part.first + static_cast<int>(reached_.size());
  if (middle == part.end) return cut(graph, part);
  int kept = part.end;
  for (int k = part.end; k-- > part.first;)
    if (part_of_[blocks_[k]] == number) blocks_[--kept] = blocks_[k];
  std::copy(reached_.begin(), reached_.end(), blocks_.begin() + part.first);
  todo_.push_back({part.first, middle, part.depth});
  todo_.push_back({middle, part.end, part.depth});
}

void NestedDissection::cut(const BlockGraph& graph, Part part) {
  reached_.assign(blocks_.begin() + part.first, blocks_.begin() + part.end);
  separator_.find(graph, reached_);
  int place = part.first;
  for (const int side : {0, 1}) {
    const int first = place;
    for (std::size_t k = 0; k < reached_.size(); ++k)
      if (separator_.sideOf(k) == side) {
        blocks_[place++] = reached_[k];
        part_of_[reached_[k]] = parts_;
      }
    ++parts_;
    if (place > first) todo_.push_back({first, place, part.depth + 1});
  }
  for (std::size_t k = 0; k < reached_.size(); ++k)
    if (separator_.sideOf(k) == VertexSeparator::kSeparator) {
      depth_[reached_[k]] = part.depth;
      part_of_[reached_[k]] = kNoPart;
    }
}

}  // namespace stickslip
