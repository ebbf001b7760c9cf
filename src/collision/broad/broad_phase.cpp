#include "collision/broad/broad_phase.hpp"

#include <algorithm>
#include <bit>
#include <cassert>

#include "base/parallel_for.hpp"

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

// Grows by less than doubling: chunks are many.
void addFound(int box, std::vector<int>& found) {
  if (found.size() == found.capacity()) found.reserve(found.size() + found.size() / 4 + 16);
  found.push_back(box);
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
                           PairList& pairs) {
  assert(bounds.size() == movable.size());
  const Boxes all{bounds, movable};
  for (Chunk& chunk : chunksFor(static_cast<int>(bounds.size()))) chunk.found.clear();
  measure(bounds);
  chooseLevels(bounds);
  separateLarge(bounds);
  sortBoxes(bounds);
  parallelFor(static_cast<int>(boxes_.size()), kBoxGrain,
              [&](int begin, int end) { search(begin, end, all, chunks_[begin / kBoxGrain]); });
  compareLarge(all);
  sortPairs(all, pairs);
}

void BroadPhase::search(int begin, int end, const Boxes& all, Chunk& chunk) {
  for (auto place = static_cast<std::size_t>(begin); place < static_cast<std::size_t>(end);
       ++place) {
    searchOwnLevel(place, all, chunk);
    const int level = places_[boxes_[place]].level;
    for (std::uint64_t coarser = levels_in_use_ >> level >> 1; coarser != 0; coarser &= coarser - 1)
      searchLevel(place, level + 1 + std::countr_zero(coarser), all, chunk);
    compareWithLarge(place, all, chunk);
    found_end_[place] = static_cast<int>(chunk.found.size());
  }
}

// The cells that come before the box's own: those of the layer below, those of the row before, and
// of its own row up to itself.
void BroadPhase::searchOwnLevel(std::size_t place, const Boxes& all, Chunk& chunk) const {
  const Place& own = places_[boxes_[place]];
  const Cell cell = lowerCell(all[boxes_[place]], own.level);
  const std::uint32_t last_x = cell[0] + (own.spans & 1U);
  const std::uint32_t rows = 2 + (own.spans >> 1 & 1U);
  for (std::uint32_t y = 0; y < rows && !flat_; ++y)
    compareInRow(place, {cell[0] - 1, cell[1] - 1 + y, cell[2] - 1}, last_x, own.level, all, chunk);
  compareInRow(place, {cell[0] - 1, cell[1] - 1, cell[2]}, last_x, own.level, all, chunk);
  const auto begin = static_cast<std::size_t>(bucket_start_[own.bucket]);
  compareInRow(place, {cell[0] - 1, cell[1], cell[2]}, cell[0] - 1, own.level, all, chunk);
  compareInRange(place, begin, place, all, chunk);
}

void BroadPhase::searchLevel(std::size_t place, int level, const Boxes& all, Chunk& chunk) const {
  const CellRange cells = cellsOf(all[boxes_[place]], level);
  const auto first_x = static_cast<std::uint32_t>(cells.first[0] - 1);
  const auto last_x = static_cast<std::uint32_t>(cells.last[0]);
  for (std::int64_t z = cells.first[2] - (flat_ ? 0 : 1); z <= cells.last[2]; ++z)
    for (std::int64_t y = cells.first[1] - 1; y <= cells.last[1]; ++y)
      compareInRow(place, {first_x, static_cast<std::uint32_t>(y), static_cast<std::uint32_t>(z)},
                   last_x, level, all, chunk);
}

// Cells along x have neighbouring buckets within a block.
void BroadPhase::compareInRow(std::size_t place, Cell first, std::uint32_t last_x, int level,
                              const Boxes& all, Chunk& chunk) const {
  const std::uint32_t low = flat_ ? 15 : 7;
  for (std::uint32_t left = last_x - first[0] + 1; left > 0;) {
    const std::uint32_t cells = stride_[0] > 0 ? left : std::min(left, low + 1 - (first[0] & low));
    const std::size_t bucket = bucketOf(first, level);
    compareInRange(place, static_cast<std::size_t>(bucket_start_[bucket]),
                   static_cast<std::size_t>(bucket_start_[bucket + cells]), all, chunk);
    first[0] += cells;
    left -= cells;
  }
}

void BroadPhase::compareInRange(std::size_t place, std::size_t begin, std::size_t end,
                                const Boxes& all, Chunk& chunk) const {
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
  const int box = boxes_[place];
  const Bounds& bounds = all[box];
  for (std::size_t k = 0; k < count; ++k) {
    const int other = boxes_[chunk.close[k]];
    if (other != box && overlap(bounds, all[other]) && all.mayPair(box, other))
      addFound(other, chunk.found);
  }
}

void BroadPhase::compareWithLarge(std::size_t place, const Boxes& all, Chunk& chunk) const {
  const PackedBox own = packed_[place];
  const int box = boxes_[place];
  for (std::size_t j = 0; j < large_.size(); ++j)
    if (mayOverlap(own.lower, own.upper, packed_large_[j].lower, packed_large_[j].upper) &&
        overlap(all[box], all[large_[j]]) && all.mayPair(box, large_[j]))
      addFound(large_[j], chunk.found);
}

void BroadPhase::compareLarge(const Boxes& all) {
  large_pairs_.clear();
  for (std::size_t j = 0; j < large_.size(); ++j)
    for (std::size_t i = 0; i < j; ++i)
      if (overlap(all[large_[i]], all[large_[j]]) && all.mayPair(large_[i], large_[j]))
        large_pairs_.push_back({large_[i], large_[j]});
}

template <class Visit>
void BroadPhase::visitFound(const Visit& visit) const {
  constexpr std::size_t kGrain = kBoxGrain;
  for (std::size_t begin = 0; begin < boxes_.size(); begin += kGrain) {
    const int* other = chunks_[begin / kGrain].found.data();
    const int* const first = other;
    for (std::size_t place = begin; place < std::min(begin + kGrain, boxes_.size()); ++place)
      for (; other != first + found_end_[place]; ++other)
        visit(CandidatePair{std::min(boxes_[place], *other), std::max(boxes_[place], *other)});
  }
  for (const CandidatePair& pair : large_pairs_) visit(pair);
}

void BroadPhase::sortPairs(const Boxes& all, PairList& pairs) const {
  pairs.startAnew(static_cast<int>(all.bounds.size()));
  visitFound([&](CandidatePair pair) { pairs.announce(pair); });
  pairs.allot();
  visitFound([&](CandidatePair pair) { pairs.enter(pair); });
  pairs.sort();
  // Two cells in one bucket may make a pair twice.
  if (stride_[0] == 0) pairs.dropRepeated();
}

}  // namespace stickslip
