// Contact of two convex shapes of space: signed distance, normal and manifold.
#pragma once

#include "collision/collision_shape.hpp"
#include "collision/convex/convex_shape.hpp"

namespace stickslip {

/// The largest n . (y - x) over unit vectors n, minimized over points x of a and y of b: the
/// distance of two shapes that are apart, minus the depth of two that overlap. Frame: that of a.
struct SignedDistance {
  double gap = 0;
  Vec3 normal;  ///< unit, from a to b
};

/// Of the cores, radii not subtracted. `b_in_a` is the pose of b in the frame of a. Shapes that are
/// farther apart than `cutoff` may be reported with any larger gap.
SignedDistance coreDistance(const ConvexShape& a, const ConvexShape& b, const Pose& b_in_a,
                            double cutoff);

/// As collide() of collision_shape.hpp.
void collideConvex(const ConvexShape& a, const Pose& pose_a, const ConvexShape& b,
                   const Pose& pose_b, double margin, ContactPoints& out);

}  // namespace stickslip
