#include "math/vertex_separator.hpp"

#include <algorithm>
#include <limits>

namespace stickslip {
namespace {

constexpr int kOutside = 3;
constexpr int kStarts = 4;
constexpr int kPasses = 6;
constexpr int kRounds = 20;

// Moves without a better separator after which a pass ends.
constexpr int kPatience = 40;

// No side may have more than this share of the rows.
constexpr double kLargestShare = 0.62;

}  // namespace

void VertexSeparator::find(const BlockGraph& graph, std::span<const int> part) {
  const auto n = static_cast<std::size_t>(graph.blockCount());
  part_ = part;
  rows_ = 0;
  side_.assign(n, kOutside);
  best_side_.resize(n);
  distance_.resize(n);
  nearest_.assign(n, std::numeric_limits<int>::max());
  coordinate_.resize(n);
  smoothed_.resize(n);
  for (auto& pull : pull_) pull.resize(n);
  moved_.resize(n);
  for (const int b : part) {
    side_[b] = 0;
    rows_ += graph.sizeOf(b);
  }
  int start = farthestFrom(graph, part.front());
  int best[3] = {rows_, 0, rows_};
  for (int trial = 0; trial < kStarts; ++trial) {
    const int opposite = farthestFrom(graph, start);
    for (const int b : part) {
      nearest_[b] = std::min(nearest_[b], distance_[b]);
      coordinate_[b] = distance_[b];
    }
    farthestFrom(graph, opposite);
    for (const int b : part) coordinate_[b] -= distance_[b];
    smooth(graph);
    halve(graph);
    refine(graph);
    if (trial == 0 || isBetter(weight_, best)) {
      std::copy_n(weight_, 3, best);
      for (const int b : part) best_side_[b] = side_[b];
    }
    // First the other end, then what is far from all starts.
    for (const int b : part) nearest_[b] = std::min(nearest_[b], distance_[b]);
    start = *std::max_element(part.begin(), part.end(),
                              [&](int a, int b) { return nearest_[a] < nearest_[b]; });
  }
}

// Breadth-first search; leaves the order in queue_ and the distances in distance_.
int VertexSeparator::farthestFrom(const BlockGraph& graph, int start) {
  for (const int b : part_) distance_[b] = -1;
  queue_.assign(1, start);
  distance_[start] = 0;
  for (std::size_t k = 0; k < queue_.size(); ++k)
    for (const int b : graph.neighbours(queue_[k]))
      if (side_[b] != kOutside && distance_[b] < 0) {
        distance_[b] = distance_[queue_[k]] + 1;
        queue_.push_back(b);
      }
  return queue_.back();
}

// Every block moves to the mean of itself and its neighbours, again and again, which leaves the
// slowest variation over the part: the coordinate along its longest extent.
void VertexSeparator::smooth(const BlockGraph& graph) {
  for (int round = 0; round < kRounds; ++round) {
    for (const int b : part_) {
      double sum = 0, weight = 0;
      for (const int c : graph.neighbours(b)) {
        if (side_[c] == kOutside) continue;
        sum += coordinate_[c];
        weight += 1;
      }
      smoothed_[b] = (coordinate_[b] + sum / weight) / 2;
    }
    coordinate_.swap(smoothed_);
  }
  queue_.assign(part_.begin(), part_.end());
  std::sort(queue_.begin(), queue_.end(), [&](int a, int b) {
    return coordinate_[a] != coordinate_[b] ? coordinate_[a] < coordinate_[b] : a < b;
  });
}

// The first half in the order of the search is side 0; what touches it of the rest separates.
void VertexSeparator::halve(const BlockGraph& graph) {
  std::fill_n(weight_, 3, 0);
  for (const int b : queue_) {
    const int side = 2 * weight_[0] < rows_ ? 0 : 1;
    side_[b] = side;
    weight_[side] += graph.sizeOf(b);
  }
  separator_.clear();
  for (const int b : queue_) {
    if (side_[b] != 1) continue;
    for (const int c : graph.neighbours(b))
      if (side_[c] == 0) {
        side_[b] = kSeparator;
        weight_[1] -= graph.sizeOf(b);
        weight_[kSeparator] += graph.sizeOf(b);
        separator_.push_back(b);
        break;
      }
  }
}

void VertexSeparator::refine(const BlockGraph& graph) {
  for (int pass = 0; pass < kPasses; ++pass) {
    separator_.clear();
    for (const int b : part_) {
      moved_[b] = 0;
      if (side_[b] == kSeparator) {
        separator_.push_back(b);
        sumPull(graph, b);
      }
    }
    if (!improveOnce(graph)) return;
  }
}

// One pass: moves until nothing better has come for a while, then back to the best state.
bool VertexSeparator::improveOnce(const BlockGraph& graph) {
  log_.clear();
  int best[3];
  std::copy_n(weight_, 3, best);
  std::size_t best_length = 0;
  int block = 0, side = 0;
  for (int patience = kPatience; patience > 0 && chooseMove(graph, block, side); --patience) {
    moveTo(graph, block, side);
    if (!isBetter(weight_, best)) continue;
    std::copy_n(weight_, 3, best);
    best_length = log_.size();
    patience = kPatience;
  }
  for (std::size_t k = log_.size(); k-- > best_length;) side_[log_[k].block] = log_[k].from;
  std::copy_n(best, 3, weight_);
  return best_length > 0;
}

void VertexSeparator::sumPull(const BlockGraph& graph, int block) {
  pull_[0][block] = pull_[1][block] = 0;
  for (const int c : graph.neighbours(block))
    if (side_[c] < kSeparator) pull_[1 - side_[c]][block] += graph.sizeOf(c);
}

bool VertexSeparator::chooseMove(const BlockGraph& graph, int& block, int& side) const {
  const int most = static_cast<int>(kLargestShare * rows_);
  int best_gain = std::numeric_limits<int>::min();
  for (const int b : separator_) {
    if (side_[b] != kSeparator || moved_[b]) continue;
    for (const int to : {0, 1}) {
      const int size = graph.sizeOf(b), gain = size - pull_[to][b];
      if (gain < best_gain || weight_[to] + size > std::max(most, weight_[1 - to])) continue;
      // Of equal moves the one to the lighter side.
      if (gain == best_gain && (weight_[to] >= weight_[side] || to == side)) continue;
      best_gain = gain;
      block = b;
      side = to;
    }
  }
  return best_gain != std::numeric_limits<int>::min();
}

void VertexSeparator::moveTo(const BlockGraph& graph, int block, int side) {
  moved_[block] = 1;
  setSide(graph, block, side);
  for (const int c : graph.neighbours(block))
    if (side_[c] == 1 - side) setSide(graph, c, kSeparator);
}

void VertexSeparator::setSide(const BlockGraph& graph, int block, int side) {
  const int size = graph.sizeOf(block), from = side_[block];
  log_.push_back({block, from});
  weight_[from] -= size;
  weight_[side] += size;
  side_[block] = side;
  for (const int c : graph.neighbours(block)) {
    if (side_[c] != kSeparator) continue;
    if (from < kSeparator) pull_[1 - from][c] -= size;
    if (side < kSeparator) pull_[1 - side][c] += size;
  }
  if (side == kSeparator) {
    sumPull(graph, block);
    separator_.push_back(block);
  }
}

bool VertexSeparator::isBetter(const int (&a)[3], const int (&b)[3]) const {
  const int heavier_a = std::max(a[0], a[1]), heavier_b = std::max(b[0], b[1]);
  if (a[kSeparator] != b[kSeparator]) return a[kSeparator] < b[kSeparator];
  return heavier_a < heavier_b;
}

}  // namespace stickslip
