// Pairs of boxes that overlap, among many boxes of any sizes.
//
// A hierarchy of grids whose cells grow by powers of two. A box is entered once, on the level whose
// cells are just larger than it, into the cell of its lower corner. What overlaps it on its own
// level or a coarser one then has its lower corner in the cells that it covers or in those one
// before them; of two boxes on one level the one that looks is the later. For boxes that cannot
// crowd (bodies in a pile, of sizes within any fixed ratio) the cost is linear in their number:
// neither side of a pair meets more than a bounded number of others in a cell (Mirtich,
// Impulse-based dynamic simulation of rigid body systems, 1996). Boxes without bounds, and the
// largest ones where they are few, are compared with all others.
//
// Cells are all in a table if they are not many more than boxes, or found by hashing, blocks of
// neighbouring cells together. Either way cells along x are one after the other; boxes are sorted
// by their cells, so that a row of cells is one range of boxes, and work stays in the cache. What a
// box meets by a collision of hashes is tested like the rest, so that the result does not depend on
// it. Boxes are searched in chunks, whose pairs are joined and sorted.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "collision/broad/pair_list.hpp"
#include "collision/collision_shape.hpp"

namespace stickslip {

class BroadPhase {
 public:
  /// Replaces `pairs` by all pairs of boxes that touch or overlap and of which at least one is
  /// movable, sorted by (a, b). Bounds may be infinite, but not NaN. Allocates nothing once it has
  /// seen as many boxes and pairs.
  void findPairs(std::span<const Bounds> bounds, std::span<const char> movable, PairList& pairs);

 private:
  static constexpr int kBoxGrain = 256;  ///< boxes of a chunk

  using Cell = std::array<std::uint32_t, 3>;  ///< of far more cells, modulo 2^32
  /// The caller's boxes.
  struct Boxes {
    std::span<const Bounds> bounds;
    std::span<const char> movable;

    const Bounds& operator[](int i) const { return bounds[i]; }
    bool mayPair(int i, int j) const { return movable[i] || movable[j]; }
  };
  /// The box in 20 bits for each number, with a bit to spare above each, for a first comparison.
  /// Rounding is monotone: boxes that overlap still do.
  struct PackedBox {
    std::uint64_t lower = 0;
    std::uint64_t upper = 0;
  };
  /// Where a box belongs.
  struct Place {
    std::uint32_t bucket = 0;  ///< of the cell of its lower corner
    std::int8_t level = 0;     ///< -1: large
    std::uint8_t spans = 0;    ///< bit i: it reaches into the next cell along axis i
  };
  /// Cells of one level.
  struct CellRange {
    std::array<std::int64_t, 3> first{};
    std::array<std::int64_t, 3> last{};
  };
  /// Sizes and extent of a range of boxes.
  struct Measures {
    Bounds all;
    double smallest = 0;
    std::array<int, 8> phases{};  ///< boxes by the first bits of their size's mantissa

    void add(const Measures& other);
  };
  /// A range of boxes_.
  struct Chunk {
    Measures measures;
    std::vector<int> close;  ///< what passed the first comparison in a range
    std::vector<int> found;  ///< what each of them overlaps, one after the other
  };

  void measure(std::span<const Bounds> bounds);
  void chooseCells(const Measures& measures);
  void chooseLevels(std::span<const Bounds> bounds);
  void separateLarge(std::span<const Bounds> bounds);
  void sizeTable();
  void sortBoxes(std::span<const Bounds> bounds);
  void search(int begin, int end, const Boxes& all, Chunk& chunk);
  void searchOwnLevel(std::size_t place, const Boxes& all, Chunk& chunk) const;
  void searchLevel(std::size_t place, int level, const Boxes& all, Chunk& chunk) const;
  /// The cells from `first_x` to `last_x` in one row.
  void compareInRow(std::size_t place, Cell first, std::uint32_t last_x, int level,
                    const Boxes& all, Chunk& chunk) const;
  void compareInRange(std::size_t place, std::size_t begin, std::size_t end, const Boxes& all,
                      Chunk& chunk) const;
  void compareWithLarge(std::size_t place, const Boxes& all, Chunk& chunk) const;
  void compareLarge(const Boxes& all);
  void sortPairs(const Boxes& all, PairList& pairs) const;
  template <class Visit>
  void visitFound(const Visit& visit) const;
  CellRange cellsOf(const Bounds& box, int level) const;
  Cell lowerCell(const Bounds& box, int level) const;
  /// Of the finest level.
  std::int64_t cellAlong(int axis, double x) const {
    return static_cast<std::int64_t>((x - all_.lower[axis]) * per_cell_[0] * per_cell_[1]);
  }
  PackedBox packed(const Bounds& box) const;
  std::uint32_t bucketOf(const Cell& cell, int level) const {
    if (stride_[0] == 0) return hashedBucket(cell, level);
    return cell[0] + 1 + stride_[0] * (cell[1] + 1) + stride_[1] * (cell[2] + 1);
  }
  std::uint32_t hashedBucket(const Cell& cell, int level) const;
  std::span<Chunk> chunksFor(int count);

  std::vector<Chunk> chunks_;
  std::vector<int> large_;  ///< boxes that are compared with all others
  std::vector<PackedBox> packed_large_;
  std::vector<CandidatePair> large_pairs_;
  std::vector<Place> places_;      ///< of all boxes, in the caller's order
  std::vector<int> boxes_;         ///< the others, by their buckets
  std::vector<PackedBox> packed_;  ///< of boxes_
  std::vector<int> found_end_;     ///< of boxes_: where what it overlaps ends in its chunk
  Bounds all_;                     ///< everything bounded
  double extent_ = 0;              ///< of everything bounded
  bool flat_ = false;              ///< everything bounded lies in one plane z
  // Sizes are divided by that of the finest cells, and by that of the packed boxes' unit, in two
  // factors: one may overflow where their product with a coordinate does not.
  std::array<double, 2> per_cell_{};
  std::array<double, 2> per_unit_{};
  std::uint64_t levels_in_use_ = 0;
  std::vector<int> bucket_start_;
  std::uint32_t bucket_mask_ = 0;
  /// Strides along y and z of a table with every cell of the one level in use; 0: hashed.
  std::array<std::uint32_t, 2> stride_{};
};

}  // namespace stickslip
