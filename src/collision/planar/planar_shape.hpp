// Planar shapes prepared for collision detection.
//
// Every convex shape of the plane is a rounded polygon: the points within `radius` of a core with n
// corners. A disk is a core of one corner, a capsule of two (with two edges, one for each side), a
// box or polygon has radius 0. Terrain is a half-plane or a chain of segments (segment_chain.hpp).
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "collision/collision_shape.hpp"
#include "collision/planar/segment_chain.hpp"

namespace stickslip {

/// Where a frame of the plane stands in another one.
struct PlanarPose {
  Vec2 origin;
  Vec2 axis{1, 0};  ///< direction of the frame's x axis, a unit vector

  constexpr Vec2 direction(Vec2 v) const { return v.x * axis + v.y * turned(axis); }
  constexpr Vec2 directionBack(Vec2 v) const { return {dot(axis, v), cross(axis, v)}; }
  constexpr Vec2 point(Vec2 p) const { return origin + direction(p); }
};

/// The part of a spatial pose that lies in the plane.
constexpr PlanarPose planarPart(const Pose& pose) {
  return {{pose.position.x, pose.position.y}, {pose.rotation.x.x, pose.rotation.x.y}};
}
/// Where b stands as seen from a.
constexpr PlanarPose relativePose(const PlanarPose& a, const PlanarPose& b) {
  return {a.directionBack(b.origin - a.origin), a.directionBack(b.axis)};
}
constexpr Vec3 inSpace(Vec2 v) {
  return {v.x, v.y, 0};
}

class PlanarShape final : public CollisionShape {
 public:
  enum class Form { convex, half_plane, polyline };

  static PlanarShape rounded(std::vector<Vec2> corners, double radius);
  static PlanarShape halfPlane();
  static PlanarShape polyline(std::vector<Vec2> points);

  Family family() const override { return Family::planar; }
  Bounds boundsAt(const Pose& pose) const override;
  double farthestFrom(Vec3 point) const override;

  Form form() const { return form_; }
  /// Largest distance of a core's corner or a chain's point from the origin, plus the radius.
  double size() const { return size_; }
  /// Convex: corners counterclockwise.
  std::span<const Vec2> corners() const { return corners_; }
  /// Convex: edge i goes from corner i to the next; none for a disk.
  std::span<const PlanarEdge> edges() const { return edges_; }
  double radius() const { return radius_; }
  /// Polyline only.
  const SegmentChain& chain() const { return chain_; }

 private:
  explicit PlanarShape(Form form) : form_(form) {}

  Form form_;
  std::vector<Vec2> corners_;  ///< of a polyline: its points
  std::vector<PlanarEdge> edges_;
  double radius_ = 0;
  double size_ = 0;
  SegmentChain chain_;
};

/// Prepares a planar shape for which problemOf() has nothing to say.
std::shared_ptr<const CollisionShape> makePlanarShape(const Shape& shape);

}  // namespace stickslip
