#pragma once
#include <span>
#include <vector>
#include "collision/collision_shape.hpp"
namespace stickslip {
struct CandidatePair {
  int a, b;
};
class BroadPhase {
 public:
  void findPairs(std::span<const Bounds> bounds, std::span<const char> movable,
                 std::vector<CandidatePair>& pairs) {
    for (int i = 0; i < (int)bounds.size(); ++i)
      for (int j = i + 1; j < (int)bounds.size(); ++j) {
        const Bounds &x = bounds[(size_t)i], &y = bounds[(size_t)j];
        if (!movable[(size_t)i] && !movable[(size_t)j]) continue;
        if (x.lower.x <= y.upper.x && y.lower.x <= x.upper.x && x.lower.y <= y.upper.y &&
            y.lower.y <= x.upper.y && x.lower.z <= y.upper.z && y.lower.z <= x.upper.z)
          pairs.push_back({i, j});
      }
  }
};
}  // namespace stickslip
