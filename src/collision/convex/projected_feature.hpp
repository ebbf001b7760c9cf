// A feature of a shape, projected along the common normal of a contact.
#pragma once

#include "collision/convex/convex_shape.hpp"

namespace stickslip {

/// Axes of the plane that features are projected to, and the normal from a to b; right-handed.
struct ContactAxes {
  Vec3 t1;
  Vec3 t2;
  Vec3 normal;

  Vec2 flat(Vec3 p) const { return {dot(t1, p), dot(t2, p)}; }
  Vec3 point(Vec2 p, double height) const { return p.x * t1 + p.y * t2 + height * normal; }
};

struct ProjectedCorner {
  Vec2 at;
  double height = 0;  ///< along the normal
  std::uint32_t id = 0;
  std::uint32_t edge = 0;
};

/// The part of a segment, from + t (to - from), that lies within a feature, and which edges cut it.
struct ClippedSegment {
  bool empty = true;
  double t0 = 0;
  double t1 = 1;
  std::uint32_t edge0 = 0;  ///< where t0 > 0
  std::uint32_t edge1 = 0;  ///< where t1 < 1
};

/// Of a point in projection: (squared distance from a cap's centre - squared radius) / 2, which is
/// zero on the rim, and its gradient.
struct RimOffset {
  double value = 0;
  Vec2 gradient;
};

/// A point, a segment, a polygon or a disc.
class ProjectedFeature {
 public:
  /// `pose` takes the feature to the frame of `axes`; `side` is +1 for a shape below the contact
  /// plane (its outward normal along the axes' normal) and -1 for one above.
  void assign(const Feature& feature, const Pose& pose, const ContactAxes& axes, double side);

  std::span<const ProjectedCorner> corners() const { return corners_; }
  const ProjectedCorner& next(std::size_t i) const { return corners_[(i + 1) % corners_.size()]; }
  std::uint32_t id() const { return id_; }
  bool isPoint() const { return corners_.size() == 1; }
  bool isSegment() const { return corners_.size() == 2; }
  bool isPolygon() const { return corners_.size() > 2; }
  bool isDisc() const { return disc_radius_ > 0; }
  double discRadius() const { return disc_radius_; }
  Vec2 discCenter() const { return disc_center_; }

  /// Of the plane of a polygon.
  double heightAt(Vec2 p) const { return height_ + dot(slope_, p); }
  /// Of polygons and discs; points that are outside by no more than `tolerance` count as inside.
  bool contains(Vec2 p, double tolerance) const;
  RimOffset rimOffset(Vec2 p) const;
  ClippedSegment clip(Vec2 from, Vec2 to, double tolerance) const;

 private:
  double inwards(std::size_t edge, Vec2 p) const;
  Vec3 inCapPlane(Vec2 p) const;
  ClippedSegment clipByDisc(Vec2 from, Vec2 to, double tolerance) const;

  std::vector<ProjectedCorner> corners_;
  std::vector<Vec2> inwards_;  ///< unit normals of a polygon's edges
  double side_ = 1;
  double height_ = 0;
  Vec2 slope_;
  std::uint32_t id_ = 0;
  double disc_radius_ = 0;
  Vec2 disc_center_;
};

}  // namespace stickslip
