// A convex core that is known by its support function only.
//
// What faces a direction n is found by asking in directions that are tilted from n by a small
// angle, all around it. If the answers are one point, that is the feature; if they are two, or
// points of a line, an edge may be it; otherwise the plane through them may be that of a face.
// Which it is shows across the edge or along the normal of that plane, where the answers must be
// the same edge or face again, for a tilt as small as can be: a curved surface then gives one
// point. Small tilts come first, so that small faces are not taken for one with a large neighbour;
// larger ones find a face that is not quite level, up to kFeatureSine, as features of polytopes
// are.
#pragma once

#include <array>

#include "collision/convex/convex_shape.hpp"

namespace stickslip {

class SupportConvex final : public ConvexShape {
 public:
  explicit SupportConvex(const SupportShape& shape);

  Vec3 support(Vec3 direction) const override { return support_(direction); }
  double radius() const override { return radius_; }
  Vec3 interiorPoint() const override { return {}; }
  double coreSize() const override { return extent_; }
  void feature(Vec3 direction, Feature& out) const override;
  PolytopeView polytope() const override { return {}; }
  double farthestFrom(Vec3 point) const override { return norm(point) + extent_ + radius_; }

 private:
  static constexpr int kAround = 16;

  /// The different answers around a direction, in their order; ids say in which direction each was
  /// found.
  struct Outline {
    std::array<FeatureCorner, kAround> corner;
    int count = 0;
  };
  Outline around(Vec3 direction, double tilt) const;
  bool edgeAcross(Vec3 from, Vec3 to, Vec3 direction, Feature& out) const;
  bool faceAlong(Vec3 normal, Vec3 direction, Feature& out) const;

  SupportFunction support_;
  double radius_;
  double extent_;
};

}  // namespace stickslip
