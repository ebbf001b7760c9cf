// Convex shapes against height fields and meshes: flat ones as a half-space, bumpy ones against
// brute force over all triangles, no ghost contacts, and what happens at edges, valleys and peaks.
#include "collision/terrain.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numbers>

#include "collision/convex_contact.hpp"
#include "collision/half_space.hpp"
#include "collision/hull_builder.hpp"
#include "collision/polytope.hpp"
#include "collision/round_shapes.hpp"
#include "collision/terrain_contact.hpp"
#include "support/random_rotation.hpp"

namespace stickslip {
namespace {

using testing::Random;
using ShapePointer = std::shared_ptr<const ConvexShape>;
using TerrainPointer = std::shared_ptr<const Terrain>;

TerrainPointer terrainOf(const Shape& shape) {
  EXPECT_EQ(problemOf(shape), "");
  return std::static_pointer_cast<const Terrain>(makeTerrain(shape));
}

ShapePointer hullOf(const std::vector<Vec3>& points) {
  const Hull hull = *buildHull(points);
  return std::make_shared<Polytope>(hull.vertices, hull.faces);
}

struct Named {
  const char* name;
  ShapePointer shape;
};

std::vector<Named> convexShapes() {
  Random random(99);
  std::vector<Vec3> points;
  for (int k = 0; k < 12; ++k) points.push_back(0.5 * testing::randomDirection(random));
  return {{"sphere", std::make_shared<RoundedSegment>(0, 0.4)},
          {"capsule", std::make_shared<RoundedSegment>(0.7, 0.25)},
          {"cylinder", std::make_shared<CylinderShape>(0.35, 0.6)},
          {"box", std::make_shared<Polytope>(boxPolytope({0.8, 0.6, 0.5}))},
          {"hull", hullOf(points)}};
}

HeightField flatField(int columns, int rows) {
  return {columns, rows, 0.31, 0.27,
          std::vector<double>(static_cast<std::size_t>(columns * rows), 0.0)};
}

HeightField bumpyField(Random& random, double height) {
  HeightField field = flatField(14, 15);
  for (double& h : field.heights) h = random.uniform(-height, height);
  return field;
}

// The surface of a height field as a mesh, optionally moved.
TriangleMesh meshOf(const HeightField& field, const Pose& pose = {}) {
  const TerrainPointer terrain = terrainOf(field);
  TriangleMesh mesh;
  for (int t = 0; t < terrain->triangleCount(); ++t) {
    const int first = static_cast<int>(mesh.vertices.size());
    for (const Vec3& p : terrain->triangle(t).corner) mesh.vertices.push_back(pose.pointToWorld(p));
    mesh.triangles.push_back({first, first + 1, first + 2});
  }
  return mesh;
}

ContactPoints contacts(const ConvexShape& shape, const Pose& pose, const Terrain& terrain,
                       double margin, const Pose& terrain_pose = {}) {
  ContactPoints out;
  collideTerrain(shape, pose, terrain, terrain_pose, margin, out);
  for (std::size_t i = 0; i < out.size(); ++i) {
    const ContactPoint& p = out[i];
    EXPECT_LE(p.gap, margin);
    EXPECT_NEAR(norm(p.normal), 1, 1e-12);
    EXPECT_LT(norm(p.on_b - p.on_a - p.gap * p.normal), 1e-12 * (1 + norm(p.on_a)));
    EXPECT_LT(p.feature, 1u << 22);
    for (std::size_t k = 0; k < i; ++k) EXPECT_NE(out[k].feature, p.feature);
  }
  return out;
}

const ContactPoint* deepest(const ContactPoints& points) {
  const auto found =
      std::min_element(points.begin(), points.end(),
                       [](const ContactPoint& a, const ContactPoint& b) { return a.gap < b.gap; });
  return found == points.end() ? nullptr : &*found;
}

double lowestOf(const ConvexShape& shape, const Mat3& R) {
  return dot(R * shape.support(-transposedTimes(R, {0, 0, 1})), {0, 0, 1}) - shape.radius();
}

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
        EXPECT_NEAR(deepest(found)->gap, gap, 1e-12) << convex.name;
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

TEST(Terrain, BoxOnAFineMeshHasFourCorners) {
  const Polytope box = boxPolytope({2, 1.4, 1});
  const TerrainPointer terrain = terrainOf(meshOf(flatField(40, 40)));
  for (const double z : {0.5, 0.5 - 1e-9, 0.5 + 1e-9, 0.45}) {
    const ContactPoints found = contacts(box, {{0.1, 0.2, z}, {}}, *terrain, 1e-6);
    EXPECT_EQ(found.size(), 4u);
    for (const ContactPoint& p : found) {
      EXPECT_NEAR(std::abs(p.on_a.x - 0.1), 1, 1e-12);
      EXPECT_NEAR(std::abs(p.on_a.y - 0.2), 0.7, 1e-12);
    }
  }
}

// Sliding over a flat floor in small steps: the normal is that of the floor to the last bit or so,
// and the gap does not change.
TEST(Terrain, NoGhostsOnAFlatFloor) {
  Random random(2);
  const Pose tilted{{0.3, -2, 5}, testing::randomRotation(random)};
  const TerrainPointer terrain = terrainOf(meshOf(flatField(30, 30), tilted));
  for (const Named& convex : convexShapes())
    for (int run = 0; run < 10; ++run) {
      const Mat3 R = run % 2 ? testing::randomRotation(random) : Mat3{};
      const double gap = run < 5 ? -1e-3 : 1e-7;
      for (int step = 0; step < 40; ++step) {
        const Vec3 at{-2 + 0.1 * step, -1.5 + 0.031 * step * (run % 3),
                      gap - lowestOf(*convex.shape, R)};
        const ContactPoints found = contacts(*convex.shape, tilted * Pose{at, R}, *terrain, 1e-3);
        ASSERT_FALSE(found.empty()) << convex.name;
        EXPECT_NEAR(deepest(found)->gap, gap, 1e-12);
        for (const ContactPoint& p : found)
          EXPECT_LT(norm(p.normal + tilted.rotation * Vec3{0, 0, 1}), 1e-12) << convex.name;
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
      for (int trial = 0; trial < 40; ++trial) {
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
        EXPECT_NEAR(deepest(on_field)->gap, distance, 1e-8) << convex.name;
        EXPECT_LT(norm(deepest(on_field)->normal - normal), 1e-6) << convex.name;
        ASSERT_FALSE(on_mesh.empty()) << convex.name;
        EXPECT_NEAR(deepest(on_mesh)->gap, distance, 1e-8) << convex.name;
        // Well within the distance there is nothing.
        EXPECT_TRUE(contacts(*convex.shape, pose, *field, 0.99 * distance).empty());
      }
  }
  EXPECT_GT(compared, 300);
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
    const ContactPoint p = *deepest(now);
    if (p.gap < -0.05) continue;
    const Vec3 v = testing::randomVector(random), axis = testing::randomDirection(random);
    const double h = 1e-6;
    const auto gapAt = [&](double t) {
      const Pose moved{pose.position + t * v, testing::rotationAbout(axis, t) * pose.rotation};
      const ContactPoints there = contacts(*convex.shape, moved, *field, 0.2);
      return there.empty() ? 1e9 : deepest(there)->gap;
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
    for (int run = 0; run < 8; ++run) {
      const TerrainPointer field = terrainOf(bumpyField(random, 0.1));
      const Mat3 R = testing::randomRotation(random);
      const double low = lowestOf(*convex.shape, R);
      double before = 0;
      for (int step = 0; step <= 300; ++step) {
        const double s = step / 300.0;
        const Vec3 at{-1 + 2 * s, 0.7 - s, 0.1 - 0.03 * (run % 4) - low};
        const ContactPoints found = contacts(*convex.shape, {at, R}, *field, 0.3);
        ASSERT_FALSE(found.empty());
        const double gap = deepest(found)->gap;
        if (step > 0 && before > -0.02) {
          EXPECT_NEAR(gap, before, 2.3 / 300) << convex.name << " at " << s;
        }
        before = gap;
      }
    }
}

// A table: a box-shaped mesh with its top at z = 0 and many triangles, x and y in [-2, 2].
TriangleMesh tableMesh(double thickness) {
  TriangleMesh mesh;
  const int n = 8;
  const auto addQuad = [&](Vec3 a, Vec3 ab, Vec3 ad) {
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) {
        const auto at = [&](int p, int q) {
          return a + (p / double(n)) * ab + (q / double(n)) * ad;
        };
        const int k = static_cast<int>(mesh.vertices.size());
        for (const Vec3& v : {at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)})
          mesh.vertices.push_back(v);
        mesh.triangles.push_back({k, k + 1, k + 2});
        mesh.triangles.push_back({k, k + 2, k + 3});
      }
  };
  const double t = thickness;
  const Vec3 x{4, 0, 0}, y{0, 4, 0}, z{0, 0, t};
  addQuad({-2, -2, 0}, x, y);
  addQuad({-2, -2, -t}, y, x);
  addQuad({-2, -2, -t}, x, z);
  addQuad({2, -2, -t}, y, z);
  addQuad({2, 2, -t}, -x, z);
  addQuad({-2, 2, -t}, -y, z);
  return mesh;
}

TEST(Terrain, BoxThatOverhangsATable) {
  const TerrainPointer table = terrainOf(tableMesh(0.5));
  const Polytope box = boxPolytope({1, 1, 1});
  for (const double gap : {1e-7, 1e-12, 0.0, -1e-12, -1e-6, -1e-3})
    for (const double x : {1.9, 2.0, 2.3, 2.45})
      for (const double tilt : {0.0, 1e-9, -1e-9}) {
        const Mat3 R = testing::rotationAbout({0, 1, 0}, tilt);
        const ContactPoints found = contacts(box, {{x, 0.1, 0.5 + gap}, R}, *table, 1e-6);
        EXPECT_EQ(found.size(), 4u) << x << " " << gap << " " << tilt;
        for (const ContactPoint& p : found) {
          EXPECT_LT(norm(p.normal + Vec3{0, 0, 1}), 1e-8) << x << " " << gap << " " << tilt;
          EXPECT_NEAR(p.gap, gap, 1e-8);
        }
      }
  // Against the side of the table.
  const ContactPoints side = contacts(box, {{2.5 - 1e-4, 0.1, -0.2}, {}}, *table, 1e-6);
  EXPECT_FALSE(side.empty());
  for (const ContactPoint& p : side) EXPECT_LT(norm(p.normal + Vec3{1, 0, 0}), 1e-12);
}

TEST(Terrain, ConvexEdgeAndCorner) {
  const TerrainPointer table = terrainOf(tableMesh(0.5));
  const RoundedSegment ball(0, 0.3);
  for (int k = 1; k < 9; ++k) {
    const double angle = k * std::numbers::pi / 18;
    const Vec3 n{std::sin(angle), 0, std::cos(angle)};
    for (const double gap : {0.05, 0.0, -0.1}) {
      const ContactPoints found =
          contacts(ball, {Vec3{2, 0.1, 0} + (0.3 + gap) * n, {}}, *table, 0.1);
      ASSERT_EQ(found.size(), 1u);
      EXPECT_NEAR(found[0].gap, gap, 1e-14);
      EXPECT_LT(norm(found[0].normal + n), 1e-12);
    }
    const Vec3 diagonal = normalized(Vec3{1, 1, 0.2 * k});
    const ContactPoints found = contacts(ball, {Vec3{2, 2, 0} + 0.25 * diagonal, {}}, *table, 0.1);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_NEAR(found[0].gap, -0.05, 1e-14);
    EXPECT_LT(norm(found[0].normal + diagonal), 1e-12);
  }
  // A box turned by 45 degrees about y rests with its lower edge on the edge of the table.
  const Polytope box = boxPolytope({1, 1, 1});
  const Mat3 R = testing::rotationAbout({0, 1, 0}, std::numbers::pi / 4);
  const Vec3 n = normalized(Vec3{1, 0, 1});
  const ContactPoints flat = contacts(box, {Vec3{2, 0.1, 0} + 0.499 * n, R}, *table, 0.1);
  ASSERT_EQ(flat.size(), 2u);  // a face of the box on the edge of the table
  for (const ContactPoint& p : flat) {
    EXPECT_LT(norm(p.normal + n), 1e-12);
    EXPECT_NEAR(p.gap, -0.001, 1e-12);
    EXPECT_NEAR(std::abs(p.on_a.y - 0.1), 0.5, 1e-12);
  }
}

// Two planes that meet in a valley along y.
TEST(Terrain, ValleyHasTwoNormals) {
  const double slope = 0.5, c = 1 / std::hypot(1, slope);
  HeightField valley{21, 21, 0.2, 0.2, {}};
  for (int j = 0; j < 21; ++j)
    for (int i = 0; i < 21; ++i) valley.heights.push_back(slope * 0.2 * std::abs(i - 10));
  const TerrainPointer field = terrainOf(valley);
  const RoundedSegment ball(0, 0.5);
  for (const double gap : {-0.01, -1e-9, 0.0, 1e-3}) {
    const ContactPoints found = contacts(ball, {{0, 0.05, (0.5 + gap) / c}, {}}, *field, 0.01);
    ASSERT_EQ(found.size(), 2u) << gap;
    double side = 0;
    for (const ContactPoint& p : found) {
      EXPECT_NEAR(p.gap, gap, 1e-14);
      EXPECT_NEAR(p.normal.z, -c, 1e-14);
      side += p.normal.x;
    }
    EXPECT_NEAR(side, 0, 1e-14);
  }
  // A box in the valley touches both sides with its lower edges.
  const Polytope box = boxPolytope({1, 1, 1});
  const ContactPoints found = contacts(box, {{0, 0.05, 0.5 + 0.25 - 1e-3}, {}}, *field, 1e-4);
  ASSERT_EQ(found.size(), 4u);
  for (const ContactPoint& p : found) {
    EXPECT_NEAR(p.gap, -1e-3 * c, 1e-12);
    EXPECT_NEAR(std::abs(p.on_a.x), 0.5, 1e-12);
    EXPECT_GT(p.normal.x * p.on_a.x, 0);
  }
}

TEST(Terrain, RidgeUnderABox) {
  // A shallow ridge: flat shapes feel its edge with their own normal, not the slopes' ones.
  HeightField ridge{21, 21, 0.2, 0.2, {}};
  for (int j = 0; j < 21; ++j)
    for (int i = 0; i < 21; ++i) ridge.heights.push_back(-0.1 * 0.2 * std::abs(i - 10));
  const TerrainPointer field = terrainOf(ridge);
  const Polytope box = boxPolytope({1, 1, 1});
  for (const double gap : {-1e-3, -1e-9, 0.0, 1e-5}) {
    const ContactPoints found = contacts(box, {{0.1, 0.05, 0.5 + gap}, {}}, *field, 1e-4);
    ASSERT_EQ(found.size(), 2u) << gap;
    for (const ContactPoint& p : found) {
      EXPECT_LT(norm(p.normal + Vec3{0, 0, 1}), 1e-12);
      EXPECT_NEAR(p.gap, gap, 1e-12);
      EXPECT_NEAR(std::abs(p.on_a.y - 0.05), 0.5, 1e-6);
    }
  }
}

TEST(Terrain, PeakUnderEveryShape) {
  HeightField peak = flatField(7, 7);
  peak.heights[24] = 0.2;
  const TerrainPointer field = terrainOf(peak);
  for (const Named& convex : convexShapes())
    for (const double gap : {0.01, 1e-9, 0.0, -1e-9, -0.01}) {
      const double low = lowestOf(*convex.shape, {});
      // Under the lowest point of the shape, or the middle of its lower face.
      Vec3 foot = convex.shape->support({0, 0, -1});
      if (convex.name != std::string("hull")) foot.x = foot.y = 0;
      const ContactPoints found =
          contacts(*convex.shape, {{-foot.x, -foot.y, 0.2 + gap - low}, {}}, *field, 0.02);
      ASSERT_FALSE(found.empty()) << convex.name << " " << gap;
      // A pointed shape that has sunk in gets out sideways with less.
      if (convex.name == std::string("hull") && gap < -1e-6) {
        EXPECT_GT(deepest(found)->gap, gap);
        continue;
      }
      EXPECT_NEAR(deepest(found)->gap, gap, 1e-9) << convex.name;
      EXPECT_LT(norm(deepest(found)->on_b - Vec3{0, 0, 0.2}), 1e-6) << convex.name << " " << gap;
      if (convex.name == std::string("box") || convex.name == std::string("cylinder")) {
        EXPECT_EQ(found.size(), 1u) << convex.name << " " << gap;
        EXPECT_LT(norm(deepest(found)->normal + Vec3{0, 0, 1}), 1e-9) << convex.name;
      }
    }
}

TEST(Terrain, PushesOutUpToHalfTheSize) {
  const TerrainPointer field = terrainOf(flatField(20, 20));
  for (const Named& convex : convexShapes()) {
    const double low = lowestOf(*convex.shape, {});
    for (const double depth : {0.1, 0.5, 0.95}) {
      const ContactPoints found =
          contacts(*convex.shape, {{0.1, 0.1, -low * (1 - depth)}, {}}, *field, 0);
      const double z = -low * (1 - depth) + convex.shape->interiorPoint().z;
      if (z < 0) continue;
      ASSERT_FALSE(found.empty()) << convex.name;
      EXPECT_NEAR(deepest(found)->gap, depth * low, 1e-12);
      EXPECT_LT(norm(deepest(found)->normal + Vec3{0, 0, 1}), 1e-12);
    }
    EXPECT_TRUE(contacts(*convex.shape, {{0.1, 0.1, -1.2 * std::abs(low)}, {}}, *field, 0).empty());
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
