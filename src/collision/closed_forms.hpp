// Signed distances of cores that have a formula: points and segments among each other, a point and
// a cylinder, a point and a box.
#pragma once

#include "collision/convex_contact.hpp"
#include "collision/core_pair.hpp"
#include "collision/round_shapes.hpp"

namespace stickslip {

/// Cores of spheres and capsules. They have no inside: the gap is never negative, and where they
/// meet the normal is across both as far as there is such a direction.
SignedDistance segmentDistance(const CorePair& pair);

/// A point and a solid cylinder along z; the normal points from the cylinder to the point.
SignedDistance cylinderToPoint(const CylinderShape& cylinder, Vec3 point);

}  // namespace stickslip
