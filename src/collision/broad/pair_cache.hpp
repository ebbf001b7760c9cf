// Pairs of boxes that may overlap, time after time: boxes that move little between two calls.
//
// What is searched for are pairs of wider boxes, which hold their boxes and where these get within
// a few calls if they go on as they did. As long as every box stays within its wider one, those
// pairs are all that can overlap; when one leaves, all are searched again (Verlet, Computer
// "experiments" on classical fluids I, Phys. Rev. 159, 1967, has such lists for atoms). Among very
// many boxes some always leave: where pairs do not last, boxes are left as they are for a while.
#pragma once

#include <array>
#include <atomic>
#include <span>
#include <vector>

#include "base/parallel_for.hpp"
#include "collision/broad/broad_phase.hpp"

namespace stickslip {

/// By how much a box is made wider. Any numbers are right: they decide how long pairs last, and how
/// many there are.
struct Widening {
  std::array<float, 3> drift{};  ///< how far it goes from one call to the next
  float slack = 0;               ///< on every side, at least 0

  Widening() = default;
  Widening(Vec3 from_call_to_call, double on_every_side);
};

class PairCache {
 public:
  /// Makes room for so many pairs.
  void reserve(std::size_t pairs) { kept_.reserve(pairs); }

  /// Returns all pairs that BroadPhase::findPairs would, and others that are close, in the same
  /// order; valid until the next call. boundsOf(i) is box i.
  template <class BoundsOf>
  const PairList& findPairs(const BoundsOf& boundsOf, std::span<const char> movable,
                            std::span<const Widening> widening) {
    if (!isMovableAsBefore(movable) || !allAreWithin(boundsOf, movable.size())) {
      startSearch(movable);
      forBoxes(movable.size(),
               [&](std::size_t i) { wide_[i] = widened(boundsOf(i), widening[i]); });
      broad_phase_.findPairs(wide_, movable_, kept_);
    }
    ++lasted_;
    return kept_;
  }

 private:
  bool isMovableAsBefore(std::span<const char> movable) const;
  template <class Visit>
  static void forBoxes(std::size_t count, const Visit& visit) {
    constexpr int kBoxGrain = 1024;
    parallelFor(static_cast<int>(count), kBoxGrain, [&](int begin, int end) {
      for (std::size_t i = begin; i < static_cast<std::size_t>(end); ++i) visit(i);
    });
  }
  template <class BoundsOf>
  bool allAreWithin(const BoundsOf& boundsOf, std::size_t count) const {
    std::atomic<bool> all{true};
    forBoxes(count, [&](std::size_t i) {
      if (!isWithin(boundsOf(i), wide_[i])) all.store(false, std::memory_order_relaxed);
    });
    return all;
  }
  // Without short cuts: branches that cannot be predicted cost more than comparisons.
  static bool isWithin(const Bounds& a, const Bounds& b) {
    return (b.lower.x <= a.lower.x) & (a.upper.x <= b.upper.x) & (b.lower.y <= a.lower.y) &
           (a.upper.y <= b.upper.y) & (b.lower.z <= a.lower.z) & (a.upper.z <= b.upper.z);
  }
  void startSearch(std::span<const char> movable);
  Bounds widened(const Bounds& box, const Widening& by) const;

  BroadPhase broad_phase_;
  std::vector<Bounds> wide_;
  std::vector<char> movable_;
  PairList kept_;
  int lasted_ = 0;       ///< calls that the pairs have been good for
  int plain_calls_ = 0;  ///< that many more searches without wider boxes
};

}  // namespace stickslip
