// Contact patches in named situations: how many points, where, with which gaps, and which features
// stay.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>

#include "collision/convex/polytope.hpp"
#include "support/convex_pairs.hpp"

namespace stickslip::testing {
namespace {

constexpr double kPi = std::numbers::pi;
const Vec3 kUp{0, 0, 1};

PlacedConvex placed(const Shape& shape, Vec3 position, Mat3 rotation = {}) {
  return {shape, prepared(shape), {position, rotation}};
}

std::set<std::uint32_t> features(const ContactPoints& points) {
  std::set<std::uint32_t> result;
  for (const ContactPoint& p : points) result.insert(p.feature);
  return result;
}

// All gaps, all normals; and no two points with the same feature.
void expectPatch(const ContactPoints& points, std::size_t count, double gap, Vec3 normal) {
  ASSERT_EQ(points.size(), count);
  EXPECT_EQ(features(points).size(), count);
  for (const ContactPoint& p : points) {
    EXPECT_NEAR(p.gap, gap, 1e-14);
    EXPECT_NEAR(norm(p.normal - normal), 0, 1e-14);
  }
}

TEST(Manifold, StackedBoxesTouchInFourPoints) {
  for (const double gap : {1e-3, 1e-9, 0.0, -1e-15, -1e-9, -1e-3}) {
    const ContactPoints points =
        contactsOf(placed(Box{{2, 2, 1}}, {}), placed(Box{{1, 1, 1}}, {0.2, 0.1, 1 + gap}), 0.01);
    expectPatch(points, 4, gap, kUp);
    for (const ContactPoint& p : points) {
      EXPECT_NEAR(std::abs(p.on_a.x - 0.2), 0.5, 1e-14);
      EXPECT_NEAR(std::abs(p.on_a.y - 0.1), 0.5, 1e-14);
    }
  }
}

TEST(Manifold, EqualBoxesTouchInFourPointsHoweverTheyWobble) {
  Random random(1);
  for (int i = 0; i < 100; ++i) {
    const Vec3 shift = 1e-10 * randomDirection(random);
    const Mat3 turn = rotationAbout(randomDirection(random), 1e-10);
    const ContactPoints points =
        contactsOf(placed(Box{{1, 1, 1}}, {}), placed(Box{{1, 1, 1}}, kUp + shift, turn), 0.01);
    EXPECT_EQ(points.size(), 4U);
    EXPECT_EQ(features(points).size(), points.size());
  }
}

TEST(Manifold, BoxesTurnedByHalfARightAngleTouchInEightPoints) {
  const ContactPoints points =
      contactsOf(placed(Box{{1, 1, 1}}, {}),
                 placed(Box{{1, 1, 1}}, {0, 0, 1 - 1e-4}, rotationAbout(kUp, kPi / 4)), 0.01);
  expectPatch(points, 8, -1e-4, kUp);
  for (const ContactPoint& p : points)
    EXPECT_NEAR(std::max(std::abs(p.on_a.x), std::abs(p.on_a.y)), 0.5, 1e-14);
}

TEST(Manifold, TiltedBoxHasItsOwnGapAtEveryCorner) {
  const double tilt = 0.05;
  const PlacedConvex ground = placed(Box{{4, 4, 1}}, {0, 0, -0.5});
  PlacedConvex box = placed(Box{{1, 1, 1}}, {}, rotationAbout({0, 1, 0}, tilt));
  box.pose.position.z = 0.5 * std::cos(tilt) + 0.5 * std::sin(tilt);
  ContactPoints points = contactsOf(ground, box, 1);
  ASSERT_EQ(points.size(), 4U);
  std::sort(points.begin(), points.end(), [](auto& p, auto& q) { return p.gap < q.gap; });
  EXPECT_NEAR(points[0].gap, 0, 1e-15);
  EXPECT_NEAR(points[1].gap, 0, 1e-15);
  EXPECT_NEAR(points[2].gap, std::sin(tilt), 1e-15);
  EXPECT_NEAR(points[3].gap, std::sin(tilt), 1e-15);
  EXPECT_EQ(contactsOf(ground, box, 0.01).size(), 2U);
}

TEST(Manifold, CrossedEdgesTouchInOnePoint) {
  // Two boxes on edge, one along x, one along y.
  const double reach = std::sqrt(0.5);
  for (const double gap : {1e-3, 1e-12, 0.0, -1e-15, -1e-12, -1e-3}) {
    const ContactPoints points = contactsOf(
        placed(Box{{3, 1, 1}}, {0, 0, -reach}, rotationAbout({1, 0, 0}, kPi / 4)),
        placed(Box{{1, 3, 1}}, {0.2, 0.3, reach + gap}, rotationAbout({0, 1, 0}, kPi / 4)), 0.01);
    expectPatch(points, 1, gap, kUp);
    EXPECT_NEAR(norm(points[0].on_a - Vec3{0.2, 0, points[0].on_a.z}), 0, 1e-13);
  }
}

TEST(Manifold, ParallelEdgesTouchInTwoPoints) {
  const double reach = std::sqrt(0.5);
  const Mat3 on_edge = rotationAbout({1, 0, 0}, kPi / 4);
  const ContactPoints points =
      contactsOf(placed(Box{{3, 1, 1}}, {0, 0, -reach}, on_edge),
                 placed(Box{{3, 1, 1}}, {1, 0, reach + 0.1}, on_edge), 0.2);
  expectPatch(points, 2, 0.1, kUp);
  EXPECT_NEAR(std::abs(points[0].on_a.x - points[1].on_a.x), 2, 1e-13);
}

TEST(Manifold, VertexOnFaceTouchesInOnePoint) {
  // Diagonal of a cube upright.
  const Mat3 upright = rotationAbout({1, -1, 0}, std::acos(1 / std::sqrt(3.0)));
  for (const double gap : {1e-3, 1e-12, 0.0, -1e-15, -1e-12, -1e-3}) {
    const Vec3 center{0.1, 0.2, std::sqrt(3.0) / 2 + gap};
    const ContactPoints points = contactsOf(placed(Box{{4, 4, 1}}, {0, 0, -0.5}),
                                            placed(Box{{1, 1, 1}}, center, upright), 0.01);
    expectPatch(points, 1, gap, kUp);
    EXPECT_NEAR(norm(points[0].on_b - Vec3{0.1, 0.2, gap}), 0, 1e-14);
  }
}

TEST(Manifold, CapsulesSideBySideTouchInTwoPoints) {
  const Capsule capsule{2, 0.5};
  const ContactPoints side_by_side =
      contactsOf(placed(capsule, {}), placed(capsule, {1 - 1e-6, 0, 0.5}), 0.01);
  expectPatch(side_by_side, 2, -1e-6, {1, 0, 0});
  const ContactPoints crossed = contactsOf(
      placed(capsule, {}), placed(capsule, {1 + 1e-6, 0, 0}, rotationAbout({1, 0, 0}, 1)), 0.01);
  expectPatch(crossed, 1, 1e-6, {1, 0, 0});
  const ContactPoints end_to_end =
      contactsOf(placed(capsule, {}), placed(capsule, {0, 0, 3}), 0.01);
  expectPatch(end_to_end, 1, 0, kUp);
}

TEST(Manifold, LyingCapsuleAndCylinderTouchABoxInTwoPoints) {
  const Mat3 lying = rotationAbout({0, 1, 0}, kPi / 2);
  const PlacedConvex ground = placed(Box{{4, 4, 1}}, {0, 0, -0.5});
  for (const Shape& shape : {Shape(Capsule{2, 0.5}), Shape(Cylinder{0.5, 2})}) {
    const ContactPoints points = contactsOf(ground, placed(shape, {0, 0, 0.5 - 1e-6}, lying), 0.01);
    expectPatch(points, 2, -1e-6, kUp);
    EXPECT_NEAR(std::abs(points[0].on_a.x - points[1].on_a.x), 2, 1e-13);
    // Half over the border.
    const ContactPoints over = contactsOf(ground, placed(shape, {2, 0, 0.5 - 1e-6}, lying), 0.01);
    expectPatch(over, 2, -1e-6, kUp);
    EXPECT_NEAR(std::abs(over[0].on_a.x - over[1].on_a.x), 1, 1e-13);
  }
}

TEST(Manifold, StandingCylinder) {
  const PlacedConvex cylinder = placed(Cylinder{1, 2}, {0, 0, 1 - 1e-6});
  expectPatch(contactsOf(placed(Box{{4, 4, 1}}, {0, 0, -0.5}), cylinder, 0.01), 8, -1e-6, kUp);
  expectPatch(contactsOf(placed(Cylinder{2, 1}, {0, 0, -0.5}), cylinder, 0.01), 8, -1e-6, kUp);
  expectPatch(contactsOf(placed(Cylinder{1, 1}, {0, 0, -0.5}), cylinder, 0.01), 8, -1e-6, kUp);
  // A small box under the rim, between the rim's fixed points: its corners within the disc.
  const double turn = kPi / 8;
  const PlacedConvex small =
      placed(Box{{0.05, 0.05, 1}}, {0.95 * std::cos(turn), 0.95 * std::sin(turn), -0.5},
             rotationAbout(kUp, turn));
  expectPatch(contactsOf(small, cylinder, 0.01), 4, -1e-6, kUp);
  // Caps that overlap by half: points of both rims and where they cross.
  const ContactPoints half = contactsOf(placed(Cylinder{1, 1}, {1, 0, -0.5}), cylinder, 0.01);
  ASSERT_GE(half.size(), 4U);
  double widest = 0;
  for (const ContactPoint& p : half) {
    EXPECT_LE(std::hypot(p.on_a.x, p.on_a.y), 1 + 1e-8);
    EXPECT_LE(std::hypot(p.on_a.x - 1, p.on_a.y), 1 + 1e-8);
    widest = std::max(widest, p.on_a.y);
  }
  EXPECT_NEAR(widest, std::sqrt(0.75), 1e-12);
}

TEST(Manifold, HalfSpaceMeetsEveryNearVertex) {
  const PlacedConvex ground = placed(HalfSpace{}, {0, 0, 0.25});
  const auto on = [&](const Shape& shape, double height, Mat3 rotation = {}) {
    return contactsOf(ground, placed(shape, {0, 0, 0.25 + height}, rotation), 0.01);
  };
  const Mat3 lying = rotationAbout({0, 1, 0}, kPi / 2);
  expectPatch(on(Sphere{1}, 1 - 1e-3), 1, -1e-3, kUp);
  expectPatch(on(Box{{1, 2, 3}}, 1.5 - 1e-3), 4, -1e-3, kUp);
  expectPatch(on(Capsule{2, 0.5}, 1.5 + 1e-3), 1, 1e-3, kUp);
  expectPatch(on(Capsule{2, 0.5}, 0.5 + 1e-3, lying), 2, 1e-3, kUp);
  expectPatch(on(Cylinder{0.5, 2}, 1), 8, 0, kUp);
  expectPatch(on(Cylinder{0.5, 2}, 0.5, lying), 2, 0, kUp);
  EXPECT_TRUE(on(Sphere{1}, 1.02).empty());
}

TEST(Manifold, TiltedCylinderTouchesWithItsDeepestPoint) {
  Random random(3);
  const PlacedConvex ground = placed(HalfSpace{}, {});
  const PlacedConvex box = placed(Box{{9, 9, 1}}, {0, 0, -0.5});
  for (int i = 0; i < 200; ++i) {
    // From hardly any tilt to lying.
    const double tilt = std::pow(10, random.uniform(-14, 0.2));
    const double spin = random.uniform(0, 2 * kPi);
    const Mat3 R = rotationAbout(kUp, random.uniform(0, 7)) * rotationAbout({1, 0, 0}, tilt) *
                   rotationAbout(kUp, spin);
    const PlacedConvex cylinder = placed(Cylinder{0.5, 2}, {0, 0, 1.1}, R);
    const double expected = -height(cylinder, -kUp);
    EXPECT_NEAR(deepestOf(contactsOf(ground, cylinder, 1)).gap, expected, 1e-13) << tilt;
    EXPECT_NEAR(deepestOf(contactsOf(box, cylinder, 1)).gap, expected, 1e-13) << tilt;
  }
}

TEST(Manifold, FeaturesStayWhileShapesSlideAndRock) {
  Random random(4);
  const PlacedConvex ground = placed(Box{{4, 4, 1}}, {0, 0, -0.5});
  for (const Shape& shape : {Shape(Box{{1, 1, 1}}), Shape(Cylinder{0.5, 1})}) {
    std::set<std::uint32_t> first;
    for (int i = 0; i < 50; ++i) {
      const Mat3 R = rotationAbout(randomDirection(random), 1e-3);
      const Vec3 at{0.3 * random.uniform(), 0.3 * random.uniform(), 0.5};
      const auto found = features(contactsOf(ground, placed(shape, at, R), 0.1));
      // A tilted cylinder has a deepest point besides those fixed to its rim, eight in all.
      if (first.empty()) first = found;
      std::vector<std::uint32_t> common;
      std::set_intersection(found.begin(), found.end(), first.begin(), first.end(),
                            std::back_inserter(common));
      EXPECT_GE(common.size() + (std::holds_alternative<Box>(shape) ? 0 : 2), first.size());
    }
  }
}

// A flat triangle, as the terrain code makes them for its queries.
TEST(Manifold, TrianglesAreShapesToo) {
  const TriangleShape triangle({-2, -2, 0}, {2, -2, 0}, {0, 3, 0});
  const PlacedConvex box = placed(Box{{1, 1, 1}}, {0, 0, 0.5 - 1e-6});
  ContactPoints points;
  collide(triangle, {}, *box.prepared, box.pose, 0.01, points);
  expectPatch(points, 4, -1e-6, kUp);
  points.clear();
  const PlacedConvex sphere = placed(Sphere{0.5}, {2, -2, 0.3});
  collide(triangle, {}, *sphere.prepared, sphere.pose, 0.01, points);
  expectPatch(points, 1, -0.2, kUp);
}

TEST(Manifold, BoundsAndReachAreExact) {
  Random random(5);
  for (const std::string& kind : convexKinds())
    for (int i = 0; i < 8; ++i) {
      const PlacedConvex body = randomConvex(kind, random, 2);
      const Bounds bounds = body.prepared->boundsAt(body.pose);
      for (int k = 0; k < 3; ++k) {
        Vec3 axis;
        axis[k] = 1;
        EXPECT_NEAR(bounds.upper[k], height(body, axis), 1e-14);
        EXPECT_NEAR(bounds.lower[k], -height(body, -axis), 1e-14);
      }
      // The largest distance from p is the largest of n.(x - p).
      const Vec3 p = randomDirection(random);
      const Vec3 world = body.pose.pointToWorld(p);
      double farthest = 0;
      for (int k = 0; k < 5000; ++k) {
        const Vec3 n = randomDirection(random);
        farthest = std::max(farthest, height(body, n) - dot(n, world));
      }
      EXPECT_GE(body.prepared->farthestFrom(p), farthest);
      EXPECT_LE(body.prepared->farthestFrom(p), farthest + 2e-2);
    }
}

}  // namespace
}  // namespace stickslip::testing
