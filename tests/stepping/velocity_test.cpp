// The velocity scheme by hand: [AP97] section 4, stage by stage, and what bounds the stages.
#include <gtest/gtest.h>

#include <cmath>

#include "support/bodies.hpp"

namespace stickslip {
namespace {

using testing::kGravity;

Stepper velocityStepper(LinearSystemData data, const char* impact = "poisson",
                        double rest_speed = 0) {
  const auto system = std::make_shared<LinearSystem>(std::move(data));
  Method method = presetMethod("anitescu-potra", *system);
  method.impact = named<Impact>(impact);
  method.rest_speed = rest_speed;
  return Stepper({system, method});
}

// A ball of mass 2 above a floor: coordinates x, y; the floor is y = 0.
LinearSystemData ballAbove(double mu, double e, double gravity = kGravity) {
  LinearSystemData data;
  data.coordinates = {"x", "y"};
  data.M = {2, 0, 0, 2};
  data.f = {0, -2 * gravity};
  data.contacts = {{"floor", 0, {0, 1}, {1, 0}, 0, 0, {mu, e, 0}}};
  return data;
}

// Beads on a line without forces, `gap` apart: bead i + 1 is in front of bead i.
LinearSystemData beads(std::size_t count, double gap, double e) {
  LinearSystemData data;
  data.coordinates.assign(count, "x");
  data.M.assign(count * count, 0.0);
  for (std::size_t i = 0; i < count; ++i) data.M[i * count + i] = 1;
  for (std::size_t i = 0; i + 1 < count; ++i) {
    LinearContact contact{"pair", gap, std::vector<double>(count, 0.0), {}, 0, 0, {0, e, 0}};
    contact.w_N[i] = -1;
    contact.w_N[i + 1] = 1;
    data.contacts.push_back(contact);
  }
  return data;
}

TEST(Velocity, FreeFlightIsExplicitEuler) {
  Stepper stepper = velocityStepper(ballAbove(0.5, 0));
  State state{0, {0, 1}, {3, 2}};
  const double h = 0.1;
  EXPECT_TRUE(stepper.step(state, h).certified);
  EXPECT_DOUBLE_EQ(state.q[0], 0.3);
  EXPECT_DOUBLE_EQ(state.q[1], 1 + h * 2);
  EXPECT_DOUBLE_EQ(state.u[1], 2 - kGravity * h);
  EXPECT_DOUBLE_EQ(state.t, h);
}

TEST(Velocity, ContactsActWhereTheMotionEnds) {
  Stepper stepper = velocityStepper(ballAbove(0.3, 0));
  State state{0, {0, 0}, {1, 0}};
  const double h = 0.01;
  EXPECT_TRUE(stepper.step(state, h).certified);
  ASSERT_EQ(stepper.problem().contactCount(), 1);
  EXPECT_NEAR(stepper.solution().p[0], 2 * kGravity * h, 1e-14);
  EXPECT_NEAR(state.u[0], 1 - 0.3 * kGravity * h, 1e-14);
  EXPECT_DOUBLE_EQ(state.q[0], h);
}

// The ball comes down at 1, from 0.04: it hits at 0.04 with 1 + 0.04 g, and flies on for 0.06.
TEST(Velocity, CollisionsAreLocatedInTime) {
  for (const char* impact : {"poisson", "reflected"}) {
    Stepper stepper = velocityStepper(ballAbove(0, 0.5), impact, 0.1);
    State state{0, {0, 0.04}, {0, -1}};
    const StepReport report = stepper.step(state, 0.1);
    EXPECT_TRUE(report.certified);
    EXPECT_EQ(report.scheme.collisions, 1);
    EXPECT_EQ(report.stages, 4);
    const double after = 0.5 * (1 + 0.04 * kGravity);
    EXPECT_NEAR(state.q[1], 0.06 * after, 1e-12) << impact;
    EXPECT_NEAR(state.u[1], after - 0.06 * kGravity, 1e-12) << impact;
    EXPECT_FALSE(report.scheme.collisions_cut);
  }
}

// Nothing is given back: no decompression, and the ball lies on the floor for the rest of the step.
TEST(Velocity, InelasticCollisionsHaveNoDecompression) {
  Stepper stepper = velocityStepper(ballAbove(0, 0));
  State state{0, {0, 0.04}, {0, -1}};
  const StepReport report = stepper.step(state, 0.1);
  EXPECT_EQ(report.stages, 3);
  EXPECT_NEAR(state.q[1], 0, 1e-12);
  EXPECT_NEAR(state.u[1], 0, 1e-14);
}

// An arrival exactly at the end of a step is a collision, too.
TEST(Velocity, CollisionAtTheEndOfTheStep) {
  Stepper stepper = velocityStepper(ballAbove(0, 0.5, 0));
  State state{0, {0, 0.25}, {0, -1}};
  const StepReport report = stepper.step(state, 0.25);
  EXPECT_EQ(report.scheme.collisions, 1);
  EXPECT_DOUBLE_EQ(state.q[1], 0);
  EXPECT_NEAR(state.u[1], 0.5, 1e-15);
}

// The work of contacts is what kinetic energy loses, restitution included.
TEST(Velocity, WorkOfContactsCountsWhatIsGivenBack) {
  for (const char* impact : {"poisson", "reflected"}) {
    Stepper stepper = velocityStepper(ballAbove(0.2, 0.5, 0), impact);
    State state{0, {0, 0.04}, {1, -1}};
    const StepReport report = stepper.step(state, 0.1);
    const double change = state.u[0] * state.u[0] + state.u[1] * state.u[1] - 2;
    EXPECT_NEAR(report.certificate.contact_work, change, 1e-14) << impact;
    EXPECT_NEAR(report.certificate.kinetic_energy_start, 2, 1e-14);
    EXPECT_NEAR(report.certificate.kinetic_energy_end, 2 + change, 1e-14);
  }
}

TEST(Velocity, PureImpactMovesNothing) {
  Stepper stepper = velocityStepper(ballAbove(0.1, 0.5));
  State state{0.25, {4, -0.01}, {1, -3}};
  const StepReport report = stepper.step(state, 0);
  EXPECT_EQ(report.stages, 2);
  EXPECT_EQ(report.scheme.collisions, 1);
  EXPECT_EQ(state.q, (std::vector<double>{4, -0.01}));
  EXPECT_NEAR(state.u[0], 1 - 0.1 * 3, 1e-15) << "friction acts in the compression only";
  EXPECT_NEAR(state.u[1], 1.5, 1e-15);
  EXPECT_EQ(state.t, 0.25);
}

// [AP97]: "If that were not true, a collision would take place."
TEST(Velocity, VelocitiesThatDoNotFitAtTheStartCollideThere) {
  Stepper stepper = velocityStepper(ballAbove(0, 0.5, 0));
  State state{0, {0, 0}, {0, -1}};
  const StepReport report = stepper.step(state, 0.1);
  EXPECT_EQ(report.scheme.collisions, 1);
  EXPECT_NEAR(state.u[1], 0.5, 1e-15);
  EXPECT_NEAR(state.q[1], 0.05, 1e-15);
}

// The rule of section 4: an overlap that grows is a collision, one that shrinks is left alone.
TEST(Velocity, OverlapsCollideOnlyWhileTheyGrow) {
  Stepper stepper = velocityStepper(ballAbove(0, 1, 0));
  State state{0, {0, -0.5}, {0, 1}};
  EXPECT_EQ(stepper.step(state, 0.1).scheme.collisions, 0);
  EXPECT_DOUBLE_EQ(state.q[1], -0.4);
  state.u[1] = -1;
  EXPECT_EQ(stepper.step(state, 0.1).scheme.collisions, 1);
  EXPECT_NEAR(state.q[1], -0.3, 1e-15);
}

// ---- Chains ----

TEST(Velocity, ChainWithGapsPassesTheBlowOnWithinAStep) {
  Stepper stepper = velocityStepper(beads(5, 0.1, 1));
  State state{0, std::vector<double>(5, 0.0), {1, 0, 0, 0, 0}};
  const StepReport report = stepper.step(state, 1.0);
  EXPECT_TRUE(report.certified);
  EXPECT_EQ(report.scheme.collisions, 4);
  const std::vector<double> q{0.1, 0.1, 0.1, 0.1, 0.6};
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_NEAR(state.q[i], q[i], 1e-9);
    EXPECT_NEAR(state.u[i], i == 4 ? 1 : 0, 1e-14);
  }
}

// Simultaneous: v_c = 1/4 for all four, v+ = 2 v_c - v- ([AP97] section 3, frictionless, equal e).
TEST(Velocity, ChainThatTouchesIsHitAsOne) {
  for (const char* impact : {"poisson", "reflected"}) {
    LinearSystemData data = beads(4, 0, 1);
    data.contacts[0].g0 = 0.1;
    Stepper stepper = velocityStepper(data, impact);
    State state{0, std::vector<double>(4, 0.0), {1, 0, 0, 0}};
    EXPECT_EQ(stepper.step(state, 0.2).scheme.collisions, 1);
    EXPECT_NEAR(state.u[0], -0.5, 1e-14);
    for (std::size_t i = 1; i < 4; ++i) EXPECT_NEAR(state.u[i], 0.5, 1e-14) << impact;
    EXPECT_NEAR(state.q[0], 0.1 - 0.05, 1e-9);
  }
}

// ---- Coming to rest ----

// Impacts at t_n = t_1 (1 + 2 e + 2 e^2 + ...), t_1 = sqrt(2 y_0/g); rest at t_1 (1 + e)/(1 - e).
TEST(Velocity, BouncingBallFollowsTheClosedFormToFirstOrder) {
  const double e = 0.5, fall = std::sqrt(2 / kGravity);
  double error[2][3];
  for (const int k : {0, 1}) {
    const double h = k == 0 ? 2e-3 : 1e-3;
    Stepper stepper = velocityStepper(ballAbove(0, e));
    std::vector<double> impacts;
    double top = 0, moved = 0, lowest = 0;
    run(stepper, {0, {0, 1}, {0, 0}}, {{h, 2.0}, false},
        [&](long, const State& state, const Stepper&, const StepReport* report) {
          if (report != nullptr && report->scheme.collisions > 0) impacts.push_back(state.t);
          if (impacts.size() == 1) top = std::max(top, state.q[1]);
          if (std::abs(state.u[1]) > 1e-9) moved = state.t;
          lowest = std::min(lowest, state.q[1]);
        });
    ASSERT_GE(impacts.size(), 8u);
    EXPECT_LE(impacts.size(), 16u);
    EXPECT_GE(lowest, -1e-11) << "no overlap";
    error[k][0] = std::abs(impacts[1] - fall * (1 + 2 * e));
    error[k][1] = std::abs(top - e * e);
    error[k][2] = std::abs(moved - fall * (1 + e) / (1 - e));
  }
  EXPECT_NEAR(fall * (1 + e) / (1 - e), 1.3546, 1e-4);
  EXPECT_LE(error[1][0], 6e-3);
  EXPECT_LE(error[1][1], 5e-3);
  EXPECT_LE(error[1][2], 4e-2);
  EXPECT_NEAR(error[0][1] / error[1][1], 2, 0.3) << "order one";
}

TEST(Velocity, SlowContactsDoNotBounce) {
  for (const double speed : {0.9, 1.1}) {
    Stepper stepper = velocityStepper(ballAbove(0, 0.5, 0), "poisson", 1.0);
    State state{0, {0, 0.01}, {0, -speed}};
    stepper.step(state, 0.1);
    EXPECT_NEAR(state.u[1], speed > 1 ? 0.5 * speed : 0, 1e-14);
  }
}

// Between walls without loss there is no end to collisions: the step ends all the same.
TEST(Velocity, CollisionsOfAStepAreBounded) {
  LinearSystemData data;
  data.coordinates = {"x"};
  data.M = {1};
  data.contacts = {{"left", 0.001, {1}, {}, 0, 0, {0, 1, 0}},
                   {"right", 0.001, {-1}, {}, 0, 0, {0, 1, 0}}};
  Stepper stepper = velocityStepper(data);
  State state{0, {0}, {100}};
  const StepReport report = stepper.step(state, 0.01);
  EXPECT_TRUE(report.certified);
  EXPECT_TRUE(report.scheme.collisions_cut);
  EXPECT_LE(report.stages, 3 * 65 + 1);
  EXPECT_LE(std::abs(state.q[0]), 0.001 * (1 + 1e-6));
  EXPECT_LE(std::abs(state.u[0]), 1e-12);
  EXPECT_DOUBLE_EQ(state.t, 0.01);
}

// ---- Driven contacts, joints ----

TEST(Velocity, AFloorThatRisesLiftsTheBall) {
  LinearSystemData data = ballAbove(0, 0);
  data.contacts[0].g0 = 0.05;
  data.contacts[0].drive_n = -0.5;
  Stepper stepper = velocityStepper(data);
  const RunSummary summary = run(stepper, {0, {0, 0}, {0, 0}}, {{1e-3, 1.0}, false});
  EXPECT_TRUE(summary.certified());
  EXPECT_NEAR(summary.final_state.u[1], 0.5, 1e-12);
  EXPECT_NEAR(summary.final_state.q[1], 0.45, 1e-9);
}

// With "baumgarte" drift of a joint is taken back in full by the next step, and an impact in
// between leaves it; the projection takes it back at once, and leaves velocities.
TEST(Velocity, DriftOfAJointIsTakenBack) {
  LinearSystemData data = ballAbove(0, 0.5, 0);
  data.joints = {{"line", 0, {1, -1}, 0}};
  const auto system = std::make_shared<LinearSystem>(data);
  Method method = presetMethod("anitescu-potra", *system);
  {
    Stepper projecting({system, method});
    State state{0, {0.31, 0.3}, {-1, -1}};
    EXPECT_TRUE(projecting.step(state, 0.1).certified);
    EXPECT_NEAR(state.u[0], -1, 1e-14);
    EXPECT_NEAR(state.u[1], -1, 1e-14);
    EXPECT_NEAR(state.q[0], 0.205, 1e-14);
    EXPECT_NEAR(state.q[1], 0.205, 1e-14);
  }
  method.joint_stabilization = JointStabilization::baumgarte;
  Stepper stepper({system, method});
  State state{0, {0.31, 0.3}, {-1, -1}};
  EXPECT_TRUE(stepper.step(state, 0.1).certified);
  EXPECT_NEAR(state.u[0] - state.u[1], -0.1, 1e-14);
  EXPECT_TRUE(stepper.step(state, 0.1).certified);
  EXPECT_NEAR(state.q[0] - state.q[1], 0, 1e-14);
}

TEST(Velocity, UnitsChangeNothing) {
  const double length = 1e3, time = 0.7, mass = 1e-4;
  LinearSystemData data = ballAbove(0.3, 0.8);
  Stepper plain = velocityStepper(data);
  for (double& m : data.M) m *= mass;
  for (double& f : data.f) f *= mass * length / (time * time);
  Stepper scaled = velocityStepper(data);
  State a{0, {0, 0.5}, {1, 0}}, b{0, {0, 0.5 * length}, {length / time, 0}};
  for (int k = 0; k < 300; ++k) {
    const StepReport first = plain.step(a, 0.01), second = scaled.step(b, 0.01 * time);
    ASSERT_EQ(first.stages, second.stages) << "step " << k;
    ASSERT_NEAR(b.q[1] / length, a.q[1], 1e-9);
    ASSERT_NEAR(b.u[0] * time / length, a.u[0], 1e-9);
  }
}

}  // namespace
}  // namespace stickslip
