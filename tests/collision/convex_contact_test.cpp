// Signed distance, normal and manifold of all pairs of convex shapes, at random places from deep
// overlap to clear separation.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "support/convex_pairs.hpp"
#include "support/effort.hpp"
#include "support/random_rotation.hpp"

namespace stickslip::testing {
namespace {

constexpr double kFar = 100;

// Calls `check` for random pairs of all kinds, most of them near each other.
template <class Check>
void forRandomPairs(int count, std::uint64_t seed, const Check& check) {
  for (const std::string& kind_a : convexKinds())
    for (const std::string& kind_b : convexKinds()) {
      Random random(seed);
      for (int i = 0; i < count; ++i) {
        SCOPED_TRACE(kind_a + " " + kind_b + " " + std::to_string(i));
        const PlacedConvex a = randomConvex(kind_a, random, 0.3);
        const PlacedConvex b = randomConvex(kind_b, random, 1.9);
        check(a, b, random);
        if (::testing::Test::HasFatalFailure()) return;
      }
    }
}

TEST(ConvexContact, SmallestGapIsTheSignedDistance) {
  forRandomPairs(15, 1, [](const PlacedConvex& a, const PlacedConvex& b, Random&) {
    const ContactPoints points = contactsOf(a, b, kFar);
    ASSERT_FALSE(points.empty());
    const ContactPoint& deepest = deepestOf(points);
    // Any normal gives a lower bound of the signed distance: the one that is reported must attain
    // the gap, and no other may do better.
    EXPECT_NEAR(gapAlong(a, b, deepest.normal), deepest.gap, 1e-13);
    EXPECT_GE(deepest.gap, bruteForceDistance(a, b) - 1e-9);
  });
}

TEST(ConvexContact, PointsFitGapAndNormal) {
  forRandomPairs(40, 2, [](const PlacedConvex& a, const PlacedConvex& b, Random&) {
    const ContactPoints points = contactsOf(a, b, kFar);
    for (const ContactPoint& p : points) {
      EXPECT_NEAR(norm(p.normal), 1, 1e-14);
      EXPECT_NEAR(norm(p.on_b - p.on_a - p.gap * p.normal), 0, 1e-14);
      EXPECT_LT(p.feature, 1U << 22);
      EXPECT_EQ(p.normal, points[0].normal);
    }
    // The deepest point lies on both surfaces.
    const ContactPoint& deepest = deepestOf(points);
    EXPECT_NEAR(dot(deepest.normal, deepest.on_a), height(a, deepest.normal), 1e-12);
    EXPECT_NEAR(dot(-deepest.normal, deepest.on_b), height(b, -deepest.normal), 1e-12);
    // All points lie on both shapes; behind their surface if the shape is tilted.
    Random directions(3);
    for (int i = 0; i < 100; ++i) {
      const Vec3 n = randomDirection(directions);
      for (const ContactPoint& p : points) {
        EXPECT_LE(dot(n, p.on_a), height(a, n) + 1e-6) << p.feature;
        EXPECT_LE(dot(n, p.on_b), height(b, n) + 1e-6) << p.feature;
      }
    }
  });
}

// Every point of one set has a partner in the other.
void expectSamePoints(const ContactPoints& p, const ContactPoints& q, double tolerance) {
  ASSERT_EQ(p.size(), q.size());
  for (const ContactPoint& x : p) {
    const bool found = std::any_of(q.begin(), q.end(), [&](const ContactPoint& y) {
      return norm(x.on_a - y.on_a) < tolerance && norm(x.on_b - y.on_b) < tolerance &&
             norm(x.normal - y.normal) < tolerance && std::abs(x.gap - y.gap) < tolerance;
    });
    EXPECT_TRUE(found) << "gap " << x.gap;
  }
}

// Curved surfaces have their normals to half the digits.
constexpr double kSameContact = 1e-6;

TEST(ConvexContact, SwappingShapesSwapsPoints) {
  forRandomPairs(40, 3, [](const PlacedConvex& a, const PlacedConvex& b, Random&) {
    // Deep overlaps may have several equally good normals.
    const ContactPoints points = contactsOf(a, b, kFar);
    ContactPoints swapped = contactsOf(b, a, kFar);
    EXPECT_NEAR(deepestOf(points).gap, deepestOf(swapped).gap, 1e-12);
    if (deepestOf(points).gap < -0.3) return;
    for (ContactPoint& p : swapped) {
      std::swap(p.on_a, p.on_b);
      p.normal = -p.normal;
    }
    expectSamePoints(points, swapped, kSameContact);
  });
}

TEST(ConvexContact, MovesWithTheShapes) {
  forRandomPairs(30, 4, [](const PlacedConvex& a, const PlacedConvex& b, Random& random) {
    const Pose motion = randomPose(random, 3);
    PlacedConvex moved_a = a;
    PlacedConvex moved_b = b;
    moved_a.pose = motion * a.pose;
    moved_b.pose = motion * b.pose;
    ContactPoints expected = contactsOf(a, b, kFar);
    const ContactPoints points = contactsOf(moved_a, moved_b, kFar);
    EXPECT_NEAR(deepestOf(points).gap, deepestOf(expected).gap, 1e-12);
    if (deepestOf(points).gap < -0.3) return;
    for (ContactPoint& p : expected) {
      p.on_a = motion.pointToWorld(p.on_a);
      p.on_b = motion.pointToWorld(p.on_b);
      p.normal = motion.rotation * p.normal;
    }
    expectSamePoints(points, expected, kSameContact);
  });
}

TEST(ConvexContact, UnitsChangeNothing) {
  for (const std::string& kind_a : convexKinds())
    for (const std::string& kind_b : convexKinds())
      for (const double scale : {0x1p-40, 0x1p30}) {
        SCOPED_TRACE(kind_a + " " + kind_b);
        Random unscaled(5);
        Random scaled(5);
        for (int i = 0; i < 20; ++i) {
          const PlacedConvex a = randomConvex(kind_a, unscaled, 0.3);
          const PlacedConvex b = randomConvex(kind_b, unscaled, 1.5);
          const PlacedConvex large_a = randomConvex(kind_a, scaled, 0.3 * scale, scale);
          const PlacedConvex large_b = randomConvex(kind_b, scaled, 1.5 * scale, scale);
          const ContactPoints points = contactsOf(a, b, 0.5);
          const ContactPoints large = contactsOf(large_a, large_b, 0.5 * scale);
          ASSERT_EQ(points.size(), large.size());
          for (std::size_t k = 0; k < points.size(); ++k) {
            EXPECT_EQ(scale * points[k].gap, large[k].gap);
            EXPECT_EQ(scale * points[k].on_a, large[k].on_a);
            EXPECT_EQ(points[k].normal, large[k].normal);
            EXPECT_EQ(points[k].feature, large[k].feature);
          }
        }
      }
}

// The signed distance changes by no more than the shapes move.
TEST(ConvexContact, GapIsLipschitz) {
  forRandomPairs(20, 6, [](const PlacedConvex& a, const PlacedConvex& b, Random& random) {
    const double gap = deepestOf(contactsOf(a, b, kFar)).gap;
    for (const double step : {1e-12, 1e-8, 1e-4, 1e-2}) {
      PlacedConvex moved = b;
      moved.pose.position += step * randomDirection(random);
      EXPECT_LE(std::abs(deepestOf(contactsOf(a, moved, kFar)).gap - gap), step + 1e-12);
    }
  });
}

// Shapes that are turned alike but for rounding, as bodies are that fall side by side: no direction
// that both have in common is lost or made up.
TEST(ConvexContact, GapIsLipschitzInAttitudesThatAreNearlyEqual) {
  forRandomPairs(20, 16, [](const PlacedConvex& a, const PlacedConvex& b, Random& random) {
    PlacedConvex alike = b;
    alike.pose.rotation = a.pose.rotation;
    const double gap = deepestOf(contactsOf(a, alike, kFar)).gap;
    const double size = b.prepared->farthestFrom({});
    for (const double angle : {1e-14, 1e-13, 1e-12, 1e-11, 1e-10, 1e-8, 1e-6})
      for (int k = 0; k < trials(10); ++k) {
        PlacedConvex turned = alike;
        turned.pose.rotation = rotationAbout(randomDirection(random), angle) * a.pose.rotation;
        EXPECT_LE(std::abs(deepestOf(contactsOf(a, turned, kFar)).gap - gap), angle * size + 1e-12);
      }
  });
}

// Nearly equal attitudes once made two in a thousand of these overlap.
TEST(ConvexContact, SpheresHaveNoAttitude) {
  Random random(17);
  PlacedConvex a = randomConvex("sphere", random, 0.3), b = a;
  a.pose = {};
  const double diameter = 2 * std::get<Sphere>(a.shape).radius;
  for (int k = 0; k < trials(100000); ++k) {
    const Vec3 arm{random.uniform(-0.1, 0.1), random.uniform(-0.1, 0.1), random.uniform(0.5, 2)};
    const double angle = std::pow(10.0, random.uniform(-15, -8));
    b.pose.position = a.pose.position + a.pose.rotation * arm;
    b.pose.rotation = rotationAbout(randomDirection(random), angle) * a.pose.rotation;
    const double gap = deepestOf(contactsOf(a, b, kFar)).gap;
    ASSERT_NEAR(gap, norm(b.pose.position - a.pose.position) - diameter, 1e-14);
  }
}

// d gap / dt = normal . (velocity of b at on_b - velocity of a at on_a), by central differences. At
// a kink the one-sided differences disagree and nothing is asked.
TEST(ConvexContact, GradientOfTheGap) {
  int smooth = 0;
  int all = 0;
  forRandomPairs(20, 7, [&](const PlacedConvex& a, const PlacedConvex& b, Random& random) {
    const ContactPoint contact = deepestOf(contactsOf(a, b, kFar));
    const Vec3 v = randomDirection(random);
    const Vec3 omega = randomDirection(random);
    const auto gapAfter = [&](double t) {
      PlacedConvex moved = b;
      moved.pose.rotation = rotationAbout(omega, t * norm(omega)) * b.pose.rotation;
      moved.pose.position += t * v;
      return deepestOf(contactsOf(a, moved, kFar)).gap;
    };
    const double h = 1e-5;
    const double forward = (gapAfter(h) - contact.gap) / h;
    const double backward = (contact.gap - gapAfter(-h)) / h;
    ++all;
    if (std::abs(forward - backward) > 1e-3) return;
    ++smooth;
    const double rate = dot(contact.normal, v + cross(omega, contact.on_b - b.pose.position));
    EXPECT_NEAR((forward + backward) / 2, rate, 2e-5);
  });
  EXPECT_GT(smooth, 9 * all / 10);
}

// Pairs brought to within a hair of touching, from both sides, along the normal that they had when
// they were clearly apart.
TEST(ConvexContact, TouchingIsNoSpecialCase) {
  forRandomPairs(15, 8, [](const PlacedConvex& a, const PlacedConvex& start, Random&) {
    PlacedConvex b = start;
    const ContactPoint before = deepestOf(contactsOf(a, b, kFar));
    if (before.gap < 0) b.pose.position += (0.05 - before.gap) * before.normal;
    const ContactPoint apart = deepestOf(contactsOf(a, b, kFar));
    ASSERT_GT(apart.gap, 0);
    const Vec3 touching = b.pose.position - apart.gap * apart.normal;
    for (const double gap : {1e-3, 1e-6, 1e-9, 1e-12, 1e-15, 0.0, -1e-15, -1e-12, -1e-9, -1e-6}) {
      b.pose.position = touching + gap * apart.normal;
      const ContactPoints points = contactsOf(a, b, 1e-2);
      ASSERT_FALSE(points.empty());
      const ContactPoint& found = deepestOf(points);
      // Two vertices have a way out that is shorter than the one back.
      EXPECT_GE(found.gap, gap - 1e-5 * std::abs(gap) - 2e-14);
      EXPECT_LE(found.gap, std::max(gap, 0.0) + 1e-5 * std::abs(gap) + 2e-14);
      // The point stays where it was, on a.
      EXPECT_LT(norm(found.on_a - apart.on_a), 1e-4) << gap;
    }
  });
}

// A vertex or a rim may touch with any of many normals; everything else has one, and keeps it.
TEST(ConvexContact, FaceContactsKeepTheirNormalThroughTouching) {
  for (const std::string& kind : convexKinds()) {
    SCOPED_TRACE(kind);
    Random random(9);
    for (int i = 0; i < 40; ++i) {
      const Box ground{{4, 4, 1}};
      const PlacedConvex a{ground, prepared(ground), randomPose(random, 1)};
      PlacedConvex b = randomConvex(kind, random, 0.5);
      b.pose.position = a.pose.pointToWorld({random.uniform(), random.uniform(), 5});
      const Vec3 up = a.pose.rotation.z;
      b.pose.position -= gapAlong(a, b, up) * up;
      const Vec3 touching = b.pose.position;
      for (const double gap : {1e-3, 1e-9, 1e-13, 0.0, -1e-13, -1e-9, -1e-3}) {
        b.pose.position = touching + gap * up;
        const ContactPoint found = deepestOf(contactsOf(a, b, 1e-2));
        EXPECT_LT(norm(found.normal - up), 1e-11) << gap;
        EXPECT_NEAR(found.gap, gap, 1e-14);
      }
    }
  }
}

}  // namespace
}  // namespace stickslip::testing
