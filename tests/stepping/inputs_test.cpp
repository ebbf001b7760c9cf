// Forces and drives that are set between steps, against closed forms and against the same given in
// other ways.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <random>

#include "support/bodies.hpp"
#include "support/input_errors.hpp"
#include "support/sphere_box.hpp"

namespace stickslip {
namespace {

using testing::jointAt;
using testing::kGravity;
using testing::messageOf;
using testing::planarBody;
using testing::spatialBody;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// A simulation of bodies, and its inputs.
struct Driven {
  std::shared_ptr<BodySystem> system;
  Simulation simulation;

  explicit Driven(const BodySystemData& data, RunSettings settings = {{.step = 1e-3, .end = 0}},
                  double sleep_time = 0)
      : system(std::make_shared<BodySystem>(data)),
        simulation({system, method(*system, sleep_time)}, system->initialState(), settings) {}

  static Method method(const System& system, double sleep_time) {
    Method out = defaultMethod(system);
    out.sleep_time = sleep_time;
    return out;
  }
  BodyInputs& inputs() { return *system->inputs(); }
  std::vector<double>& forces() { return *simulation.stepper().inputForces(); }
  const State& state() const { return simulation.state(); }
  BodyState body(int k) const { return system->bodyState(k, state()); }
  double coordinate(int joint, int k = 0) const {
    return system->jointCoordinate(joint, k, state());
  }
  /// Steps, all of which have to be certified.
  void step(
      int count, const std::function<void()>& control = [] {}) {
    for (int i = 0; i < count; ++i) {
      control();
      simulation.step();
      ASSERT_TRUE(simulation.report()->certified) << explain(*simulation.report());
    }
  }
  double energy() const {
    return kineticEnergy(*system, state()) + system->potentialEnergy(state().t, state().q);
  }
  Vec3 angularMomentum(int k) const {
    const BodyState at = body(k);
    const Mat3 r = matrixOf(at.orientation);
    return r * (system->data().bodies[k].mass.inertia * transposedTimes(r, at.angular_velocity));
  }
};

void expectVector(Vec3 a, Vec3 b, double tolerance) {
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(a[i], b[i], tolerance) << i;
}

BodySystemData freeBody() {
  BodySystemData data{.gravity = {0, 0, -kGravity}};
  data.bodies = {spatialBody("plate", 2, {1, 2, 2.5}, {0, 0, 5}, rotationBy({0.3, -0.8, 0.4}))};
  data.bodies[0].velocity = {1, 0, 0};
  return data;
}

TEST(BodyInputs, AConstantForceGivesAConstantAcceleration) {
  Driven run(freeBody());
  run.inputs().bodies[0].force = {3, -1, 2 * kGravity + 4};
  run.step(1000);
  expectVector(run.body(0).velocity, {1 + 1.5, -0.5, 2}, 1e-12);
  expectVector(run.body(0).position, {1 + 0.75, -0.25, 5 + 1}, 1e-11);
  run.inputs().clear();
  run.step(1000);
  expectVector(run.body(0).velocity, {2.5, -0.5, 2 - kGravity}, 1e-12);
}

// The momentum of a body that tumbles grows by the torque, whatever it does; errors are of second
// order.
TEST(BodyInputs, AWorldTorqueAddsToTheAngularMomentum) {
  double error[2];
  for (const int k : {0, 1}) {
    BodySystemData data = freeBody();
    data.bodies[0].angular_velocity = {2, 3, -1};
    Driven run(data, {{.step = k == 0 ? 2e-3 : 1e-3, .end = 0}});
    const Vec3 start = run.angularMomentum(0), torque{0.5, -1, 2};
    run.inputs().bodies[0].torque = torque;
    run.step(k == 0 ? 500 : 1000);
    error[k] = norm(run.angularMomentum(0) - (start + torque));
  }
  EXPECT_LE(error[1], 1e-5);
  EXPECT_NEAR(error[0] / error[1], 4, 0.3);
}

// Two links, the first on the world, which swing about a tilted axis.
BodySystemData twoLinks(int dimension) {
  const Mat3 axes = dimension == 2 ? Mat3{} : matrixOf(rotationBy({0.4, -0.3, 0.2}));
  BodySystemData data{.dimension = dimension, .gravity = {0, -kGravity, 0}};
  for (const char* name : {"upper", "lower"}) {
    const Vec3 at = (name[0] == 'u' ? 0.5 : 1.5) * axes.x;
    data.bodies.push_back(dimension == 2 ? planarBody(name, 1, 0.1, {at.x, at.y})
                                         : spatialBody(name, 1, {0.1, 0.2, 0.3}, at));
  }
  data.joints = {jointAt("shoulder", Joint::Type::revolute, data, Joint::kWorld, 0, {}, axes),
                 jointAt("elbow", Joint::Type::revolute, data, 0, 1, axes.x, axes)};
  return data;
}

TEST(BodyInputs, AJointTorqueIsATorqueOnBothBodies) {
  for (const int dimension : {2, 3}) {
    const BodySystemData data = twoLinks(dimension);
    Driven run(data);
    run.inputs().joints[0].force[0] = 4;
    run.inputs().joints[1].force[0] = -3;
    BodySystemData same = data;
    const Vec3 axis = data.joints[0].frame_a.rotation.z;
    same.user_forces = {[axis](double, std::span<const BodyState>, std::span<Wrench> wrenches) {
      wrenches[0].torque += (4.0 + 3.0) * axis;
      wrenches[1].torque += -3.0 * axis;
    }};
    Driven other(same);
    run.step(500);
    other.step(500);
    EXPECT_GT(std::abs(run.coordinate(1)), 0.5);
    for (const int joint : {0, 1})
      EXPECT_NEAR(run.coordinate(joint), other.coordinate(joint), 1e-9) << dimension;
  }
}

// What a force along a coordinate does is the force times the way, for every type and coordinate.
TEST(BodyInputs, TheWorkOfAJointForceIsForceTimesWay) {
  const auto expectWork = [](Joint::Type type, int dimension, int k) {
    BodySystemData data{.dimension = dimension};
    const Mat3 axes =
        dimension == 2 ? matrixOf(testing::aboutZ(0.6)) : matrixOf(rotationBy({0.4, -0.3, 0.2}));
    for (const Vec2 at : {Vec2{0.2, -0.1}, Vec2{0.9, 0.3}})
      data.bodies.push_back(dimension == 2 ? planarBody("a" + std::to_string(at.x), 1, 0.2, at)
                                           : spatialBody("a" + std::to_string(at.x), 1,
                                                         {0.3, 0.2, 0.4}, {at.x, at.y, 0.1}));
    data.bodies[1].angular_velocity = {0, 0, 0.5};
    data.joints = {jointAt("joint", type, data, 0, 1, {0.5, 0.2, 0}, axes)};
    if (type == Joint::Type::distance) data.joints[0].frame_b = {{0.3, 0.1, 0}};
    double error[2];
    for (const int fine : {0, 1}) {
      // The impact makes velocities fit the joint.
      Driven run(data, {{.step = fine ? 5e-4 : 1e-3, .end = 0}, true});
      const double energy = run.energy(), x = run.coordinate(0, k);
      run.inputs().joints[0].force[static_cast<std::size_t>(k)] = 0.8;
      run.step(fine ? 1000 : 500);
      const double work = 0.8 * (run.coordinate(0, k) - x);
      EXPECT_GT(std::abs(work), 0.01);
      error[fine] = std::abs(run.energy() - energy - work);
    }
    EXPECT_LE(error[1], 2e-4) << jointTypeName(type) << " " << dimension << " " << k;
    EXPECT_LE(error[1], 0.6 * error[0] + 1e-9) << jointTypeName(type);
  };
  using enum Joint::Type;
  for (const int dimension : {2, 3})
    for (const Joint::Type type : {revolute, prismatic, cylindrical, universal, distance})
      for (int k = 0; k < coordinateCount(type, dimension); ++k) expectWork(type, dimension, k);
}

TEST(BodyInputs, AMotorTargetHasTheBitsOfAConstantTable) {
  using Motor = JointDrive::Motor;
  for (const Motor::Target kind : {Motor::Target::velocity, Motor::Target::position}) {
    BodySystemData data = twoLinks(3);
    data.joints[1].drives = {{.motor = Motor{.target = kind,
                                             .value = {{0}, {{0.7, 0, 0}}},
                                             .max_force = 9,
                                             .time_constant = 0.05}}};
    Driven with_table(data);
    data.joints[1].drives[0].motor->value = {{0, 1}, {{5, 0, 0}, {-5, 0, 0}}};
    data.joints[1].drives[0].motor->max_force = 1;
    Driven run(data), other(data);
    run.inputs().joints[1].target[0] = 0.7;
    run.inputs().joints[1].max_force[0] = 9;
    with_table.step(300);
    run.step(300);
    other.step(300);
    EXPECT_EQ(fingerprint(run.state()), fingerprint(with_table.state()));
    EXPECT_NE(fingerprint(run.state()), fingerprint(other.state()));
    // Not set any more: the table again.
    run.inputs().clear();
    run.simulation.setState(other.state());
    run.step(10);
    other.step(10);
    EXPECT_EQ(fingerprint(run.state()), fingerprint(other.state()));
  }
}

TEST(BodyInputs, APositionMotorWithoutDelayIsWhereItsTargetIs) {
  BodySystemData data = twoLinks(2);
  data.joints[0].drives = {
      {.motor = JointDrive::Motor{.target = JointDrive::Motor::Target::position,
                                  .value = {{0}, {{}}},
                                  .max_force = 1e4,
                                  .time_constant = 1e-9}}};
  Driven run(data);
  run.step(1000, [&] { run.inputs().joints[0].target[0] = 0.5 * std::sin(3 * run.state().t); });
  // The target is set once a step, and reached within it.
  EXPECT_NEAR(run.coordinate(0), 0.5 * std::sin(3 * 0.999), 2e-3);
}

TEST(BodyInputs, AControllerKeepsAPendulumUpright) {
  BodySystemData data{.dimension = 2, .gravity = {0, -kGravity, 0}};
  data.bodies = {planarBody("rod", 1, 1.0 / 12, {0, 0.5})};
  data.joints = {jointAt("foot", Joint::Type::revolute, data, Joint::kWorld, 0, {})};
  data.bodies[0].angular_velocity = {0, 0, 0.4};
  data.bodies[0].velocity = {-0.2, 0, 0};
  Driven run(data), left_alone(data);
  const int foot = run.system->jointIndex("foot");
  run.step(4000, [&] {
    run.inputs().joints[foot].force[0] =
        -20 * run.coordinate(foot) - 4 * run.body(0).angular_velocity.z;
  });
  EXPECT_NEAR(run.coordinate(foot), 0, 1e-4);
  left_alone.step(2000);
  EXPECT_GT(std::abs(left_alone.coordinate(foot)), 1);
}

TEST(BodyInputs, WhatIsNotUsedChangesNoBits) {
  const BodySystemData data = testing::settledSpheres(3, 0.3, 0).system->data();
  Driven plain(data), touched(data);
  touched.inputs().bodies[1].force = {1, 2, 3};
  touched.inputs().clear();
  touched.forces()[2] = 0;
  plain.step(50);
  touched.step(50);
  EXPECT_EQ(fingerprint(plain.state()), fingerprint(touched.state()));
}

TEST(BodyInputs, StepsByErrorHoldThemAndStatesThatAreSetKeepThem) {
  Driven run(freeBody(), {{.step = 0.02, .end = 0, .error = 1e-6}});
  run.inputs().bodies[0].force = {0, 0, 2 * kGravity + 4};
  while (run.simulation.stepTowards(0.5)) continue;
  expectVector(run.body(0).velocity, {1, 0, 1}, 1e-12);
  run.simulation.setState(run.system->initialState());
  while (run.simulation.stepTowards(0.25)) continue;
  expectVector(run.body(0).velocity, {1, 0, 0.5}, 1e-12);
}

class InputErrors : public ::testing::Test {
 protected:
  static BodySystemData arm() {
    BodySystemData data = twoLinks(3);
    Body ground;
    ground.name = "ground";
    ground.type = Body::Type::fixed;
    data.bodies.push_back(ground);
    data.joints[1].drives = {{.motor = JointDrive::Motor{.value = {{0}, {{}}}, .max_force = 1}}};
    return data;
  }
  std::string message() {
    const std::uint64_t before = fingerprint(run.state());
    const std::string text = messageOf([&] { run.simulation.step(); });
    EXPECT_EQ(fingerprint(run.state()), before);
    EXPECT_EQ(run.simulation.summary().steps, 0);
    EXPECT_TRUE(run.simulation.isFinite());
    run.inputs().clear();
    return text;
  }
  JointInput& joint(int j) { return run.inputs().joints[j]; }

  Driven run{arm()};
};

TEST_F(InputErrors, NameTheBodyOrTheJoint) {
  run.inputs().bodies[1].force.y = kNaN;
  EXPECT_EQ(message(), "inputs: body \"lower\": force: expected finite numbers");
  run.inputs().bodies[0].torque.x = kInfinity;
  EXPECT_EQ(message(), "inputs: body \"upper\": torque: expected finite numbers");
  run.inputs().bodies[2].force.x = 1;
  EXPECT_EQ(message(), "inputs: body \"ground\": no force moves it: only dynamic bodies take any");
  joint(0).force[0] = kNaN;
  EXPECT_EQ(message(), "inputs: joint \"shoulder\", coordinate 0: force: expected a finite number");
  joint(0).force[1] = 1;
  EXPECT_EQ(message(),
            "inputs: joint \"shoulder\", coordinate 1: it has 1 coordinates that can be driven");
  joint(0).target[0] = 1;
  EXPECT_EQ(message(),
            "inputs: joint \"shoulder\", coordinate 0: it has no motor there, for which to set a "
            "target or max_force");
  joint(1).target[0] = -kInfinity;
  EXPECT_EQ(message(),
            "inputs: joint \"elbow\", coordinate 0: target: expected a finite number, or NaN for "
            "the motor's own");
  joint(1).max_force[0] = -1;
  EXPECT_EQ(message(),
            "inputs: joint \"elbow\", coordinate 0: max_force: expected a finite number >= 0, or "
            "NaN for the motor's own");
  run.forces()[7] = kNaN;
  EXPECT_EQ(message(), "input forces: on velocity \"lower.vy\": expected a finite number");
  run.forces()[7] = 0;
  run.forces().pop_back();
  EXPECT_EQ(message(), "input forces: there are 11 numbers; the system has 12 velocities");
  run.forces().push_back(0);
  run.inputs().bodies.pop_back();
  EXPECT_EQ(message(), "inputs: expected one for each of the 3 bodies and 2 joints");
  run.inputs().bodies.emplace_back();
  run.step(10);
}

TEST_F(InputErrors, NamesThatAreNone) {
  EXPECT_EQ(run.system->bodyIndex("lower"), 1);
  EXPECT_EQ(run.system->jointIndex("elbow"), 1);
  EXPECT_EQ(messageOf([&] { run.system->bodyIndex("elbow"); }),
            "there is no body \"elbow\" among the 3");
  EXPECT_EQ(messageOf([&] { run.system->jointIndex(""); }), "there is no joint \"\" among the 2");
}

// A mass of 2 on a spring of 8: x = f/k (1 - cos 2t).
TEST(InputForces, PushALinearSystem) {
  LinearSystemData data;
  data.coordinates = {"x"};
  data.M = {2};
  data.K = {8};
  const auto system = std::make_shared<LinearSystem>(data);
  for (const std::string_view scheme : {"midpoint", "position", "velocity"}) {
    Method method = defaultMethod(*system);
    method.scheme = scheme;
    Simulation simulation({system, method}, {0, {0}, {0}}, {{.step = 1e-4, .end = 0}});
    (*simulation.stepper().inputForces())[0] = 3;
    while (simulation.stepTowards(1)) continue;
    const double tolerance = scheme == "midpoint" ? 1e-8 : 1e-4;
    EXPECT_NEAR(simulation.state().q[0], 3.0 / 8 * (1 - std::cos(2.0)), tolerance) << scheme;
  }
}

TEST(InputForces, AreForceAndTorqueInTheAxesOfVelocities) {
  Driven run(freeBody()), other(freeBody());
  const Vec3 force{1, 2, 3}, torque{0.3, 0.2, -0.1};
  run.step(100, [&] {
    // The scheme has the torque at the middle of the step; so have these two to first order.
    const Vec3 own = transposedTimes(matrixOf(run.body(0).orientation), torque);
    run.forces() = {force.x, force.y, force.z, own.x, own.y, own.z};
  });
  other.inputs().bodies[0] = {force, torque};
  other.step(100);
  expectVector(run.body(0).position, other.body(0).position, 1e-12);
  expectVector(run.body(0).angular_velocity, other.body(0).angular_velocity, 1e-6);
}

// Cubes on a floor; the second has a rope to a hook.
class InputsAndSleep : public ::testing::Test {
 protected:
  static BodySystemData cubes() {
    BodySystemData data{.gravity = {0, 0, -kGravity},
                        .materials = {{.surface = {.friction = 0.5}}}};
    data.bodies = {{.name = "floor", .type = Body::Type::fixed, .shapes = {{HalfSpace{}}}}};
    for (const char* name : {"a", "b", "c"}) {
      data.bodies.push_back(spatialBody(name, 1, {1.0 / 6, 1.0 / 6, 1.0 / 6}, {0, 0, 0.5}));
      data.bodies.back().position.x = 5 * (name[0] - 'a');
      data.bodies.back().shapes = {{Box{{1, 1, 1}}}};
    }
    Joint rope{.name = "rope", .type = Joint::Type::distance, .body_b = 2};
    rope.frame_a.position = {5, 0, 4};
    rope.drives = {{.upper = 9.0}};
    data.joints = {rope};
    return data;
  }
  void SetUp() override {
    run.step(20);
    ASSERT_EQ(asleep(), 3);
  }
  int asleep() { return run.simulation.stepper().asleepCount(); }

  Driven run{cubes(), {{.step = 0.01, .end = 0}}, 0.1};
};

TEST_F(InputsAndSleep, AForceWakesItsBody) {
  run.inputs().bodies[1].force = {20, 0, 0};
  run.step(1);
  EXPECT_EQ(asleep(), 2);
  run.step(29);
  EXPECT_NEAR(run.body(1).velocity.x, 0.3 * (20 - 0.5 * kGravity), 1e-6);
}

TEST_F(InputsAndSleep, ASteadyForceThatMovesNothingLetsItSleepAgain) {
  run.inputs().bodies[1].force = {2, 0, 0};
  run.step(1);
  EXPECT_EQ(asleep(), 2);
  run.step(20);
  EXPECT_EQ(asleep(), 3);
  run.inputs().bodies[1].force = {};
  run.step(1);
  EXPECT_EQ(asleep(), 2);
  run.step(20);
  EXPECT_EQ(asleep(), 3);
}

TEST_F(InputsAndSleep, JointForcesAndGeneralizedOnesWake) {
  run.inputs().joints[0].force[0] = -15;  // pulls the rope in
  run.step(1);
  EXPECT_EQ(asleep(), 2);
  run.step(10);
  EXPECT_GT(run.body(2).position.z, 0.51);
  run.forces()[12] = 20;
  run.step(1);
  EXPECT_EQ(asleep(), 1);
  EXPECT_GT(run.body(3).velocity.x, 0);
}

// A controller that does whatever it likes puts energy in, by forces and motors; contacts, limits
// and joints do not, and no step is said to gain any.
TEST(BodyInputs, NoStepIsFlaggedForTheWorkOfInputs) {
  for (const bool by_position : {false, true}) {
    BodySystemData data = twoLinks(2);
    data.gravity = {0, -kGravity, 0};
    data.materials = {{.surface = {.friction = 0.6, .restitution = 0.3}}};
    data.bodies[1].shapes = {{Disk{0.3}}};
    data.bodies.push_back({.name = "floor", .type = Body::Type::fixed});
    data.bodies.back().position = {0, -0.8, 0};
    data.bodies.back().shapes = {{HalfPlane{}}};
    JointDrive drive{.lower = -2.5, .upper = 2.5, .friction = 0.2};
    drive.motor = JointDrive::Motor{.target = by_position ? JointDrive::Motor::Target::position
                                                          : JointDrive::Motor::Target::velocity,
                                    .value = {{0}, {{}}},
                                    .max_force = 5,
                                    .time_constant = 0.02};
    for (Joint& joint : data.joints) joint.drives = {drive};
    Driven run(data);
    std::mt19937 random(7);
    const auto any = [&](double most) {
      return std::uniform_real_distribution<double>(-most, most)(random);
    };
    run.step(3000, [&] {
      if (random() % 10 != 0) return;
      for (JointInput& joint : run.inputs().joints) {
        joint.target[0] = any(by_position ? 2 : 8);
        joint.max_force[0] = std::abs(any(20));
        joint.force[0] = any(15);
      }
      run.inputs().bodies[1] = {{any(30), any(30), 0}, {0, 0, any(5)}};
    });
    EXPECT_LE(run.simulation.summary().energy_residual_max,
              run.simulation.stepper().model().method.tolerance);
  }
}

TEST(BodyInputs, HaveTheSameBitsForAnyNumberOfThreads) {
  const auto hash = [](int threads) {
    setThreadCount(threads);
    Driven run(testing::settledSpheres(5, 0.3, 0).system->data());
    std::mt19937 random(3);
    std::normal_distribution<double> force;
    run.step(20, [&] {
      for (std::size_t b = 0; b < run.inputs().bodies.size(); ++b)
        if (run.system->data().bodies[b].type == Body::Type::dynamic)
          run.inputs().bodies[b].force = {force(random), force(random), force(random)};
      for (double& f : run.forces()) f = force(random);
    });
    setThreadCount(1);
    return fingerprint(run.state());
  };
  const std::uint64_t expected = hash(1);
  for (const int threads : {2, 3}) EXPECT_EQ(hash(threads), expected);
}

}  // namespace
}  // namespace stickslip
