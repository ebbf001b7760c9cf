// Terrain as a whole: flat ones are like a half-space, bumpy ones agree with brute force over all
// triangles, gaps are continuous and have the right derivatives.
#include "collision/terrain/terrain.hpp"

#include <gtest/gtest.h>

#include "collision/convex/convex_contact.hpp"
#include "collision/convex/half_space.hpp"
#include "support/terrains.hpp"

namespace stickslip {
namespace {

using testing::bumpyField;
using testing::contacts;
using testing::convexShapes;
using testing::deepestPoint;
using testing::flatField;
using testing::lowestOf;
using testing::meshOf;
using testing::Named;
using testing::Random;
using testing::terrainOf;
using testing::TerrainPointer;

TEST(Terrain, FlatOnesAreLikeAHalfSpace) {
  Random random(1);
  const TerrainPointer field = terrainOf(flatField(30, 30));
  const TerrainPointer mesh = terrainOf(meshOf(flatField(30, 30)));
  for (const Named& convex : convexShapes()) {
    for (int trial = 0; trial < 300; ++trial) {
      // Every third lies flat or nearly so, which gives patches.
      Mat3 R = testing::randomRotation(random);
      if (trial % 3 == 0) R = testing::rotationAbout({0, 0, 1}, random.uniform(0, 6));
      if (trial % 6 == 0) R = testing::rotationAbout(testing::randomDirection(random), 1e-4) * R;
      const double gap = random.uniform(-0.1, 0.1), margin = random.uniform(0, 0.15);
      const Pose pose{
          {random.uniform(-3, 3), random.uniform(-3, 3), gap - lowestOf(*convex.shape, R)}, R};
      ContactPoints expected;
      collideHalfSpace(*convex.shape, pose, {}, margin, expected);
      for (const TerrainPointer& terrain : {field, mesh}) {
        const ContactPoints found = contacts(*convex.shape, pose, *terrain, margin);
        ASSERT_EQ(found.empty(), gap > margin) << convex.name << " " << gap;
        for (const ContactPoint& p : found) {
          EXPECT_LT(norm(p.normal - Vec3{0, 0, -1}), 1e-13) << convex.name;
          EXPECT_NEAR(p.on_a.z, p.gap, 1e-12);
        }
        if (found.empty()) continue;
        EXPECT_NEAR(deepestPoint(found)->gap, gap, 1e-12) << convex.name;
        // The patch of a shape that lies flat has the same corners.
        if (trial % 6 != 3 || convex.name == std::string("hull")) continue;
        ASSERT_EQ(found.size(), expected.size()) << convex.name;
        for (const ContactPoint& p : found) {
          double nearest = 1;
          for (const ContactPoint& q : expected) nearest = std::min(nearest, norm(p.on_a - q.on_a));
          EXPECT_LT(nearest, 1e-6) << convex.name;
        }
      }
    }
  }
}

// Apart: the least gap is the least distance from any triangle, found one by one.
TEST(Terrain, BumpyOnesAgreeWithAllTriangles) {
  Random random(3);
  int compared = 0;
  for (int landscape = 0; landscape < 4; ++landscape) {
    const HeightField bumps = bumpyField(random, 0.02 * (1 << (2 * landscape)));
    const Pose placed{{1, 2, 3}, testing::randomRotation(random)};
    const TerrainPointer field = terrainOf(bumps), mesh = terrainOf(meshOf(bumps));
    for (const Named& convex : convexShapes())
      for (int trial = 0; trial < 24; ++trial) {
        const Pose pose{{random.uniform(-1.2, 1.2), random.uniform(-1.2, 1.2), 0.9},
                        testing::randomRotation(random)};
        double distance = 10;
        Vec3 normal;
        for (int t = 0; t < field->triangleCount(); ++t) {
          const auto& c = field->triangle(t).corner;
          const TriangleShape triangle(c[0], c[1], c[2]);
          const Pose relative{pose.pointToLocal({}), transposed(pose.rotation)};
          const SignedDistance d = coreDistance(*convex.shape, triangle, relative, 10);
          if (d.gap - convex.shape->radius() >= distance) continue;
          distance = d.gap - convex.shape->radius();
          normal = pose.rotation * d.normal;
        }
        if (distance < 1e-3) continue;
        ++compared;
        const ContactPoints on_field = contacts(*convex.shape, pose, *field, distance + 0.01);
        const ContactPoints on_mesh =
            contacts(*convex.shape, placed * pose, *mesh, distance + 0.01, placed);
        ASSERT_FALSE(on_field.empty()) << convex.name;
        EXPECT_NEAR(deepestPoint(on_field)->gap, distance, 1e-8) << convex.name;
        EXPECT_LT(norm(deepestPoint(on_field)->normal - normal), 1e-6) << convex.name;
        ASSERT_FALSE(on_mesh.empty()) << convex.name;
        EXPECT_NEAR(deepestPoint(on_mesh)->gap, distance, 1e-8) << convex.name;
        // Well within the distance there is nothing.
        EXPECT_TRUE(contacts(*convex.shape, pose, *field, 0.99 * distance).empty());
      }
  }
  EXPECT_GT(compared, 200);
}

// d gap / dt = normal . (velocity of the terrain's point - velocity of the body's), apart and in
// overlap, wherever the gap is smooth.
TEST(Terrain, GradientAgreesWithDifferences) {
  Random random(4);
  int compared = 0, rough = 0;
  const std::vector<Named> shapes = convexShapes();
  TerrainPointer field;
  for (int trial = 0; trial < 800; ++trial) {
    if (trial % 50 == 0) field = terrainOf(bumpyField(random, 0.15));
    const Named& convex = shapes[static_cast<std::size_t>(trial) % shapes.size()];
    const Pose pose{{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(0.3, 0.6)},
                    testing::randomRotation(random)};
    const ContactPoints now = contacts(*convex.shape, pose, *field, 0.1);
    if (now.empty()) continue;
    const ContactPoint p = *deepestPoint(now);
    if (p.gap < -0.05) continue;
    const Vec3 v = testing::randomVector(random), axis = testing::randomDirection(random);
    const double h = 1e-6;
    const auto gapAt = [&](double t) {
      const Pose moved{pose.position + t * v, testing::rotationAbout(axis, t) * pose.rotation};
      const ContactPoints there = contacts(*convex.shape, moved, *field, 0.2);
      return there.empty() ? 1e9 : deepestPoint(there)->gap;
    };
    const double rate = dot(p.normal, -(v + cross(axis, p.on_a - pose.position)));
    const double forward = (gapAt(h) - p.gap) / h, backward = (p.gap - gapAt(-h)) / h;
    if (std::abs(forward - backward) > 1e-3) {
      ++rough;
      continue;
    }
    ++compared;
    EXPECT_NEAR((forward + backward) / 2, rate, 1e-4) << convex.name << " gap " << p.gap;
  }
  EXPECT_GT(compared, 300);
  EXPECT_LT(rough, compared / 20);
}

// The gap changes no faster than the body moves, over everything, from far above to some depth.
TEST(Terrain, GapIsLipschitz) {
  Random random(5);
  for (const Named& convex : convexShapes())
    for (int run = 0; run < 4; ++run) {
      const TerrainPointer field = terrainOf(bumpyField(random, 0.1));
      const Mat3 R = testing::randomRotation(random);
      const double low = lowestOf(*convex.shape, R);
      double before = 0;
      for (int step = 0; step <= 200; ++step) {
        const double s = step / 200.0;
        const Vec3 at{-1 + 2 * s, 0.7 - s, 0.1 - 0.03 * (run % 4) - low};
        const ContactPoints found = contacts(*convex.shape, {at, R}, *field, 0.3);
        ASSERT_FALSE(found.empty());
        const double gap = deepestPoint(found)->gap;
        if (step > 0 && before > -0.02) {
          EXPECT_NEAR(gap, before, 2.3 / 200) << convex.name << " at " << s;
        }
        before = gap;
      }
    }
}

TEST(Terrain, TreeFindsWhatBruteForceFinds) {
  Random random(6);
  const TerrainPointer field = terrainOf(bumpyField(random, 0.5));
  const TerrainPointer mesh =
      terrainOf(meshOf(bumpyField(random, 0.5), {{0, 0, 0}, testing::randomRotation(random)}));
  std::vector<int> found;
  for (const TerrainPointer& terrain : {field, mesh})
    for (int trial = 0; trial < 300; ++trial) {
      const Vec3 center = testing::randomVector(random, 3), half = testing::randomVector(random, 1);
      Bounds bounds{center, center};
      for (int k = 0; k < 3; ++k) {
        bounds.lower[k] -= std::abs(half[k]);
        bounds.upper[k] += std::abs(half[k]);
      }
      std::vector<int> expected;
      for (int t = 0; t < terrain->triangleCount(); ++t) {
        const auto& c = terrain->triangle(t).corner;
        bool meets = true;
        for (int k = 0; k < 3; ++k)
          meets = meets && std::min({c[0][k], c[1][k], c[2][k]}) <= bounds.upper[k] &&
                  std::max({c[0][k], c[1][k], c[2][k]}) >= bounds.lower[k];
        if (meets) expected.push_back(t);
      }
      terrain->trianglesWithin(bounds, found);
      // The grid may list a triangle beside the bounds, but never miss one.
      EXPECT_TRUE(std::includes(found.begin(), found.end(), expected.begin(), expected.end()));
      if (terrain == mesh) {
        EXPECT_EQ(found, expected);
      }
    }
}

TEST(Terrain, BoundsHoldTheTerrain) {
  Random random(7);
  const TerrainPointer field = terrainOf(bumpyField(random, 0.5));
  const Pose pose{{1, 2, 3}, testing::randomRotation(random)};
  const Bounds bounds = field->boundsAt(pose);
  double farthest = 0;
  for (int t = 0; t < field->triangleCount(); ++t)
    for (const Vec3& local : field->triangle(t).corner) {
      const Vec3 p = pose.pointToWorld(local);
      farthest = std::max(farthest, norm(local - Vec3{0.1, 0.2, 0.3}));
      for (int k = 0; k < 3; ++k) EXPECT_TRUE(p[k] >= bounds.lower[k] && p[k] <= bounds.upper[k]);
    }
  EXPECT_DOUBLE_EQ(field->farthestFrom({0.1, 0.2, 0.3}), farthest);
}

TEST(Terrain, UnitsAndRepetitionChangeNothing) {
  Random random(8);
  for (int trial = 0; trial < 100; ++trial) {
    const HeightField bumps = bumpyField(random, 0.1);
    HeightField scaled = bumps;
    const double unit = 0x1p-30;
    scaled.spacing_x *= unit;
    scaled.spacing_y *= unit;
    for (double& h : scaled.heights) h *= unit;
    const Pose pose{{random.uniform(), random.uniform(), 0.4}, testing::randomRotation(random)};
    const Polytope box = boxPolytope({1, 0.8, 0.6});
    const Polytope small = boxPolytope({unit, 0.8 * unit, 0.6 * unit});
    const ContactPoints a = contacts(box, pose, *terrainOf(bumps), 0.1);
    const ContactPoints b =
        contacts(small, {unit * pose.position, pose.rotation}, *terrainOf(scaled), 0.1 * unit);
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
      EXPECT_EQ(a[i].gap * unit, b[i].gap);
      EXPECT_EQ(a[i].normal, b[i].normal);
      EXPECT_EQ(a[i].feature, b[i].feature);
    }
  }
}

}  // namespace
}  // namespace stickslip
