// Bodies on one-sided chains of segments.
#include "collision/planar/polyline_contact.hpp"

#include <gtest/gtest.h>

#include <set>

#include "support/planar_shapes.hpp"

namespace stickslip {
namespace {

using testing::deepest;
using testing::planarPose;
using testing::planarShape;
using testing::Random;
using testing::randomConvexShape;
using testing::randomPlanarPose;
using testing::segmentDistance;
using testing::signedDistance;
using testing::smallestGap;

const Pose kHere = planarPose(0, 0, 0);

ContactPoints contacts(const PlanarShape& line, const PlanarShape& body, const Pose& at,
                       double margin) {
  ContactPoints points;
  collidePlanar(line, kHere, body, at, margin, points);
  return points;
}

// Ground from left to right with corners of both kinds.
std::vector<Vec2> randomGround(Random& random, int segments, double roughness) {
  std::vector<Vec2> points{{-9, 0}};
  double x = -4;
  for (int i = 0; i <= segments; ++i) {
    points.push_back({x, roughness * random.uniform()});
    x += 8.0 / segments * random.uniform(0.3, 1.7);
  }
  points.push_back({12, 0});
  return points;
}

std::vector<Vec2> cornersAt(const PlanarShape& body, const Pose& at) {
  std::vector<Vec2> corners;
  for (const Vec2 c : body.corners()) corners.push_back(planarPart(at).point(c));
  return corners;
}

bool cross(Vec2 a, Vec2 b, Vec2 c, Vec2 d) {
  const auto side = [](Vec2 p, Vec2 q, Vec2 r) { return stickslip::cross(q - p, r - p) > 0; };
  return side(a, b, c) != side(a, b, d) && side(c, d, a) != side(c, d, b);
}

// Distance between chain and core, minus the radius; negative if the core is not clear of the
// chain.
double clearance(const std::vector<Vec2>& chain, const PlanarShape& body, const Pose& at) {
  const std::vector<Vec2> core = cornersAt(body, at);
  double distance = 1e9;
  for (std::size_t k = 0; k + 1 < chain.size(); ++k)
    for (std::size_t j = 0; j < core.size(); ++j) {
      const Vec2 p = core[j], q = core[(j + 1) % core.size()];
      if (cross(p, q, chain[k], chain[k + 1])) return -1;
      distance = std::min({distance, segmentDistance(p, chain[k], chain[k + 1]),
                           segmentDistance(chain[k], p, q), segmentDistance(chain[k + 1], p, q)});
    }
  return distance - body.radius();
}

TEST(PolylineContact, GapAboveTheGroundIsTheDistance) {
  Random random(1);
  int checked = 0;
  for (int i = 0; i < 4000; ++i) {
    const std::vector<Vec2> ground = randomGround(random, random.integer(3, 40), 0.4);
    const PlanarShape line = planarShape(Polyline{ground});
    const PlanarShape body = planarShape(randomConvexShape(random, i % 4));
    const Pose at =
        planarPose(random.uniform(-1.5, 1.5), random.uniform(0.3, 2), random.uniform(-4, 4));
    const double expected = clearance(ground, body, at);
    if (expected < 0) continue;
    const ContactPoints points = contacts(line, body, at, 0.5);
    EXPECT_EQ(points.empty(), expected > 0.5);
    if (points.empty()) continue;
    EXPECT_NEAR(smallestGap(points), expected, 1e-13);
    ++checked;
  }
  EXPECT_GT(checked, 1000);
}

// A closed convex chain is a polygon: the same signed distance, shallow overlaps included.
TEST(PolylineContact, ClosedChainIsAPolygon) {
  Random random(2);
  int overlapping = 0;
  for (int i = 0; i < 20000; ++i) {
    const Polygon polygon = testing::randomPolygon(random, random.integer(3, 8));
    std::vector<Vec2> around(polygon.vertices.rbegin(), polygon.vertices.rend());
    around.push_back(around.front());
    const PlanarShape body = planarShape(randomConvexShape(random, i % 4));
    const Pose at = randomPlanarPose(random, 2);
    const double expected = signedDistance(planarShape(polygon), kHere, body, at);
    if (expected < -2e-3) continue;
    const ContactPoints points = contacts(planarShape(Polyline{around}), body, at, 0.4);
    EXPECT_EQ(points.empty(), expected > 0.4);
    if (points.empty()) continue;
    EXPECT_NEAR(smallestGap(points), expected, 1e-13) << i;
    overlapping += expected < 0;
  }
  EXPECT_GT(overlapping, 10);
}

TEST(PolylineContact, PointsAreConsistentAndSwapReversesThem) {
  Random random(3);
  for (int i = 0; i < 2000; ++i) {
    const PlanarShape line = planarShape(Polyline{randomGround(random, 20, 0.3)});
    const PlanarShape body = planarShape(randomConvexShape(random, i % 4));
    const Pose at =
        planarPose(random.uniform(-1.5, 1.5), random.uniform(0, 1), random.uniform(-4, 4));
    const ContactPoints points = contacts(line, body, at, 0.1);
    ContactPoints back;
    collidePlanar(body, at, line, kHere, 0.1, back);
    ASSERT_EQ(points.size(), back.size());
    std::set<std::uint32_t> features;
    for (std::size_t k = 0; k < points.size(); ++k) {
      const ContactPoint& p = points[k];
      EXPECT_LE(p.gap, 0.1);
      EXPECT_NEAR(norm(p.normal), 1, 1e-14);
      EXPECT_NEAR(norm(p.on_b - p.on_a - p.gap * p.normal), 0, 1e-14);
      EXPECT_TRUE(features.insert(p.feature).second);
      EXPECT_LT(p.feature, 1u << 22);
      EXPECT_EQ(p.on_a, back[k].on_b);
      EXPECT_EQ(p.normal, -back[k].normal);
    }
  }
}

// Wherever the body is, normals lie between those of the steepest segments.
TEST(PolylineContact, NormalsLieBetweenThoseOfTheSegments) {
  Random random(4);
  for (int i = 0; i < 3000; ++i) {
    const std::vector<Vec2> ground = randomGround(random, 30, 0.02);
    double steepest = 0;
    for (std::size_t k = 0; k + 1 < ground.size(); ++k)
      steepest = std::max(
          steepest, std::abs(ground[k + 1].y - ground[k].y) / norm(ground[k + 1] - ground[k]));
    const PlanarShape body = planarShape(randomConvexShape(random, i % 4));
    const Pose at = planarPose(random.uniform(-1, 1), random.uniform(0, 1), random.uniform(-4, 4));
    for (const ContactPoint& p : contacts(planarShape(Polyline{ground}), body, at, 0.02)) {
      EXPECT_LE(std::abs(p.normal.x), steepest + 1e-15);
      EXPECT_GT(p.normal.y, 0);
    }
  }
}

TEST(PolylineContact, SplitStraightGroundIsAHalfPlane) {
  Random random(5);
  const PlanarShape ground = planarShape(HalfPlane{});
  for (int i = 0; i < 3000; ++i) {
    const double slope = random.uniform(-1, 1);
    std::vector<Vec2> points;
    for (double x = -5; x < 5; x += random.uniform(0.05, 1))
      points.push_back({x * std::cos(slope), x * std::sin(slope)});
    const PlanarShape body = planarShape(randomConvexShape(random, i % 4));
    const Pose at = planarPose(0, 0, slope) * planarPose(random.uniform(), random.uniform(0, 0.8),
                                                         random.uniform(-0.02, 0.02));
    ContactPoints expected;
    collidePlanar(ground, planarPose(0, 0, slope), body, at, 0.01, expected);
    const ContactPoints found = contacts(planarShape(Polyline{points}), body, at, 0.01);
    if (!found.empty()) {
      EXPECT_NEAR(smallestGap(found), smallestGap(expected), 1e-13);
    }
    for (const ContactPoint& p : found) EXPECT_LT(norm(p.normal - expected.at(0).normal), 1e-12);
    // Corners that look up are left out here, and bodies that are more than half below.
    EXPECT_LE(found.size(), expected.size());
    if (!expected.empty() && smallestGap(expected) > -0.05) {
      EXPECT_GE(found.size(), std::min<std::size_t>(expected.size(), 1));
    }
  }
}

TEST(PolylineContact, BoxLiesOnSplitGroundWithItsTwoCorners) {
  const PlanarShape line =
      planarShape(Polyline{{{-3, 0}, {-1, 0}, {-0.5, 0}, {0, 0}, {0.7, 0}, {3, 0}}});
  const PlanarShape box = planarShape(PlanarBox{1, 1});
  for (double x = -1.5; x < 1.5; x += 0.125)
    for (const double tilt : {-1e-3, 0.0, 1e-12}) {
      const ContactPoints points = contacts(line, box, planarPose(x, 0.5, tilt), 0.01);
      ASSERT_EQ(points.size(), 2u);
      EXPECT_NEAR(std::abs(points[0].on_b.x - points[1].on_b.x), 1, 1e-6);
    }
}

// A box that slides over a plateau with its end over the slopes beside it must not feel the slopes.
TEST(PolylineContact, SlidingOverConvexJointsIsFree) {
  for (const double drop : {1e-6, 1e-2, 0.3, 3.0}) {
    const PlanarShape line = planarShape(Polyline{{{-4, -drop}, {-1, 0}, {1, 0}, {4, -drop}}});
    const PlanarShape box = planarShape(PlanarBox{1.5, 1});
    for (double x = -1.7; x <= 1.7; x += 0.01)
      for (const double height : {-1e-4, -1e-15, 0.0, 1e-15, 1e-4}) {
        const ContactPoints points = contacts(line, box, planarPose(x, 0.5 + height, 0), 0.05);
        ASSERT_FALSE(points.empty());
        EXPECT_NEAR(smallestGap(points), height, 1e-14);
        for (const ContactPoint& p : points) EXPECT_LT(std::abs(p.normal.x), 1e-12);
      }
  }
}

TEST(PolylineContact, DiskRollsOverAConvexJointWithoutAJump) {
  const PlanarShape line = planarShape(Polyline{{{-2, 0}, {0, 0}, {2, -1}}});
  const PlanarShape disk = planarShape(Disk{0.5});
  Vec3 last{0, 1, 0};
  for (double angle = -0.1; angle < 0.6; angle += 1e-3) {
    const double around = std::clamp(angle, 0.0, std::atan(0.5));
    const Pose at = planarPose(0.5 * std::sin(around) + (angle - around),
                               0.5 * std::cos(around) - std::max(0.0, angle - around) / 2, 0);
    const ContactPoints points = contacts(line, disk, at, 0.05);
    ASSERT_EQ(points.size(), 1u);
    EXPECT_NEAR(points[0].gap, 0, 1e-14);
    EXPECT_LT(norm(points[0].normal - last), 2e-3);
    last = points[0].normal;
  }
  EXPECT_NEAR(last.x / last.y, 0.5, 1e-12);
}

TEST(PolylineContact, ConcaveCornerGivesBothNormals) {
  const PlanarShape corner = planarShape(Polyline{{{-3, 0}, {0, 0}, {0, 3}}});
  const PlanarShape box = planarShape(PlanarBox{1, 1}), disk = planarShape(Disk{0.5});
  for (const PlanarShape* body : {&box, &disk})
    for (const double shift : {-1e-3, -1e-15, 0.0, 1e-15, 1e-3}) {
      const ContactPoints points =
          contacts(corner, *body, planarPose(-0.5 - shift, 0.5 + shift, 0), 0.01);
      int floor = 0, wall = 0;
      for (const ContactPoint& p : points) {
        EXPECT_NEAR(p.gap, shift, 1e-14);
        floor += p.normal == Vec3{0, 1, 0};
        wall += p.normal == Vec3{-1, 0, 0};
      }
      EXPECT_EQ(floor, body == &box ? 2 : 1);
      EXPECT_EQ(wall, body == &box ? 2 : 1);
      EXPECT_EQ(points.size(), body == &box ? 4u : 2u);
    }
}

TEST(PolylineContact, CornerInAGrooveFeelsBothSides) {
  const PlanarShape groove = planarShape(Polyline{{{-2, 1}, {0, 0}, {2, 1}}});
  const PlanarShape box = planarShape(PlanarBox{1, 1});
  for (const double depth : {1e-3, 1e-9, 0.0, -1e-3}) {
    const Pose at = planarPose(0, std::sqrt(0.5) - depth, std::numbers::pi / 4);
    const ContactPoints points = contacts(groove, box, at, 0.01);
    ASSERT_EQ(points.size(), 2u);
    EXPECT_NEAR(points[0].normal.x + points[1].normal.x, 0, 1e-15);
    for (const ContactPoint& p : points) EXPECT_NEAR(p.gap, -depth * 2 / std::sqrt(5), 1e-14);
  }
}

TEST(PolylineContact, BoxOnAStepFeelsTheTopOnly) {
  const PlanarShape step = planarShape(Polyline{{{-3, 0}, {0, 0}, {0, -3}, {3, -3}}});
  const PlanarShape box = planarShape(PlanarBox{1, 1});
  for (double x = -0.7; x < 0.45; x += 0.05) {
    const ContactPoints points = contacts(step, box, planarPose(x, 0.5 - 1e-3, 0), 0.01);
    ASSERT_EQ(points.size(), 2u);
    for (const ContactPoint& p : points) {
      EXPECT_NEAR(p.gap, -1e-3, 1e-14);
      EXPECT_EQ(p.normal, (Vec3{0, 1, 0}));
    }
  }
}

TEST(PolylineContact, OneSidedAndLetsGoBelowHalf) {
  const PlanarShape line = planarShape(Polyline{{{-3, 0}, {3, 0}}});
  const PlanarShape box = planarShape(PlanarBox{1, 1});
  for (const double height : {0.5, 0.3, 0.01}) {
    const ContactPoints points = contacts(line, box, planarPose(0, height, 0), 0.01);
    EXPECT_EQ(points.size(), 2u);
    EXPECT_NEAR(smallestGap(points), height - 0.5, 1e-15);
  }
  for (const double height : {-0.01, -0.4, -0.505, -2.0})
    EXPECT_TRUE(contacts(line, box, planarPose(0, height, 0), 0.01).empty());
}

TEST(PolylineContact, WallPushesBackToTheSideTheBodyCameFrom) {
  const PlanarShape wall = planarShape(Polyline{{{0, -3}, {0, 3}, {0.1, 3}, {0.1, -3}}});
  const PlanarShape box = planarShape(PlanarBox{1, 1});
  for (const double depth : {0.02, 0.04, 0.06, 0.09}) {
    const ContactPoints points = contacts(wall, box, planarPose(depth - 0.5, 0, 0), 0.01);
    ASSERT_EQ(points.size(), 2u);
    for (const ContactPoint& p : points) {
      EXPECT_EQ(p.normal, (Vec3{-1, 0, 0}));
      EXPECT_NEAR(p.gap, -depth, 1e-14);
    }
  }
}

TEST(PolylineContact, BodyTipsOverTheEndOfTheChain) {
  const PlanarShape line = planarShape(Polyline{{{-3, 0}, {0, 0}}});
  const PlanarShape rod = planarShape(PlanarBox{2, 0.1});
  for (const double tilt : {0.0, -0.2, -0.7}) {
    const Pose at = planarPose(0, 0, tilt) * planarPose(0.3, 0.05 + 1e-4, 0);
    const ContactPoints points = contacts(line, rod, at, 0.01);
    ASSERT_FALSE(points.empty());
    EXPECT_NEAR(smallestGap(points), 1e-4, 1e-14);
    EXPECT_NEAR(norm(deepest(points).normal - at.rotation.y), 0, 1e-14);
  }
}

// At the deepest point the gap changes with the normal velocity, where it is smooth.
TEST(PolylineContact, GapRateIsTheNormalVelocity) {
  Random random(7);
  int smooth = 0, all = 0;
  for (int i = 0; i < 2000; ++i) {
    const PlanarShape line = planarShape(Polyline{randomGround(random, 12, 0.4)});
    const PlanarShape body = planarShape(randomConvexShape(random, i % 4));
    const Pose at =
        planarPose(random.uniform(-1, 1), random.uniform(0.5, 1.5), random.uniform(-4, 4));
    const Vec3 v{random.uniform(), random.uniform(), 0};
    const double w = random.uniform(), h = 1e-6;
    const auto gap_at = [&](double t) {
      const Pose moved{at.position + t * v, planarPose(0, 0, w * t).rotation * at.rotation};
      return smallestGap(contacts(line, body, moved, 0.5));
    };
    const ContactPoints points = contacts(line, body, at, 0.4);
    if (points.empty() || smallestGap(points) < 0) continue;
    const ContactPoint p = deepest(points);
    const double rate = dot(p.normal, v + stickslip::cross({0, 0, w}, p.on_b - at.position));
    const double ahead = (gap_at(h) - p.gap) / h, behind = (p.gap - gap_at(-h)) / h;
    ++all;
    if (std::abs(ahead - behind) > 1e-2) continue;
    EXPECT_NEAR((ahead + behind) / 2, rate, 1e-3);
    ++smooth;
  }
  EXPECT_GT(all, 300);
  EXPECT_GT(smooth, all * 9 / 10);
}

TEST(PolylineContact, UnitsChangeNothing) {
  Random random(8);
  for (int i = 0; i < 500; ++i) {
    std::vector<Vec2> ground = randomGround(random, 12, 0.4);
    const Polygon polygon = testing::randomPolygon(random, 5);
    const Pose at = planarPose(random.uniform(-1, 1), random.uniform(0, 1), random.uniform(-4, 4));
    const double unit = 0x1p30;
    std::vector<Vec2> scaled_ground = ground;
    for (Vec2& p : scaled_ground) p = unit * p;
    Polygon scaled_polygon = polygon;
    for (Vec2& p : scaled_polygon.vertices) p = unit * p;
    const ContactPoints points =
        contacts(planarShape(Polyline{ground}), planarShape(polygon), at, 0.1);
    const ContactPoints scaled =
        contacts(planarShape(Polyline{scaled_ground}), planarShape(scaled_polygon),
                 {unit * at.position, at.rotation}, unit * 0.1);
    ASSERT_EQ(points.size(), scaled.size());
    for (std::size_t k = 0; k < points.size(); ++k) {
      EXPECT_EQ(unit * points[k].gap, scaled[k].gap);
      EXPECT_EQ(points[k].normal, scaled[k].normal);
      EXPECT_EQ(points[k].feature, scaled[k].feature);
    }
  }
}

TEST(SegmentChain, FindsEverySegmentInABoxAndFewOthers) {
  Random random(9);
  std::vector<Vec2> points;
  for (int i = 0; i <= 10000; ++i) points.push_back({0.1 * i, random.uniform()});
  const SegmentChain chain(points);
  for (int i = 0; i < 200; ++i) {
    const double x = random.uniform(0, 1000), y = random.uniform();
    const PlanarBounds box{{x, y}, {x + 0.5, y + 0.5}};
    std::set<int> expected;
    for (int k = 0; k < chain.count(); ++k) {
      const PlanarEdge& s = chain[k];
      if (s.start.x <= box.upper.x && s.end.x >= box.lower.x &&
          std::min(s.start.y, s.end.y) <= box.upper.y &&
          std::max(s.start.y, s.end.y) >= box.lower.y)
        expected.insert(k);
    }
    std::vector<int> found;
    chain.forEachIn(box, [&](int k) { found.push_back(k); });
    EXPECT_TRUE(std::is_sorted(found.begin(), found.end()));
    EXPECT_TRUE(std::includes(found.begin(), found.end(), expected.begin(), expected.end()));
    EXPECT_LE(found.size(), 16u);
  }
}

}  // namespace
}  // namespace stickslip
