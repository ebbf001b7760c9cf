#include "collision/broad/broad_phase.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <limits>

#include "base/parallel_for.hpp"

namespace stickslip {

// The grids of the broad phase: how large their cells are, and which boxes are in them.

namespace {

// Cells of the finest level along the whole of the scene: 2^kFinestBits at most, so indices fit.
constexpr int kFinestBits = 44;
constexpr int kPackedBits = 20;
constexpr double kMostUnits = (1 << kPackedBits) - 1;
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

}  // namespace

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
  parallelFor(static_cast<int>(bounds.size()), kBoxGrain, [&](int begin, int end) {
    Measures part = none;
    for (std::size_t i = begin; i < static_cast<std::size_t>(end); ++i) {
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
    chunks_[begin / kBoxGrain].measures = part;
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
  double best = std::numeric_limits<double>::infinity(), mantissa = 1;
  for (int j = 1; j <= 8; ++j) {
    double work = 0;
    for (int p = 0; p < 8; ++p) {
      const double ratio = (8.0 + j) / (8.5 + p) * (p < j ? 1 : 2);
      work += measures.phases[p] * (flat_ ? ratio : ratio * ratio) * ratio;
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
    const std::size_t k = i;
    cells.first[k] = cellAlong(i, box.lower[i]) >> level;
    cells.last[k] = cellAlong(i, box.upper[i]) >> level;
  }
  return cells;
}

BroadPhase::Cell BroadPhase::lowerCell(const Bounds& box, int level) const {
  Cell cell;
  for (int i = 0; i < 3; ++i)
    cell[i] = static_cast<std::uint32_t>(cellAlong(i, box.lower[i]) >> level);
  return cell;
}

void BroadPhase::chooseLevels(std::span<const Bounds> bounds) {
  parallelFor(static_cast<int>(bounds.size()), kBoxGrain, [&](int begin, int end) {
    for (std::size_t i = begin; i < static_cast<std::size_t>(end); ++i) {
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
    if (place.level >= 0) ++count[place.level];
  int finest_large = 64, large = 0;
  while (finest_large > 0 && large + count[finest_large - 1] <= kFewLarge)
    large += count[--finest_large];
  levels_in_use_ = 0;
  large_.clear();
  packed_large_.clear();
  large_pairs_.reserve(kFewLarge * (kFewLarge - 1) / 2);
  for (std::size_t i = 0; i < bounds.size(); ++i) {
    std::int8_t& level = places_[i].level;
    if (level >= finest_large) level = -1;
    if (level >= 0) {
      levels_in_use_ |= std::uint64_t{1} << level;
      continue;
    }
    large_.push_back(static_cast<int>(i));
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
std::uint32_t BroadPhase::hashedBucket(const Cell& cell, int level) const {
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
  for (std::size_t i = 0; i < bounds.size(); ++i) {
    Place& place = places_[i];
    if (place.level < 0) continue;
    place.bucket = bucketOf(lowerCell(bounds[i], place.level), place.level);
    ++bucket_start_[place.bucket + 2];
  }
  for (std::size_t k = 1; k < bucket_start_.size(); ++k) bucket_start_[k] += bucket_start_[k - 1];
  boxes_.resize(bounds.size() - large_.size());
  packed_.resize(boxes_.size());
  found_end_.resize(boxes_.size());
  for (std::size_t i = 0; i < bounds.size(); ++i)
    if (places_[i].level >= 0) boxes_[bucket_start_[places_[i].bucket + 1]++] = static_cast<int>(i);
  parallelFor(static_cast<int>(boxes_.size()), kBoxGrain, [&](int begin, int end) {
    for (std::size_t k = begin; k < static_cast<std::size_t>(end); ++k)
      packed_[k] = packed(bounds[boxes_[k]]);
  });
}

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
  const std::size_t n = chunkCount(count, kBoxGrain);
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
  for (std::size_t place = begin; place < static_cast<std::size_t>(end); ++place) {
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
  const std::size_t begin = bucket_start_[own.bucket];
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
