// The cores of two convex shapes in one frame, that of the first.
#pragma once

#include "collision/convex_shape.hpp"

namespace stickslip {

struct CorePair {
  const ConvexShape& a;
  const ConvexShape& b;
  Pose b_in_a;

  Vec3 supportA(Vec3 direction) const { return a.support(direction); }
  Vec3 supportB(Vec3 direction) const {
    return b_in_a.pointToWorld(b.support(transposedTimes(b_in_a.rotation, direction)));
  }
  /// How far a plane square to the unit vector n can hold the cores apart; negative if it cannot.
  double gapAlong(Vec3 n) const { return dot(n, supportB(-n) - supportA(n)); }
  Vec3 centerLine() const { return b_in_a.pointToWorld(b.interiorPoint()) - a.interiorPoint(); }
  /// What lengths are compared with: rounding of the shapes' own points is relative to it.
  double size() const { return a.coreSize() + b.coreSize(); }
};

/// A unit vector across the unit vector n.
inline Vec3 acrossFrom(Vec3 n) {
  const double x = std::abs(n.x);
  const double y = std::abs(n.y);
  const double z = std::abs(n.z);
  const Vec3 axis = x <= y && x <= z ? Vec3{1, 0, 0} : y <= z ? Vec3{0, 1, 0} : Vec3{0, 0, 1};
  return normalized(cross(n, axis));
}

}  // namespace stickslip
