// Common normals of the rim of a cylinder and a straight edge.
//
// They are square to the edge, so they lie on an arc of a great circle; along it the gap is smooth
// except where the normal is square to the axis, too. A maximum inside a smooth piece of the arc is
// a root of the derivative, found by bisection.
#pragma once

#include <array>

#include "collision/convex_shape.hpp"
#include "collision/round_shapes.hpp"

namespace stickslip {

/// At most one normal for each smooth piece of the arc.
struct RimNormals {
  std::array<Vec3, 8> normal;
  std::size_t count = 0;
};

/// An edge in the frame in which the cylinder stands, through `point`, square to the outward
/// normals from `first` by way of `middle` to `last`; each of the two steps is less than half a
/// turn.
struct RimEdge {
  Vec3 point;
  Vec3 first;
  Vec3 middle;
  Vec3 last;
};

/// Edge of a polytope. Pose: of the polytope in the cylinder's frame.
RimEdge rimEdge(const PolytopeView& core, std::size_t edge, const Pose& pose);

/// Normals, from the cylinder to the edge, at which the gap between rim and edge has a maximum.
RimNormals rimNormals(const CylinderShape& cylinder, const RimEdge& edge);
/// The same for a line without faces: a segment, or the mantle of another cylinder about it.
RimNormals rimNormals(const CylinderShape& cylinder, Vec3 point, Vec3 direction);

}  // namespace stickslip
