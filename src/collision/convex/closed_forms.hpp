// Signed distances of cores that have a formula: points and segments among each other, a point and
// a cylinder, a point and a box.
#pragma once

#include "collision/collision_shape.hpp"
#include "collision/convex/convex_contact.hpp"
#include "collision/convex/gjk.hpp"
#include "collision/convex/round_shapes.hpp"
#include "collision/convex/separating_axes.hpp"

namespace stickslip {

/// Cores of spheres and capsules. They have no inside: the gap is never negative, and where they
/// meet the normal is across both as far as there is such a direction.
SignedDistance segmentDistance(const CorePair& pair);

/// A point and a solid cylinder along z; the normal points from the cylinder to the point.
SignedDistance cylinderToPoint(const CylinderShape& cylinder, Vec3 point);

// Signed distance of two boxes along their separating axes, in closed form: along a unit vector n a
// box with half sides h and axes r_k reaches sum_k h_k |n.r_k| from its centre (Gottschalk, Lin,
// Manocha, OBBTree, 1996). The same axes in the same order as distanceByAxes() of
// separating_axes.hpp, hence the same result up to rounding.

/// Best of the separating axes.
struct BoxDistance {
  SignedDistance along;
  /// There are points of both at this distance: apart, this is the distance. If false, it may be
  /// larger: two vertices, or a vertex and an edge, are nearest along none of the axes.
  bool is_attained = false;
};

/// Of two cores that are boxes. Beyond `cutoff` the first axis will do.
BoxDistance boxDistance(const CorePair& pair, double cutoff);

// Spheres against spheres, half-spaces and boxes, in closed form.

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
