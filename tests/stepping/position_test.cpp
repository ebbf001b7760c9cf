// The position scheme against [ST00] (3) by hand, its implicit form against the geometry it
// promises, restitution for fixed steps, overlaps, springs and joints.
#include <gtest/gtest.h>

#include <cmath>

#include "support/bodies.hpp"

namespace stickslip {
namespace {

using testing::kGravity;

// A ball of mass 2 above the floor y = 0: coordinates x, y.
LinearSystemData ballAtRest(double mu, double e_n = 0, double e_t = 0) {
  LinearSystemData data;
  data.coordinates = {"x", "y"};
  data.M = {2, 0, 0, 2};
  data.f = {0, -2 * kGravity};
  data.contacts = {{"floor", 0, {0, 1}, {1, 0}, 0, 0, {mu, e_n, e_t}}};
  return data;
}

Method position(bool implicit = false) {
  Method method;
  method.scheme = "position";
  method.implicit = implicit;
  return method;
}

Stepper positionStepper(LinearSystemData data, const Method& method = position()) {
  return Stepper({std::make_shared<LinearSystem>(std::move(data)), method});
}

// A particle of unit mass outside the unit circle about the origin, where gaps are curved.
class OutsideCircle final : public GeneralizedSystem {
 public:
  explicit OutsideCircle(double mu) : GeneralizedSystem(2), mu_(mu) {}
  int contactCount() const override { return 1; }
  void generalizedMass(double, std::span<const double>, MatrixView M) const override {
    M(0, 0) = M(1, 1) = 1;
  }
  void generalizedForces(double, std::span<const double>, std::span<const double>,
                         std::span<double> h) const override {
    h[1] = -kGravity;
  }
  ContactLaw contactLaw(int) const override { return {mu_, 0, 0}; }
  double gap(int, double, std::span<const double> q) const override {
    return std::hypot(q[0], q[1]) - 1;
  }
  double normalDirection(int, double, std::span<const double> q,
                         std::span<double> w) const override {
    w[0] = q[0] / std::hypot(q[0], q[1]);
    w[1] = q[1] / std::hypot(q[0], q[1]);
    return 0;
  }
  double tangentDirection(int, double, std::span<const double> q,
                          std::span<double> w) const override {
    w[0] = -q[1] / std::hypot(q[0], q[1]);
    w[1] = q[0] / std::hypot(q[0], q[1]);
    return 0;
  }

 private:
  double mu_;
};

TEST(Position, LandsOnTheFloorAtTheEndOfTheStep) {
  Stepper stepper = positionStepper(ballAtRest(0));
  State state{0, {0, 0.05}, {1, -3}};
  const StepReport report = stepper.step(state, 0.1);
  EXPECT_TRUE(report.certified);
  EXPECT_NEAR(state.q[1], 0, 1e-16);
  EXPECT_NEAR(state.u[1], -0.5, 1e-14);
  EXPECT_NEAR(stepper.solution().p[0], 2 * (-0.5 + 3 + kGravity * 0.1), 1e-13);
  stepper.step(state, 0.1);
  EXPECT_NEAR(state.q[1], 0, 1e-15);
  EXPECT_NEAR(state.u[1], 0, 1e-14);
}

TEST(Position, FreeFlightIsEulersRule) {
  Stepper stepper = positionStepper(ballAtRest(0));
  State state{0, {0, 10}, {3, 2}};
  stepper.step(state, 0.1);
  EXPECT_EQ(stepper.problem().contactCount(), 0);
  EXPECT_DOUBLE_EQ(state.u[1], 2 - kGravity * 0.1);
  EXPECT_DOUBLE_EQ(state.q[1], 10 + 0.1 * (2 - kGravity * 0.1));
}

// [A06] Theorem 6.1: overlaps do not stay.
TEST(Position, AnOverlapIsTakenBackWithinOneStep) {
  Stepper stepper = positionStepper(ballAtRest(0.5));
  State state{0, {0, -0.01}, {0, 0}};  // a tenth of g h^2
  EXPECT_TRUE(stepper.step(state, 0.1).certified);
  EXPECT_NEAR(state.q[1], 0, 1e-16);
  EXPECT_TRUE(stepper.step(state, 0.1).certified);
  EXPECT_NEAR(state.u[1], 0, 1e-14);
}

// The velocity that takes an overlap back stays: it must not grow with 1/h.
TEST(Position, ADeepOverlapIsPushedOutGently) {
  for (const bool implicit : {false, true})
    for (const double h : {1e-2, 1e-4, 1e-6, 1e-9}) {
      const double depth = 1e-3;
      Stepper stepper = positionStepper(ballAtRest(0.5), position(implicit));
      State state{0, {0, -depth}, {0, 0}};
      double fastest = 0;
      for (int n = 0; n < 2000; ++n) {
        EXPECT_TRUE(stepper.step(state, h).certified);
        fastest = std::max(fastest, state.u[1]);
      }
      // No faster than a fall over a few times the depth.
      EXPECT_LE(fastest, std::sqrt(8 * kGravity * depth) + 3 * kGravity * h) << h;
      if (h >= 1e-4) {
        EXPECT_GE(state.q[1], -1e-12) << h;
      }
    }
}

TEST(Position, OnlyContactsWithinTheMarginTakePart) {
  Method method = position();
  method.margin = 0.02;
  Stepper stepper = positionStepper(ballAtRest(0), method);
  State far{0, {0, 0.03}, {0, 0}}, near{0, {0, 0.01}, {0, 0}};
  stepper.step(far, 1e-3);
  EXPECT_EQ(stepper.problem().contactCount(), 0);
  stepper.step(near, 1e-3);
  ASSERT_EQ(stepper.problem().contactCount(), 1);
  EXPECT_EQ(stepper.solution().p[0], 0);
}

TEST(Position, BouncesByNewtonsRule) {
  Stepper stepper = positionStepper(ballAtRest(0.1, 0.5));
  State state{0, {0, 0.05}, {1, -3}};
  EXPECT_TRUE(stepper.step(state, 0.1).certified);
  EXPECT_NEAR(state.u[1], 1.5, 1e-13);
  EXPECT_NEAR(state.u[0], 1 - 0.1 * (1.5 + 3 + kGravity * 0.1), 1e-13);
}

TEST(Position, SlowContactsDoNotBounce) {
  Method method = position();
  method.rest_speed = 4;
  Stepper stepper = positionStepper(ballAtRest(0, 0.5), method);
  State state{0, {0, 0}, {0, -3}};
  EXPECT_TRUE(stepper.step(state, 0.1).certified);
  EXPECT_NEAR(state.u[1], 0, 1e-14);
}

TEST(Position, PureImpactMovesNothing) {
  Stepper stepper = positionStepper(ballAtRest(0, 0.5));
  State state{0.25, {4, -0.01}, {0, -1}};
  EXPECT_TRUE(stepper.step(state, 0).certified);
  EXPECT_EQ(state.q, (std::vector<double>{4, -0.01}));
  EXPECT_NEAR(state.u[1], 0.5, 1e-15);
}

TEST(Position, MovingFloorAndBelt) {
  LinearSystemData data = ballAtRest(0.3);
  data.contacts[0].drive_n = -0.5;
  data.contacts[0].drive_t = -1;
  for (const bool implicit : {false, true}) {
    Stepper stepper = positionStepper(data, position(implicit));
    const RunSummary summary = run(stepper, {0, {0, 0}, {0, 0}}, {{1e-3, 1.0}, false});
    EXPECT_TRUE(summary.certified());
    EXPECT_NEAR(summary.final_state.u[1], 0.5, 1e-12);
    EXPECT_NEAR(summary.final_state.q[1], 0.5, 1e-12);
    EXPECT_NEAR(summary.final_state.u[0], 1, 1e-12);
  }
}

// [ST00] 3.5: constant M and k, so energy cannot grow.
TEST(Position, EnergyNeverGrowsOnAnIncline) {
  Stepper stepper = positionStepper(ballAtRest(0.4));
  State state{0, {0, 0.3}, {2, 1}};
  double energy = 1e9;
  for (int n = 0; n < 300; ++n) {
    stepper.step(state, 0.01);
    const double now =
        state.u[0] * state.u[0] + state.u[1] * state.u[1] + 2 * kGravity * state.q[1];
    EXPECT_LE(now, energy + 1e-12);
    energy = now;
  }
}

// [ST00] 3.4: the new position itself is feasible, not only the linearized one.
TEST(ImplicitPosition, EndsOnTheCurvedSurface) {
  for (const double mu : {0.0, 0.3, 1.0}) {
    const auto circle = std::make_shared<OutsideCircle>(mu);
    Stepper linear({circle, position(false)}), implicit({circle, position(true)});
    State a{0, {0.1, std::sqrt(1 - 0.01)}, {1, -1}}, b = a;
    double linear_gap = 0;
    long most_iterations = 0;
    for (int n = 0; n < 40; ++n) {
      EXPECT_TRUE(linear.step(a, 0.01).certified);
      linear_gap = std::max(linear_gap, std::abs(circle->gap(0, 0, a.q)));
      const StepReport report = implicit.step(b, 0.01);
      EXPECT_TRUE(report.certified);
      most_iterations = std::max(most_iterations, report.scheme.geometry_iterations);
      // The paper sees 1e-2 or better; here the surface turns by 0.01 rad in a step.
      EXPECT_LT(report.scheme.geometry_contraction, 0.05);
      EXPECT_GT(circle->gap(0, 0, b.q), -1e-10);
    }
    EXPECT_GT(linear_gap, 1e-7);  // a thousand times what is allowed above
    EXPECT_GE(most_iterations, 2);
  }
}

// M, n and D are those at q + h v itself, not only its gap: the impulse of a particle that slides
// is on the edge of the friction cone there, and tighter tolerances change nothing beyond their
// own.
TEST(ImplicitPosition, ImpulsesActAtTheEndOfTheStep) {
  constexpr double mu = 0.3, tolerance = 1e-8;
  const auto circle = std::make_shared<OutsideCircle>(mu);
  Method method = position(true), tight = method;
  method.tolerance = tolerance;
  tight.tolerance = 1e-12;
  for (const double h : {0.01, 0.05, 0.1}) {
    State state{0, {0.1, std::sqrt(1 - 0.01)}, {1, -1}}, reference = state;
    const StepReport report = Stepper({circle, method}).step(state, h);
    EXPECT_TRUE(report.certified);
    EXPECT_TRUE(Stepper({circle, tight}).step(reference, h).certified);
    EXPECT_LE(report.certificate.geometry_residual, tolerance);
    EXPECT_GT(report.certificate.geometry_residual, 0);
    const double x = state.q[0], y = state.q[1], r = std::hypot(x, y);
    const double p_x = state.u[0] - 1, p_y = state.u[1] + 1 + h * kGravity;
    const double normal = (x * p_x + y * p_y) / r, tangential = (x * p_y - y * p_x) / r;
    EXPECT_GT(std::abs(x * state.u[1] - y * state.u[0]), 0.1) << "slides";
    EXPECT_NEAR(std::abs(tangential), mu * normal, tolerance) << h;
    for (std::size_t k = 0; k < 2; ++k) EXPECT_NEAR(state.u[k], reference.u[k], tolerance) << h;
  }
}

TEST(ImplicitPosition, JointsHaveNoDrift) {
  LinearSystemData data;
  data.coordinates = {"x", "y"};
  data.M = {1, 0, 0, 3};
  data.f = {1, 0};
  data.joints = {{"rope", 0, {1, -1}, 0.3}};
  for (const bool implicit : {false, true}) {
    Stepper stepper = positionStepper(data, position(implicit));
    const RunSummary summary = run(stepper, {0, {0, 0}, {-0.3, 0}}, {{0.01, 1.0}, false});
    EXPECT_TRUE(summary.certified());
    const State& end = summary.final_state;
    EXPECT_NEAR(end.q[0] - end.q[1] + 0.3 * end.t, 0, 1e-13);
    EXPECT_NEAR(end.u[1], 0.25, 1e-12);
  }
}

// Springs of any stiffness are stable, and exact at rest.
TEST(Position, SpringsHoldTheirLoad) {
  for (const double stiffness : {10.0, 1e4, 1e9})
    for (const bool implicit : {false, true}) {
      BodySystemData data;
      data.gravity = {0, 0, -kGravity};
      Body body;
      body.name = "weight";
      body.mass = {2, {}, diagonal({1, 1, 1})};
      data.bodies = {body};
      PointSpring spring;
      spring.body_a = 0;
      spring.body_b = -1;
      spring.point_b = {0, 0, 1};
      spring.rest_length = 1;
      spring.stiffness = stiffness;
      spring.damping = stiffness / 5;
      data.springs = {spring};
      const auto system = std::make_shared<BodySystem>(data);
      Method method = position(implicit);
      method.cone = FrictionCone::circular;
      Stepper stepper({system, method});
      const RunSummary summary = run(stepper, system->initialState(), {{0.01, 20.0}, false});
      EXPECT_TRUE(summary.certified());
      EXPECT_NEAR(summary.final_state.q[2], -2 * kGravity / stiffness,
                  1e-3 * 2 * kGravity / stiffness + 1e-12);
    }
}

// Order one: halving the step halves the error of a particle that slides along the circle.
TEST(Position, ConvergesWithOrderOne) {
  const auto end = [](double h, bool implicit) {
    const auto circle = std::make_shared<OutsideCircle>(0.2);
    Stepper stepper({circle, position(implicit)});
    return run(stepper, {0, {0.2, std::sqrt(1 - 0.04)}, {0.5, 0}}, {{h, 0.25}, false}).final_state;
  };
  for (const bool implicit : {false, true}) {
    const State exact = end(0.25 / 16384, implicit);
    double last = 0;
    for (const double h : {0.25 / 64, 0.25 / 128, 0.25 / 256}) {
      const State state = end(h, implicit);
      const double error = std::hypot(state.q[0] - exact.q[0], state.q[1] - exact.q[1]);
      if (last > 0) {
        EXPECT_GT(last / error, 1.7);
        EXPECT_LT(last / error, 2.4);
      }
      last = error;
    }
  }
}

TEST(Method, OptionsBelongToTheirSchemes) {
  EXPECT_THROW(checkMethod({.scheme = "midpoint", .implicit = true}), InputError);
  EXPECT_THROW(checkMethod({.scheme = "velocity", .margin = 0.1}), InputError);
  EXPECT_THROW(checkMethod({.scheme = "position", .impact = Impact::reflected}), InputError);
  EXPECT_THROW(checkMethod({.scheme = "position", .margin = -1}), InputError);
  EXPECT_THROW(checkMethod({.rest_speed = -1}), InputError);
  EXPECT_NO_THROW(checkMethod({.scheme = "position", .implicit = true, .margin = 0.1}));
}

// [A06] (5.1) with Phi/h as it is: an overlap however deep is gone after one step, and its speed
// stays.
TEST(Position, FullPushTakesDeepOverlapsBackAtOnce) {
  const double depth = 0.02, h = 1e-3;
  for (const bool implicit : {false, true})
    for (const bool full : {false, true}) {
      Method method = position(implicit);
      method.full_push = full;
      Stepper stepper = positionStepper(ballAtRest(0.3), method);
      State state{0, {0, -depth}, {0.1, 0}};
      ASSERT_TRUE(stepper.step(state, h).certified);
      if (full) {
        EXPECT_NEAR(state.q[1], 0, 1e-12) << implicit;
        EXPECT_NEAR(state.u[1], depth / h, 1e-9) << implicit;
      } else {
        EXPECT_LT(state.q[1], -0.9 * depth) << implicit;
      }
    }
}

TEST(Position, FullPushGoesByTheCorrection) {
  Method method = position();
  method.full_push = true;
  method.correction = 0.25;
  Stepper stepper = positionStepper(ballAtRest(0), method);
  State state{0, {0, -0.02}, {0, 0}};
  ASSERT_TRUE(stepper.step(state, 1e-3).certified);
  EXPECT_NEAR(state.q[1], -0.015, 1e-12);
}

}  // namespace
}  // namespace stickslip
