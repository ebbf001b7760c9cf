#include "collision/convex/convex_contact.hpp"

#include <limits>

#include "collision/convex/closed_forms.hpp"
#include "collision/convex/cylinder_distance.hpp"
#include "collision/convex/gjk.hpp"
#include "collision/convex/manifold.hpp"
#include "collision/convex/separating_axes.hpp"

namespace stickslip {
namespace {

// GJK's closest points and the gap along their normal are an upper and a lower bound of the
// distance. Cores are apart, and the normal is good, if the two agree to this part of the size.
constexpr double kAgreement = 2e-15;

bool isPoint(const PolytopeView& core) {
  return core.vertices.size() == 1;
}
bool isPointOrSegment(const PolytopeView& core) {
  return core.vertices.size() == 1 || core.vertices.size() == 2;
}
bool isPolytope(const PolytopeView& core) {
  return !core.vertices.empty();
}
bool isCylinder(const ConvexShape& shape, const PolytopeView& core) {
  return core.vertices.empty() && shape.kind() != CollisionShape::Kind::support;
}

SignedDistance pointToCylinder(const CorePair& pair) {
  const auto& cylinder = static_cast<const CylinderShape&>(pair.b);
  const Vec3 point = pair.b_in_a.pointToLocal(pair.a.interiorPoint());
  const SignedDistance found = cylinderToPoint(cylinder, point);
  return {found.gap, -(pair.b_in_a.rotation * found.normal)};
}

bool areBoxes(const CorePair& pair) {
  return pair.a.kind() == CollisionShape::Kind::box && pair.b.kind() == CollisionShape::Kind::box;
}

// Of the two bounds of a distance, the axes come first where bodies mostly touch or overlap a
// little and the axes are few; the answer is then there without GJK.
SignedDistance boxLikeDistance(const CorePair& pair, double cutoff) {
  const BoxDistance found =
      areBoxes(pair) ? boxDistance(pair, cutoff) : BoxDistance{distanceByAxes(pair, cutoff)};
  const SignedDistance& close = found.along;
  if (close.gap <= 0 || close.gap > cutoff || found.is_attained) return close;
  const ClosestPoints apart = closestPoints(pair, {}, close.normal, {.cutoff = cutoff});
  if (apart.distance == 0) return close;
  // Two vertices, or a vertex and an edge, are nearest along none of the axes.
  const double along = pair.gapAlong(apart.normal);
  return along > close.gap + kAgreement * pair.size() ? SignedDistance{along, apart.normal} : close;
}

SignedDistance generalDistance(const CorePair& pair, const PolytopeView& core_a,
                               const PolytopeView& core_b, double cutoff) {
  const bool both_polytopes = isPolytope(core_a) && isPolytope(core_b);
  if (both_polytopes && pair.a.radius() == 0 && pair.b.radius() == 0 && axesAreFew(core_a, core_b))
    return boxLikeDistance(pair, cutoff);
  const Vec3 line = pair.centerLine();
  const Vec3 guess = dot(line, line) > 0 ? line : Vec3{0, 0, 1};
  const ClosestPoints apart = closestPoints(pair, {}, guess, {.cutoff = cutoff});
  if (apart.distance > cutoff) return {apart.distance, apart.normal};
  SignedDistance best{-std::numeric_limits<double>::infinity(), {}};
  if (apart.distance > 0) best = {pair.gapAlong(apart.normal), apart.normal};
  if (best.gap > 0 && apart.distance - best.gap <= kAgreement * pair.size()) return best;

  const SignedDistance close = both_polytopes ? distanceByAxes(pair, apart.on_a, apart.on_b, cutoff)
                                              : distanceByAscent(pair);
  return close.gap >= best.gap ? close : best;
}

}  // namespace

SignedDistance coreDistance(const ConvexShape& a, const ConvexShape& b, const Pose& b_in_a,
                            double cutoff) {
  const CorePair pair{a, b, b_in_a};
  if (areBoxes(pair)) return boxLikeDistance(pair, cutoff);
  const PolytopeView core_a = a.polytope();
  const PolytopeView core_b = b.polytope();
  if (isPointOrSegment(core_a) && isPointOrSegment(core_b)) return segmentDistance(pair);
  if (isCylinder(a, core_a) && isPoint(core_b))
    return cylinderToPoint(static_cast<const CylinderShape&>(a),
                           b_in_a.pointToWorld(b.interiorPoint()));
  if (isPoint(core_a) && isCylinder(b, core_b)) return pointToCylinder(pair);
  return generalDistance(pair, core_a, core_b, cutoff);
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
