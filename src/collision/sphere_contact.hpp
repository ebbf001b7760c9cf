// Spheres against spheres, half-spaces and boxes, in closed form.
#pragma once

#include "collision/collision_shape.hpp"

namespace stickslip {

/// False if no pair of spheres with these centres, whose radii add up to less than `reach`, can be
/// in contact. Rounding makes it true.
inline bool spheresAreWithin(Vec3 center_a, Vec3 center_b, double reach) {
  const Vec3 between = center_b - center_a;
  return dot(between, between) <= (1 + 1e-14) * (reach * reach);
}

/// As collide() of collision_shape.hpp, if there is a closed form for the pair; false if there is
/// none.
bool collideSphere(const CollisionShape& a, const Pose& pose_a, const CollisionShape& b,
                   const Pose& pose_b, double margin, ContactPoints& out);

}  // namespace stickslip
