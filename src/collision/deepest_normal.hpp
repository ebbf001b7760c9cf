// Signed distance of cores of which at least one is a cylinder, when they touch or overlap.
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

#include "collision/convex_contact.hpp"
#include "collision/core_pair.hpp"

namespace stickslip {

/// A core that is no polytope must be a CylinderShape.
SignedDistance distanceByAscent(const CorePair& pair);

}  // namespace stickslip
