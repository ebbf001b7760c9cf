// Stepper::contacts() and explain(): a step as one looks at it from outside.
#include <gtest/gtest.h>

#include <memory>

#include "stickslip/mass_properties.hpp"
#include "stickslip/stickslip.hpp"
#include "support/bodies.hpp"

namespace stickslip {
namespace {

using State_ = ContactView::State;

constexpr double kMass = 12;

// Body 1 is a box of 0.4 x 0.4 x 0.2 on the floor, on a slope given by gravity.
BodySystemData boxOnFloor(double slope, double friction, Vec3 velocity = {}) {
  BodySystemData data;
  data.gravity = {testing::kGravity * std::sin(slope), 0, -testing::kGravity * std::cos(slope)};
  data.materials = {{.name = "wood", .surface = {.friction = friction}}};
  Body floor;
  floor.name = "floor";
  floor.type = Body::Type::fixed;
  floor.shapes = {{HalfSpace{}, {}, 0}};
  Body box;
  box.name = "box";
  box.position = {0.5, -0.25, 0.1};
  box.velocity = velocity;
  box.mass = massProperties(Box{{0.4, 0.4, 0.2}}, kMass / 0.032);
  box.shapes = {{Box{{0.4, 0.4, 0.2}}, {}, 0}};
  data.bodies = {floor, box};
  return data;
}

struct Stepped {
  std::shared_ptr<const BodySystem> system;
  Stepper stepper;
  State state;
  StepReport report;

  explicit Stepped(const BodySystemData& data, int steps, Method method = {})
      : system(std::make_shared<BodySystem>(data)),
        stepper({system, method.scheme == "midpoint" ? defaultMethod(*system) : method}),
        state(system->initialState()) {
    for (int k = 0; k < steps; ++k) report = stepper.step(state, 1e-3);
  }
  Vec3 force() const {
    Vec3 sum;
    for (const ContactView& contact : stepper.contacts()) sum += contact.force;
    return sum;
  }
};

void expectNear(Vec3 a, Vec3 b, double error) {
  EXPECT_NEAR(a.x, b.x, error);
  EXPECT_NEAR(a.y, b.y, error);
  EXPECT_NEAR(a.z, b.z, error);
}

TEST(ContactView, ABoxAtRestSticksAtItsCorners) {
  const double slope = 0.2;
  const Stepped box(boxOnFloor(slope, 0.5), 20);
  ASSERT_EQ(box.stepper.contacts().size(), 4u);
  Vec3 middle;
  for (const ContactView& contact : box.stepper.contacts()) {
    EXPECT_EQ(contact.body_a, 0);
    EXPECT_EQ(contact.body_b, 1);
    ASSERT_TRUE(contact.is_placed);
    expectNear(contact.normal, {0, 0, 1}, 1e-12);
    EXPECT_NEAR(contact.point.z, 0, 1e-6);
    EXPECT_NEAR(std::abs(contact.point.x - 0.5), 0.2, 1e-6);
    EXPECT_NEAR(std::abs(contact.point.y + 0.25), 0.2, 1e-6);
    EXPECT_EQ(contact.state, State_::stick);
    expectNear(contact.slip_velocity, {}, 1e-7);
    middle += 0.25 * contact.point;
  }
  expectNear(middle, {0.5, -0.25, 0}, 1e-6);
  const double weight = kMass * testing::kGravity;
  expectNear(box.force(), {-weight * std::sin(slope), 0, weight * std::cos(slope)}, 1e-6 * weight);
}

TEST(ContactView, ABoxThatSlidesSlips) {
  for (const char* solver : {"auto", "sweeps"}) {
    Method method{.scheme = "position", .cone = FrictionCone::circular, .solver = solver};
    if (method.solver == "sweeps") method.budget = 400;
    const Stepped box(boxOnFloor(0, 0.3, {0.6, 0.8, 0}), 10, method);
    const double weight = kMass * testing::kGravity, speed = 1 - 0.3 * testing::kGravity * 0.01;
    ASSERT_EQ(box.stepper.contacts().size(), 4u);
    for (const ContactView& contact : box.stepper.contacts()) {
      EXPECT_EQ(contact.state, State_::slip) << solver;
      expectNear(contact.slip_velocity, {0.6 * speed, 0.8 * speed, 0}, 1e-3);
      EXPECT_NEAR(std::hypot(contact.gamma[1], contact.gamma[2]), norm(contact.slip_velocity),
                  1e-12);
    }
    expectNear(box.force(), {-0.18 * weight, -0.24 * weight, weight}, 1e-2 * weight);
  }
}

TEST(ContactView, WhatLandsIsHitAndWhatIsAheadIsOpen) {
  BodySystemData data = boxOnFloor(0, 0.3, {0, 0, -2});
  data.bodies[1].position.z = 0.1005;
  const Stepped landing(data, 1);
  ASSERT_EQ(landing.stepper.contacts().size(), 4u);
  Vec3 impulse;
  for (const ContactView& contact : landing.stepper.contacts()) {
    EXPECT_EQ(contact.state, State_::impact);
    EXPECT_GT(contact.gap, 0);
    impulse += contact.impulse;
  }
  // The step takes it to the floor: 0.5 mm are left to fall in it.
  EXPECT_NEAR(impulse.z, kMass * (2 - 0.5 + testing::kGravity * 1e-3), 1e-3);
  data.bodies[1].position.z = 0.103;
  const Stepped above(data, 1);
  EXPECT_FALSE(above.stepper.contacts().empty());
  for (const ContactView& contact : above.stepper.contacts())
    EXPECT_EQ(contact.state, State_::open) << toString(contact.state);
}

// A disk on a line, and two disks between which the normal goes from the first to the second.
TEST(ContactView, InThePlaneNormalsGoFromAToB) {
  BodySystemData data;
  data.dimension = 2;
  data.gravity = {0, -testing::kGravity, 0};
  data.materials = {{.name = "wood", .surface = {.friction = 0.5}}};
  Body floor;
  floor.name = "floor";
  floor.type = Body::Type::fixed;
  floor.shapes = {{HalfPlane{}, {}, 0}};
  data.bodies = {floor};
  for (int k = 0; k < 2; ++k) {
    Body disk = testing::planarBody(k == 0 ? "lower" : "upper", 2, 0.01, {0.3, 0.1 + 0.2 * k});
    disk.shapes = {{Disk{0.1}, {}, 0}};
    data.bodies.push_back(disk);
  }
  const Stepped disks(data, 5);
  ASSERT_EQ(disks.stepper.contacts().size(), 2u);
  for (const ContactView& contact : disks.stepper.contacts()) {
    const bool is_lower = contact.body_a == 0;
    expectNear(contact.normal, {0, 1, 0}, 1e-9);
    expectNear(contact.point, {0.3, is_lower ? 0 : 0.2, 0}, 1e-6);
    EXPECT_NEAR(contact.force.y, (is_lower ? 4 : 2) * testing::kGravity, 1e-4);
  }
}

// A system that knows no space has impulses and states, but no points.
TEST(ContactView, SystemsInCoordinatesHaveNoPoints) {
  LinearSystemData ball;
  ball.coordinates = {"height"};
  ball.M = {0.1};
  ball.f = {-0.1 * testing::kGravity};
  ball.contacts = {{.name = "floor", .w_N = {1}, .w_T = {}, .law = {}}};
  const auto system = std::make_shared<LinearSystem>(ball);
  Stepper stepper({system, defaultMethod(*system)});
  State state{0, {0}, {0}};
  stepper.step(state, 1e-2);
  ASSERT_EQ(stepper.contacts().size(), 1u);
  EXPECT_FALSE(stepper.contacts()[0].is_placed);
  EXPECT_EQ(stepper.contacts()[0].body_b, -1);
  EXPECT_NEAR(stepper.contacts()[0].p[0], 0.1 * testing::kGravity * 1e-2, 1e-12);
  EXPECT_EQ(system->contactName(stepper.contacts()[0].id), "floor");
}

TEST(ContactView, LimitsAndMotorsOfJointsAreNotAmongThem) {
  BodySystemData data = boxOnFloor(0, 0.5);
  data.bodies.push_back(testing::spatialBody("door", 1, {0.1, 0.1, 0.1}, {5, 0, 3}));
  Joint hinge = testing::jointAt("hinge", Joint::Type::revolute, data, Joint::kWorld, 2, {5, 0, 3});
  hinge.drives = {{.lower = 0.0, .upper = 1.0}};
  data.joints = {hinge};
  const Stepped stepped(data, 2);
  EXPECT_GT(stepped.stepper.problem().contactCount(), 4);
  EXPECT_EQ(stepped.stepper.contacts().size(), 4u);
}

TEST(Explain, SaysWhatIsWrongByHowMuchAndWhatStoppedTheSolver) {
  const Stepped fine(boxOnFloor(0, 0.3, {1, 0, 0}), 3);
  ASSERT_TRUE(fine.report.certified);
  EXPECT_EQ(explain(fine.report).rfind("Certified: ", 0), 0u) << explain(fine.report);

  const Stepped cut(
      boxOnFloor(0.2, 0.3, {1, 2, 0}), 1,
      {.scheme = "position", .cone = FrictionCone::circular, .solver = "sweeps", .budget = 1});
  ASSERT_FALSE(cut.report.certified);
  const std::string text = explain(cut.report);
  for (const char* part : {"Not certified", "tolerance 1e-08", "sweeps", "budget"})
    EXPECT_NE(text.find(part), std::string::npos) << text;
  EXPECT_NE(text.find(cut.report.certificate.worstName()), std::string::npos) << text;
}

}  // namespace
}  // namespace stickslip
