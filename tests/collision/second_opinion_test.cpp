// Distances and depths of convex pairs against FCL 0.7 (libccd's GJK, and its own box against box).
//
// What FCL gets wrong, measured on shapes of size 1. Where it has a formula, and between polytopes,
// it agrees with us to 5e-15. Its GJK of rounded shapes (sphere or capsule against hull, capsule
// against box, cylinders) stops early: with distance_tolerance at 1e-12 the distance is too large
// by up to 6e-9, and at gaps of 1e-7 by up to 4e-6; with the default of 1e-6 by up to 4e-4. It is
// never too small, so half of the comparison is sharp. Overlaps of anything but two boxes come from
// an expanding polytope with a tolerance that is not for the user to set; they are not compared.
// For two boxes FCL takes an axis of two edges only if it is better by a factor of 1.05 than any
// face: a quarter of its depths are too large, by up to that.
#include <gtest/gtest.h>

#include <fcl/fcl.h>

#include <algorithm>
#include <memory>

#include "collision/convex/polytope.hpp"
#include "support/convex_pairs.hpp"

namespace stickslip::testing {
namespace {

using Geometry = std::shared_ptr<fcl::CollisionGeometryd>;

Geometry hullGeometry(const PlacedConvex& body) {
  const PolytopeView core = static_cast<const Polytope&>(*body.prepared).polytope();
  auto vertices = std::make_shared<std::vector<fcl::Vector3d>>();
  for (const Vec3& v : core.vertices) vertices->emplace_back(v.x, v.y, v.z);
  auto faces = std::make_shared<std::vector<int>>();
  for (const PolytopeFace& face : core.faces) {
    faces->push_back(face.count);
    for (int k = 0; k < face.count; ++k) faces->push_back(core.loops[face.first + k]);
  }
  return std::make_shared<fcl::Convexd>(vertices, static_cast<int>(core.faces.size()), faces);
}

Geometry geometryOf(const PlacedConvex& body) {
  if (const auto* s = std::get_if<Sphere>(&body.shape))
    return std::make_shared<fcl::Sphered>(s->radius);
  if (const auto* s = std::get_if<Capsule>(&body.shape))
    return std::make_shared<fcl::Capsuled>(s->radius, s->length);
  if (const auto* s = std::get_if<Cylinder>(&body.shape))
    return std::make_shared<fcl::Cylinderd>(s->radius, s->height);
  if (const auto* s = std::get_if<Box>(&body.shape))
    return std::make_shared<fcl::Boxd>(s->size.x, s->size.y, s->size.z);
  return hullGeometry(body);
}

fcl::CollisionObjectd objectOf(const PlacedConvex& body) {
  fcl::Transform3d pose = fcl::Transform3d::Identity();
  for (int i = 0; i < 3; ++i) {
    pose.translation()[i] = body.pose.position[i];
    for (int j = 0; j < 3; ++j) pose.linear()(i, j) = body.pose.rotation(i, j);
  }
  return fcl::CollisionObjectd(geometryOf(body), pose);
}

double fclDistance(const PlacedConvex& a, const PlacedConvex& b) {
  const fcl::CollisionObjectd object_a = objectOf(a);
  const fcl::CollisionObjectd object_b = objectOf(b);
  const fcl::DistanceRequestd request(true, false, 0, 0, 1e-12);
  fcl::DistanceResultd result;
  return fcl::distance(&object_a, &object_b, request, result);
}

TEST(SecondOpinion, DistancesAgreeWithFcl) {
  for (const std::string& kind_a : convexKinds())
    for (const std::string& kind_b : convexKinds()) {
      SCOPED_TRACE(kind_a + " " + kind_b);
      const bool polytopes =
          (kind_a == "box" || kind_a == "hull") && (kind_b == "box" || kind_b == "hull");
      Random random(21);
      int compared = 0;
      for (int i = 0; i < 60; ++i) {
        const PlacedConvex a = randomConvex(kind_a, random, 0.3);
        const PlacedConvex b = randomConvex(kind_b, random, 3);
        const double gap = deepestOf(contactsOf(a, b, 100)).gap;
        if (gap < 0.01) continue;
        ++compared;
        const double theirs = fclDistance(a, b);
        EXPECT_LE(gap, theirs + 1e-14);
        EXPECT_GE(gap, theirs - (polytopes ? 1e-14 : 1e-7));
      }
      EXPECT_GT(compared, 10);
    }
}

TEST(SecondOpinion, DepthsOfBoxesAgreeWithFcl) {
  Random random(22);
  int overlapping = 0;
  int faces = 0;
  for (int i = 0; i < 500; ++i) {
    const PlacedConvex a = randomConvex("box", random, 0.3);
    const PlacedConvex b = randomConvex("box", random, 1.5);
    const double depth = -deepestOf(contactsOf(a, b, 100)).gap;
    const fcl::CollisionObjectd object_a = objectOf(a);
    const fcl::CollisionObjectd object_b = objectOf(b);
    fcl::CollisionResultd result;
    fcl::collide(&object_a, &object_b, fcl::CollisionRequestd(8, true), result);
    EXPECT_EQ(depth > 0, result.isCollision());
    if (depth <= 0 || !result.isCollision()) continue;
    ++overlapping;
    double theirs = 0;
    for (std::size_t k = 0; k < result.numContacts(); ++k)
      theirs = std::max(theirs, std::abs(result.getContact(k).penetration_depth));
    EXPECT_LE(depth, theirs + 1e-12);
    EXPECT_LE(theirs, 1.05 * depth + 1e-12);
    if (theirs < depth + 1e-12) ++faces;
  }
  EXPECT_GT(overlapping, 100);
  EXPECT_GT(faces, overlapping / 2);
}

}  // namespace
}  // namespace stickslip::testing
