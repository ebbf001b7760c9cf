// The hull builder against the definition of a hull: every point inside every face, a closed
// surface, and the volume by a formula of its own.
#include "collision/hull/hull_builder.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "support/random_rotation.hpp"

namespace stickslip {
namespace {

using testing::Random;

Vec3 vertex(const Hull& hull, int i) {
  return hull.vertices[i];
}

// Newell's normal of a loop, times twice its area.
Vec3 areaVector(const Hull& hull, const std::vector<int>& loop) {
  Vec3 sum;
  for (std::size_t i = 0; i < loop.size(); ++i)
    sum += cross(vertex(hull, loop[i]), vertex(hull, loop[(i + 1) % loop.size()]));
  return sum;
}

// By the divergence theorem with the field (0, 0, z): no tetrahedra.
double volumeOf(const Hull& hull) {
  double volume = 0;
  for (const std::vector<int>& loop : hull.faces)
    for (std::size_t i = 1; i + 1 < loop.size(); ++i) {
      const Vec3 a = vertex(hull, loop[0]), b = vertex(hull, loop[i]),
                 c = vertex(hull, loop[i + 1]);
      volume += cross(b - a, c - a).z / 2 * (a.z + b.z + c.z) / 3;
    }
  return volume;
}

double sizeOf(std::span<const Vec3> points) {
  double size = 0;
  for (const Vec3& p : points) size = std::max(size, norm(p - points[0]));
  return size;
}

// Everything that must hold for any input.
void expectHull(std::span<const Vec3> points, const Hull& hull, double tolerance) {
  const double slack = tolerance * sizeOf(points);
  for (const std::vector<int>& loop : hull.faces) {
    ASSERT_GE(loop.size(), 3u);
    const Vec3 n = normalized(areaVector(hull, loop));
    double offset = dot(n, vertex(hull, loop[0]));
    for (const int v : loop) EXPECT_NEAR(dot(n, vertex(hull, v)), offset, slack);
    for (const Vec3& p : points) ASSERT_LE(dot(n, p) - offset, slack);
  }
  // Euler's formula, and every edge between two faces that run along it in opposite directions.
  EXPECT_EQ(hull.vertices.size() + hull.faces.size(), hull.edges.size() + 2);
  for (const HullEdge& edge : hull.edges) {
    EXPECT_LT(edge.from, edge.to);
    const auto runsAlong = [&](int face, int from, int to) {
      const std::vector<int>& loop = hull.faces[face];
      for (std::size_t i = 0; i < loop.size(); ++i)
        if (loop[i] == from && loop[(i + 1) % loop.size()] == to) return true;
      return false;
    };
    EXPECT_TRUE(runsAlong(edge.left, edge.from, edge.to));
    EXPECT_TRUE(runsAlong(edge.right, edge.to, edge.from));
  }
  // The vertices are points as given.
  for (const Vec3& v : hull.vertices)
    EXPECT_NE(std::find(points.begin(), points.end(), v), points.end());
}

std::vector<Vec3> cubeCorners() {
  std::vector<Vec3> points;
  for (int i = 0; i < 8; ++i)
    points.push_back({i & 1 ? 1. : -1., i & 2 ? 1. : -1., i & 4 ? 1. : -1.});
  return points;
}

// A cube with many points inside, on its faces, on its edges, and repeated corners.
std::vector<Vec3> crowdedCube(Random& random, int count) {
  std::vector<Vec3> points = cubeCorners();
  for (int k = 0; k < count; ++k) {
    Vec3 p = testing::randomVector(random);
    const int fixed = random.integer(0, 3);
    for (int i = 0; i < fixed; ++i) p[(k + i) % 3] = random.integer(0, 1) ? 1 : -1;
    points.push_back(p);
  }
  std::reverse(points.begin(), points.end());
  return points;
}

TEST(HullBuilder, TetrahedronFacesRunCounterclockwise) {
  const std::vector<Vec3> points{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const auto hull = buildHull(points);
  ASSERT_TRUE(hull);
  expectHull(points, *hull, 1e-12);
  EXPECT_EQ(hull->vertices, points);
  EXPECT_EQ(hull->faces.size(), 4u);
  EXPECT_NEAR(volumeOf(*hull), 1.0 / 6, 1e-15);
}

TEST(HullBuilder, CrowdedCubeIsACube) {
  Random random(1);
  for (int trial = 0; trial < 20; ++trial) {
    const std::vector<Vec3> points = crowdedCube(random, 400);
    const auto hull = buildHull(points);
    ASSERT_TRUE(hull);
    expectHull(points, *hull, 1e-12);
    EXPECT_EQ(hull->vertices.size(), 8u);
    EXPECT_EQ(hull->faces.size(), 6u);
    EXPECT_EQ(hull->edges.size(), 12u);
    EXPECT_DOUBLE_EQ(volumeOf(*hull), 8);
  }
}

// Rotated, shifted far away and stored in single precision: flat sides are flat up to noise only.
TEST(HullBuilder, NoiseDoesNotBreakTheFacesOfACube) {
  Random random(2);
  for (int trial = 0; trial < 20; ++trial) {
    const Mat3 R = testing::randomRotation(random);
    const bool single = trial % 2 == 0;
    std::vector<Vec3> points = crowdedCube(random, 300);
    for (Vec3& p : points) {
      p = R * p + (single ? Vec3{} : Vec3{1e3, 2e3, -5e3});
      if (single) p = {static_cast<float>(p.x), static_cast<float>(p.y), static_cast<float>(p.z)};
    }
    const auto hull = buildHull(points);
    ASSERT_TRUE(hull);
    expectHull(points, *hull, 1e-6);
    EXPECT_EQ(hull->vertices.size(), 8u);
    EXPECT_EQ(hull->faces.size(), 6u);
    EXPECT_NEAR(volumeOf(*hull), 8, 1e-5);
  }
}

TEST(HullBuilder, RandomPointsInABall) {
  Random random(3);
  for (int trial = 0; trial < 100; ++trial) {
    std::vector<Vec3> points;
    const int count = random.integer(4, 60);
    for (int k = 0; k < count; ++k)
      points.push_back(random.uniform(0, 1) * testing::randomDirection(random));
    const auto hull = buildHull(points);
    ASSERT_TRUE(hull);
    expectHull(points, *hull, 2e-6);
  }
}

// Coordinates from a few small integers: coplanar and collinear sets of every kind.
TEST(HullBuilder, PointsOfASmallGrid) {
  Random random(4);
  int solid = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    std::vector<Vec3> points;
    const int count = random.integer(4, 24), side = random.integer(1, 3);
    for (int k = 0; k < count; ++k)
      points.push_back({1.0 * random.integer(0, side), 1.0 * random.integer(0, side),
                        1.0 * random.integer(0, side)});
    const auto hull = buildHull(points);
    bool flat = true;
    for (std::size_t i = 1; i < points.size(); ++i)
      for (std::size_t j = 1; j < i; ++j)
        for (std::size_t k = 1; k < j; ++k)
          flat = flat && dot(cross(points[i] - points[0], points[j] - points[0]),
                             points[k] - points[0]) == 0;
    ASSERT_EQ(!hull, flat);
    if (!hull) continue;
    ++solid;
    expectHull(points, *hull, 1e-12);
    // No face lies in the plane of its neighbour, no vertex inside an edge.
    for (const HullEdge& e : hull->edges) {
      const Vec3 a = areaVector(*hull, hull->faces[e.left]);
      const Vec3 b = areaVector(*hull, hull->faces[e.right]);
      EXPECT_GT(norm(cross(a, b)), 1e-9 * norm(a) * norm(b));
    }
  }
  EXPECT_GT(solid, 1000);
}

TEST(HullBuilder, ManyPointsOnASphere) {
  Random random(5);
  std::vector<Vec3> points;
  for (int k = 0; k < 10000; ++k) points.push_back(testing::randomDirection(random));
  const auto hull = buildHull(points);
  ASSERT_TRUE(hull);
  EXPECT_EQ(hull->vertices.size() + hull->faces.size(), hull->edges.size() + 2);
  EXPECT_GT(hull->vertices.size(), 9990u);
  EXPECT_NEAR(volumeOf(*hull), 4 * std::numbers::pi / 3, 1e-2);
  for (std::size_t f = 0; f < hull->faces.size(); f += 50) {
    const Vec3 n = normalized(areaVector(*hull, hull->faces[f]));
    for (const Vec3& p : points) ASSERT_LE(dot(n, p - vertex(*hull, hull->faces[f][0])), 2e-6);
  }
}

TEST(HullBuilder, UnitsDoNotMatter) {
  Random random(6);
  std::vector<Vec3> points, scaled;
  for (int k = 0; k < 50; ++k) points.push_back(testing::randomVector(random));
  for (const double unit : {0x1p-200, 0x1p60}) {
    scaled.clear();
    for (const Vec3& p : points) scaled.push_back(unit * p);
    EXPECT_EQ(buildHull(scaled)->faces, buildHull(points)->faces);
  }
}

TEST(HullBuilder, FlatPointsHaveNoHull) {
  Random random(7);
  const Mat3 R = testing::randomRotation(random);
  std::vector<Vec3> points;
  for (int k = 0; k < 50; ++k) points.push_back(R * Vec3{random.uniform(), random.uniform(), 0.3});
  EXPECT_FALSE(buildHull(points));
  EXPECT_FALSE(buildHull(std::vector<Vec3>(5, Vec3{1, 2, 3})));
  EXPECT_FALSE(buildHull(std::vector<Vec3>{{0, 0, 0}, {1, 1, 1}, {2, 2, 2}, {3, 3, 3}}));
  points.push_back(R * Vec3{0, 0, 0.31});
  EXPECT_TRUE(buildHull(points));
}

}  // namespace
}  // namespace stickslip
