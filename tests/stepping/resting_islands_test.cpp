// Islands that sleep: when they fall asleep, what wakes them, and that nothing else does.
#include <gtest/gtest.h>

#include "support/bodies.hpp"

namespace stickslip::testing {
namespace {

constexpr double kStep = 0.01;
constexpr double kSleepTime = 0.1;
// Steps after which what rests from the start sleeps.
constexpr int kAWhile = 20;

Body cube(const std::string& name, Vec3 position) {
  Body body = spatialBody(name, 1, {1.0 / 6, 1.0 / 6, 1.0 / 6}, position);
  body.shapes.push_back({Box{{1, 1, 1}}, {}, 0});
  return body;
}

// Two stacks of two cubes, far apart, on a floor: bodies 1, 2 and 3, 4.
BodySystemData twoStacks() {
  BodySystemData data;
  data.gravity = {0, 0, -kGravity};
  Material material;
  material.surface.friction = 0.5;
  data.materials = {material};
  Body floor;
  floor.name = "floor";
  floor.type = Body::Type::fixed;
  floor.shapes.push_back({HalfSpace{}, {}, 0});
  data.bodies = {floor, cube("a", {0, 0, 0.5}), cube("b", {0, 0, 1.5}), cube("c", {9, 0, 0.5}),
                 cube("d", {9, 0, 1.5})};
  return data;
}

// A run that can be looked at step by step.
struct Watched {
  std::shared_ptr<BodySystem> system;
  Stepper stepper;
  State state;

  explicit Watched(const BodySystemData& data, double sleep_time = kSleepTime)
      : system(std::make_shared<BodySystem>(data)),
        stepper({system, method(*system, sleep_time)}),
        state(system->initialState()) {}

  static Method method(const System& system, double sleep_time) {
    Method out = defaultMethod(system);
    out.sleep_time = sleep_time;
    return out;
  }
  void step(int count) {
    for (int k = 0; k < count; ++k) {
      const StepReport report = stepper.step(state, kStep);
      EXPECT_TRUE(report.certified && report.advanced);
    }
  }
};

TEST(RestingIslands, WhatRestsSleepsAndCostsNoContacts) {
  Watched run(twoStacks());
  run.step(5);
  EXPECT_EQ(run.stepper.asleepCount(), 0);
  EXPECT_EQ(run.stepper.problem().contactCount(), 16);
  run.step(kAWhile);
  EXPECT_EQ(run.stepper.asleepCount(), 4);
  const State asleep = run.state;
  run.step(100);
  EXPECT_EQ(run.stepper.problem().contactCount(), 0);
  EXPECT_EQ(run.state.q, asleep.q);
  for (const double u : run.state.u) EXPECT_EQ(u, 0);
}

TEST(RestingIslands, NothingSleepsUnlessAskedFor) {
  Watched run(twoStacks(), 0);
  run.step(3 * kAWhile);
  EXPECT_EQ(run.stepper.asleepCount(), 0);
}

// A cube falls on one of the stacks: the other one sleeps on, and the motion is that without sleep.
TEST(RestingIslands, WhatIsTouchedWakesBeforeTheImpact) {
  BodySystemData data = twoStacks();
  data.bodies.push_back(cube("falling", {0.2, 0.1, 4}));
  Watched run(data), without(data, 0);
  int least_asleep = 5;
  for (int k = 0; k < 80; ++k) {
    run.step(1);
    without.step(1);
    if (k > kAWhile) least_asleep = std::min(least_asleep, run.stepper.asleepCount());
    for (std::size_t i = 0; i < run.state.q.size(); ++i)
      ASSERT_NEAR(run.state.q[i], without.state.q[i], 1e-9) << k;
  }
  EXPECT_EQ(least_asleep, 2);
  run.step(300);
  EXPECT_EQ(run.stepper.asleepCount(), 5);
}

TEST(RestingIslands, OtherForcesWake) {
  BodySystemData data = twoStacks();
  BodyLoad push;
  push.body = 2;
  push.force = {{0, 0.5, 0.51, 9}, {{0, 0, 0}, {0, 0, 0}, {30, 0, 0}, {30, 0, 0}}};
  data.loads.push_back(push);
  Watched run(data);
  run.step(50);
  EXPECT_EQ(run.stepper.asleepCount(), 4);
  run.step(3);
  EXPECT_EQ(run.stepper.asleepCount(), 2);
  run.step(30);
  EXPECT_GT(run.system->bodyState(2, run.state).position.x, 0.1);
}

TEST(RestingIslands, VelocitiesFromOutsideWake) {
  Watched run(twoStacks());
  run.step(kAWhile);
  ASSERT_EQ(run.stepper.asleepCount(), 4);
  run.state.u[0] = 1;
  run.step(1);
  EXPECT_EQ(run.stepper.asleepCount(), 2);
  run.stepper.wake();
  EXPECT_EQ(run.stepper.asleepCount(), 0);
}

// What stands on a table that may move never sleeps, whatever the table does later.
TEST(RestingIslands, SupportsThatMoveKeepAwake) {
  BodySystemData data = twoStacks();
  Body table;
  table.name = "table";
  table.type = Body::Type::kinematic;
  table.position = {20, 0, 0.5};
  table.shapes.push_back({Box{{2, 2, 1}}, {}, 0});
  TabledMotion motion;
  motion.times = {0, 0.5, 1.5, 9};
  motion.displacements = {{}, {}, {0.1, 0, 0}, {0.1, 0, 0}};
  motion.rotations = {{}, {}, {}, {}};
  table.motion = motion;
  data.bodies.push_back(table);
  data.bodies.push_back(cube("rider", {20, 0, 1.5}));
  Watched run(data);
  run.step(45);
  EXPECT_EQ(run.stepper.asleepCount(), 4);
  run.step(70);
  EXPECT_EQ(run.stepper.asleepCount(), 4);
  EXPECT_GT(run.system->bodyState(6, run.state).position.x, 20.03);
}

// A heavy load does not make slow what moves.
TEST(RestingIslands, WhatSlidesStaysAwake) {
  BodySystemData data = twoStacks();
  data.materials[0].surface.friction = 0;
  BodyLoad press;
  press.body = 3;
  press.force = {{0}, {{0, 0, -1e5}}};
  data.loads.push_back(press);
  data.bodies[3].velocity = {0.1, 0, 0};
  data.bodies.pop_back();
  Watched run(data);
  run.step(100);
  EXPECT_EQ(run.stepper.asleepCount(), 2);
  EXPECT_NEAR(run.system->bodyState(3, run.state).position.x, 9.1, 1e-9);
}

TEST(RestingIslands, JointsStayAwake) {
  BodySystemData data = twoStacks();
  data.joints.push_back(jointAt("pin", Joint::Type::spherical, data, 1, 2, {0, 0, 1}));
  Watched run(data);
  run.step(3 * kAWhile);
  EXPECT_EQ(run.stepper.asleepCount(), 2);
}

TEST(RestingIslands, AreForTheSchemePosition) {
  Method method;
  method.scheme = "midpoint";
  method.sleep_time = 1;
  EXPECT_THROW(checkMethod(method), InputError);
}

}  // namespace
}  // namespace stickslip::testing
