// Pairs of boxes that overlap, time after time: boxes that move little between two calls.
//
// What is searched for are pairs of wider boxes. As long as every box stays within its wider one,
// those pairs are all that can overlap, and the boxes of each are compared; when one leaves, all
// are searched again (Verlet, Computer "experiments" on classical fluids I, Phys. Rev. 159, 1967,
// has such lists for atoms). The result is the same as without: what is kept is only time.
#pragma once

#include <span>
#include <vector>

#include "collision/broad_phase.hpp"

namespace stickslip {

class KeptPairs {
 public:
  /// Makes room for so many pairs.
  void reserve(std::size_t pairs) { kept_.reserve(pairs); }

  /// As BroadPhase::findPairs. `slack` tells by how much each box is widened, at least 0 and
  /// finite: the more, the longer pairs last, and the more of them there are.
  void findPairs(std::span<const Bounds> bounds, std::span<const char> movable,
                 std::span<const double> slack, std::vector<CandidatePair>& pairs);

 private:
  bool stillHold(std::span<const Bounds> bounds, std::span<const char> movable) const;
  void search(std::span<const Bounds> bounds, std::span<const char> movable,
              std::span<const double> slack);

  BroadPhase broad_phase_;
  std::vector<Bounds> wide_;
  std::vector<char> movable_;
  std::vector<CandidatePair> kept_;
};

}  // namespace stickslip
