// Terrains, convex shapes to put on them, and their contacts, checked for what always holds.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

#include "collision/convex/polytope.hpp"
#include "collision/convex/round_shapes.hpp"
#include "collision/hull/hull_builder.hpp"
#include "collision/terrain/terrain_contact.hpp"
#include "support/random_rotation.hpp"

namespace stickslip::testing {

using ShapePointer = std::shared_ptr<const ConvexShape>;
using TerrainPointer = std::shared_ptr<const Terrain>;

inline TerrainPointer terrainOf(const Shape& shape) {
  EXPECT_EQ(problemOf(shape), "");
  return std::static_pointer_cast<const Terrain>(makeTerrain(shape));
}

inline ShapePointer hullOf(const std::vector<Vec3>& points) {
  const Hull hull = *buildHull(points);
  return std::make_shared<Polytope>(hull.vertices, hull.faces);
}

struct Named {
  const char* name;
  ShapePointer shape;
};

inline std::vector<Named> convexShapes() {
  Random random(99);
  std::vector<Vec3> points;
  for (int k = 0; k < 12; ++k) points.push_back(0.5 * randomDirection(random));
  return {{"sphere", std::make_shared<RoundedSegment>(0, 0.4)},
          {"capsule", std::make_shared<RoundedSegment>(0.7, 0.25)},
          {"cylinder", std::make_shared<CylinderShape>(0.35, 0.6)},
          {"box", std::make_shared<Polytope>(boxPolytope({0.8, 0.6, 0.5}))},
          {"hull", hullOf(points)}};
}

inline HeightField flatField(int columns, int rows) {
  return {columns, rows, 0.31, 0.27,
          std::vector<double>(static_cast<std::size_t>(columns * rows), 0.0)};
}

inline HeightField bumpyField(Random& random, double height) {
  HeightField field = flatField(14, 15);
  for (double& h : field.heights) h = random.uniform(-height, height);
  return field;
}

// The surface of a height field as a mesh, optionally moved.
inline TriangleMesh meshOf(const HeightField& field, const Pose& pose = {}) {
  const TerrainPointer terrain = terrainOf(field);
  TriangleMesh mesh;
  for (int t = 0; t < terrain->triangleCount(); ++t) {
    const int first = static_cast<int>(mesh.vertices.size());
    for (const Vec3& p : terrain->triangle(t).corner) mesh.vertices.push_back(pose.pointToWorld(p));
    mesh.triangles.push_back({first, first + 1, first + 2});
  }
  return mesh;
}

inline ContactPoints contacts(const ConvexShape& shape, const Pose& pose, const Terrain& terrain,
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

inline const ContactPoint* deepestPoint(const ContactPoints& points) {
  const auto found =
      std::min_element(points.begin(), points.end(),
                       [](const ContactPoint& a, const ContactPoint& b) { return a.gap < b.gap; });
  return found == points.end() ? nullptr : &*found;
}

inline double lowestOf(const ConvexShape& shape, const Mat3& R) {
  return dot(R * shape.support(-transposedTimes(R, {0, 0, 1})), {0, 0, 1}) - shape.radius();
}

}  // namespace stickslip::testing
