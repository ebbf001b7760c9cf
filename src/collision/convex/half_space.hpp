// Half-spaces, and their contact with convex shapes.
//
// The normal is that of the plane. Every vertex of a polytope or of a core that is within the
// margin is a point of the contact; so are the deepest points of both rims of a cylinder, and the
// fixed points of a cap that is nearly level, and the corners of the feature that a support
// function has towards the plane.
#pragma once

#include "collision/convex/convex_shape.hpp"

namespace stickslip {

/// All points with z <= 0.
class HalfSpaceShape final : public CollisionShape {
 public:
  HalfSpaceShape() { setKind(Kind::half_space, {}); }
  Family family() const override { return Family::half_space; }
  Bounds boundsAt(const Pose& pose) const override;
  double farthestFrom(Vec3 point) const override;
};

/// As collide() of collision_shape.hpp, with the half-space as b.
void collideHalfSpace(const ConvexShape& a, const Pose& pose_a, const Pose& half_space,
                      double margin, ContactPoints& out);

}  // namespace stickslip
