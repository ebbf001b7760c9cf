// Limits, motors, friction, springs and gears in joints, and forces on bodies, against closed
// forms.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "support/bodies.hpp"

namespace stickslip {
namespace {

using testing::BodyRun;
using testing::jointAt;
using testing::kGravity;
using testing::planarBody;
using testing::runBodies;
using testing::spatialBody;

// A wheel of inertia 2 on an axle, without gravity; in space about an axis that is none of the
// world's.
BodySystemData wheel(int dimension) {
  BodySystemData data;
  data.dimension = dimension;
  const Quaternion tilt = dimension == 2 ? Quaternion{} : rotationBy({0.4, -0.3, 0.2});
  data.bodies = {dimension == 2 ? planarBody("wheel", 1, 2, {})
                                : spatialBody("wheel", 1, {1, 1, 2}, {}, tilt)};
  data.joints = {jointAt("axle", Joint::Type::revolute, data, Joint::kWorld, 0, {},
                         dimension == 2 ? Mat3{} : matrixOf(tilt))};
  data.joints[0].drives.resize(1);
  return data;
}

void spin(BodySystemData& data, double omega) {
  data.bodies[0].angular_velocity = matrixOf(data.bodies[0].orientation) * Vec3{0, 0, omega};
}

VectorTable constant(double value) {
  return {{0}, {{value, 0, 0}}};
}

class JointDriveTest : public ::testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(PlaneAndSpace, JointDriveTest, ::testing::Values(2, 3));

TEST_P(JointDriveTest, LimitStopsOrThrowsBack) {
  for (const double restitution : {0.0, 0.5}) {
    BodySystemData data = wheel(GetParam());
    data.joints[0].drives[0].upper = 1.0;
    data.joints[0].drives[0].limit_restitution = restitution;
    spin(data, 2);
    const BodyRun run = runBodies(data, 1e-3, 1.0);
    EXPECT_TRUE(run.summary.certified());
    // Reaches the limit at 0.5 s and comes back with e times its speed.
    EXPECT_NEAR(run.coordinate(0), 1 - restitution * 2 * 0.5, 4e-3);
  }
}

TEST_P(JointDriveTest, LimitBeyondAWholeTurnHolds) {
  BodySystemData data = wheel(GetParam());
  data.joints[0].drives[0].upper = 20.0;
  spin(data, 30);
  const BodyRun run = runBodies(data, 1e-3, 2.0);
  EXPECT_NEAR(run.coordinate(0), 20, 0.04);
}

TEST_P(JointDriveTest, VelocityMotorAcceleratesWithItsLargestTorqueAndHoldsItsSpeed) {
  BodySystemData data = wheel(GetParam());
  data.joints[0].drives[0].motor = {.value = constant(3), .max_force = 4};
  const BodyRun early = runBodies(data, 1e-3, 0.5);  // torque 4 on inertia 2
  EXPECT_NEAR(norm(early.body(0).angular_velocity), 1.0, 1e-9);
  const BodyRun late = runBodies(data, 1e-3, 3.0);
  EXPECT_TRUE(late.summary.certified());
  EXPECT_NEAR(norm(late.body(0).angular_velocity), 3.0, 1e-9);
}

TEST_P(JointDriveTest, PositionMotorSettlesAtItsTarget) {
  BodySystemData data = wheel(GetParam());
  data.joints[0].drives[0].motor = {.target = JointDrive::Motor::Target::position,
                                    .value = constant(-7.5),
                                    .max_force = 50,
                                    .time_constant = 0.5};
  const BodyRun run = runBodies(data, 1e-3, 10.0);
  EXPECT_TRUE(run.summary.certified());
  EXPECT_NEAR(run.coordinate(0), -7.5, 1e-6);
}

TEST_P(JointDriveTest, DryFrictionBringsTheWheelToRestAndKeepsItThere) {
  BodySystemData data = wheel(GetParam());
  data.joints[0].drives[0].friction = 3;
  spin(data, 4);
  const BodyRun run = runBodies(data, 1e-3, 5.0);
  EXPECT_TRUE(run.summary.certified());
  // Slows down by 3/2 a second: 4^2 / (2 * 1.5) radians.
  EXPECT_NEAR(run.coordinate(0), 16.0 / 3, 5e-3);
  EXPECT_NEAR(norm(run.body(0).angular_velocity), 0, 1e-13);
}

TEST_P(JointDriveTest, SpringSwingsWithItsPeriodAndKeepsItsEnergy) {
  BodySystemData data = wheel(GetParam());
  data.joints[0].drives[0].stiffness = 2 * std::numbers::pi * std::numbers::pi;  // omega = pi
  data.joints[0].drives[0].rest = -0.2;
  spin(data, 0.3);
  const BodyRun run = runBodies(data, 1e-3, 1.5);
  EXPECT_TRUE(run.summary.certified());
  const double phase = std::numbers::pi * 1.5;
  const double exact = -0.2 + 0.2 * std::cos(phase) + 0.3 / std::numbers::pi * std::sin(phase);
  EXPECT_NEAR(run.coordinate(0), exact, 1e-5);
  EXPECT_NEAR(run.summary.energy_end, run.summary.energy_start, 1e-6);
}

TEST_P(JointDriveTest, SpringsFarStifferThanTheStepStayStable) {
  BodySystemData data = wheel(GetParam());
  data.joints[0].drives[0].stiffness = 1e12;
  data.joints[0].drives[0].damping = 1e8;
  data.joints[0].drives[0].rest = 0.5;
  const BodyRun run = runBodies(data, 1e-2, 2.0);
  EXPECT_TRUE(run.summary.certified());
  EXPECT_NEAR(run.coordinate(0), 0.5, 1e-8);
  EXPECT_LE(norm(run.body(0).angular_velocity), 1e-6);
}

TEST_P(JointDriveTest, GearTurnsTheSecondWheelByItsRatio) {
  BodySystemData data = wheel(GetParam());
  data.bodies.push_back(data.bodies[0]);
  data.bodies[1].name = "second";
  data.bodies[1].position = {3, 0, 0};
  data.joints.push_back(data.joints[0]);
  data.joints[1].name = "second axle";
  data.joints[1].body_b = 1;
  data.joints[1].frame_a.position = {3, 0, 0};
  data.joints[1].drives.clear();
  Joint gear;
  gear.name = "gear";
  gear.type = Joint::Type::gear;
  gear.joint_a = 0;
  gear.joint_b = 1;
  gear.ratio = -2.5;
  data.joints.push_back(gear);
  data.joints[0].drives[0].motor = {.value = constant(1e9), .max_force = 29};
  const BodyRun run = runBodies(data, 1e-3, 1.0);
  EXPECT_TRUE(run.summary.certified());
  // Inertia seen by the motor: 2 + 2.5^2 * 2 = 14.5, hence 2 rad/s^2.
  EXPECT_NEAR(run.coordinate(0), 1.0, 1e-6);
  EXPECT_NEAR(run.coordinate(1), -2.5 * run.coordinate(0), 1e-9);
}

TEST_P(JointDriveTest, PositionMotorFasterThanTheStepDoesNotOvershoot) {
  BodySystemData data = wheel(GetParam());
  data.joints[0].drives[0].motor = {.target = JointDrive::Motor::Target::position,
                                    .value = constant(0.5),
                                    .max_force = 1e9,
                                    .time_constant = 1e-4};
  double largest = 0;
  const BodyRun run = runBodies(
      data, 1e-2, 1.0, [&](long, const State& state, const Stepper& s, const StepReport*) {
        const auto& system = static_cast<const BodySystem&>(*s.model().system);
        largest = std::max(largest, system.jointCoordinate(0, 0, state));
      });
  EXPECT_NEAR(run.coordinate(0), 0.5, 1e-9);
  EXPECT_LE(largest, 0.5 + 1e-9);
}

TEST(JointStart, CoordinatesOfTurnedPlanarBodiesStartAtZero) {
  for (const double angle : {3.5, 4.0, -4.0}) {
    BodySystemData data;
    data.dimension = 2;
    data.bodies = {planarBody("arm", 1, 1, {}, angle)};
    data.joints = {jointAt("hinge", Joint::Type::revolute, data, Joint::kWorld, 0, {})};
    const BodySystem system(data);
    EXPECT_NEAR(system.jointCoordinate(0, 0, system.initialState()), 0, 1e-14) << angle;
  }
}

TEST(JointStart, ACoordinateOutsideOfItsLimitsIsRefused) {
  BodySystemData data = wheel(3);
  data.joints[0].drives[0].lower = 1;
  EXPECT_THROW(BodySystem{data}, InputError);
}

TEST(UniversalJoint, LimitsBeyondHalfATurnHold) {
  BodySystemData data;
  data.bodies = {spatialBody("shaft", 1, {1, 1, 1}, {})};
  data.bodies[0].angular_velocity = {0, 0, 2};
  data.joints = {jointAt("cross", Joint::Type::universal, data, Joint::kWorld, 0, {})};
  data.joints[0].drives.resize(1);
  data.joints[0].drives[0].upper = 4;
  const BodyRun run = runBodies(data, 1e-3, 3.0);
  EXPECT_NEAR(run.coordinate(0), 4, 5e-3);
}

TEST(DistanceJoint, RodAndRopeHoldASwingingMass) {
  for (const bool is_rope : {false, true}) {
    BodySystemData data;
    data.dimension = 2;
    data.gravity = {0, -kGravity, 0};
    data.bodies = {planarBody("bob", 1, 1e-3, {1, 0})};
    Joint line;
    line.name = "line";
    line.type = Joint::Type::distance;
    line.body_b = 0;
    if (is_rope) {
      line.drives = {{.upper = 1.0}};
    } else {
      line.length = 1.0;
    }
    data.joints = {line};
    double largest = 0;
    const BodyRun run =
        runBodies(data, 1e-3, 0.6, [&](long, const State& s, const Stepper&, const StepReport*) {
          largest = std::max(largest, std::abs(std::hypot(s.q[0], s.q[1]) - 1));
        });
    EXPECT_TRUE(run.summary.certified());
    EXPECT_LE(largest, 5e-3) << (is_rope ? "rope" : "rod");
    EXPECT_NEAR(run.summary.energy_end, run.summary.energy_start, 0.01 * kGravity);
  }
}

TEST(DistanceJoint, RopeGoesSlack) {
  BodySystemData data;
  data.bodies = {spatialBody("bob", 1, {1, 1, 1}, {0.5, 0, 0})};
  data.bodies[0].velocity = {-1, 0, 0};
  Joint rope;
  rope.name = "rope";
  rope.type = Joint::Type::distance;
  rope.body_b = 0;
  rope.drives = {{.upper = 1.0}};
  data.joints = {rope};
  const BodyRun run = runBodies(data, 1e-3, 1.0);
  EXPECT_NEAR(run.body(0).position.x, -0.5, 1e-9);
}

TEST(Springs, ImplicitAndExplicitOnesFollowTheOscillator) {
  for (const bool implicit : {true, false}) {
    BodySystemData data;
    data.bodies = {spatialBody("mass", 2, {1, 1, 1}, {1.5, 0, 0})};
    data.springs = {{.name = "spring",
                     .body_b = 0,
                     .rest_length = 1,
                     .stiffness = 8,
                     .damping = 0.4,
                     .implicit = implicit}};
    const BodyRun run = runBodies(data, 1e-3, 2.0);
    const double decay = 0.1, omega = std::sqrt(4 - decay * decay), t = 2.0;
    const double exact = 1 + 0.5 * std::exp(-decay * t) *
                                 (std::cos(omega * t) + decay / omega * std::sin(omega * t));
    EXPECT_NEAR(run.body(0).position.x, exact, 1e-3) << implicit;
  }
}

TEST(Springs, WithoutARestLengthTheEndsMayMeet) {
  BodySystemData data;
  data.dimension = 2;
  data.bodies = {planarBody("mass", 1, 1, {1, 0})};
  data.springs = {{.name = "spring", .body_b = 0, .stiffness = 1, .damping = 0}};
  const BodyRun run = runBodies(data, 1e-3, std::numbers::pi);
  EXPECT_NEAR(run.body(0).position.x, -1, 1e-5);  // straight through the other end
  EXPECT_NEAR(run.body(0).position.y, 0, 1e-12);
}

TEST(Loads, ConstantForcesAreExactAndTablesAreFollowed) {
  BodySystemData data;
  data.bodies = {spatialBody("mass", 2, {1, 1, 1}, {})};
  data.loads = {{.body = 0, .force = {{0}, {{4, 0, 0}}}},
                {.body = 0, .force = {{0, 1}, {{0, 0, 0}, {0, 6, 0}}}}};
  const BodyRun run = runBodies(data, 1e-3, 1.0);
  EXPECT_NEAR(run.body(0).position.x, 1.0, 1e-9);
  EXPECT_NEAR(run.body(0).velocity.y, 1.5, 1e-9);  // integral of 3 t
}

TEST(Loads, ForceAtAPointAndTorqueInTheBodyFrameTurnTheBody) {
  BodySystemData data;
  data.dimension = 2;
  data.bodies = {planarBody("bar", 1, 2, {}, 0.3)};
  // A thruster at the end of the bar, across it: always the same torque.
  data.loads = {
      {.body = 0, .force = {{0}, {{0, 3, 0}}}, .point = {2, 0, 0}, .in_body_frame = true}};
  const BodyRun run = runBodies(data, 1e-3, 1.0);
  EXPECT_NEAR(run.body(0).angular_velocity.z, 3, 1e-9);
  EXPECT_NEAR(run.body(0).angle, 0.3 + 1.5, 1e-9);
}

TEST(Loads, CentreOfMassNeedNotBeTheOriginOfTheBody) {
  BodySystemData data;
  data.dimension = 2;
  Body body = planarBody("stick", 1, 0.5, {1, 2}, 0.7);
  body.mass.center = {0.5, 0, 0};
  body.angular_velocity = {0, 0, 2};
  data.bodies = {body};
  const BodyRun run = runBodies(data, 1e-3, 1.0);
  // The centre moves straight on with its velocity at the start, the origin circles about it.
  const Vec3 center{1 + 0.5 * std::cos(0.7), 2 + 0.5 * std::sin(0.7), 0};
  const Vec3 velocity{-std::sin(0.7), std::cos(0.7), 0};
  EXPECT_NEAR(run.body(0).position.x, center.x + velocity.x - 0.5 * std::cos(2.7), 1e-9);
  EXPECT_NEAR(run.body(0).position.y, center.y + velocity.y - 0.5 * std::sin(2.7), 1e-9);
  EXPECT_NEAR(run.body(0).velocity.x, velocity.x + std::sin(2.7), 1e-9);
}

TEST(DragForce, FallsWithItsTerminalVelocityHoweverStrongItIs) {
  for (const double strength : {1.0, 1e6}) {
    BodySystemData data;
    data.gravity = {0, 0, -kGravity};
    data.bodies = {spatialBody("stone", 2, {1, 1, 1}, {})};
    data.bodies[0].angular_velocity = {1, 2, 3};
    data.drags = {{.body = 0, .linear = 0, .quadratic = strength, .angular = strength}};
    const BodyRun run = runBodies(data, 1e-3, 30.0);
    EXPECT_TRUE(run.summary.certified());
    EXPECT_NEAR(run.body(0).velocity.z, -std::sqrt(2 * kGravity / strength),
                2e-2 * std::sqrt(2 * kGravity / strength));
    EXPECT_LE(norm(run.body(0).angular_velocity), 1e-6);
  }
}

TEST(DragForce, ActsOnRotationAboutEveryAxisAlike) {
  BodySystemData data;
  data.bodies = {spatialBody("rod", 1, {0.001, 1, 1}, {})};
  data.bodies[0].angular_velocity = {0, 10, 0};
  data.drags = {{.body = 0, .angular = 1}};
  const BodyRun run = runBodies(data, 1e-3, 1.0);
  EXPECT_NEAR(run.body(0).angular_velocity.y, 10 * std::exp(-1.0), 5e-3);
  data.drags = {{.body = 0, .angular_quadratic = 0.2}};
  const BodyRun quadratic = runBodies(data, 1e-3, 1.0);
  EXPECT_NEAR(quadratic.body(0).angular_velocity.y, 10 / (1 + 0.2 * 10), 5e-3);
}

TEST(UserForces, SeeStatesAndAddToWrenches) {
  BodySystemData data;
  data.bodies = {spatialBody("mass", 2, {2, 2, 4}, {1, 0, 0})};
  data.user_forces = {[](double, std::span<const BodyState> bodies, std::span<Wrench> wrenches) {
    wrenches[0].force -= 8.0 * bodies[0].position;  // omega = 2
    wrenches[0].torque += Vec3{0, 0, 2};
  }};
  const BodyRun run = runBodies(data, 1e-3, 1.0);
  EXPECT_NEAR(run.body(0).position.x, std::cos(2.0), 1e-5);
  EXPECT_NEAR(run.body(0).angular_velocity.z, 0.5, 1e-12);
}

}  // namespace
}  // namespace stickslip
