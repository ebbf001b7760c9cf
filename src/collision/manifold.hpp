// The points in which two convex shapes meet, from their common normal.
//
// Both shapes say which face, edge or point of theirs faces the other one along the normal. The two
// are projected along it onto a plane and intersected there; each corner of the intersection gives
// a point with its own gap, measured along the normal. The smallest of the gaps is the signed
// distance of the shapes.
#pragma once

#include "collision/convex_contact.hpp"
#include "collision/core_pair.hpp"

namespace stickslip {

/// Appends the points with gaps of at most `margin`. `distance` is that of the cores.
void addManifold(const CorePair& pair, const SignedDistance& distance, const Pose& pose_a,
                 double margin, ContactPoints& out);

}  // namespace stickslip
