// Which planar narrow phase a pair goes to, and in which order.
//
// Terrain comes first. Two convex shapes are put into an order that does not depend on the
// caller's: fewer corners first, then by their measures, then by where they are. So ties are broken
// alike when the caller swaps the shapes.
#include "collision/planar/planar_contact.hpp"

#include <algorithm>
#include <tuple>

#include "collision/planar/polyline_contact.hpp"
#include "collision/planar/rounded_polygon_contact.hpp"

namespace stickslip {
namespace {

bool comesFirst(const PlanarShape& a, const Pose& pose_a, const PlanarShape& b,
                const Pose& pose_b) {
  const auto key = [](const PlanarShape& s) { return std::tuple(s.corners().size(), s.radius()); };
  if (key(a) != key(b)) return key(a) < key(b);
  const auto less = [](Vec2 p, Vec2 q) { return std::tie(p.x, p.y) < std::tie(q.x, q.y); };
  const auto [in_a, in_b] =
      std::mismatch(a.corners().begin(), a.corners().end(), b.corners().begin(), b.corners().end());
  if (in_a != a.corners().end()) return less(*in_a, *in_b);
  const auto place = [](const Pose& pose) {
    return std::tuple(pose.position.x, pose.position.y, pose.rotation.x.x, pose.rotation.x.y);
  };
  return place(pose_a) <= place(pose_b);
}

bool isDisk(const PlanarShape& shape) {
  return shape.form() == PlanarShape::Form::convex && shape.corners().size() == 1;
}

// In the world, where nothing has to be turned. False if the centres are too close to tell a
// direction.
bool collideDisks(const PlanarShape& a, const Pose& pose_a, const PlanarShape& b,
                  const Pose& pose_b, double margin, ContactPoints& out) {
  const PlanarPose at_a = planarPart(pose_a), at_b = planarPart(pose_b);
  const Vec2 center_a = at_a.point(a.corners()[0]), center_b = at_b.point(b.corners()[0]);
  const Vec2 between = center_b - center_a;
  const double distance = norm(between), gap = distance - (a.radius() + b.radius());
  if (gap > margin) return true;
  if (!(distance > planarRounding(a, at_a, b, at_b))) return false;
  const Vec2 normal = (1 / distance) * between;
  out.push_back({inSpace(center_a + a.radius() * normal), inSpace(center_b - b.radius() * normal),
                 inSpace(normal), gap,
                 static_cast<std::uint32_t>(PlanarFeature::corner_corner) << 20});
  return true;
}

// Every corner within the margin.
void collideHalfPlane(const PlanarShape& body, const PlanarPose& body_in_plane, PlanarPoints& out) {
  constexpr Vec2 normal{0, 1};
  for (std::size_t j = 0; j < body.corners().size(); ++j) {
    const Vec2 point = body_in_plane.point(body.corners()[j]) - body.radius() * normal;
    out.add(point, normal, point.y, PlanarFeature::edge_corner, 0, static_cast<int>(j));
  }
}

void collideOrdered(const PlanarShape& a, const Pose& pose_a, const PlanarShape& b,
                    const Pose& pose_b, bool swapped, double margin, ContactPoints& points) {
  const PlanarPose at_a = planarPart(pose_a), at_b = planarPart(pose_b);
  const PlanarPose b_in_a = relativePose(at_a, at_b);
  const double rounding = planarRounding(a, at_a, b, at_b);
  PlanarPoints out(at_a, swapped, margin, rounding, points);
  switch (a.form()) {
    case PlanarShape::Form::convex:
      return collideRoundedPolygons(a, b, b_in_a, margin, rounding, out);
    case PlanarShape::Form::half_plane:
      return collideHalfPlane(b, b_in_a, out);
    case PlanarShape::Form::polyline:
      return collidePolyline(a, b, b_in_a, margin, rounding, out);
  }
}

}  // namespace

void collidePlanar(const PlanarShape& a, const Pose& pose_a, const PlanarShape& b,
                   const Pose& pose_b, double margin, ContactPoints& out) {
  const bool convex_a = a.form() == PlanarShape::Form::convex;
  const bool convex_b = b.form() == PlanarShape::Form::convex;
  if (!convex_a && !convex_b) return;
  if (isDisk(a) && isDisk(b) && collideDisks(a, pose_a, b, pose_b, margin, out)) return;
  const bool in_order = convex_a && convex_b ? comesFirst(a, pose_a, b, pose_b) : convex_b;
  if (in_order) return collideOrdered(a, pose_a, b, pose_b, false, margin, out);
  collideOrdered(b, pose_b, a, pose_a, true, margin, out);
}

}  // namespace stickslip
