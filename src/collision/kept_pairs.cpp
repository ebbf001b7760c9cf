#include "collision/kept_pairs.hpp"

#include <algorithm>
#include <cassert>

namespace stickslip {
namespace {

// Without short cuts: branches that cannot be predicted cost more than comparisons.
bool isWithin(const Bounds& a, const Bounds& b) {
  return (b.lower.x <= a.lower.x) & (a.upper.x <= b.upper.x) & (b.lower.y <= a.lower.y) &
         (a.upper.y <= b.upper.y) & (b.lower.z <= a.lower.z) & (a.upper.z <= b.upper.z);
}

}  // namespace

void KeptPairs::findPairs(std::span<const Bounds> bounds, std::span<const char> movable,
                          std::span<const double> slack, std::vector<CandidatePair>& pairs) {
  assert(bounds.size() == movable.size() && bounds.size() == slack.size());
  if (!stillHold(bounds, movable)) search(bounds, movable, slack);
  pairs.resize(kept_.size());
  std::size_t count = 0;
  for (const CandidatePair& pair : kept_) {
    pairs[count] = pair;
    count +=
        overlap(bounds[static_cast<std::size_t>(pair.a)], bounds[static_cast<std::size_t>(pair.b)]);
  }
  pairs.resize(count);
}

bool KeptPairs::stillHold(std::span<const Bounds> bounds, std::span<const char> movable) const {
  if (!std::equal(movable.begin(), movable.end(), movable_.begin(), movable_.end())) return false;
  bool all = true;
  for (std::size_t i = 0; i < bounds.size() && all; ++i) all = isWithin(bounds[i], wide_[i]);
  return all;
}

void KeptPairs::search(std::span<const Bounds> bounds, std::span<const char> movable,
                       std::span<const double> slack) {
  movable_.assign(movable.begin(), movable.end());
  wide_.resize(bounds.size());
  for (std::size_t i = 0; i < bounds.size(); ++i) {
    // What lies in a plane is to stay there.
    const bool flat = bounds[i].lower.z == bounds[i].upper.z;
    wide_[i] = widened(bounds[i], {slack[i], slack[i], flat ? 0 : slack[i]});
  }
  broad_phase_.findPairs(wide_, movable_, kept_);
}

}  // namespace stickslip
