// Signed distance, normal and manifold of all pairs of convex shapes, at random places from deep
// overlap to clear separation.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "support/convex_pairs.hpp"

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
  forRandomPairs(40, 1, [](const PlacedConvex& a, const PlacedConvex& b, Random&) {
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
    for (int i = 0; i < 20; ++i) {
      Random directions(static_cast<std::uint64_t>(i));
      const Vec3 n = randomDirection(directions);
      EXPECT_LE(dot(n, deepest.on_a), height(a, n) + 1e-6);
      EXPECT_LE(dot(n, deepest.on_b), height(b, n) + 1e-6);
    }
  });
}

}  // namespace
}  // namespace stickslip::testing
