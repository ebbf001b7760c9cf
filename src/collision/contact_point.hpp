// What the narrow phase finds between two shapes.
#pragma once

#include <cstdint>
#include <vector>

#include "stickslip/vector.hpp"

namespace stickslip {

/// One point of a contact, in world coordinates. on_b - on_a = gap * normal.
struct ContactPoint {
  Vec3 on_a;
  Vec3 on_b;
  Vec3 normal;     ///< unit, from a to b
  double gap = 0;  ///< positive apart, negative overlapping
  /// Which features of the two shapes meet: stays the same while they do. Below 2^22.
  std::uint32_t feature = 0;
};

using ContactPoints = std::vector<ContactPoint>;

}  // namespace stickslip
