// Pairs of boxes that overlap, among many boxes of any sizes.
//
// A hierarchy of grids whose cells grow by powers of two. A box is entered once, on the level whose
// cells are just larger than it, into the few cells that it overlaps. It is then compared with what
// is in its cells on its own level and on all coarser ones in use; a pair is reported in the one
// cell that holds the lower corner of its intersection. For boxes that cannot crowd (bodies in a
// pile, of sizes within any fixed ratio) the cost is linear in their number: neither side of a pair
// meets more than a bounded number of others in a cell (Mirtich, Impulse-based dynamic simulation
// of rigid body systems, 1996).
//
// Cells are found by hashing, blocks of neighbouring cells together, and boxes are taken in the
// order of their cells: so work stays in the cache. What a box meets by a collision of hashes is
// tested like the rest, so the result does not depend on it. Boxes without bounds are compared with
// all others. Pairs come out sorted, by two passes of counting sort.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "collision/collision_shape.hpp"

namespace stickslip {

struct CandidatePair {
  int a = 0;  ///< a < b
  int b = 0;

  friend constexpr bool operator==(CandidatePair, CandidatePair) = default;
};

class BroadPhase {
 public:
  /// Makes room for this many pairs.
  void reserve(std::size_t pairs);
  /// Replaces `pairs` by all pairs of boxes that touch or overlap and of which at least one is
  /// movable, sorted by (a, b). Bounds may be infinite, but not NaN. Allocates nothing once it has
  /// seen as many boxes and pairs.
  void findPairs(std::span<const Bounds> bounds, std::span<const char> movable,
                 std::vector<CandidatePair>& pairs);

 private:
  using Cell = std::array<std::int64_t, 3>;
  struct GridBox {
    Bounds bounds;
    Cell lower{};   ///< cell of the lower corner, on the finest level
    Cell upper{};   ///< cell of the upper corner
    int index = 0;  ///< of the caller's box
    int level = 0;
    bool movable = false;
  };
  // The box in whole numbers of few bits, for a first comparison of what is in a cell. Rounding is
  // monotone: boxes that overlap still do.
  struct RoundedBox {
    std::array<std::int32_t, 3> lower{};
    std::array<std::int32_t, 3> upper{};
  };
  struct Entry {
    std::uint32_t tag = 0;  ///< other bits of the cell's hash
    int box = 0;            ///< index into boxes_
  };

  void separateUnbounded(std::span<const Bounds> bounds, std::span<const char> movable);
  void chooseFinestCells();
  void placeBoxes();
  void orderBoxes();
  void roundBoxes();
  static bool mayOverlap(const RoundedBox& a, const RoundedBox& b);
  void fillTable();
  void compareInCell(const GridBox& own, int place, int level, const Cell& cell);
  void compareUnbounded();
  void addIfOverlapping(const GridBox& a, const GridBox& b);
  void sortPairs(std::size_t boxes, std::vector<CandidatePair>& pairs);
  std::uint64_t hashOf(const Cell& cell, int level) const;
  template <class Visitor>
  static void forEachCell(const GridBox& box, int level, Visitor&& visit);

  std::vector<GridBox> unbounded_;
  std::vector<GridBox> placed_;      ///< the bounded ones in the caller's order
  std::vector<GridBox> boxes_;       ///< and in the order of their cells
  std::vector<RoundedBox> rounded_;  ///< of boxes_
  double extent_ = 0;                ///< of everything bounded
  Vec3 origin_;                      ///< lower corner of everything bounded
  bool flat_ = false;                ///< everything bounded lies in one plane z
  int finest_ = 0;                   ///< the finest cells have the size 2^finest_
  std::uint64_t levels_in_use_ = 0;
  std::vector<int> bucket_start_;
  std::vector<Entry> entries_;
  std::uint64_t bucket_mask_ = 0;
  std::vector<int> close_;  ///< what passed the first comparison in a cell
  std::vector<CandidatePair> found_;
  std::vector<CandidatePair> sorted_by_b_;
  std::vector<int> start_;
};

}  // namespace stickslip
