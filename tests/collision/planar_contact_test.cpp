// Contacts between rounded polygons, and with half-planes.
#include "collision/planar/planar_contact.hpp"

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
using testing::signedDistance;
using testing::smallestGap;

ContactPoints contacts(const PlanarShape& a, const Pose& at_a, const PlanarShape& b,
                       const Pose& at_b, double margin) {
  ContactPoints points;
  collidePlanar(a, at_a, b, at_b, margin, points);
  return points;
}

// Calls check(a, pose of a, b, pose of b) for random pairs of all kinds of convex shapes.
template <class Check>
void forRandomPairs(std::uint64_t seed, int repetitions, Check&& check) {
  Random random(seed);
  for (int repetition = 0; repetition < repetitions; ++repetition)
    for (int kind_a = 0; kind_a < 4; ++kind_a)
      for (int kind_b = 0; kind_b < 4; ++kind_b) {
        const PlanarShape a = planarShape(randomConvexShape(random, kind_a));
        const PlanarShape b = planarShape(randomConvexShape(random, kind_b));
        const Pose at_a = randomPlanarPose(random, 1), at_b = randomPlanarPose(random, 2);
        check(a, at_a, b, at_b);
      }
}

double difference(const ContactPoint& p, const ContactPoint& q) {
  return norm(p.on_a - q.on_a) + norm(p.on_b - q.on_b) + norm(p.normal - q.normal) +
         std::abs(p.gap - q.gap);
}

TEST(PlanarContact, SmallestGapIsTheSignedDistance) {
  int apart = 0, overlapping = 0;
  forRandomPairs(1, 300, [&](const auto& a, const Pose& at_a, const auto& b, const Pose& at_b) {
    const double expected = signedDistance(a, at_a, b, at_b);
    EXPECT_NEAR(smallestGap(contacts(a, at_a, b, at_b, 10)), expected, 1e-13);
    ++(expected > 0 ? apart : overlapping);
  });
  EXPECT_GT(apart, 1000);
  EXPECT_GT(overlapping, 1000);
}

TEST(PlanarContact, PointsAreWithinTheMarginAndConsistent) {
  forRandomPairs(2, 200, [](const auto& a, const Pose& at_a, const auto& b, const Pose& at_b) {
    const double distance = signedDistance(a, at_a, b, at_b), margin = 0.1;
    const ContactPoints points = contacts(a, at_a, b, at_b, margin);
    EXPECT_EQ(points.empty(), distance > margin);
    EXPECT_LE(points.size(), 2u);
    std::set<std::uint32_t> features;
    for (const ContactPoint& p : points) {
      EXPECT_LE(p.gap, margin);
      EXPECT_NEAR(norm(p.normal), 1, 1e-14);
      EXPECT_NEAR(norm(p.on_b - p.on_a - p.gap * p.normal), 0, 1e-14);
      EXPECT_LT(p.feature, 1u << 22);
      EXPECT_TRUE(features.insert(p.feature).second);
    }
  });
}

TEST(PlanarContact, DeepestPointsLieOnTheShapes) {
  forRandomPairs(3, 200, [](const auto& a, const Pose& at_a, const auto& b, const Pose& at_b) {
    const ContactPoint p = deepest(contacts(a, at_a, b, at_b, 10));
    const PlanarShape spot = PlanarShape::rounded({{0, 0}}, 0);
    EXPECT_LE(signedDistance(a, at_a, spot, {p.on_a, {}}), 1e-13);
    EXPECT_LE(signedDistance(b, at_b, spot, {p.on_b, {}}), 1e-13);
  });
}

TEST(PlanarContact, SwappingTheShapesReversesThePoints) {
  forRandomPairs(4, 200, [](const auto& a, const Pose& at_a, const auto& b, const Pose& at_b) {
    const ContactPoints there = contacts(a, at_a, b, at_b, 0.5);
    ContactPoints back = contacts(b, at_b, a, at_a, 0.5);
    ASSERT_EQ(there.size(), back.size());
    for (std::size_t i = 0; i < there.size(); ++i) {
      std::swap(back[i].on_a, back[i].on_b);
      back[i].normal = -back[i].normal;
      EXPECT_EQ(difference(there[i], back[i]), 0);
    }
  });
}

TEST(PlanarContact, MovesWithTheShapes) {
  Random random(5);
  for (const double far : {1.0, 1e6}) {
    forRandomPairs(6, 60, [&](const auto& a, const Pose& at_a, const auto& b, const Pose& at_b) {
      const Pose frame = randomPlanarPose(random, far);
      const ContactPoints here = contacts(a, at_a, b, at_b, 0.5);
      const ContactPoints there = contacts(a, frame * at_a, b, frame * at_b, 0.5);
      ASSERT_EQ(here.size(), there.size());
      for (std::size_t i = 0; i < here.size(); ++i) {
        ContactPoint moved = here[i];
        moved.on_a = frame.pointToWorld(moved.on_a);
        moved.on_b = frame.pointToWorld(moved.on_b);
        moved.normal = frame.rotation * moved.normal;
        // Normals between corners are as good as the distance is long.
        EXPECT_LT(difference(moved, there[i]), 1e-12 * far / std::min(1.0, std::abs(moved.gap)));
        EXPECT_EQ(here[i].feature, there[i].feature);
      }
    });
  }
}

TEST(PlanarContact, UnitsChangeNothing) {
  forRandomPairs(7, 50, [](const auto& a, const Pose& at_a, const auto& b, const Pose& at_b) {
    for (const double unit : {0x1p-40, 0x1p40}) {
      const auto scaledShape = [&](const PlanarShape& shape) {
        std::vector<Vec2> corners(shape.corners().begin(), shape.corners().end());
        for (Vec2& c : corners) c = unit * c;
        return PlanarShape::rounded(corners, unit * shape.radius());
      };
      const auto scaledPose = [&](const Pose& p) { return Pose{unit * p.position, p.rotation}; };
      const ContactPoints points = contacts(a, at_a, b, at_b, 0.5);
      const ContactPoints scaled =
          contacts(scaledShape(a), scaledPose(at_a), scaledShape(b), scaledPose(at_b), unit * 0.5);
      ASSERT_EQ(points.size(), scaled.size());
      for (std::size_t i = 0; i < points.size(); ++i) {
        EXPECT_EQ(unit * points[i].gap, scaled[i].gap);
        EXPECT_EQ(unit * points[i].on_a, scaled[i].on_a);
        EXPECT_EQ(points[i].normal, scaled[i].normal);
        EXPECT_EQ(points[i].feature, scaled[i].feature);
      }
    }
  });
}

TEST(PlanarContact, GapIsLipschitz) {
  Random random(8);
  forRandomPairs(9, 100, [&](const auto& a, const Pose& at_a, const auto& b, const Pose& at_b) {
    const double x = random.uniform(), y = random.uniform();
    double last = smallestGap(contacts(a, at_a, b, at_b, 10));
    for (int step = 1; step <= 8; ++step) {
      Pose moved = at_b;
      moved.position += (0.1 * step) * Vec3{x, y, 0};
      const double gap = smallestGap(contacts(a, at_a, b, moved, 10));
      EXPECT_LE(std::abs(gap - last), 0.1 * std::hypot(x, y) * (1 + 1e-12));
      last = gap;
    }
  });
}

// d gap / dt = normal.(velocity of on_b - velocity of on_a); skipped where the gap has a kink.
TEST(PlanarContact, GapRateIsTheNormalVelocity) {
  Random random(10);
  int smooth = 0, all = 0;
  forRandomPairs(11, 100, [&](const auto& a, const Pose& at_a, const auto& b, const Pose& at_b) {
    const Vec3 v_a{random.uniform(), random.uniform(), 0},
        v_b{random.uniform(), random.uniform(), 0};
    const double w_a = random.uniform(), w_b = random.uniform();
    const auto moved = [](const Pose& pose, Vec3 v, double w, double t) {
      return Pose{pose.position + t * v, planarPose(0, 0, w * t).rotation * pose.rotation};
    };
    const auto gap_at = [&](double t) {
      return smallestGap(contacts(a, moved(at_a, v_a, w_a, t), b, moved(at_b, v_b, w_b, t), 10));
    };
    const ContactPoint p = deepest(contacts(a, at_a, b, at_b, 10));
    const auto velocity = [](Vec3 v, double w, Vec3 arm) { return v + cross({0, 0, w}, arm); };
    const double rate = dot(p.normal, velocity(v_b, w_b, p.on_b - at_b.position) -
                                          velocity(v_a, w_a, p.on_a - at_a.position));
    const double h = 1e-5;
    const double ahead = (gap_at(h) - p.gap) / h, behind = (p.gap - gap_at(-h)) / h;
    ++all;
    if (std::abs(ahead - behind) > 1e-2) return;
    EXPECT_NEAR((ahead + behind) / 2, rate, 1e-3);
    if (std::abs(ahead - behind) < 1e-3) ++smooth;
  });
  EXPECT_GT(smooth, all * 9 / 10);
}

TEST(PlanarContact, FeaturesStayUnderSmallMotions) {
  Random random(12);
  int same = 0, all = 0;
  forRandomPairs(13, 100, [&](const auto& a, const Pose& at_a, const auto& b, const Pose& at_b) {
    const Pose nudged = planarPose(1e-9 * random.uniform(), 1e-9 * random.uniform(), 1e-9) * at_b;
    const ContactPoints before = contacts(a, at_a, b, at_b, 0.2);
    const ContactPoints after = contacts(a, at_a, b, nudged, 0.2);
    if (before.empty()) return;
    ++all;
    same += before.size() == after.size() &&
            std::equal(before.begin(), before.end(), after.begin(),
                       [](const auto& p, const auto& q) { return p.feature == q.feature; });
  });
  EXPECT_GT(all, 500);
  EXPECT_EQ(same, all);
}

TEST(PlanarContact, AlignedColumnKeepsItsFeatures) {
  const PlanarShape box = planarShape(PlanarBox{1, 1});
  std::set<std::uint32_t> features;
  Random random(14);
  for (int i = 0; i < 200; ++i) {
    const Pose jittered =
        planarPose(1e-8 * random.uniform(), 1 + 1e-8 * random.uniform(), 1e-8 * random.uniform());
    const ContactPoints points = contacts(box, planarPose(0, 0, 0), box, jittered, 0.01);
    ASSERT_EQ(points.size(), 2u);
    for (const ContactPoint& p : points) features.insert(p.feature);
  }
  EXPECT_EQ(features.size(), 2u);
}

TEST(PlanarContact, NumberOfPointsInNamedSituations) {
  const PlanarShape box = planarShape(PlanarBox{2, 1}), rod = planarShape(PlanarCapsule{2, 0.1});
  const PlanarShape disk = planarShape(Disk{0.5}), ground = planarShape(HalfPlane{});
  const Pose flat = planarPose(0, 0, 0);
  const auto count = [&](const PlanarShape& a, const PlanarShape& b, double x, double y,
                         double angle) {
    return contacts(a, flat, b, planarPose(x, y, angle), 0.01).size();
  };
  EXPECT_EQ(count(box, box, 0.5, 1.005, 0), 2u);
  EXPECT_EQ(count(box, box, 0.5, 0.995, 1e-3), 2u);
  EXPECT_EQ(count(box, box, 0.5, 1.2, 0.5), 1u);
  EXPECT_EQ(count(box, rod, 0, 0.6, 0), 2u);
  EXPECT_EQ(count(box, rod, 1.5, 0.6, 1e-4), 2u);
  EXPECT_EQ(count(rod, rod, 0.3, 0.2, 0), 2u);
  EXPECT_EQ(count(rod, rod, 2.2, 0, 0), 1u);
  EXPECT_EQ(count(box, disk, 0, 1, 0), 1u);
  EXPECT_EQ(count(disk, disk, 0.6, 0.8, 0), 1u);
  EXPECT_EQ(count(ground, box, 0, 0.5, 0), 2u);
  EXPECT_EQ(count(ground, box, 0, std::sqrt(1.25), std::atan2(2, 1)), 1u);
  EXPECT_EQ(count(ground, rod, 0, 0.1, 0), 2u);
  EXPECT_EQ(count(ground, disk, 0, 0.5, 0), 1u);
  EXPECT_EQ(count(ground, ground, 0, 0, 0), 0u);
}

TEST(PlanarContact, TouchingShapesHaveEdgeNormals) {
  const PlanarShape box = planarShape(PlanarBox{2, 1}), disk = planarShape(Disk{0.5});
  const PlanarShape rod = planarShape(PlanarCapsule{2, 0.1});
  Random random(15);
  for (int i = 0; i < 500; ++i) {
    const double x = random.uniform(-0.9, 0.9), noise = 2e-16 * random.integer(-2, 2);
    // Side by side, a disk's centre on an edge, and one on a corner.
    for (const auto& [other, height] : {std::pair{&box, 1.0}, {&disk, 0.5}, {&rod, 0.5}}) {
      const ContactPoints points =
          contacts(box, planarPose(0, 0, 0), *other, planarPose(x, height + noise, 0), 0.01);
      ASSERT_FALSE(points.empty());
      for (const ContactPoint& p : points) EXPECT_LT(norm(p.normal - Vec3{0, 1, 0}), 1e-15);
    }
    const ContactPoints corner =
        contacts(box, planarPose(0, 0, 0), disk, planarPose(1 + noise, 0.5, 0), 0.01);
    ASSERT_EQ(corner.size(), 1u);
    EXPECT_NEAR(corner[0].gap, -0.5, 1e-15);
    EXPECT_GT(std::max(corner[0].normal.x, corner[0].normal.y), 1 - 1e-15);
  }
}

TEST(PlanarContact, CornersThatMeetHaveAnEdgeNormal) {
  const PlanarShape box = planarShape(PlanarBox{1, 1});
  for (const double noise : {-1e-16, 0.0, 2.3e-16}) {
    const ContactPoints points =
        contacts(box, planarPose(0, 0, 0), box, planarPose(1 + noise, 1 - noise, 0), 0.01);
    ASSERT_EQ(points.size(), 1u);
    EXPECT_NEAR(points[0].gap, 0, 1e-15);
    EXPECT_EQ(std::max(points[0].normal.x, points[0].normal.y), 1);
  }
}

TEST(PlanarContact, ConcentricDisksArePushedApart) {
  const PlanarShape small = planarShape(Disk{1}), large = planarShape(Disk{2});
  const ContactPoints points =
      contacts(large, planarPose(3, 4, 0.3), small, planarPose(3, 4, 1), 0.01);
  ASSERT_EQ(points.size(), 1u);
  EXPECT_EQ(points[0].gap, -3);
  EXPECT_NEAR(norm(points[0].normal), 1, 1e-15);
}

TEST(PlanarContact, CollinearRodsAreAsFarApartAsTheirEnds) {
  const PlanarShape rod = planarShape(PlanarCapsule{2, 0.1});
  const ContactPoints points = contacts(rod, planarPose(0, 0, 0), rod, planarPose(5, 0, 0), 10);
  ASSERT_EQ(points.size(), 1u);
  EXPECT_NEAR(points[0].gap, 2.8, 1e-15);
  EXPECT_NEAR(points[0].normal.x, 1, 1e-15);
}

TEST(PlanarContact, HalfPlaneMeasuresEveryCorner) {
  Random random(16);
  const PlanarShape ground = planarShape(HalfPlane{});
  for (int i = 0; i < 500; ++i) {
    const PlanarShape body = planarShape(randomConvexShape(random, i % 4));
    const Pose at = randomPlanarPose(random, 1), slope = randomPlanarPose(random, 1);
    const Vec3 up = slope.rotation.y;
    const ContactPoints points = contacts(ground, slope, body, at, 0.3);
    std::size_t expected = 0;
    double lowest = 1e9;
    for (const Vec2 c : body.corners()) {
      const double height = dot(up, at.pointToWorld(inSpace(c)) - slope.position) - body.radius();
      expected += height <= 0.3;
      lowest = std::min(lowest, height);
    }
    EXPECT_EQ(points.size(), expected);
    if (expected > 0) {
      EXPECT_NEAR(smallestGap(points), lowest, 1e-14);
    }
    for (const ContactPoint& p : points) EXPECT_LT(norm(p.normal - up), 1e-15);
  }
}

TEST(PlanarShape, BoundsAndFarthestPointAreThoseOfSamples) {
  Random random(17);
  for (int i = 0; i < 200; ++i) {
    const PlanarShape body = planarShape(randomConvexShape(random, i % 4));
    const Pose at = randomPlanarPose(random, 3);
    const Vec3 point{random.uniform(), random.uniform(), 0};
    Vec2 lower{1e9, 1e9}, upper{-1e9, -1e9};
    double farthest = 0;
    for (const Vec2 c : body.corners()) {
      const Vec3 p = at.pointToWorld(inSpace(c));
      lower = {std::min(lower.x, p.x), std::min(lower.y, p.y)};
      upper = {std::max(upper.x, p.x), std::max(upper.y, p.y)};
      farthest = std::max(farthest, std::hypot(c.x - point.x, c.y - point.y));
    }
    const Bounds bounds = body.boundsAt(at);
    EXPECT_NEAR(bounds.lower.x, lower.x - body.radius(), 1e-14);
    EXPECT_NEAR(bounds.upper.y, upper.y + body.radius(), 1e-14);
    EXPECT_NEAR(body.farthestFrom(point), farthest + body.radius(), 1e-14);
  }
  const Bounds ground = planarShape(HalfPlane{}).boundsAt(planarPose(1, 2, 0));
  EXPECT_EQ(ground.upper.y, 2);
  EXPECT_TRUE(std::isinf(ground.lower.y) && std::isinf(ground.upper.x));
}

}  // namespace
}  // namespace stickslip
