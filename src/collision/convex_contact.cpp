#include "collision/convex_contact.hpp"

#include "collision/closed_forms.hpp"
#include "collision/core_pair.hpp"
#include "collision/deepest_normal.hpp"
#include "collision/gjk.hpp"
#include "collision/manifold.hpp"
#include "collision/separating_axes.hpp"

namespace stickslip {
namespace {

// Cores that are farther apart than this part of their size get their normal from GJK's closest
// points, which is then good to 1e-16 / kClearlyApart.
constexpr double kClearlyApart = 1e-4;

bool isPoint(const PolytopeView& core) {
  return core.vertices.size() == 1;
}
bool isPointOrSegment(const PolytopeView& core) {
  return core.vertices.size() == 1 || core.vertices.size() == 2;
}
bool isCylinder(const PolytopeView& core) {
  return core.vertices.empty();
}

SignedDistance pointToCylinder(const CorePair& pair) {
  const auto& cylinder = static_cast<const CylinderShape&>(pair.b);
  const Vec3 point = pair.b_in_a.pointToLocal(pair.a.interiorPoint());
  const SignedDistance found = cylinderToPoint(cylinder, point);
  return {found.gap, -(pair.b_in_a.rotation * found.normal)};
}

SignedDistance generalDistance(const CorePair& pair, bool both_polytopes, double cutoff) {
  const Vec3 line = pair.centerLine();
  const Vec3 guess = dot(line, line) > 0 ? line : Vec3{0, 0, 1};
  const ClosestPoints apart = closestPoints(pair, {}, guess, cutoff);
  if (apart.distance > kClearlyApart * pair.size()) return {apart.distance, apart.normal};

  const SignedDistance close = both_polytopes ? distanceByAxes(pair) : distanceByAscent(pair);
  if (apart.distance == 0) return close;
  // Two vertices, or a vertex and an edge, are nearest along none of the axes.
  const double along = pair.gapAlong(apart.normal);
  return along > close.gap ? SignedDistance{along, apart.normal} : close;
}

}  // namespace

SignedDistance coreDistance(const ConvexShape& a, const ConvexShape& b, const Pose& b_in_a,
                            double cutoff) {
  const CorePair pair{a, b, b_in_a};
  const PolytopeView core_a = a.polytope();
  const PolytopeView core_b = b.polytope();
  if (isPointOrSegment(core_a) && isPointOrSegment(core_b)) return segmentDistance(pair);
  if (isCylinder(core_a) && isPoint(core_b))
    return cylinderToPoint(static_cast<const CylinderShape&>(a),
                           b_in_a.pointToWorld(b.interiorPoint()));
  if (isPoint(core_a) && isCylinder(core_b)) return pointToCylinder(pair);
  return generalDistance(pair, !isCylinder(core_a) && !isCylinder(core_b), cutoff);
}

void collideConvex(const ConvexShape& a, const Pose& pose_a, const ConvexShape& b,
                   const Pose& pose_b, double margin, ContactPoints& out) {
  const Pose b_in_a{pose_a.pointToLocal(pose_b.position),
                    transposed(pose_a.rotation) * pose_b.rotation};
  const double reach = margin + a.radius() + b.radius();
  const SignedDistance distance = coreDistance(a, b, b_in_a, reach);
  if (distance.gap > reach) return;
  addManifold({a, b, b_in_a}, distance, pose_a, margin, out);
}

}  // namespace stickslip
