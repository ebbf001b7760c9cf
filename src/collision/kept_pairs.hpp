// Pairs of boxes that may overlap, time after time: boxes that move little between two calls.
//
// What is searched for are pairs of wider boxes, which hold their boxes and where these get within
// a few calls if they go on as they did. As long as every box stays within its wider one, those
// pairs are all that can overlap; when one leaves, all are searched again (Verlet, Computer
// "experiments" on classical fluids I, Phys. Rev. 159, 1967, has such lists for atoms). Among very
// many boxes some always leave: where pairs do not last, boxes are left as they are for a while.
#pragma once

#include <span>
#include <vector>

#include "collision/broad_phase.hpp"

namespace stickslip {

class KeptPairs {
 public:
  /// Makes room for so many pairs.
  void reserve(std::size_t pairs) { kept_.reserve(pairs); }

  /// Returns all pairs that BroadPhase::findPairs would, and others that are close, in the same
  /// order; valid until the next call. `slack` tells by how much each box is widened, at least 0
  /// and finite: the more, the longer pairs last, and the more of them there are.
  std::span<const CandidatePair> findPairs(std::span<const Bounds> bounds,
                                           std::span<const char> movable,
                                           std::span<const double> slack);

 private:
  bool stillHold(std::span<const Bounds> bounds, std::span<const char> movable) const;
  void search(std::span<const Bounds> bounds, std::span<const char> movable,
              std::span<const double> slack);

  BroadPhase broad_phase_;
  std::vector<Bounds> last_;  ///< of the last call
  std::vector<Bounds> wide_;
  std::vector<char> movable_;
  std::vector<CandidatePair> kept_;
  int lasted_ = 0;       ///< calls that the pairs have been good for
  int plain_calls_ = 0;  ///< that many more searches without wider boxes
};

}  // namespace stickslip
