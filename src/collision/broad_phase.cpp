#include "collision/broad_phase.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <limits>

#include "parallel/parallel_for.hpp"

namespace stickslip {
namespace {

constexpr int kGrain = 256;
// What a chunk makes room for.
constexpr std::size_t kPairsPerChunk = 8 * kGrain;
constexpr std::size_t kCloseBoxes = 64;
// Cells of the finest level along the whole of the scene: 2^kFinestBits at most, so indices fit.
constexpr int kFinestBits = 44;
constexpr int kPackedBits = 20;
constexpr double kMostUnits = (1 << kPackedBits) - 1;
constexpr std::uint64_t kGuards =
    std::uint64_t{1} << 20 | std::uint64_t{1} << 41 | std::uint64_t{1} << 62;
// So many boxes of the coarsest levels are better compared with everything.
constexpr int kFewLarge = 12;
// Buckets per box: most are empty or have one cell.
constexpr std::size_t kBucketsPerBox = 4;
constexpr std::size_t kLeastBuckets = 512;
// Coordinates beyond this count as infinite: differences and sizes stay finite below.
constexpr double kUnbounded = std::numeric_limits<double>::max() / 8;

bool isBounded(const Bounds& box) {
  for (int i = 0; i < 3; ++i) {
    assert(box.lower[i] <= box.upper[i] && "no NaN, no box inside out");
    if (!(box.lower[i] >= -kUnbounded && box.upper[i] <= kUnbounded)) return false;
  }
  return true;
}

double sizeOf(const Bounds& box) {
  const Vec3 size = box.upper - box.lower;
  return std::max({size.x, size.y, size.z});
}

// Without short cuts: branches that cannot be predicted cost more than comparisons.
bool overlap(const Bounds& a, const Bounds& b) {
  return (a.lower.x <= b.upper.x) & (b.lower.x <= a.upper.x) & (a.lower.y <= b.upper.y) &
         (b.lower.y <= a.upper.y) & (a.lower.z <= b.upper.z) & (b.lower.z <= a.upper.z);
}

// The least e with x < 2^e; x > 0.
int exponentAbove(double x) {
  int exponent = 0;
  std::frexp(x, &exponent);
  return exponent;
}

// The factors of x 2^e.
std::array<double, 2> factorsOf(double x, int e) {
  return {std::ldexp(1.0, e / 2), std::ldexp(x, e - e / 2)};
}

// Mixes all bits into all bits: the finishing steps of MurmurHash3.
std::uint64_t mixed(std::uint64_t h) {
  h = (h ^ (h >> 33)) * 0xff51afd7ed558ccdu;
  h = (h ^ (h >> 33)) * 0xc4ceb9fe1a85ec53u;
  return h ^ (h >> 33);
}

// From counts in start[key + 1] to the place where each key begins.
void accumulate(std::vector<int>& start) {
  for (std::size_t k = 1; k < start.size(); ++k) start[k] += start[k - 1];
}

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

void BroadPhase::reserve(std::size_t pairs) {
  chunksFor(1)[0].found.reserve(pairs);
}

std::span<BroadPhase::Chunk> BroadPhase::chunksFor(int count) {
  const auto n = static_cast<std::size_t>(chunkCount(count, kGrain));
  while (chunks_.size() < n) {
    chunks_.emplace_back().found.reserve(kPairsPerChunk);
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
  parallelFor(static_cast<int>(boxes_.size()), kGrain, [&](int begin, int end) {
    search(begin, end, movable, chunks_[static_cast<std::size_t>(begin / kGrain)]);
  });
  if (!bounds.empty()) compareLarge(movable, chunks_[0]);
  sortPairs(bounds.size(), pairs);
}

void BroadPhase::Measures::add(const Measures& other) {
  for (int i = 0; i < 3; ++i) {
    all.lower[i] = std::min(all.lower[i], other.all.lower[i]);
    all.upper[i] = std::max(all.upper[i], other.all.upper[i]);
  }
  smallest = std::min(smallest, other.smallest);
  for (std::size_t k = 0; k < phases.size(); ++k) phases[k] += other.phases[k];
}

void BroadPhase::measure(std::span<const Bounds> bounds) {
  constexpr double kMost = std::numeric_limits<double>::max();
  const Measures none{{{kMost, kMost, kMost}, {-kMost, -kMost, -kMost}}, kMost, {}};
  places_.resize(bounds.size());
  parallelFor(static_cast<int>(bounds.size()), kGrain, [&](int begin, int end) {
    Measures part = none;
    for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i) {
      places_[i].level = isBounded(bounds[i]) ? 0 : -1;
      if (places_[i].level < 0) continue;
      for (int k = 0; k < 3; ++k) {
        part.all.lower[k] = std::min(part.all.lower[k], bounds[i].lower[k]);
        part.all.upper[k] = std::max(part.all.upper[k], bounds[i].upper[k]);
      }
      const double size = sizeOf(bounds[i]);
      if (!(size > 0)) continue;
      part.smallest = std::min(part.smallest, size);
      // The first three bits after the leading one.
      ++part.phases[std::bit_cast<std::uint64_t>(size) >> 49 & 7];
    }
    chunks_[static_cast<std::size_t>(begin / kGrain)].measures = part;
  });
  Measures all = none;
  for (const Chunk& chunk : chunksFor(static_cast<int>(bounds.size()))) all.add(chunk.measures);
  chooseCells(all);
}

// Cells of (1 + j / 8) 2^e: of the eight j the one that makes cells least larger than boxes.
void BroadPhase::chooseCells(const Measures& measures) {
  if (!(measures.all.lower.x <= measures.all.upper.x)) return;  // nothing is bounded
  all_ = measures.all;
  extent_ = sizeOf(measures.all);
  flat_ = measures.all.lower.z == measures.all.upper.z;
  const int dimensions = flat_ ? 2 : 3;
  double best = std::numeric_limits<double>::infinity(), mantissa = 1;
  for (int j = 1; j <= 8; ++j) {
    double work = 0;
    for (int p = 0; p < 8; ++p) {
      const double ratio = (8.0 + j) / (8.5 + p) * (p < j ? 1 : 2);
      work += measures.phases[static_cast<std::size_t>(p)] * std::pow(ratio, dimensions);
    }
    if (work >= best) continue;
    best = work;
    mantissa = 1 + j / 8.0;
  }
  const int extent_bits = extent_ > 0 ? exponentAbove(extent_) : 0;
  int exponent = extent_bits - kFinestBits;
  if (measures.smallest < std::numeric_limits<double>::max()) {
    const int e = exponentAbove(measures.smallest) - 1;
    exponent = std::max(exponent, std::ldexp(mantissa, e) > measures.smallest ? e : e + 1);
  }
  per_cell_ = factorsOf(1 / mantissa, -exponent);
  per_unit_ = factorsOf(1, kPackedBits - extent_bits);
}

BroadPhase::CellRange BroadPhase::cellsOf(const Bounds& box, int level) const {
  CellRange cells;
  // Rounding is monotone, so boxes that overlap share a cell.
  for (int i = 0; i < 3; ++i) {
    const auto k = static_cast<std::size_t>(i);
    const double first = (box.lower[i] - all_.lower[i]) * per_cell_[0] * per_cell_[1];
    const double last = (box.upper[i] - all_.lower[i]) * per_cell_[0] * per_cell_[1];
    cells.first[k] = static_cast<std::int64_t>(first) >> level;
    cells.last[k] = static_cast<std::int64_t>(last) >> level;
  }
  return cells;
}

void BroadPhase::chooseLevels(std::span<const Bounds> bounds) {
  parallelFor(static_cast<int>(bounds.size()), kGrain, [&](int begin, int end) {
    for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i) {
      Place& place = places_[i];
      if (place.level < 0) continue;
      const double size = sizeOf(bounds[i]) * per_cell_[0] * per_cell_[1];
      int level = size < 1 ? 0 : exponentAbove(size);
      // Two cells along each axis at most, whatever rounding does.
      const CellRange cells = cellsOf(bounds[i], 0);
      for (std::size_t k = 0; k < 3; ++k)
        while ((cells.last[k] >> level) - (cells.first[k] >> level) > 1) ++level;
      place.level = static_cast<std::int8_t>(level);
      place.spans = 0;
      for (std::size_t k = 0; k < 3; ++k) {
        place.lower[k] = static_cast<std::uint32_t>(cells.first[k] >> level);
        const bool reaches = cells.last[k] >> level != cells.first[k] >> level;
        place.spans = static_cast<std::uint8_t>(place.spans | (reaches ? 1U << k : 0U));
      }
    }
  });
}

// The unbounded ones, and the coarsest levels while they are few.
void BroadPhase::separateLarge(std::span<const Bounds> bounds) {
  std::array<int, 64> count{};
  for (const Place& place : places_)
    if (place.level >= 0) ++count[static_cast<std::size_t>(place.level)];
  int finest_large = 64, large = 0;
  while (finest_large > 0 && large + count[static_cast<std::size_t>(finest_large) - 1] <= kFewLarge)
    large += count[static_cast<std::size_t>(--finest_large)];
  levels_in_use_ = 0;
  large_.clear();
  packed_large_.clear();
  for (std::size_t i = 0; i < bounds.size(); ++i) {
    std::int8_t& level = places_[i].level;
    if (level >= finest_large) level = -1;
    if (level >= 0) {
      levels_in_use_ |= std::uint64_t{1} << level;
      continue;
    }
    large_.push_back({bounds[i], static_cast<int>(i)});
    packed_large_.push_back(packed(bounds[i]));
  }
}

// Every cell of the scene has its own bucket if there is one level and cells are not many more than
// boxes; a layer of empty ones all around saves asking where the scene ends.
void BroadPhase::sizeTable() {
  std::size_t buckets =
      std::bit_ceil(std::max(kBucketsPerBox * (places_.size() - large_.size()), kLeastBuckets));
  bucket_mask_ = static_cast<std::uint32_t>(buckets - 1);
  stride_ = {};
  if (std::has_single_bit(levels_in_use_)) {
    const CellRange all = cellsOf(all_, std::countr_zero(levels_in_use_));
    double cells = 1;
    for (std::size_t k = 0; k < 3; ++k) cells *= static_cast<double>(all.last[k]) + 3;
    if (cells <= static_cast<double>(2 * buckets)) {
      stride_[0] = static_cast<std::uint32_t>(all.last[0]) + 3;
      stride_[1] = stride_[0] * (static_cast<std::uint32_t>(all.last[1]) + 3);
      buckets = static_cast<std::size_t>(cells);
    }
  }
  bucket_start_.assign(buckets + 2, 0);
}

// The low bits tell the cell inside a block, so that blocks stay together in the table.
std::uint32_t BroadPhase::bucketOf(const Cell& cell, int level) const {
  if (stride_[0] > 0) return cell[0] + 1 + stride_[0] * (cell[1] + 1) + stride_[1] * (cell[2] + 1);
  const int bits = flat_ ? 4 : 3;
  const std::uint32_t low = (1U << bits) - 1;
  const std::uint32_t inside =
      (cell[0] & low) | (cell[1] & low) << bits | (flat_ ? 0 : (cell[2] & low) << 2 * bits);
  const std::uint64_t block =
      mixed((cell[0] >> bits) * 0x9e3779b97f4a7c15u + (cell[1] >> bits) * 0xc2b2ae3d27d4eb4fu +
            (flat_ ? 0 : cell[2] >> bits) * 0x165667b19e3779f9u +
            static_cast<std::uint64_t>(level) * 0xd6e8feb86659fd93u);
  return (static_cast<std::uint32_t>(block) << 9 | inside) & bucket_mask_;
}

BroadPhase::PackedBox BroadPhase::packed(const Bounds& box) const {
  PackedBox out;
  for (int i = 0; i < 3; ++i) {
    const auto rounded = [&](double x) {
      const double units = (x - all_.lower[i]) * per_unit_[0] * per_unit_[1];
      return static_cast<std::uint64_t>(std::clamp(units, 0.0, kMostUnits));
    };
    out.lower |= rounded(box.lower[i]) << 21 * i;
    out.upper |= rounded(box.upper[i]) << 21 * i;
  }
  return out;
}

// Counting sort by bucket.
void BroadPhase::sortBoxes(std::span<const Bounds> bounds) {
  sizeTable();
  // Two places ahead when counting, one when filling: in the end each start is in its own place.
  for (Place& place : places_) {
    if (place.level < 0) continue;
    place.bucket = bucketOf(place.lower, place.level);
    ++bucket_start_[place.bucket + 2];
  }
  accumulate(bucket_start_);
  boxes_.resize(bounds.size() - large_.size());
  packed_.resize(boxes_.size());
  for (std::size_t i = 0; i < bounds.size(); ++i)
    if (places_[i].level >= 0)
      boxes_[static_cast<std::size_t>(bucket_start_[places_[i].bucket + 1]++)].index =
          static_cast<int>(i);
  parallelFor(static_cast<int>(boxes_.size()), kGrain, [&](int begin, int end) {
    for (auto k = static_cast<std::size_t>(begin); k < static_cast<std::size_t>(end); ++k) {
      boxes_[k].bounds = bounds[static_cast<std::size_t>(boxes_[k].index)];
      packed_[k] = packed(boxes_[k].bounds);
    }
  });
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
  accumulate(start_);
  pairs.resize(count);
  for (const Chunk& chunk : chunks)
    for (const CandidatePair& p : chunk.found)
      pairs[static_cast<std::size_t>(start_[static_cast<std::size_t>(p.a) + 1]++)] = p;
  parallelFor(static_cast<int>(boxes), kGrain, [&](int begin, int end) {
    for (auto a = static_cast<std::size_t>(begin); a < static_cast<std::size_t>(end); ++a)
      std::sort(pairs.begin() + start_[a], pairs.begin() + start_[a + 1],
                [](const CandidatePair& p, const CandidatePair& q) { return p.b < q.b; });
  });
  // Twice the same pair: two cells in one bucket.
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
}

}  // namespace stickslip
