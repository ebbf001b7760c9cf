// Torsional, rolling and load-independent friction: motions with a known answer.
#include <gtest/gtest.h>

#include <cmath>

#include "support/bodies.hpp"

namespace stickslip {
namespace {

using testing::BodyRun;
using testing::kGravity;
using testing::runBodies;

constexpr double kRadius = 0.2;
constexpr double kBallMass = 3;

// A ball (a disc in the plane) that touches the floor, which is tilted about y (about z).
BodySystemData ballOnFloor(int dimension, const ContactProperties& surface, double slope = 0) {
  BodySystemData data;
  data.dimension = dimension;
  data.gravity = dimension == 2 ? Vec3{kGravity * std::sin(slope), -kGravity * std::cos(slope), 0}
                                : Vec3{kGravity * std::sin(slope), 0, -kGravity * std::cos(slope)};
  data.materials = {{.name = "default", .surface = surface}};
  Body floor;
  floor.name = "floor";
  floor.type = Body::Type::fixed;
  Body ball;
  ball.name = "ball";
  const double square = kBallMass * kRadius * kRadius;
  if (dimension == 2) {
    floor.shapes = {{HalfPlane{}, {}, 0}};
    ball.shapes = {{Disk{kRadius}, {}, 0}};
    ball.position = {0, kRadius, 0};
    ball.mass = {kBallMass, {}, diagonal({1, 1, square / 2})};
  } else {
    floor.shapes = {{HalfSpace{}, {}, 0}};
    ball.shapes = {{Sphere{kRadius}, {}, 0}};
    ball.position = {0, 0, kRadius};
    ball.mass = {kBallMass, {}, diagonal({0.4 * square, 0.4 * square, 0.4 * square})};
  }
  data.bodies = {floor, ball};
  return data;
}

// m dv/dt = -F, I dw/dt = F r - rolling m g, v = r w: dv/dt = -g (rolling/r) / (1 + I / (m r^2)).
TEST(RollingFriction, BallSlowsDownUniformlyAndStops) {
  const double rolling = 0.01, v_0 = 1, deceleration = 5.0 / 7 * rolling / kRadius * kGravity;
  BodySystemData data = ballOnFloor(3, {.friction = 0.5, .rolling_friction = rolling});
  data.bodies[1].velocity = {v_0 * 0.6, v_0 * 0.8, 0};
  data.bodies[1].angular_velocity = {-v_0 * 0.8 / kRadius, v_0 * 0.6 / kRadius, 0};
  const double stops_at = v_0 / deceleration;
  const BodyRun rolls = runBodies(data, 0.01, 1);
  EXPECT_TRUE(rolls.summary.certified());
  const double v = v_0 - deceleration;
  EXPECT_NEAR(rolls.body(1).velocity.x, 0.6 * v, 1e-9);
  EXPECT_NEAR(rolls.body(1).velocity.y, 0.8 * v, 1e-9);
  EXPECT_NEAR(rolls.body(1).angular_velocity.y, 0.6 * v / kRadius, 1e-8);
  const BodyRun rests = runBodies(data, 0.01, stops_at + 0.5);
  EXPECT_TRUE(rests.summary.certified());
  EXPECT_LE(norm(rests.body(1).velocity), 1e-10);
  const double way = v_0 * v_0 / (2 * deceleration);
  EXPECT_NEAR(norm(rests.body(1).position - Vec3{0, 0, kRadius}), way, 0.01 * way);
}

TEST(RollingFriction, DiscInThePlane) {
  const double rolling = 0.02, deceleration = 2.0 / 3 * rolling / kRadius * kGravity;
  BodySystemData data = ballOnFloor(2, {.friction = 0.5, .rolling_friction = rolling});
  data.bodies[1].velocity = {2, 0, 0};
  data.bodies[1].angular_velocity = {0, 0, -2 / kRadius};
  const BodyRun rolls = runBodies(data, 0.01, 1);
  EXPECT_TRUE(rolls.summary.certified());
  EXPECT_NEAR(rolls.body(1).velocity.x, 2 - deceleration, 1e-9);
  EXPECT_LE(norm(runBodies(data, 0.01, 4).body(1).velocity), 1e-10);
}

// It stays as long as r tan(slope) <= rolling, and rolls with what is beyond that.
TEST(RollingFriction, BallStaysOnASlopeThatIsNotTooSteep) {
  const double rolling = 0.02, limit = std::atan(rolling / kRadius);
  for (const int dimension : {2, 3}) {
    const ContactProperties surface{.friction = 0.8, .rolling_friction = rolling};
    const BodySystemData flat = ballOnFloor(dimension, surface, 0.99 * limit);
    const BodyRun stays = runBodies(flat, 0.01, 2);
    EXPECT_TRUE(stays.summary.certified());
    EXPECT_LE(norm(stays.body(1).position - flat.bodies[1].position), 1e-10) << dimension;
    const double slope = 1.5 * limit, share = dimension == 2 ? 2.0 / 3 : 5.0 / 7;
    const BodyRun rolls = runBodies(ballOnFloor(dimension, surface, slope), 0.01, 1);
    EXPECT_TRUE(rolls.summary.certified());
    EXPECT_NEAR(rolls.body(1).velocity.x,
                share * kGravity * (std::sin(slope) - rolling / kRadius * std::cos(slope)), 1e-9)
        << dimension;
  }
}

// I dw/dt = -torsion m g on the pole.
TEST(TorsionalFriction, SpinningBallStopsInTime) {
  const double torsion = 0.005, spin = 10;
  const double deceleration = torsion * kGravity / (0.4 * kRadius * kRadius);
  BodySystemData data = ballOnFloor(3, {.friction = 0.5, .torsional_friction = torsion});
  data.bodies[1].angular_velocity = {0, 0, spin};
  const BodyRun spins = runBodies(data, 0.01, 1);
  EXPECT_TRUE(spins.summary.certified());
  EXPECT_NEAR(spins.body(1).angular_velocity.z, spin - deceleration, 1e-9);
  const BodyRun rests = runBodies(data, 0.01, spin / deceleration + 0.1);
  EXPECT_TRUE(rests.summary.certified());
  EXPECT_LE(norm(rests.body(1).angular_velocity), 1e-9);
  EXPECT_LE(norm(rests.body(1).velocity), 1e-10);
}

// Sliding and spin share one ellipse: where a ball slides fast, its spin is nearly free.
TEST(TorsionalFriction, IsWeakWhileTheContactSlides) {
  const double torsion = 0.005, spin = 1, sliding = 2;
  BodySystemData data = ballOnFloor(3, {.friction = 0.5, .torsional_friction = torsion});
  data.bodies[1].velocity = {sliding, 0, 0};
  data.bodies[1].angular_velocity = {0, 0, spin};
  const BodyRun run = runBodies(data, 1e-3, 1e-3);
  const double share = torsion * spin / std::hypot(0.5 * sliding, torsion * spin);
  const double expected = 1e-3 * torsion * share * kGravity / (0.4 * kRadius * kRadius);
  EXPECT_NEAR(spin - run.body(1).angular_velocity.z, expected, 0.01 * expected);
}

BodySystemData slidingBox(double gravity, double force) {
  BodySystemData data;
  data.dimension = 2;
  data.gravity = {0, -gravity, 0};
  data.materials = {{.name = "default", .surface = {.friction = 0.3, .friction_force = force}}};
  Body floor;
  floor.name = "floor";
  floor.type = Body::Type::fixed;
  floor.shapes = {{HalfPlane{}, {}, 0}};
  Body box = testing::planarBody("box", 2, 0.5, {0, 0.1});
  box.shapes = {{PlanarBox{1, 0.2}, {}, 0}};
  box.velocity = {3, 0, 0};
  data.bodies = {floor, box};
  return data;
}

// Two contacts with one force each, whatever presses them together.
TEST(LoadIndependentFriction, BoxSlowsDownByItsForceAlone) {
  for (const double gravity : {5.0, 10.0, 50.0}) {
    const BodyRun run = runBodies(slidingBox(gravity, 1.5), 0.01, 1);
    EXPECT_TRUE(run.summary.certified());
    EXPECT_NEAR(run.body(1).velocity.x, 3 - 2 * 1.5 / 2, 1e-9) << gravity;
    EXPECT_LE(std::abs(runBodies(slidingBox(gravity, 1.5), 0.01, 3).body(1).velocity.x), 1e-10);
  }
  const BodyRun coulomb = runBodies(slidingBox(10, 0), 0.01, 0.5);
  EXPECT_NEAR(coulomb.body(1).velocity.x, 3 - 0.3 * 10 * 0.5, 1e-9);
}

// The same for one contact of a linear system.
TEST(LoadIndependentFriction, LinearSystem) {
  for (const double load : {1.0, 100.0}) {
    LinearSystemData data;
    data.coordinates = {"x", "y"};
    data.M = {2, 0, 0, 2};
    data.f = {0, -load};
    LinearContact contact;
    contact.name = "floor";
    contact.w_N = {0, 1};
    contact.w_T = {1, 0};
    contact.law.friction_force = 3;
    data.contacts = {contact};
    const auto system = std::make_shared<LinearSystem>(data);
    Stepper stepper({system, defaultMethod(*system)});
    State state{0, {0, 0}, {1, 0}};
    for (int k = 0; k < 50; ++k) EXPECT_TRUE(stepper.step(state, 0.01).certified);
    EXPECT_NEAR(state.u[0], 1 - 3.0 / 2 * 0.5, 1e-12);
    for (int k = 0; k < 50; ++k) EXPECT_TRUE(stepper.step(state, 0.01).certified);
    EXPECT_LE(std::abs(state.u[0]), 1e-12);
  }
}

// A ball that rolls, slides and spins in one, with every solver that takes its cones.
TEST(MomentFriction, SolversAgreeOnAMotion) {
  BodySystemData data =
      ballOnFloor(3, {.friction = 0.4, .rolling_friction = 0.02, .torsional_friction = 0.01});
  data.bodies[1].velocity = {1, 0.2, 0};
  data.bodies[1].angular_velocity = {1, 2, 5};
  const auto system = std::make_shared<BodySystem>(data);
  const auto end = [&](const Method& method) {
    Stepper stepper({system, method});
    State state = system->initialState();
    for (int k = 0; k < 60; ++k) EXPECT_TRUE(stepper.step(state, 0.01).certified) << method.solver;
    return system->bodyState(1, state);
  };
  Method method = defaultMethod(*system);
  const BodyState reference = end(method);
  for (const char* solver : {"exact", "fixed-point-1"}) {
    method.solver = solver;
    EXPECT_LE(norm(end(method).angular_velocity - reference.angular_velocity), 1e-6) << solver;
  }
  method.cone = FrictionCone::polyhedral;
  method.directions = 64;
  for (const char* solver : {"lemke", "exact"}) {
    method.solver = solver;
    const BodyState polyhedral = end(method);
    EXPECT_LE(norm(polyhedral.velocity - reference.velocity), 0.05) << solver;
  }
}

}  // namespace
}  // namespace stickslip
