#include "collision/broad_phase.hpp"

#include <algorithm>
#include <bit>
#include <cassert>

#include "parallel/parallel_for.hpp"

namespace stickslip {
namespace {

// What a chunk makes room for: pairs for each of its boxes, and boxes that are close to one.
constexpr std::size_t kPairsPerBox = 8;
constexpr std::size_t kCloseBoxes = 64;
constexpr std::uint64_t kGuards =
    std::uint64_t{1} << 20 | std::uint64_t{1} << 41 | std::uint64_t{1} << 62;

// Of packed boxes. A guard bit that is lost tells that the number below it became negative.
bool mayOverlap(std::uint64_t lower_a, std::uint64_t upper_a, std::uint64_t lower_b,
                std::uint64_t upper_b) {
  return (((upper_a | kGuards) - lower_b) & ((upper_b | kGuards) - lower_a) & kGuards) == kGuards;
}

void addPair(int i, int j, std::span<const char> movable, std::vector<CandidatePair>& pairs) {
  if (movable[static_cast<std::size_t>(i)] || movable[static_cast<std::size_t>(j)])
    pairs.push_back({std::min(i, j), std::max(i, j)});
}

}  // namespace

std::span<BroadPhase::Chunk> BroadPhase::chunksFor(int count) {
  const auto n = static_cast<std::size_t>(chunkCount(count, kBoxGrain));
  while (chunks_.size() < n) {
    chunks_.emplace_back().found.reserve(kPairsPerBox * kBoxGrain);
    chunks_.back().close.resize(kCloseBoxes);
  }
  return std::span(chunks_).first(n);
}

void BroadPhase::findPairs(std::span<const Bounds> bounds, std::span<const char> movable,
                           std::vector<CandidatePair>& pairs) {
  assert(bounds.size() == movable.size());
  for (Chunk& chunk : chunksFor(static_cast<int>(bounds.size()))) chunk.found.clear();
  measure(bounds);
  chooseLevels(bounds);
  separateLarge(bounds);
  sortBoxes(bounds);
  parallelFor(static_cast<int>(boxes_.size()), kBoxGrain, [&](int begin, int end) {
    search(begin, end, movable, chunks_[static_cast<std::size_t>(begin / kBoxGrain)]);
  });
  if (!bounds.empty()) compareLarge(movable, chunks_[0]);
  sortPairs(bounds.size(), pairs);
}

void BroadPhase::search(int begin, int end, std::span<const char> movable, Chunk& chunk) const {
  for (auto place = static_cast<std::size_t>(begin); place < static_cast<std::size_t>(end);
       ++place) {
    searchOwnLevel(place, movable, chunk);
    const int level = places_[static_cast<std::size_t>(boxes_[place].index)].level;
    for (std::uint64_t coarser = levels_in_use_ >> level >> 1; coarser != 0; coarser &= coarser - 1)
      searchLevel(place, level + 1 + std::countr_zero(coarser), movable, chunk);
    compareWithLarge(place, movable, chunk);
  }
}

// The cells that come before the box's own: those of the layer below, those of the row before, and
// of its own row up to itself.
void BroadPhase::searchOwnLevel(std::size_t place, std::span<const char> movable,
                                Chunk& chunk) const {
  const Place& own = places_[static_cast<std::size_t>(boxes_[place].index)];
  const Cell cell = own.lower;
  const std::uint32_t last_x = cell[0] + (own.spans & 1U);
  const std::uint32_t rows = 2 + (own.spans >> 1 & 1U);
  for (std::uint32_t y = 0; y < rows && !flat_; ++y)
    compareInRow(place, {cell[0] - 1, cell[1] - 1 + y, cell[2] - 1}, last_x, own.level, movable,
                 chunk);
  compareInRow(place, {cell[0] - 1, cell[1] - 1, cell[2]}, last_x, own.level, movable, chunk);
  const auto begin = static_cast<std::size_t>(bucket_start_[own.bucket]);
  compareInRow(place, {cell[0] - 1, cell[1], cell[2]}, cell[0] - 1, own.level, movable, chunk);
  compareInRange(place, begin, place, movable, chunk);
}

void BroadPhase::searchLevel(std::size_t place, int level, std::span<const char> movable,
                             Chunk& chunk) const {
  const CellRange cells = cellsOf(boxes_[place].bounds, level);
  const auto first_x = static_cast<std::uint32_t>(cells.first[0] - 1);
  const auto last_x = static_cast<std::uint32_t>(cells.last[0]);
  for (std::int64_t z = cells.first[2] - (flat_ ? 0 : 1); z <= cells.last[2]; ++z)
    for (std::int64_t y = cells.first[1] - 1; y <= cells.last[1]; ++y)
      compareInRow(place, {first_x, static_cast<std::uint32_t>(y), static_cast<std::uint32_t>(z)},
                   last_x, level, movable, chunk);
}

// Cells along x have neighbouring buckets within a block.
void BroadPhase::compareInRow(std::size_t place, Cell first, std::uint32_t last_x, int level,
                              std::span<const char> movable, Chunk& chunk) const {
  const std::uint32_t low = flat_ ? 15 : 7;
  for (std::uint32_t left = last_x - first[0] + 1; left > 0;) {
    const std::uint32_t cells = stride_[0] > 0 ? left : std::min(left, low + 1 - (first[0] & low));
    const std::size_t bucket = bucketOf(first, level);
    compareInRange(place, static_cast<std::size_t>(bucket_start_[bucket]),
                   static_cast<std::size_t>(bucket_start_[bucket + cells]), movable, chunk);
    first[0] += cells;
    left -= cells;
  }
}

void BroadPhase::compareInRange(std::size_t place, std::size_t begin, std::size_t end,
                                std::span<const char> movable, Chunk& chunk) const {
  const PackedBox own = packed_[place];
  // Few of many pass, and which cannot be predicted: written always, counted only if they do.
  if (chunk.close.size() < end - begin) chunk.close.resize(end - begin);
  std::size_t count = 0;
  for (std::size_t k = begin; k < end; ++k) {
    const PackedBox other = packed_[k];
    // A guard bit that is lost tells that the number below it became negative.
    const std::uint64_t both =
        ((own.upper | kGuards) - other.lower) & ((other.upper | kGuards) - own.lower) & kGuards;
    chunk.close[count] = static_cast<int>(k);
    count += both == kGuards;
  }
  const GridBox& box = boxes_[place];
  for (std::size_t k = 0; k < count; ++k) {
    const auto other = static_cast<std::size_t>(chunk.close[k]);
    if (other != place && overlap(box.bounds, boxes_[other].bounds))
      addPair(box.index, boxes_[other].index, movable, chunk.found);
  }
}

void BroadPhase::compareWithLarge(std::size_t place, std::span<const char> movable,
                                  Chunk& chunk) const {
  const PackedBox own = packed_[place];
  const GridBox& box = boxes_[place];
  for (std::size_t j = 0; j < large_.size(); ++j)
    if (mayOverlap(own.lower, own.upper, packed_large_[j].lower, packed_large_[j].upper) &&
        overlap(box.bounds, large_[j].bounds))
      addPair(box.index, large_[j].index, movable, chunk.found);
}

void BroadPhase::compareLarge(std::span<const char> movable, Chunk& chunk) const {
  for (std::size_t i = 0; i < large_.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (overlap(large_[i].bounds, large_[j].bounds))
        addPair(large_[i].index, large_[j].index, movable, chunk.found);
}

// Counting sort by a, then each a's few by b.
void BroadPhase::sortPairs(std::size_t boxes, std::vector<CandidatePair>& pairs) {
  start_.assign(boxes + 2, 0);
  std::size_t count = 0;
  const std::span<Chunk> chunks = chunksFor(static_cast<int>(boxes));
  for (const Chunk& chunk : chunks) {
    count += chunk.found.size();
    for (const CandidatePair& p : chunk.found) ++start_[static_cast<std::size_t>(p.a) + 2];
  }
  accumulateCounts(start_);
  pairs.resize(count);
  for (const Chunk& chunk : chunks)
    for (const CandidatePair& p : chunk.found)
      pairs[static_cast<std::size_t>(start_[static_cast<std::size_t>(p.a) + 1]++)] = p;
  parallelFor(static_cast<int>(boxes), kBoxGrain, [&](int begin, int end) {
    for (auto a = static_cast<std::size_t>(begin); a < static_cast<std::size_t>(end); ++a)
      std::sort(pairs.begin() + start_[a], pairs.begin() + start_[a + 1],
                [](const CandidatePair& p, const CandidatePair& q) { return p.b < q.b; });
  });
  // Twice the same pair: two cells in one bucket.
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
}

}  // namespace stickslip
