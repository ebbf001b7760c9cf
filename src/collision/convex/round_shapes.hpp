// Sphere, capsule and cylinder.
#pragma once

#include <array>

#include "collision/convex/convex_shape.hpp"

namespace stickslip {

/// Sphere (length 0) or capsule: the points within `radius` of a segment along z.
class RoundedSegment final : public ConvexShape {
 public:
  RoundedSegment(double length, double radius);

  double halfLength() const { return half_length_; }
  Vec3 support(Vec3 direction) const override;
  double radius() const override { return radius_; }
  Vec3 interiorPoint() const override { return {}; }
  double coreSize() const override { return half_length_; }
  void feature(Vec3 direction, Feature& out) const override;
  PolytopeView polytope() const override;
  double farthestFrom(Vec3 point) const override;

 private:
  double half_length_;
  double radius_;
  std::array<Vec3, 2> ends_;
  PolytopeEdge axis_;
};

/// Solid cylinder along z.
///
/// Seen from within kFeatureSine of its axis its feature is a cap: kRimPoints points that are fixed
/// to the rim, and the rim's deepest point if the cap is tilted. Seen from the side it is a line of
/// its mantle, and a point of the rim in between.
class CylinderShape final : public ConvexShape {
 public:
  static constexpr int kRimPoints = 8;

  CylinderShape(double radius, double height);

  double cylinderRadius() const { return radius_; }
  double halfHeight() const { return half_height_; }
  Vec3 support(Vec3 direction) const override;
  double radius() const override { return 0; }
  Vec3 interiorPoint() const override { return {}; }
  double coreSize() const override;
  void feature(Vec3 direction, Feature& out) const override;
  PolytopeView polytope() const override { return {}; }
  double farthestFrom(Vec3 point) const override;

 private:
  void capFeature(Vec3 direction, Feature& out) const;

  double radius_;
  double half_height_;
};

}  // namespace stickslip
