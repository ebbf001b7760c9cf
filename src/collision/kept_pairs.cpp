#include "collision/kept_pairs.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace stickslip {
namespace {

// Boxes are taken to go on like that for so many calls.
constexpr double kCallsAhead = 4;
// Pairs of wider boxes cost more to find: they have to be good for this many calls, or the next
// searches do without.
constexpr int kWorthwhile = 2;
constexpr int kPlainCalls = 10;

// Without short cuts: branches that cannot be predicted cost more than comparisons.
bool isWithin(const Bounds& a, const Bounds& b) {
  return (b.lower.x <= a.lower.x) & (a.upper.x <= b.upper.x) & (b.lower.y <= a.lower.y) &
         (a.upper.y <= b.upper.y) & (b.lower.z <= a.lower.z) & (a.upper.z <= b.upper.z);
}

// With where the box gets if it goes on as from `before` to `now`.
Bounds wideBounds(const Bounds& before, const Bounds& now, double slack) {
  Bounds wide = now;
  for (int i = 0; i < 3; ++i) {
    // What lies in a plane is to stay there.
    if (i == 2 && now.lower.z == now.upper.z) break;
    const double twice = now.lower[i] - before.lower[i] + (now.upper[i] - before.upper[i]);
    const double ahead = std::isfinite(twice) ? 0.5 * kCallsAhead * twice : 0;
    wide.lower[i] += std::min(0.0, ahead) - slack;
    wide.upper[i] += std::max(0.0, ahead) + slack;
  }
  return wide;
}

}  // namespace

std::span<const CandidatePair> KeptPairs::findPairs(std::span<const Bounds> bounds,
                                                    std::span<const char> movable,
                                                    std::span<const double> slack) {
  assert(bounds.size() == movable.size() && bounds.size() == slack.size());
  if (!stillHold(bounds, movable)) search(bounds, movable, slack);
  ++lasted_;
  last_.assign(bounds.begin(), bounds.end());
  return kept_;
}

bool KeptPairs::stillHold(std::span<const Bounds> bounds, std::span<const char> movable) const {
  if (!std::equal(movable.begin(), movable.end(), movable_.begin(), movable_.end())) return false;
  bool all = true;
  for (std::size_t i = 0; i < bounds.size() && all; ++i) all = isWithin(bounds[i], wide_[i]);
  return all;
}

void KeptPairs::search(std::span<const Bounds> bounds, std::span<const char> movable,
                       std::span<const double> slack) {
  const bool known = last_.size() == bounds.size();
  if (plain_calls_ > 0)
    --plain_calls_;
  else if (known && lasted_ < kWorthwhile)
    plain_calls_ = kPlainCalls;
  lasted_ = 0;
  movable_.assign(movable.begin(), movable.end());
  wide_.assign(bounds.begin(), bounds.end());
  if (plain_calls_ == 0)
    for (std::size_t i = 0; i < bounds.size(); ++i)
      wide_[i] = wideBounds(known ? last_[i] : bounds[i], bounds[i], slack[i]);
  broad_phase_.findPairs(wide_, movable_, kept_);
}

}  // namespace stickslip
