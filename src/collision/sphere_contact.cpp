#include "collision/sphere_contact.hpp"

#include <algorithm>
#include <cmath>

#include "collision/manifold_builder.hpp"

namespace stickslip {
namespace {

using Kind = CollisionShape::Kind;

// Centres closer than this part of the sizes have no direction from one to the other.
constexpr double kTouching = 1e-14;

/// The surface next to the centre of a sphere.
struct NearestSurface {
  double distance = 0;  ///< negative inside
  Vec3 normal;          ///< unit, from the sphere to the other shape, in the world
};

NearestSurface nearestOfHalfSpace(Vec3 center, const Pose& pose) {
  return {dot(pose.rotation.z, center - pose.position), -pose.rotation.z};
}

NearestSurface nearestOfBox(Vec3 center, const Pose& pose, Vec3 half) {
  const Vec3 c = pose.pointToLocal(center);
  Vec3 outside;
  int face = 0;
  for (int i = 0; i < 3; ++i) {
    outside[i] = c[i] - std::clamp(c[i], -half[i], half[i]);
    if (std::abs(c[i]) - half[i] > std::abs(c[face]) - half[face]) face = i;
  }
  const double distance = norm(outside);
  if (distance > kTouching * norm(half))
    return {distance, pose.rotation * ((-1 / distance) * outside)};
  Vec3 inwards;
  inwards[face] = c[face] < 0 ? 1 : -1;
  return {std::abs(c[face]) - half[face], pose.rotation * inwards};
}

void addPoint(Vec3 center, double radius, const NearestSurface& surface, std::uint32_t feature,
              double margin, ContactPoints& out) {
  const double gap = surface.distance - radius;
  if (gap > margin) return;
  const Vec3 on_a = center + radius * surface.normal;
  out.push_back({on_a, on_a + gap * surface.normal, surface.normal, gap, feature});
}

// The sphere comes first; `is_a` tells whether it does for the caller.
bool collideInOrder(const CollisionShape& sphere, Vec3 center, const CollisionShape& other,
                    const Pose& pose, bool is_a, double margin, ContactPoints& out) {
  const double radius = sphere.measure().x;
  if (other.kind() == Kind::half_space) {
    addPoint(center, radius, nearestOfHalfSpace(center, pose), 0, margin, out);
    return true;
  }
  if (other.kind() != Kind::box) return false;
  const std::uint32_t feature = featureOf(is_a ? Meeting::corner_of_a : Meeting::corner_of_b, 0, 0);
  addPoint(center, radius, nearestOfBox(center, pose, other.measure()), feature, margin, out);
  return true;
}

bool collideSpheres(const CollisionShape& a, Vec3 center_a, const CollisionShape& b, Vec3 center_b,
                    double margin, ContactPoints& out) {
  const double radii = a.measure().x + b.measure().x;
  const Vec3 between = center_b - center_a;
  const double distance = norm(between);
  if (!(distance > kTouching * radii)) return false;
  const NearestSurface surface{distance - b.measure().x, (1 / distance) * between};
  addPoint(center_a, a.measure().x, surface, featureOf(Meeting::corner_of_a, 0, 0), margin, out);
  return true;
}

}  // namespace

bool collideSphere(const CollisionShape& a, const Pose& pose_a, const CollisionShape& b,
                   const Pose& pose_b, double margin, ContactPoints& out) {
  if (a.kind() == Kind::sphere && b.kind() == Kind::sphere)
    return collideSpheres(a, pose_a.position, b, pose_b.position, margin, out);
  if (a.kind() == Kind::sphere)
    return collideInOrder(a, pose_a.position, b, pose_b, true, margin, out);
  if (b.kind() != Kind::sphere) return false;
  const std::size_t first = out.size();
  if (!collideInOrder(b, pose_b.position, a, pose_a, false, margin, out)) return false;
  for (std::size_t i = first; i < out.size(); ++i) {
    std::swap(out[i].on_a, out[i].on_b);
    out[i].normal = -out[i].normal;
  }
  return true;
}

}  // namespace stickslip
