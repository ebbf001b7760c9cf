// Shapes by their support functions against the built-in ones, and at rest.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "stickslip/mass_properties.hpp"
#include "stickslip/stickslip.hpp"
#include "support/convex_pairs.hpp"
#include "support/support_shapes.hpp"
#include "support/terrains.hpp"

namespace stickslip::testing {
namespace {

constexpr double kAnywhere = 100;

struct SupportTwins {
  PlacedConvex built_in;
  PlacedConvex by_function;
};

SupportTwins supportTwins(const std::string& kind, Random& random, double reach) {
  const Shape shape = randomShape(kind, random);
  const Pose pose = randomPose(random, reach);
  Shape twin;
  if (const auto* s = std::get_if<Sphere>(&shape)) twin = supportSphere(s->radius);
  if (const auto* s = std::get_if<Box>(&shape)) twin = supportBox(s->size);
  if (const auto* s = std::get_if<Cylinder>(&shape)) twin = supportCylinder(s->radius, s->height);
  return {{shape, prepared(shape), pose}, {twin, prepared(twin), pose}};
}

TEST(SupportShape, HasTheGapAndNormalOfTheBuiltInOne) {
  for (const std::string kind : {"sphere", "box", "cylinder"})
    for (const std::string& other : convexKinds()) {
      Random random(5);
      for (int i = 0; i < 20; ++i) {
        SCOPED_TRACE(kind + " " + other + " " + std::to_string(i));
        const SupportTwins twins = supportTwins(kind, random, 0.3);
        const PlacedConvex b = randomConvex(other, random, 1.9);
        const ContactPoints expected = contactsOf(twins.built_in, b, kAnywhere);
        const ContactPoints found = contactsOf(twins.by_function, b, kAnywhere);
        ASSERT_FALSE(found.empty());
        const ContactPoint& deepest = deepestOf(found);
        EXPECT_NEAR(deepest.gap, deepestOf(expected).gap, 1e-9);
        EXPECT_NEAR(gapAlong(twins.built_in, b, deepest.normal), deepest.gap, 1e-12);
        const ContactPoints swapped = contactsOf(b, twins.by_function, kAnywhere);
        EXPECT_NEAR(deepestOf(swapped).gap, deepest.gap, 1e-9);
      }
    }
}

TEST(SupportShape, RadiusIsAddedAllAround) {
  Random random(6);
  for (int i = 0; i < 20; ++i) {
    const SupportTwins box = supportTwins("box", random, 0.3);
    Shape rounded = box.by_function.shape;
    std::get<SupportShape>(rounded).radius = 0.1;
    const PlacedConvex a{rounded, prepared(rounded), box.by_function.pose};
    const PlacedConvex ball = randomConvex("sphere", random, 1.9);
    EXPECT_NEAR(deepestOf(contactsOf(a, ball, kAnywhere)).gap,
                deepestOf(contactsOf(box.built_in, ball, kAnywhere)).gap - 0.1, 1e-9);
  }
}

// Two ellipsoids: at the deepest point of each, the normals are opposite.
TEST(SupportShape, EllipsoidsTouchInOnePoint) {
  Random random(7);
  for (int i = 0; i < 40; ++i) {
    const Vec3 axes_a{random.uniform(0.3, 1), random.uniform(0.3, 1), random.uniform(0.3, 1)};
    const Vec3 axes_b{random.uniform(0.3, 1), random.uniform(0.3, 1), random.uniform(0.3, 1)};
    const Shape shape_a = ellipsoid(axes_a), shape_b = ellipsoid(axes_b);
    const PlacedConvex a{shape_a, prepared(shape_a), randomPose(random, 0.2)};
    const PlacedConvex b{shape_b, prepared(shape_b), randomPose(random, 2)};
    const ContactPoints points = contactsOf(a, b, kAnywhere);
    ASSERT_EQ(points.size(), 1u);
    const ContactPoint& p = points[0];
    const auto normalAt = [](const PlacedConvex& body, Vec3 axes, Vec3 at) {
      const Vec3 x = body.pose.pointToLocal(at);
      return normalized(body.pose.rotation * Vec3{x.x / (axes.x * axes.x), x.y / (axes.y * axes.y),
                                                  x.z / (axes.z * axes.z)});
    };
    EXPECT_NEAR(norm(normalAt(a, axes_a, p.on_a) - p.normal), 0, 1e-6);
    EXPECT_NEAR(norm(normalAt(b, axes_b, p.on_b) + p.normal), 0, 1e-6);
  }
}

std::size_t pointsOn(const Shape& ground, const Pose& ground_pose, const Shape& shape,
                     const Pose& pose) {
  ContactPoints points;
  collide(*prepared(shape), pose, *makeCollisionShape(ground), ground_pose, 1e-3, points);
  for (const ContactPoint& p : points) {
    EXPECT_LE(norm(p.normal - Vec3{0, 0, -1}), 1e-6);
    EXPECT_NEAR(p.gap, 0, 1e-3);
  }
  return points.size();
}

TriangleMesh floorMesh() {
  return {{{-3, -3, 0}, {3, -3, 0}, {3, 3, 0}, {-3, 3, 0}}, {{0, 1, 2}, {0, 2, 3}}};
}

TEST(SupportShape, StandsOnAllItsCorners) {
  const HeightField field{
      .columns = 4, .rows = 4, .spacing_x = 2, .spacing_y = 2, .heights = std::vector<double>(16)};
  const std::pair<Shape, Pose> grounds[] = {{HalfSpace{}, {}},
                                            {Box{{6, 6, 1}}, {{0, 0, -0.5}, {}}},
                                            {supportBox({6, 6, 1}), {{0, 0, -0.5}, {}}},
                                            {floorMesh(), {}},
                                            {field, {}}};
  for (const auto& [ground, at] : grounds)
    for (const double tilt : {0.0, 1e-7, 4e-4}) {
      SCOPED_TRACE(shapeName(ground) + " " + std::to_string(tilt));
      const Mat3 turn = rotationAbout({1, 2, 0}, tilt) * rotationAbout({0, 0, 1}, 0.3);
      EXPECT_EQ(pointsOn(ground, at, supportBox({1, 0.7, 0.4}), {{0.1, 0.2, 0.2}, turn}), 4u);
      EXPECT_EQ(pointsOn(ground, at, ellipsoid({0.5, 0.4, 0.2}), {{0.1, 0.2, 0.2}, turn}), 1u);
    }
  for (const auto& [ground, at] : grounds) {
    SCOPED_TRACE(shapeName(ground));
    const Shape cylinder = supportCylinder(0.4, 1);
    EXPECT_GE(pointsOn(ground, at, cylinder, {{0.1, 0.2, 0.5}, {}}), 4u);
    EXPECT_EQ(pointsOn(ground, at, cylinder, {{0.1, 0.2, 0.4}, rotationAbout({0, 1, 0}, M_PI / 2)}),
              2u);
  }
}

BodySystemData onFloor(const Shape& shape, Vec3 position, const Shape& ground, Vec3 below) {
  BodySystemData world{.gravity = {0, 0, -9.81}, .materials = {{.surface = {.friction = 0.5}}}};
  world.bodies = {
      {.name = "floor", .type = Body::Type::fixed, .position = below, .shapes = {{ground}}},
      {.name = "body", .position = position, .shapes = {{shape}}}};
  return world;
}

TEST(SupportShape, ABoxRestsAsTheBuiltInOneDoes) {
  for (const auto& [ground, below] : {std::pair<Shape, Vec3>{HalfSpace{}, {}},
                                      {Box{{6, 6, 1}}, {0, 0, -0.5}},
                                      {floorMesh(), {}}}) {
    SCOPED_TRACE(shapeName(ground));
    const auto system = std::make_shared<BodySystem>(
        onFloor(supportBox({1, 0.7, 0.4}), {0, 0, 0.21}, ground, below));
    EXPECT_NEAR(system->data().bodies[1].mass.mass, 280, 1e-9);
    Stepper stepper({system, defaultMethod(*system)});
    State state = system->initialState();
    while (state.t < 1) ASSERT_TRUE(stepper.step(state, 2e-3).certified);
    EXPECT_EQ(stepper.problem().contactCount(), 4);
    const BodyState body = system->bodyState(1, state);
    EXPECT_NEAR(norm(body.position - Vec3{0, 0, 0.2}), 0, 1e-6);
    EXPECT_LE(norm(body.velocity) + norm(body.angular_velocity), 1e-9);
  }
}

// A ball on its side of the slope: it rolls as the built-in one does.
TEST(SupportShape, ABallRolls) {
  const auto fall = [](const Shape& shape) {
    BodySystemData world = onFloor(shape, {0, 0, 0.3}, HalfSpace{}, {});
    world.gravity = {1, 0, -9};
    world.bodies[1].mass = massProperties(Sphere{0.3}, 1000);
    const auto system = std::make_shared<BodySystem>(world);
    Stepper stepper({system, defaultMethod(*system)});
    State state = system->initialState();
    while (state.t < 1) EXPECT_TRUE(stepper.step(state, 2e-3).certified);
    return system->bodyState(1, state).position;
  };
  const Vec3 expected = fall(Sphere{0.3}), found = fall(supportSphere(0.3));
  EXPECT_GT(expected.x, 0.3);
  EXPECT_NEAR(norm(found - expected), 0, 1e-9);
}

TEST(SupportShape, MassIsThatOfItsHull) {
  const MassProperties box = massProperties(supportBox({1, 2, 3}), 2);
  EXPECT_NEAR(box.mass, 12, 1e-12);
  EXPECT_NEAR(box.inertia(0, 0), 13, 1e-12);
  const MassProperties ball = massProperties(supportSphere(1), 3),
                       exact = massProperties(Sphere{1}, 3);
  EXPECT_LT(ball.mass, exact.mass);
  EXPECT_NEAR(ball.mass / exact.mass, 1, 0.01);
  SupportShape given = supportSphere(1);
  given.volume = 2;
  given.center = {0, 0, 0.1};
  given.inertia = diagonal({1, 2, 2.5});
  EXPECT_EQ(massProperties(given, 3).mass, 6);
  EXPECT_EQ(massProperties(given, 3).inertia(2, 2), 7.5);
}

TEST(SupportShape, WhatIsNoSupportFunctionIsRefused) {
  EXPECT_EQ(problemOf(ellipsoid({1, 0.2, 3})), "");
  EXPECT_NE(problemOf(SupportShape{}), "");
  SupportShape shape = supportSphere(1);
  shape.extent = 0.5;
  EXPECT_NE(problemOf(shape).find("extent"), std::string::npos);
  shape = supportSphere(1);
  shape.radius = -1;
  EXPECT_NE(problemOf(shape).find("radius"), std::string::npos);
  const SupportShape aside{[](Vec3 d) { return normalized(d) + Vec3{3, 0, 0}; }, 0, 4};
  EXPECT_NE(problemOf(aside).find("inside"), std::string::npos);
  // Not convex: the radius depends on the direction.
  const SupportShape dented{[](Vec3 d) {
                              const Vec3 n = normalized(d);
                              return (1 + 0.5 * n.z * n.z * n.z * n.z) * n;
                            },
                            0, 1.5};
  EXPECT_NE(problemOf(dented).find("farthest"), std::string::npos);
  const SupportShape wild{[](Vec3) { return Vec3{std::nan(""), 0, 0}; }, 0, 1};
  EXPECT_NE(problemOf(wild).find("finite"), std::string::npos);
}

}  // namespace
}  // namespace stickslip::testing
