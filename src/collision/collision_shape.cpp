// Which preparation belongs to a shape, and which narrow phase to a pair.
#include "collision/collision_shape.hpp"

#include <cassert>
#include <utility>

#include "collision/convex/closed_forms.hpp"
#include "collision/convex/convex_contact.hpp"
#include "collision/convex/half_space.hpp"
#include "collision/convex/polytope.hpp"
#include "collision/convex/round_shapes.hpp"
#include "collision/convex/support_convex.hpp"
#include "collision/hull/hull_builder.hpp"
#include "collision/planar/planar_contact.hpp"
#include "collision/planar/planar_shape.hpp"
#include "collision/terrain/terrain.hpp"
#include "collision/terrain/terrain_contact.hpp"

namespace stickslip {
namespace {

using Prepared = std::shared_ptr<const CollisionShape>;

Prepared prepare(const Sphere& s) {
  return std::make_shared<RoundedSegment>(0, s.radius);
}
Prepared prepare(const Capsule& s) {
  return std::make_shared<RoundedSegment>(s.length, s.radius);
}
Prepared prepare(const Cylinder& s) {
  return std::make_shared<CylinderShape>(s.radius, s.height);
}
Prepared prepare(const Box& s) {
  return std::make_shared<Polytope>(boxPolytope(s.size));
}
Prepared prepare(const ConvexHull& s) {
  const std::optional<Hull> hull = buildHull(s.points);
  assert(hull && "problemOf() refuses points in a plane");
  return std::make_shared<Polytope>(hull->vertices, hull->faces);
}
Prepared prepare(const HalfSpace&) {
  return std::make_shared<HalfSpaceShape>();
}
Prepared prepare(const SupportShape& s) {
  return std::make_shared<SupportConvex>(s);
}
Prepared prepare(const HeightField& s) {
  return makeTerrain(s);
}
Prepared prepare(const TriangleMesh& s) {
  return makeTerrain(s);
}
template <class Planar>
Prepared prepare(const Planar& s) {
  return makePlanarShape(s);
}

const PlanarShape& asPlanar(const CollisionShape& shape) {
  return static_cast<const PlanarShape&>(shape);
}
const ConvexShape& asConvex(const CollisionShape& shape) {
  return static_cast<const ConvexShape&>(shape);
}

// One order of every pair of different families; false if the pair is the other way round.
bool collideInOrder(const CollisionShape& a, const Pose& pose_a, const CollisionShape& b,
                    const Pose& pose_b, double margin, ContactPoints& out) {
  const auto are = [&](Family of_a, Family of_b) {
    return a.family() == of_a && b.family() == of_b;
  };
  if (are(Family::planar, Family::planar)) {
    collidePlanar(asPlanar(a), pose_a, asPlanar(b), pose_b, margin, out);
    return true;
  }
  if (are(Family::convex, Family::convex)) {
    collideConvex(asConvex(a), pose_a, asConvex(b), pose_b, margin, out);
    return true;
  }
  if (are(Family::convex, Family::half_space)) {
    collideHalfSpace(asConvex(a), pose_a, pose_b, margin, out);
    return true;
  }
  if (are(Family::convex, Family::terrain)) {
    collideTerrain(asConvex(a), pose_a, static_cast<const Terrain&>(b), pose_b, margin, out);
    return true;
  }
  return false;
}

}  // namespace

Prepared makeCollisionShape(const Shape& shape) {
  return std::visit([](const auto& s) { return prepare(s); }, shape);
}

void collide(const CollisionShape& a, const Pose& pose_a, const CollisionShape& b,
             const Pose& pose_b, double margin, ContactPoints& out) {
  if (collideSphere(a, pose_a, b, pose_b, margin, out)) return;
  if (collideInOrder(a, pose_a, b, pose_b, margin, out)) return;
  const std::size_t first = out.size();
  if (!collideInOrder(b, pose_b, a, pose_a, margin, out)) return;
  for (std::size_t i = first; i < out.size(); ++i) {
    std::swap(out[i].on_a, out[i].on_b);
    out[i].normal = -out[i].normal;
  }
}

}  // namespace stickslip
