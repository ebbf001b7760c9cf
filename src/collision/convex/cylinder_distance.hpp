// Signed distance of cores of which at least one is a cylinder or known by its support function
// only, when they touch or overlap.
//
// The signed distance is the maximum over unit vectors n of h(n) = min n.(b - a), a concave and
// positively homogeneous function. In overlap h < 0, and on the sphere it has several local maxima.
// Candidates for n are the cylinders' axes, faces, common normals of axes and edges, and lines from
// an axis to vertices; the best ones are improved by ascent: with b moved away along n by more than
// the overlap, the cores are apart and GJK finds the normal m of their closest points. Since m
// maximizes h(m) + delta m.n over the unit ball,
//
//   h(m) >= h(n) + delta (1 - m.n),
//
// h rises until m = n: a stationary point of h on the sphere. This is the convex-concave procedure
// (Yuille & Rangarajan 2003). GJK always works on cores that are clearly apart, so exact touching
// is no special case, and a flat contact is found in one round.
#pragma once

#include <array>

#include "collision/convex/convex_contact.hpp"
#include "collision/convex/convex_shape.hpp"
#include "collision/convex/gjk.hpp"
#include "collision/convex/round_shapes.hpp"

namespace stickslip {

/// A core that is no polytope must be a CylinderShape or a SupportConvex. Of the latter only the
/// support function is known: candidates are the normals of faces of the other core, besides those
/// of all cores.
SignedDistance distanceByAscent(const CorePair& pair);

// Common normals of the rim of a cylinder and a straight edge.
//
// They are square to the edge, so they lie on an arc of a great circle; along it the gap is smooth
// except where the normal is square to the axis, too. A maximum inside a smooth piece of the arc is
// a root of the derivative, found by bisection.

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
