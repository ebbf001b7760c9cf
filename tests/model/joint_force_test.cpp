// What joints carry (BodySystem::jointForces), against statics.
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <vector>

#include "stickslip/body_system.hpp"
#include "stickslip/stepper.hpp"

namespace stickslip {
namespace {

constexpr double kGravity = 10;
constexpr double kStep = 1e-3;

Body ball(Vec3 position, double mass) {
  Body body{.name = "ball", .position = position};
  body.mass = {.mass = mass, .inertia = mass * Mat3{}};
  return body;
}

BodySystemData oneBody(int dimension, Vec3 position, double mass) {
  BodySystemData data{.dimension = dimension};
  data.gravity = dimension == 2 ? Vec3{0, -kGravity, 0} : Vec3{0, 0, -kGravity};
  data.bodies = {ball(position, mass)};
  return data;
}

std::vector<JointForce> forcesAfter(const BodySystemData& data, int steps) {
  const auto system = std::make_shared<BodySystem>(data);
  Stepper stepper({system, defaultMethod(*system)});
  State state = system->initialState();
  for (int i = 0; i < steps; ++i) EXPECT_TRUE(stepper.step(state, kStep).certified);
  return system->jointForces(state, stepper.problem(), stepper.solution());
}

void expectVector(const Vec3& is, const Vec3& expected, double tolerance) {
  EXPECT_NEAR(is.x, expected.x, tolerance);
  EXPECT_NEAR(is.y, expected.y, tolerance);
  EXPECT_NEAR(is.z, expected.z, tolerance);
}

TEST(JointForces, ABeamHeldFastGivesWeightAndMoment) {
  for (const bool world_first : {true, false}) {
    BodySystemData data = oneBody(3, {2, 0, 0}, 3);
    Joint hold{.name = "hold", .type = Joint::Type::fixed};
    (world_first ? hold.body_b : hold.body_a) = 0;
    (world_first ? hold.frame_b : hold.frame_a).position = {-2, 0, 0};
    data.joints = {hold};
    const std::vector<JointForce> forces = forcesAfter(data, 3);
    ASSERT_EQ(forces.size(), 1u);
    const double sign = world_first ? 1 : -1;
    expectVector(forces[0].force, {0, 0, sign * 3 * kGravity}, 1e-9);
    expectVector(forces[0].torque, {0, sign * -2 * 3 * kGravity, 0}, 1e-9);
  }
}

TEST(JointForces, InThePlane) {
  BodySystemData data = oneBody(2, {2, 0, 0}, 3);
  Joint hold{.name = "hold", .type = Joint::Type::fixed, .body_b = 0};
  hold.frame_b.position = {-2, 0, 0};
  data.joints = {hold};
  const std::vector<JointForce> forces = forcesAfter(data, 3);
  expectVector(forces[0].force, {0, 3 * kGravity, 0}, 1e-9);
  expectVector(forces[0].torque, {0, 0, 2 * 3 * kGravity}, 1e-9);
}

TEST(JointForces, ARodCarriesWhatHangsOnIt) {
  BodySystemData data = oneBody(3, {0, 0, -1}, 5);
  data.joints = {{.name = "rod", .type = Joint::Type::distance, .body_b = 0, .length = 1}};
  expectVector(forcesAfter(data, 3)[0].force, {0, 0, 5 * kGravity}, 1e-9);
}

TEST(JointForces, AGearPassesTheTorqueOfAMotorOnToALimit) {
  constexpr double kTorque = 4, kRatio = -2;
  BodySystemData data;
  data.bodies = {ball({0, 0, 0}, 1), ball({3, 0, 0}, 1)};
  data.bodies[1].name = "other";
  Joint a{.name = "a", .body_b = 0}, b{.name = "b", .body_b = 1};
  b.frame_a.position = {3, 0, 0};
  JointDrive motor, limit;
  motor.motor = JointDrive::Motor{.value = {{0}, {{100, 0, 0}}}, .max_force = kTorque};
  limit.lower = 0;
  a.drives = {motor};
  b.drives = {limit};
  Joint gear{.name = "gear", .type = Joint::Type::gear};
  gear.joint_a = 0;
  gear.joint_b = 1;
  gear.ratio = kRatio;
  data.joints = {a, b, gear};
  const std::vector<JointForce> forces = forcesAfter(data, 20);
  EXPECT_NEAR(forces[0].drive[0], kTorque, 1e-9);
  EXPECT_NEAR(forces[2].drive[0], kTorque / kRatio, 1e-9);
  EXPECT_NEAR(forces[1].drive[0], -kTorque / kRatio, 1e-9);
}

TEST(JointForces, ASpringAlongACoordinate) {
  BodySystemData data = oneBody(3, {0, 0, 0}, 2);
  Joint slide{.name = "slide", .type = Joint::Type::prismatic, .body_b = 0};
  JointDrive spring;
  spring.stiffness = 1e8;
  slide.drives = {spring};
  data.joints = {slide};
  const std::vector<JointForce> forces = forcesAfter(data, 200);
  EXPECT_NEAR(forces[0].drive[0], 2 * kGravity, 1e-3 * 2 * kGravity);
  expectVector(forces[0].force, {0, 0, 0}, 1e-9);
}

}  // namespace
}  // namespace stickslip
