// Fewer points for a contact patch.
#pragma once

#include <cstddef>

#include "collision/collision_shape.hpp"

namespace stickslip {

/// As many points as any contact patch of two convex shapes has.
inline constexpr std::size_t kMaxPatchPoints = 8;

/// Leaves at most kMaxPatchPoints of out[first], ..., which share a normal: among them the one with
/// the smallest gap, and of the others those that span the largest area.
void reducePatch(ContactPoints& out, std::size_t first);

}  // namespace stickslip
