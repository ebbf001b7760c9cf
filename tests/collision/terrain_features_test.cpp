// What happens at the faces, edges, valleys and peaks of a terrain: patches, normals, no ghosts.
#include <gtest/gtest.h>

#include <numbers>

#include "support/terrains.hpp"

namespace stickslip {
namespace {

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

TEST(TerrainFeatures, BoxOnAFineMeshHasFourCorners) {
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
TEST(TerrainFeatures, NoGhostsOnAFlatFloor) {
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
        EXPECT_NEAR(deepestPoint(found)->gap, gap, 1e-12);
        for (const ContactPoint& p : found)
          EXPECT_LT(norm(p.normal + tilted.rotation * Vec3{0, 0, 1}), 1e-12) << convex.name;
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

TEST(TerrainFeatures, BoxThatOverhangsATable) {
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

TEST(TerrainFeatures, ConvexEdgeAndCorner) {
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
TEST(TerrainFeatures, ValleyHasTwoNormals) {
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

TEST(TerrainFeatures, RidgeUnderABox) {
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

TEST(TerrainFeatures, PeakUnderEveryShape) {
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
        EXPECT_GT(deepestPoint(found)->gap, gap);
        continue;
      }
      EXPECT_NEAR(deepestPoint(found)->gap, gap, 1e-9) << convex.name;
      EXPECT_LT(norm(deepestPoint(found)->on_b - Vec3{0, 0, 0.2}), 1e-6)
          << convex.name << " " << gap;
      if (convex.name == std::string("box") || convex.name == std::string("cylinder")) {
        EXPECT_EQ(found.size(), 1u) << convex.name << " " << gap;
        EXPECT_LT(norm(deepestPoint(found)->normal + Vec3{0, 0, 1}), 1e-9) << convex.name;
      }
    }
}

TEST(TerrainFeatures, PushesOutUpToHalfTheSize) {
  const TerrainPointer field = terrainOf(flatField(20, 20));
  for (const Named& convex : convexShapes()) {
    const double low = lowestOf(*convex.shape, {});
    for (const double depth : {0.1, 0.5, 0.95}) {
      const ContactPoints found =
          contacts(*convex.shape, {{0.1, 0.1, -low * (1 - depth)}, {}}, *field, 0);
      const double z = -low * (1 - depth) + convex.shape->interiorPoint().z;
      if (z < 0) continue;
      ASSERT_FALSE(found.empty()) << convex.name;
      EXPECT_NEAR(deepestPoint(found)->gap, depth * low, 1e-12);
      EXPECT_LT(norm(deepestPoint(found)->normal + Vec3{0, 0, 1}), 1e-12);
    }
    EXPECT_TRUE(contacts(*convex.shape, {{0.1, 0.1, -1.2 * std::abs(low)}, {}}, *field, 0).empty());
  }
}

TEST(TerrainFeatures, RoundShapesLieOnTwoPoints) {
  const TerrainPointer terrain = terrainOf(meshOf(flatField(30, 30)));
  const Mat3 lying = testing::rotationAbout({0, 0, 1}, 0.3) *
                     testing::rotationAbout({1, 0, 0}, std::numbers::pi / 2);
  const RoundedSegment capsule(1.1, 0.25);
  const CylinderShape cylinder(0.25, 1.1);
  for (const ConvexShape* shape :
       {static_cast<const ConvexShape*>(&capsule), static_cast<const ConvexShape*>(&cylinder)})
    for (const double gap : {-1e-3, 0.0, 1e-9}) {
      const ContactPoints found = contacts(*shape, {{0.1, 0.2, 0.25 + gap}, lying}, *terrain, 1e-6);
      ASSERT_EQ(found.size(), 2u);
      EXPECT_NEAR(norm(found[1].on_a - found[0].on_a), 1.1, 1e-6);
      for (const ContactPoint& p : found) EXPECT_NEAR(p.gap, gap, 1e-12);
    }
}

// A floor and two walls of many triangles: a box that has sunk into all three a little rests on
// four corners of each.
TEST(TerrainFeatures, BoxInTheCornerOfARoom) {
  TriangleMesh room;
  const int n = 6;
  const auto addWall = [&](Vec3 a, Vec3 b) {
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) {
        const int k = static_cast<int>(room.vertices.size());
        for (const auto& [p, q] : {std::pair{i, j}, {i + 1, j}, {i + 1, j + 1}, {i, j + 1}})
          room.vertices.push_back((p / 2.0) * a + (q / 2.0) * b);
        room.triangles.push_back({k, k + 1, k + 2});
        room.triangles.push_back({k, k + 2, k + 3});
      }
  };
  const Vec3 x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1};
  addWall(x, y);
  addWall(y, z);
  addWall(z, x);
  const TerrainPointer terrain = terrainOf(room);
  const Polytope box = boxPolytope({1, 1, 1});
  for (const double depth : {0.0, 1e-12, 1e-6, 1e-3}) {
    const ContactPoints found =
        contacts(box, {{0.5 - depth, 0.5 - depth / 2, 0.5 - depth / 4}, {}}, *terrain, 1e-6);
    ASSERT_EQ(found.size(), 12u) << depth;
    Vec3 count;
    for (const ContactPoint& p : found)
      for (int k = 0; k < 3; ++k)
        if (p.normal[k] < -1 + 1e-12) {
          count[k] += 1;
          EXPECT_NEAR(p.gap, -depth / (1 << k), 1e-12);
        }
    EXPECT_EQ(count, (Vec3{4, 4, 4})) << depth;
  }
}

TEST(TerrainFeatures, NamesStayWhileTheSamePlacesTouch) {
  const TerrainPointer table = terrainOf(tableMesh(0.5));
  const Polytope box = boxPolytope({1, 1, 1});
  const auto names = [&](Vec3 at) {
    std::vector<std::uint32_t> out;
    for (const ContactPoint& p : contacts(box, {at, {}}, *table, 1e-3)) out.push_back(p.feature);
    return out;
  };
  for (const double x : {0.13, 1.83}) {
    const auto before = names({x, 0.18, 0.5});
    EXPECT_EQ(before.size(), 4u);
    for (const Vec3 step : {Vec3{1e-3, 0, 0}, Vec3{0, -1e-3, 0}, Vec3{0, 0, 1e-4}})
      EXPECT_EQ(names(Vec3{x, 0.18, 0.5} + step), before);
  }
}

}  // namespace
}  // namespace stickslip
