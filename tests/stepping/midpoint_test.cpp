// The midpoint scheme against [GS05] (17) by hand, and the run around it.
#include <gtest/gtest.h>

#include <cmath>

#include "stickslip/stickslip.hpp"
#include "support/particle_on_plane.hpp"

namespace stickslip {
namespace {

// A ball of mass m above a floor: coordinates x, y; the floor is y = 0.
LinearSystemData ball(double mu, double e_n, double e_t) {
  LinearSystemData data;
  data.coordinates = {"x", "y"};
  data.M = {2, 0, 0, 2};
  data.f = {0, -2 * 9.81};
  data.contacts = {{"floor", 0, {0, 1}, {1, 0}, 0, 0, {mu, e_n, e_t}}};
  return data;
}

Stepper makeStepper(LinearSystemData data) {
  return Stepper({std::make_shared<LinearSystem>(std::move(data)), {}});
}

TEST(Midpoint, FreeFlightFollowsTheMidpointRule) {
  Stepper stepper = makeStepper(ball(0.5, 0, 0));
  State state{0, {0, 1}, {3, 2}};
  const double h = 0.1, g = 9.81;
  const StepReport report = stepper.step(state, h);
  EXPECT_TRUE(report.certified);
  EXPECT_EQ(stepper.problem().contactCount(), 0);
  EXPECT_DOUBLE_EQ(state.u[1], 2 - g * h);
  EXPECT_DOUBLE_EQ(state.q[1], 1 + h / 2 * 2 + h / 2 * (2 - g * h));
  EXPECT_DOUBLE_EQ(state.q[0], 0.3);
  EXPECT_DOUBLE_EQ(state.t, h);
}

TEST(Midpoint, ContactsAreActiveWhenClosedAtTheMidpoint) {
  Stepper stepper = makeStepper(ball(0, 0, 0));
  const double h = 0.1;
  State above{0, {0, 0.11}, {0, -2}};
  stepper.step(above, h);
  EXPECT_EQ(stepper.problem().contactCount(), 0);
  State below{0, {0, 0.09}, {0, -2}};
  stepper.step(below, h);
  ASSERT_EQ(stepper.problem().contactCount(), 1);
  EXPECT_NEAR(below.u[1], 0, 1e-14);
  EXPECT_DOUBLE_EQ(stepper.problem().gap[0], 0.09 - 0.1);
  EXPECT_NEAR(below.q[1], 0.09 - 0.1, 1e-15);
}

TEST(Midpoint, NewtonRestitutionInNormalDirection) {
  Stepper stepper = makeStepper(ball(0, 0.7, 0));
  State state{0, {0, 0}, {1, -3}};
  const StepReport report = stepper.step(state, 0);
  EXPECT_TRUE(report.certified);
  EXPECT_DOUBLE_EQ(state.u[0], 1);
  EXPECT_NEAR(state.u[1], 0.7 * 3, 1e-15);
  EXPECT_DOUBLE_EQ(state.q[1], 0);
  EXPECT_DOUBLE_EQ(state.t, 0);
}

// A superball: friction can reverse part of the tangential velocity.
TEST(Midpoint, NewtonRestitutionInTangentialDirection) {
  Stepper stepper = makeStepper(ball(10, 0.5, 0.6));
  State state{0, {0, 0}, {1, -3}};
  EXPECT_TRUE(stepper.step(state, 0).certified);
  EXPECT_NEAR(state.u[0], -0.6, 1e-13);
  EXPECT_NEAR(state.u[1], 1.5, 1e-13);
}

// The friction cone limits what tangential restitution asks for.
TEST(Midpoint, FrictionLimitsTangentialRestitution) {
  const double mu = 0.1;
  Stepper stepper = makeStepper(ball(mu, 0.5, 0.6));
  State state{0, {0, 0}, {1, -3}};
  EXPECT_TRUE(stepper.step(state, 0).certified);
  EXPECT_NEAR(state.u[0], 1 - mu * 4.5, 1e-15);
}

TEST(Midpoint, PureImpactMovesNothingAndFeelsNoForce) {
  Stepper stepper = makeStepper(ball(0.5, 0, 0));
  State state{0.25, {4, -0.01}, {0, -1}};
  EXPECT_TRUE(stepper.step(state, 0).certified);
  EXPECT_EQ(state.q, (std::vector<double>{4, -0.01}));
  EXPECT_NEAR(state.u[0], 0, 1e-15);
  EXPECT_NEAR(state.u[1], 0, 1e-15);
  EXPECT_EQ(state.t, 0.25);
}

// Without contact the scheme is of second order where forces depend on positions only.
TEST(Midpoint, SecondOrderWithoutContact) {
  LinearSystemData oscillator;
  oscillator.coordinates = {"x"};
  oscillator.M = {1};
  oscillator.K = {4};
  double error[2];
  int i = 0;
  for (const double h : {0.01, 0.005}) {
    Stepper stepper = makeStepper(oscillator);
    const RunSummary summary = run(stepper, {0, {1}, {0}}, {{h, 1.0}, false});
    error[i++] = std::abs(summary.final_state.q[0] - std::cos(2.0));
  }
  EXPECT_GT(error[0] / error[1], 3.8);
  EXPECT_LT(error[0] / error[1], 4.2);
}

// A belt that carries the body along: the rheonomic term of the tangential velocity.
TEST(Midpoint, ADrivenContactDragsTheBody) {
  LinearSystemData data = ball(0.3, 0, 0);
  data.contacts[0].drive_t = -1;
  Stepper stepper = makeStepper(data);
  const RunSummary summary = run(stepper, {0, {0, 0}, {0, 0}}, {{1e-3, 1.0}, false});
  EXPECT_TRUE(summary.certified());
  EXPECT_NEAR(summary.final_state.u[0], 1, 1e-12);
  // It accelerates with mu g until it moves with the belt.
  EXPECT_NEAR(summary.final_state.q[0], 1 - 1 / (2 * 0.3 * 9.81), 2e-3);
  EXPECT_LE(summary.energy_max_gain, 1e-12);
}

// A floor that moves up: the rheonomic term of the gap.
TEST(Midpoint, AMovingFloorLiftsTheBody) {
  LinearSystemData data = ball(0, 0, 0);
  data.contacts[0].drive_n = -0.5;
  Stepper stepper = makeStepper(data);
  const RunSummary summary = run(stepper, {0, {0, 0}, {0, 0}}, {{1e-3, 1.0}, false});
  EXPECT_TRUE(summary.certified());
  EXPECT_NEAR(summary.final_state.u[1], 0.5, 1e-12);
  EXPECT_NEAR(summary.final_state.q[1], 0.5, 1e-3);
}

TEST(Run, StepsAreCountedAsMeant) {
  EXPECT_EQ((TimeSettings{1e-5, 3.0}.stepCount()), 300000);
  EXPECT_EQ((TimeSettings{0.1, 0.3}.stepCount()), 3);
  EXPECT_EQ((TimeSettings{0.3, 1.0}.stepCount()), 4);
  EXPECT_NEAR((TimeSettings{0.3, 1.0}.stepLength(4)), 0.1, 1e-15);
  EXPECT_EQ((TimeSettings{0.1, 0.3}.stepLength(3)), 0.1);
  EXPECT_EQ((TimeSettings{0.3, 1.0}.timeAfter(4)), 1.0);
  EXPECT_EQ((TimeSettings{1.0, 0.0}.stepCount()), 0);
}

TEST(Run, EndsAtTheEndWithAShorterLastStep) {
  Stepper stepper = makeStepper(ball(0, 0, 0));
  const RunSummary summary = run(stepper, {0, {0, 100}, {1, 0}}, {{0.3, 1.0}, false});
  EXPECT_EQ(summary.steps, 4);
  EXPECT_EQ(summary.final_state.t, 1.0);
  EXPECT_NEAR(summary.final_state.q[0], 1.0, 1e-15);
}

TEST(Run, ImpactAtTheStartMakesVelocitiesFit) {
  Stepper stepper = makeStepper(ball(0, 0, 0));
  const RunSummary summary = run(stepper, {0, {0, 0}, {1, -5}}, {{0.1, 0.0}, true});
  EXPECT_EQ(summary.steps, 0);
  EXPECT_EQ(summary.contacts_max, 1);
  EXPECT_EQ(summary.final_state.u[1], 0);
}

// An explicit force with a step far beyond its stability limit: the run stops, the state is finite.
TEST(Run, StopsBeforeTheStateStopsBeingFinite) {
  LinearSystemData stiff;
  stiff.coordinates = {"x"};
  stiff.M = {1};
  stiff.K = {1e6};
  Stepper stepper = makeStepper(stiff);
  const RunSummary summary = run(stepper, {0, {1}, {0}}, {{1.0, 1000.0}, false});
  EXPECT_TRUE(summary.stopped);
  EXPECT_FALSE(summary.certified());
  EXPECT_TRUE(isFinite(summary.final_state));
  EXPECT_GT(summary.steps, 10);
  EXPECT_EQ(summary.first_uncertified_step, summary.steps + 1);
}

// Closing walls: the run goes on, counts, and names the first step.
TEST(Run, CountsUncertifiedSteps) {
  LinearSystemData data;
  data.coordinates = {"x"};
  data.M = {1};
  data.contacts = {{"left", 0.05, {1}, {}, -1, 0, {}}, {"right", 0.05, {-1}, {}, -1, 0, {}}};
  Stepper stepper = makeStepper(data);
  const RunSummary summary = run(stepper, {0, {0}, {0}}, {{0.01, 0.1}, false});
  EXPECT_FALSE(summary.certified());
  EXPECT_FALSE(summary.stopped);
  EXPECT_EQ(summary.steps, 10);
  EXPECT_EQ(summary.first_uncertified_step, 6);
  EXPECT_EQ(summary.uncertified_steps, 5);
  EXPECT_GT(summary.residual_max, 0.1);
}

TEST(Method, UnknownNamesAreRefused) {
  const LinearSystem system(ball(0.5, 0, 0));
  EXPECT_THROW(presetMethod("nobody", system), InputError);
  Method method;
  method.scheme = "sideways";
  EXPECT_THROW(makeScheme(method), InputError);
  EXPECT_THROW(checkMethod(method), InputError);
  EXPECT_THROW(named<Law>("murphy"), InputError);
  method.solver = "oracle";
  EXPECT_THROW(makeSolver(method), InputError);
  EXPECT_EQ(presetMethod("glocker-studer", system).scheme, "midpoint");
}

TEST(Method, ConesAndSolversGoTogether) {
  EXPECT_NO_THROW(checkMethod({.cone = FrictionCone::polyhedral, .solver = "lemke"}));
  EXPECT_NO_THROW(checkMethod({.cone = FrictionCone::circular, .solver = "exact"}));
  EXPECT_NO_THROW(checkMethod({.cone = FrictionCone::planar, .solver = "exact"}));
  EXPECT_THROW(checkMethod({.cone = FrictionCone::circular, .solver = "lemke"}), InputError);
  EXPECT_NO_THROW(checkMethod({.cone = FrictionCone::polyhedral, .solver = "exact"}));
  for (const int directions : {2, 65})
    EXPECT_THROW(checkMethod({.cone = FrictionCone::polyhedral, .directions = directions}),
                 InputError);
  for (const int directions : {3, 7, 64})
    EXPECT_NO_THROW(checkMethod({.cone = FrictionCone::polyhedral, .directions = directions}));
}

TEST(Method, LawsAndSolversGoTogether) {
  for (const char* solver : {"convex", "auto"})
    EXPECT_NO_THROW(checkMethod({.law = Law::relaxed, .solver = solver})) << solver;
  for (const char* solver :
       {"lemke", "exact", "fixed-point-1", "fixed-point-2", "one-step", "one-step-2"}) {
    EXPECT_NO_THROW(checkMethod({.law = Law::coulomb, .solver = solver})) << solver;
    EXPECT_THROW(checkMethod({.law = Law::relaxed, .solver = solver}), InputError) << solver;
  }
  EXPECT_THROW(checkMethod({.law = Law::coulomb, .solver = "convex"}), InputError);
}

TEST(Method, OptionsOfOthersAreRefused) {
  EXPECT_NO_THROW(checkMethod({.solver = "one-step", .initial_slip = InitialSlip::previous}));
  EXPECT_THROW(checkMethod({.solver = "auto", .initial_slip = InitialSlip::previous}), InputError);
  EXPECT_THROW(named<InitialSlip>("now"), InputError);
  EXPECT_NO_THROW(checkMethod({.scheme = "position", .full_push = true}));
  EXPECT_THROW(checkMethod({.scheme = "midpoint", .full_push = true}), InputError);
  Method method{.scheme = "position", .law = Law::relaxed, .lift = Lift::integral};
  EXPECT_NO_THROW(checkMethod(method));
  method.cone = FrictionCone::polyhedral;
  EXPECT_THROW(checkMethod(method), InputError);
  EXPECT_THROW(checkMethod({.scheme = "velocity", .law = Law::relaxed, .lift = Lift::integral}),
               InputError);
  EXPECT_THROW(checkMethod({.scheme = "position", .lift = Lift::integral}), InputError);
}

TEST(Method, ConesFitTheDimension) {
  const LinearSystem planar(ball(0.5, 0, 0));
  const testing::ParticleOnPlane spatial(0.3, 0.5, 0.1);
  for (const System* system :
       {static_cast<const System*>(&planar), static_cast<const System*>(&spatial)})
    for (const std::string_view preset : presetNames()) {
      const int tangents = system->tangentCount();
      const Method method = presetMethod(preset, *system);
      EXPECT_NO_THROW(checkMethod(method)) << preset;
      EXPECT_NO_THROW(checkMethodFits(method, tangents)) << preset;
      if (method.cone != FrictionCone::polyhedral) {
        EXPECT_THROW(checkMethodFits(method, 3 - tangents), InputError) << preset;
      }
    }
  EXPECT_NO_THROW(checkMethodFits({.cone = FrictionCone::polyhedral}, 2));
}

}  // namespace
}  // namespace stickslip
