#include "collision/broad_phase.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <limits>

namespace stickslip {
namespace {

// Cells of the finest level along the whole of the scene: 2^kFinestBits at most, so indices fit.
constexpr int kFinestBits = 44;
// Bits of the first comparison: differences fit 32.
constexpr int kRoundedBits = 29;
// A level's cells are larger than its boxes by a factor of 2^kCellGrowth to twice that.
constexpr int kCellGrowth = 0;
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

// Mixes all bits into all bits: the finishing steps of MurmurHash3.
std::uint64_t mixed(std::uint64_t h) {
  h = (h ^ (h >> 33)) * 0xff51afd7ed558ccdu;
  h = (h ^ (h >> 33)) * 0xc4ceb9fe1a85ec53u;
  return h ^ (h >> 33);
}

std::uint32_t tagOf(std::uint64_t hash) {
  return static_cast<std::uint32_t>(hash >> 32);
}

// From counts in start[key + 1] to the place where each key begins.
void accumulate(std::vector<int>& start) {
  for (std::size_t k = 1; k < start.size(); ++k) start[k] += start[k - 1];
}

}  // namespace

void BroadPhase::reserve(std::size_t pairs) {
  found_.reserve(pairs);
  sorted_by_b_.reserve(pairs);
}

void BroadPhase::findPairs(std::span<const Bounds> bounds, std::span<const char> movable,
                           std::vector<CandidatePair>& pairs) {
  assert(bounds.size() == movable.size());
  found_.clear();
  separateUnbounded(bounds, movable);
  chooseFinestCells();
  placeBoxes();
  orderBoxes();
  roundBoxes();
  fillTable();
  for (std::size_t i = 0; i < boxes_.size(); ++i) {
    const GridBox& box = boxes_[i];
    for (std::uint64_t levels = levels_in_use_ >> box.level << box.level; levels != 0;
         levels &= levels - 1) {
      const int level = std::countr_zero(levels);
      forEachCell(box, level,
                  [&](const Cell& c) { compareInCell(box, static_cast<int>(i), level, c); });
    }
  }
  compareUnbounded();
  sortPairs(bounds.size(), pairs);
}

void BroadPhase::separateUnbounded(std::span<const Bounds> bounds, std::span<const char> movable) {
  unbounded_.clear();
  placed_.clear();
  for (std::size_t i = 0; i < bounds.size(); ++i) {
    std::vector<GridBox>& kind = isBounded(bounds[i]) ? placed_ : unbounded_;
    kind.push_back({bounds[i], {}, {}, static_cast<int>(i), 0, movable[i] != 0});
  }
}

void BroadPhase::chooseFinestCells() {
  if (placed_.empty()) return;
  Bounds all = placed_[0].bounds;
  double smallest = sizeOf(all);
  for (const GridBox& b : placed_) {
    for (int i = 0; i < 3; ++i) {
      all.lower[i] = std::min(all.lower[i], b.bounds.lower[i]);
      all.upper[i] = std::max(all.upper[i], b.bounds.upper[i]);
    }
    smallest = std::min(smallest, sizeOf(b.bounds));
  }
  origin_ = all.lower;
  extent_ = sizeOf(all);
  flat_ = all.lower.z == all.upper.z;
  finest_ = extent_ > 0 ? exponentAbove(extent_) - kFinestBits : 0;
  if (smallest > 0) finest_ = std::max(finest_, exponentAbove(smallest) + kCellGrowth);
}

void BroadPhase::placeBoxes() {
  levels_in_use_ = 0;
  // Two factors, since 2^-finest_ may overflow where its product with a coordinate does not.
  const double factor = std::ldexp(1.0, -finest_ / 2),
               rest = std::ldexp(1.0, -finest_ + finest_ / 2);
  for (GridBox& b : placed_) {
    // Rounding is monotone, so boxes that overlap share a cell.
    for (int i = 0; i < 3; ++i) {
      const auto k = static_cast<std::size_t>(i);
      b.lower[k] = static_cast<std::int64_t>((b.bounds.lower[i] - origin_[i]) * factor * rest);
      b.upper[k] = static_cast<std::int64_t>((b.bounds.upper[i] - origin_[i]) * factor * rest);
    }
    const double size = sizeOf(b.bounds);
    b.level = size > 0 ? std::max(0, exponentAbove(size) + kCellGrowth - finest_) : 0;
    levels_in_use_ |= std::uint64_t{1} << b.level;
  }
}

// The low bits tell the cell inside a block, so that blocks stay together in the table.
std::uint64_t BroadPhase::hashOf(const Cell& cell, int level) const {
  const auto x = static_cast<std::uint64_t>(cell[0]), y = static_cast<std::uint64_t>(cell[1]);
  const auto z = static_cast<std::uint64_t>(cell[2]);
  const int bits = flat_ ? 4 : 3;
  const std::uint64_t low = (std::uint64_t{1} << bits) - 1;
  const std::uint64_t inside = (x & low) | (y & low) << bits | (flat_ ? 0 : (z & low) << 2 * bits);
  const std::uint64_t block =
      mixed((x >> bits) * 0x9e3779b97f4a7c15u + (y >> bits) * 0xc2b2ae3d27d4eb4fu +
            (z >> (flat_ ? 0 : bits)) * 0x165667b19e3779f9u +
            static_cast<std::uint64_t>(level) * 0xd6e8feb86659fd93u);
  return block << 9 | inside;
}

template <class Visitor>
void BroadPhase::forEachCell(const GridBox& box, int level, Visitor&& visit) {
  for (std::int64_t z = box.lower[2] >> level; z <= box.upper[2] >> level; ++z)
    for (std::int64_t y = box.lower[1] >> level; y <= box.upper[1] >> level; ++y)
      for (std::int64_t x = box.lower[0] >> level; x <= box.upper[0] >> level; ++x)
        visit(Cell{x, y, z});
}

// Counting sort by the bucket of the lower corner.
void BroadPhase::orderBoxes() {
  const std::size_t buckets = std::bit_ceil(std::max<std::size_t>(placed_.size(), 512));
  const auto bucketOf = [&](const GridBox& b) {
    const Cell cell{b.lower[0] >> b.level, b.lower[1] >> b.level, b.lower[2] >> b.level};
    return static_cast<std::size_t>(hashOf(cell, b.level)) & (buckets - 1);
  };
  start_.assign(buckets + 1, 0);
  for (const GridBox& b : placed_) ++start_[bucketOf(b) + 1];
  accumulate(start_);
  boxes_.resize(placed_.size());
  for (const GridBox& b : placed_) boxes_[static_cast<std::size_t>(start_[bucketOf(b)]++)] = b;
}

void BroadPhase::roundBoxes() {
  const double whole = std::ldexp(extent_ > 0 ? extent_ : 1.0, -kRoundedBits);
  const auto rounded = [&](double x) { return static_cast<std::int32_t>(x / whole); };
  rounded_.resize(boxes_.size());
  for (std::size_t i = 0; i < boxes_.size(); ++i)
    for (int k = 0; k < 3; ++k) {
      const auto axis = static_cast<std::size_t>(k);
      rounded_[i].lower[axis] = rounded(boxes_[i].bounds.lower[k] - origin_[k]);
      rounded_[i].upper[axis] = rounded(boxes_[i].bounds.upper[k] - origin_[k]);
    }
}

// By the signs of differences, without branches.
bool BroadPhase::mayOverlap(const RoundedBox& a, const RoundedBox& b) {
  std::int32_t signs = 0;
  for (std::size_t k = 0; k < 3; ++k)
    signs |= (b.upper[k] - a.lower[k]) | (a.upper[k] - b.lower[k]);
  return signs >= 0;
}

// A bucket for about every entry; in a bucket entries are in the order of the boxes.
void BroadPhase::fillTable() {
  std::size_t count = 0;
  for (const GridBox& b : boxes_) forEachCell(b, b.level, [&](const Cell&) { ++count; });
  const std::size_t buckets = std::bit_ceil(std::max<std::size_t>(count, 512));
  bucket_mask_ = buckets - 1;
  bucket_start_.assign(buckets + 2, 0);
  entries_.resize(count);
  // Two places ahead when counting, one when filling: in the end each start is in its own place.
  for (const GridBox& b : boxes_)
    forEachCell(b, b.level,
                [&](const Cell& c) { ++bucket_start_[(hashOf(c, b.level) & bucket_mask_) + 2]; });
  accumulate(bucket_start_);
  for (std::size_t i = 0; i < boxes_.size(); ++i) {
    const int level = boxes_[i].level;
    forEachCell(boxes_[i], level, [&](const Cell& c) {
      const std::uint64_t hash = hashOf(c, level);
      const int place = bucket_start_[(hash & bucket_mask_) + 1]++;
      entries_[static_cast<std::size_t>(place)] = {tagOf(hash), static_cast<int>(i)};
    });
  }
}

// Two boxes of one level are compared by the later one.
void BroadPhase::compareInCell(const GridBox& own, int place, int level, const Cell& cell) {
  const std::uint64_t hash = hashOf(cell, level);
  const std::uint32_t tag = tagOf(hash);
  const int before = level == own.level ? place : std::numeric_limits<int>::max();
  const RoundedBox rounded = rounded_[static_cast<std::size_t>(place)];
  const auto first = static_cast<std::size_t>(bucket_start_[hash & bucket_mask_]);
  const auto last = static_cast<std::size_t>(bucket_start_[(hash & bucket_mask_) + 1]);
  // Few of many pass, and which cannot be predicted: written always, counted only if they do.
  if (close_.size() < last - first) close_.resize(last - first);
  std::size_t count = 0;
  for (std::size_t k = first; k < last && entries_[k].box < before; ++k) {
    const Entry entry = entries_[k];
    close_[count] = entry.box;
    count +=
        (entry.tag == tag) & mayOverlap(rounded, rounded_[static_cast<std::size_t>(entry.box)]);
  }
  for (std::size_t k = 0; k < count; ++k) {
    const GridBox& other = boxes_[static_cast<std::size_t>(close_[k])];
    // The lower corner of the intersection is in this cell.
    bool here = true;
    for (std::size_t i = 0; i < 3; ++i)
      here &= std::max(own.lower[i], other.lower[i]) >> level == cell[i];
    if (here) addIfOverlapping(own, other);
  }
}

void BroadPhase::compareUnbounded() {
  for (const GridBox& u : unbounded_) {
    for (const GridBox& b : placed_) addIfOverlapping(u, b);
    for (const GridBox& other : unbounded_)
      if (other.index > u.index) addIfOverlapping(u, other);
  }
}

void BroadPhase::addIfOverlapping(const GridBox& a, const GridBox& b) {
  if ((a.movable || b.movable) && overlap(a.bounds, b.bounds))
    found_.push_back({std::min(a.index, b.index), std::max(a.index, b.index)});
}

void BroadPhase::sortPairs(std::size_t boxes, std::vector<CandidatePair>& pairs) {
  const auto sortBy = [&](int CandidatePair::*key, const std::vector<CandidatePair>& from,
                          std::vector<CandidatePair>& to) {
    start_.assign(boxes + 1, 0);
    for (const CandidatePair& p : from) ++start_[static_cast<std::size_t>(p.*key) + 1];
    accumulate(start_);
    to.resize(from.size());
    for (const CandidatePair& p : from)
      to[static_cast<std::size_t>(start_[static_cast<std::size_t>(p.*key)]++)] = p;
  };
  sortBy(&CandidatePair::b, found_, sorted_by_b_);
  sortBy(&CandidatePair::a, sorted_by_b_, pairs);
  // Twice the same pair: two cells with one tag in one bucket.
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
}

}  // namespace stickslip
