#include "collision/broad/pair_cache.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace stickslip {
namespace {

// Boxes are taken to go on like that for so many calls.
constexpr float kCallsAhead = 4;
// Pairs of wider boxes cost more to find: they have to be good for this many calls, or the next
// searches do without.
constexpr int kWorthwhile = 2;
constexpr int kPlainCalls = 10;

constexpr double kMostFloat = std::numeric_limits<float>::max();

// What is unbounded, or was nowhere before, does not go anywhere.
float asFloat(double x) {
  return std::abs(x) <= kMostFloat ? static_cast<float>(x) : 0;
}

}  // namespace

Widening::Widening(Vec3 from_call_to_call, double on_every_side)
    : drift{asFloat(from_call_to_call.x), asFloat(from_call_to_call.y),
            asFloat(from_call_to_call.z)},
      slack(static_cast<float>(std::min(on_every_side, kMostFloat))) {}

bool PairCache::isMovableAsBefore(std::span<const char> movable) const {
  return std::equal(movable.begin(), movable.end(), movable_.begin(), movable_.end());
}

void PairCache::startSearch(std::span<const char> movable) {
  const bool is_first = movable_.size() != movable.size();
  if (plain_calls_ > 0)
    --plain_calls_;
  else if (!is_first && lasted_ < kWorthwhile)
    plain_calls_ = kPlainCalls;
  lasted_ = 0;
  movable_.assign(movable.begin(), movable.end());
  wide_.resize(movable.size());
}

Bounds PairCache::widened(const Bounds& box, const Widening& by) const {
  if (plain_calls_ > 0) return box;
  Bounds wide = box;
  for (int i = 0; i < 3; ++i) {
    // What lies in a plane is to stay there.
    if (i == 2 && box.lower.z == box.upper.z) break;
    const float ahead = kCallsAhead * by.drift[i];
    wide.lower[i] += static_cast<double>(std::min(0.0F, ahead) - by.slack);
    wide.upper[i] += static_cast<double>(std::max(0.0F, ahead) + by.slack);
  }
  return wide;
}

}  // namespace stickslip
