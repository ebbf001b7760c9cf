// Boxes and disks in closed form, against the general narrow phase: boxes as the hulls of their
// corners, disks as capsules of no length.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "collision/convex/closed_forms.hpp"
#include "collision/convex/convex_contact.hpp"
#include "collision/convex/polytope.hpp"
#include "support/random.hpp"
#include "support/random_rotation.hpp"

namespace stickslip {
namespace {

using testing::Random;

Polytope asHull(Vec3 size) {
  const Polytope box = boxPolytope(size);
  const PolytopeView view = box.polytope();
  std::vector<std::vector<int>> loops;
  for (const PolytopeFace& face : view.faces)
    loops.emplace_back(view.loops.begin() + face.first,
                       view.loops.begin() + face.first + face.count);
  return Polytope({view.vertices.begin(), view.vertices.end()}, loops);
}

/// How boxes lie to each other: anyhow, with parallel sides, or with one turned about an axis.
Mat3 rotationOfKind(Random& random, int kind) {
  if (kind == 0) return testing::randomRotation(random);
  if (kind == 1) return {};
  const double angle = random.uniform(0, 3);
  Mat3 turned;
  turned.x = {std::cos(angle), std::sin(angle), 0};
  turned.y = {-std::sin(angle), std::cos(angle), 0};
  return turned;
}

Vec3 randomVector(Random& random, double least, double most) {
  return {random.uniform(least, most), random.uniform(least, most), random.uniform(least, most)};
}

TEST(BoxContact, DistanceAndNormalAsThoseOfHulls) {
  Random random(3);
  int apart = 0, deep = 0, beyond = 0;
  for (int round = 0; round < 2000; ++round) {
    const Vec3 size_a = randomVector(random, 0.3, 2), size_b = randomVector(random, 0.3, 2);
    const Polytope box_a = boxPolytope(size_a), box_b = boxPolytope(size_b);
    const Polytope hull_a = asHull(size_a), hull_b = asHull(size_b);
    const Pose b_in_a{randomVector(random, -1.4, 1.4), rotationOfKind(random, round % 3)};
    constexpr double kCutoff = 0.5;
    const SignedDistance found = coreDistance(box_a, box_b, b_in_a, kCutoff);
    const SignedDistance wanted = coreDistance(hull_a, hull_b, b_in_a, kCutoff);
    if (wanted.gap > kCutoff) {
      EXPECT_GT(found.gap, kCutoff);
      ++beyond;
      continue;
    }
    EXPECT_NEAR(found.gap, wanted.gap, 1e-11);
    // Whatever the normal is, it holds them that far apart.
    EXPECT_NEAR((CorePair{hull_a, hull_b, b_in_a}.gapAlong(found.normal)), found.gap, 1e-13);
    EXPECT_NEAR(norm(found.normal), 1, 1e-14);
    apart += found.gap > 0;
    deep += found.gap < -0.3;
  }
  EXPECT_GT(apart, 200);
  EXPECT_GT(deep, 200);
  EXPECT_GT(beyond, 100);
}

// What is said to be attained is the distance that GJK finds.
TEST(BoxContact, AttainedDistancesAreDistances) {
  Random random(4);
  int attained = 0, not_attained = 0;
  for (int round = 0; round < 1000; ++round) {
    const Vec3 size_a = randomVector(random, 0.3, 2), size_b = randomVector(random, 0.3, 2);
    const Polytope box_a = boxPolytope(size_a), box_b = boxPolytope(size_b);
    const CorePair pair{
        box_a, box_b, {randomVector(random, -1.6, 1.6), testing::randomRotation(random)}};
    const BoxDistance found = boxDistance(pair, 10);
    if (found.along.gap <= 0) continue;
    const double distance = coreDistance(asHull(size_a), asHull(size_b), pair.b_in_a, 10).gap;
    EXPECT_LE(found.along.gap, distance + 1e-12);
    if (found.is_attained) {
      EXPECT_NEAR(found.along.gap, distance, 1e-12);
    }
    ++(found.is_attained ? attained : not_attained);
  }
  EXPECT_GT(attained, 50);
  EXPECT_GT(not_attained, 50);
}

TEST(BoxContact, PointsAsThoseOfHulls) {
  Random random(5);
  int points = 0;
  for (int round = 0; round < 600; ++round) {
    const Vec3 size_a = randomVector(random, 0.3, 2), size_b = randomVector(random, 0.3, 2);
    const Polytope box_a = boxPolytope(size_a), box_b = boxPolytope(size_b);
    const Pose at_a{randomVector(random, -1, 1), testing::randomRotation(random)};
    const Pose at_b{randomVector(random, -1, 1), testing::randomRotation(random)};
    ContactPoints found, wanted;
    collideConvex(box_a, at_a, box_b, at_b, 0.2, found);
    collideConvex(asHull(size_a), at_a, asHull(size_b), at_b, 0.2, wanted);
    ASSERT_EQ(found.size(), wanted.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
      EXPECT_NEAR(found[i].gap, wanted[i].gap, 1e-11);
      EXPECT_LE(norm(found[i].normal - wanted[i].normal), 1e-9);
      EXPECT_LE(norm(found[i].on_a - wanted[i].on_a), 1e-9);
      EXPECT_EQ(found[i].feature, wanted[i].feature);
      ++points;
    }
  }
  EXPECT_GT(points, 500);
}

TEST(DiskContact, AsCapsulesOfHardlyAnyLength) {
  Random random(6);
  int touching = 0;
  for (int round = 0; round < 300; ++round) {
    const double r_a = random.uniform(0.2, 1), r_b = random.uniform(0.2, 1), margin = 0.3;
    const auto disk_a = makeCollisionShape(Disk{r_a}), disk_b = makeCollisionShape(Disk{r_b});
    const auto capsule = makeCollisionShape(PlanarCapsule{1e-12, r_b});
    const auto pose = [&] {
      const double angle = random.uniform(0, 6);
      Pose at{{random.uniform(-1, 1), random.uniform(-1, 1), 0}, {}};
      at.rotation.x = {std::cos(angle), std::sin(angle), 0};
      at.rotation.y = {-std::sin(angle), std::cos(angle), 0};
      return at;
    };
    const Pose at_a = pose(), at_b = pose();
    ContactPoints found, wanted, swapped;
    collide(*disk_a, at_a, *disk_b, at_b, margin, found);
    collide(*disk_b, at_b, *disk_a, at_a, margin, swapped);
    collide(*disk_a, at_a, *capsule, at_b, margin, wanted);
    ASSERT_EQ(found.size(), wanted.size());
    ASSERT_EQ(found.size(), swapped.size());
    if (found.empty()) continue;
    ++touching;
    EXPECT_NEAR(found[0].gap, wanted[0].gap, 1e-11);
    EXPECT_LE(norm(found[0].normal - wanted[0].normal), 1e-9);
    EXPECT_LE(norm(found[0].on_a - wanted[0].on_a), 1e-9);
    EXPECT_LE(norm(found[0].on_b - wanted[0].on_b), 1e-9);
    EXPECT_EQ(norm(swapped[0].normal + found[0].normal), 0);
    EXPECT_EQ(norm(swapped[0].on_a - found[0].on_b), 0);
    EXPECT_EQ(swapped[0].feature, found[0].feature);
  }
  EXPECT_GT(touching, 100);
}

TEST(DiskContact, WithOneCentreAnyDirectionParts) {
  const auto disk = makeCollisionShape(Disk{1});
  ContactPoints found;
  collide(*disk, {}, *disk, {}, 0, found);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].gap, -2);
  EXPECT_EQ(norm(found[0].normal), 1);
}

}  // namespace
}  // namespace stickslip
