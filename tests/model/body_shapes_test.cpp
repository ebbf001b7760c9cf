// Shapes that are alike are kept once, and nobody can tell; many contacts at a time.
#include "model/bodies/body_shapes.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <utility>

#include "model/shapes/shape.hpp"

namespace stickslip {
namespace {

void addBall(Vec3 position, double radius, BodySystemData& data) {
  Body ball{.name = std::to_string(data.bodies.size()), .position = position};
  ball.mass = massProperties(Sphere{radius}, 1);
  ball.shapes = {{Sphere{radius}, {}, 0}};
  data.bodies.push_back(ball);
}

ConvexHull tetrahedron(double size) {
  return {{{0, 0, 0}, {size, 0, 0}, {0, size, 0}, {0, 0, size}}};
}

const PlacedShape* shapesOf(const Body& body) {
  return body.shapes.data();
}

TEST(ShapeList, WhatIsDoneToOneIsNotSeenInOthers) {
  ShapeList first{{Sphere{1}, {}, 0}};
  PlacedShape& seen = first[0];
  ShapeList copy = first;
  seen.material = 1;
  EXPECT_EQ(copy[0].material, 0);
  ShapeList equal{{Sphere{1}, {}, 1}};
  equal.share(first);
  EXPECT_EQ(std::as_const(equal).data(), std::as_const(first).data());
  const ShapeList third = equal;
  EXPECT_EQ(third.data(), std::as_const(first).data());
  equal.push_back({Box{{1, 1, 1}}, {}, 2});
  first[0].material = 7;
  EXPECT_EQ(third.size(), 1u);
  EXPECT_EQ(third[0].material, 1);
  EXPECT_EQ(equal.size(), 2u);
  EXPECT_EQ(equal[0].material, 1);
  const ShapeList moved = std::move(equal);
  EXPECT_EQ(moved.back().material, 2);
  EXPECT_TRUE(ShapeList().empty());
}

TEST(ShapeList, BodiesOfASystemShareEqualOnes) {
  BodySystemData data;
  data.materials = {{.name = "soft"}, {.name = "hard"}};
  for (int i = 0; i < 4; ++i) addBall({3.0 * i, 0, 0}, i == 3 ? 0.5 : 1, data);
  data.bodies[2].shapes[0].material = 1;
  const BodySystem system(data);
  const std::vector<Body>& bodies = system.data().bodies;
  EXPECT_EQ(shapesOf(bodies[0]), shapesOf(bodies[1]));
  EXPECT_NE(shapesOf(bodies[0]), shapesOf(bodies[2]));
  EXPECT_EQ(bodies[2].shapes[0].material, 1);
  EXPECT_EQ(std::get<Sphere>(bodies[3].shapes[0].shape).radius, 0.5);
  BodySystemData copy = system.data();
  copy.bodies[0].shapes[0].shape = Box{{1, 1, 1}};
  EXPECT_EQ(std::get<Sphere>(bodies[0].shapes[0].shape).radius, 1);
  EXPECT_EQ(std::get<Sphere>(copy.bodies[1].shapes[0].shape).radius, 1);
}

TEST(ShapeKey, EveryNumberCounts) {
  const std::vector<Shape> shapes{Disk{1},
                                  Disk{2},
                                  PlanarCapsule{1, 2},
                                  PlanarCapsule{2, 1},
                                  PlanarBox{1, 2},
                                  Polygon{{{0, 0}, {1, 0}, {0, 1}}},
                                  Polygon{{{0, 0}, {1, 0}, {0, 2}}},
                                  HalfPlane{},
                                  Polyline{{{0, 0}, {1, 0}}},
                                  Polyline{{{0, 0}, {1, 0}, {2, 0}}},
                                  Sphere{1},
                                  Sphere{1 + 1e-15},
                                  Capsule{1, 2},
                                  Cylinder{1, 2},
                                  Box{{1, 2, 3}},
                                  Box{{1, 2, 4}},
                                  tetrahedron(1),
                                  tetrahedron(2),
                                  HalfSpace{},
                                  HeightField{2, 2, 1, 1, {0, 0, 0, 0}},
                                  HeightField{2, 2, 1, 2, {0, 0, 0, 0}},
                                  HeightField{2, 2, 1, 1, {0, 0, 0, 1}},
                                  TriangleMesh{tetrahedron(1).points, {{0, 1, 2}}},
                                  TriangleMesh{tetrahedron(1).points, {{0, 2, 1}}}};
  std::set<ShapeKey> keys;
  for (int twice = 0; twice < 2; ++twice)
    for (const Shape& shape : shapes) {
      ShapeKey key;
      append(shape, key);
      keys.insert(key);
    }
  EXPECT_EQ(keys.size(), shapes.size());
}

TEST(BodyShapes, EqualOnesArePreparedOnceAndPlacedEach) {
  BodySystemData data;
  Pose aside;
  aside.position = {0.5, 0, 0};
  aside.rotation = matrixOf(rotationBy({0, 0, 1}));
  for (int i = 0; i < 2; ++i) {
    Body rock;
    rock.shapes = {{tetrahedron(1), {}, 0}, {tetrahedron(1), aside, 0}, {tetrahedron(2), {}, 0}};
    rock.mass.center = {0.1 * i, 0, 0};
    data.bodies.push_back(rock);
  }
  const BodyShapes shapes(data);
  ASSERT_EQ(shapes.count(), 6);
  const auto prepared = [&](int i) { return &shapes.preparedOf(shapes[i]); };
  for (const int i : {1, 3, 4}) EXPECT_EQ(prepared(i), prepared(0));
  EXPECT_NE(prepared(2), prepared(0));
  EXPECT_EQ(prepared(5), prepared(2));
  const Pose at{{1, 2, 3}, matrixOf(rotationBy({0.3, -0.2, 0.5}))};
  for (int i = 0; i < 6; ++i) {
    Pose placement = data.bodies[shapes[i].body].shapes[i % 3].placement;
    placement.position -= data.bodies[i / 3].mass.center;
    EXPECT_EQ(shapes[i].body, i / 3);
    EXPECT_EQ(shapes[i].radius, prepared(i)->farthestFrom(placement.pointToLocal({})));
    const Pose pose = shapes.poseOf(shapes[i], at);
    EXPECT_EQ(pose.position, (at * placement).position);
    EXPECT_EQ(pose.rotation, (at * placement).rotation);
    EXPECT_EQ(shapes.positionOf(shapes[i], at), pose.position);
  }
}

// More pairs than are worked on at a time.
TEST(BodyShapes, ContactsOfALatticeComeInOrder) {
  constexpr int kSide = 15;
  constexpr double kRadius = 0.499;
  BodySystemData data;
  data.materials = {{.name = "hard"}};
  for (int z = 0; z < kSide; ++z)
    for (int y = 0; y < kSide; ++y)
      for (int x = 0; x < kSide; ++x) addBall({1.0 * x, 1.0 * y, 1.0 * z}, kRadius, data);
  std::vector<std::pair<int, int>> expected;
  for (int a = 0; a < kSide * kSide * kSide; ++a) {
    if (a % kSide + 1 < kSide) expected.push_back({a, a + 1});
    if (a / kSide % kSide + 1 < kSide) expected.push_back({a, a + kSide});
    if (a / (kSide * kSide) + 1 < kSide) expected.push_back({a, a + kSide * kSide});
  }
  const BodySystem system(std::move(data));
  const std::vector<double> way(static_cast<std::size_t>(system.velocityCount()), 0.0);
  ContactSet set;
  system.contacts(0, system.initialState().q, {way, 0.01}, set);
  ASSERT_GT(expected.size(), 9000u);
  ASSERT_EQ(set.contacts.size(), expected.size());
  ASSERT_EQ(set.directions.groupCount(), static_cast<int>(expected.size()));
  for (std::size_t i = 0; i < expected.size(); ++i) {
    ASSERT_EQ(system.contactBodies(set.contacts[i].id), expected[i]) << i;
    EXPECT_NEAR(set.contacts[i].gap, 1 - 2 * kRadius, 1e-13);
    const BlockRows::Strip& strip = set.directions.stripsOf(static_cast<int>(i))[0];
    EXPECT_EQ(strip.first_column, 6 * expected[i].first);
  }
}

}  // namespace
}  // namespace stickslip
