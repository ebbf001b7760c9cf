#include "collision/convex/half_space.hpp"

#include <cmath>
#include <limits>

#include "collision/convex/manifold.hpp"
#include "collision/convex/round_shapes.hpp"

namespace stickslip {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
// Sines that rounding leaves of a right angle.
constexpr double kAlong = 4 * std::numeric_limits<double>::epsilon();

/// The plane of the half-space, seen from the shape.
struct PlaneContact {
  const Pose& pose_a;
  Vec3 up;  ///< normal of the plane, in the frame of a
  double level = 0;
  Vec3 normal;  ///< from a to the half-space, in the world
  double radius = 0;
  double margin = 0;
  ContactPoints& out;

  void add(Vec3 core_point, std::uint32_t id) const {
    const double gap = dot(up, core_point) - level - radius;
    if (gap > margin) return;
    ContactPoint point;
    point.on_a = pose_a.pointToWorld(core_point - radius * up);
    point.on_b = point.on_a + gap * normal;
    point.normal = normal;
    point.gap = gap;
    point.feature = id & 0x3FFFFF;
    out.push_back(point);
  }
};

// The lower cap, or the deepest line of the mantle, or the deepest point of the rim; and the
// deepest point of the other rim too, which is within the margin only if the cylinder is nearly
// level.
void addCylinder(const CylinderShape& cylinder, const PlaneContact& plane) {
  thread_local Feature lower;
  cylinder.feature(-plane.up, lower);
  for (const FeatureCorner& corner : lower.corners) plane.add(corner.point, corner.id);
  if (!lower.isPoint()) return;
  const Vec3 deepest = lower.corners[0].point;
  plane.add({deepest.x, deepest.y, -deepest.z}, lower.corners[0].id ^ 1U);
}

}  // namespace

Bounds HalfSpaceShape::boundsAt(const Pose& pose) const {
  Bounds bounds;
  for (int i = 0; i < 3; ++i) {
    // Bounded only towards its outside, and only if that is along the axis, up to rounding.
    const Vec3 outwards = pose.rotation.z;
    const bool along =
        std::abs(outwards[(i + 1) % 3]) <= kAlong && std::abs(outwards[(i + 2) % 3]) <= kAlong;
    bounds.lower[i] = along && outwards[i] < 0 ? pose.position[i] : -kInfinity;
    bounds.upper[i] = along && outwards[i] > 0 ? pose.position[i] : kInfinity;
  }
  return bounds;
}

double HalfSpaceShape::farthestFrom(Vec3) const {
  return kInfinity;
}

void collideHalfSpace(const ConvexShape& a, const Pose& pose_a, const Pose& half_space,
                      double margin, ContactPoints& out) {
  const Vec3 normal = -half_space.rotation.z;
  const Vec3 up = -transposedTimes(pose_a.rotation, normal);
  const double level = dot(half_space.rotation.z, half_space.position - pose_a.position);
  const PlaneContact plane{pose_a, up, level, normal, a.radius(), margin, out};
  const std::size_t first = out.size();
  const PolytopeView core = a.polytope();
  if (a.kind() == CollisionShape::Kind::support) {
    thread_local Feature lower;
    a.feature(-up, lower);
    for (const FeatureCorner& corner : lower.corners) plane.add(corner.point, corner.id);
  } else if (core.vertices.empty()) {
    addCylinder(static_cast<const CylinderShape&>(a), plane);
  }
  for (std::size_t i = 0; i < core.vertices.size(); ++i)
    plane.add(core.vertices[i], static_cast<std::uint32_t>(i));
  reducePatch(out, first);
}

}  // namespace stickslip
