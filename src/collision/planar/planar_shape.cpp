#include "collision/planar/planar_shape.hpp"

#include <algorithm>
#include <cassert>
#include <limits>
#include <utility>

namespace stickslip {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

double largestNorm(std::span<const Vec2> points) {
  double largest = 0;
  for (const Vec2 p : points) largest = std::max(largest, norm(p));
  return largest;
}

Bounds boundsOf(std::span<const Vec2> points, const Pose& pose, double radius) {
  const PlanarPose plane = planarPart(pose);
  Vec2 lower{kInfinity, kInfinity}, upper{-kInfinity, -kInfinity};
  for (const Vec2 local : points) {
    const Vec2 p = plane.point(local);
    lower = {std::min(lower.x, p.x), std::min(lower.y, p.y)};
    upper = {std::max(upper.x, p.x), std::max(upper.y, p.y)};
  }
  const double z = pose.position.z;
  return {{lower.x - radius, lower.y - radius, z}, {upper.x + radius, upper.y + radius, z}};
}

// Infinite, but for the one side of a half-plane that stands parallel to an axis.
Bounds boundsOfHalfPlane(const Pose& pose) {
  const PlanarPose plane = planarPart(pose);
  const Vec2 normal = turned(plane.axis);
  const double z = pose.position.z;
  Bounds bounds{{-kInfinity, -kInfinity, z}, {kInfinity, kInfinity, z}};
  if (normal.x == 0) (normal.y > 0 ? bounds.upper : bounds.lower).y = plane.origin.y;
  if (normal.y == 0) (normal.x > 0 ? bounds.upper : bounds.lower).x = plane.origin.x;
  return bounds;
}

struct ShapeMaker {
  PlanarShape operator()(const Disk& s) const { return PlanarShape::rounded({{0, 0}}, s.radius); }
  PlanarShape operator()(const PlanarCapsule& s) const {
    return PlanarShape::rounded({{-s.length / 2, 0}, {s.length / 2, 0}}, s.radius);
  }
  PlanarShape operator()(const PlanarBox& s) const {
    const double x = s.width / 2, y = s.height / 2;
    return PlanarShape::rounded({{-x, -y}, {x, -y}, {x, y}, {-x, y}}, 0);
  }
  PlanarShape operator()(const Polygon& s) const { return PlanarShape::rounded(s.vertices, 0); }
  PlanarShape operator()(const HalfPlane&) const { return PlanarShape::halfPlane(); }
  PlanarShape operator()(const Polyline& s) const { return PlanarShape::polyline(s.points); }
  template <class Spatial>
  PlanarShape operator()(const Spatial&) const {
    assert(!"a planar shape");
    return PlanarShape::halfPlane();
  }
};

}  // namespace

PlanarShape PlanarShape::rounded(std::vector<Vec2> corners, double radius) {
  PlanarShape shape(Form::convex);
  shape.corners_ = std::move(corners);
  shape.radius_ = radius;
  const std::vector<Vec2>& c = shape.corners_;
  if (c.size() > 1)
    for (std::size_t i = 0; i < c.size(); ++i)
      shape.edges_.push_back(edgeBetween(c[i], c[(i + 1) % c.size()]));
  shape.size_ = largestNorm(c) + radius;
  return shape;
}

PlanarShape PlanarShape::halfPlane() {
  return PlanarShape(Form::half_plane);
}

PlanarShape PlanarShape::polyline(std::vector<Vec2> points) {
  PlanarShape shape(Form::polyline);
  shape.chain_ = SegmentChain(points);
  shape.corners_ = std::move(points);
  shape.size_ = largestNorm(shape.corners_);
  return shape;
}

Bounds PlanarShape::boundsAt(const Pose& pose) const {
  if (form_ == Form::half_plane) return boundsOfHalfPlane(pose);
  return boundsOf(corners_, pose, radius_);
}

double PlanarShape::farthestFrom(Vec3 point) const {
  if (form_ == Form::half_plane) return kInfinity;
  double farthest = 0;
  for (const Vec2 corner : corners_) farthest = std::max(farthest, norm(inSpace(corner) - point));
  return farthest + radius_;
}

std::shared_ptr<const CollisionShape> makePlanarShape(const Shape& shape) {
  return std::make_shared<const PlanarShape>(std::visit(ShapeMaker{}, shape));
}

}  // namespace stickslip
