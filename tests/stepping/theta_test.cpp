// The theta-method of scheme `midpoint` ([GS05] section 5): energy of linear swings in closed form,
// order of convergence, and what is refused.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>

#include "stickslip/input_error.hpp"
#include "stickslip/io/scene.hpp"
#include "stickslip/run.hpp"
#include "support/bodies.hpp"
#include "support/scenes.hpp"

namespace stickslip {
namespace {

Method thetaMethod(double theta) {
  Method method;
  method.scheme = "midpoint";
  method.theta = theta;
  return method;
}

// Two masses and two springs, of which one is 100 times as stiff.
LinearSystemData twoSprings() {
  LinearSystemData data;
  data.coordinates = {"x", "y"};
  data.M = {2, 0, 0, 0.5};
  data.K = {410, -400, -400, 400};
  data.implicit = true;
  return data;
}

double energyOf(const LinearSystem& system, const State& state) {
  return state.u[0] * state.u[0] + 0.25 * state.u[1] * state.u[1] +
         system.potentialEnergy(state.t, state.q);
}

TEST(Theta, EnergyOfALinearSwingChangesByTheClosedForm) {
  // One mass, w = h sqrt(k/m): also for steps that do not resolve the swing.
  for (const double theta : {0.6, 0.75, 1.0})
    for (const double w : {0.1, 1.0, 30.0}) {
      LinearSystemData data;
      data.coordinates = {"x"};
      data.M = {2};
      data.K = {18};
      data.implicit = true;
      const auto system = std::make_shared<LinearSystem>(data);
      Stepper stepper({system, thetaMethod(theta)});
      State state{0, {0.4}, {-1.1}};
      const auto energy = [&] { return state.u[0] * state.u[0] + 9 * state.q[0] * state.q[0]; };
      const double factor = (1 + (1 - theta) * (1 - theta) * w * w) / (1 + theta * theta * w * w);
      for (int n = 0; n < 20; ++n) {
        const double before = energy();
        ASSERT_TRUE(stepper.step(state, w / 3).certified);
        EXPECT_NEAR(energy() / before, factor, 1e-12) << theta << " " << w;
      }
    }
}

TEST(Theta, OneHalfKeepsTheEnergyOfSwingsThatTheStepResolves) {
  const auto system = std::make_shared<LinearSystem>(twoSprings());
  Stepper stepper({system, thetaMethod(0.5)});
  State state{0, {0.1, 0.1}, {0, 0}};
  const double start = energyOf(*system, state);
  for (int n = 0; n < 2000; ++n) ASSERT_TRUE(stepper.step(state, 1e-3).certified);
  EXPECT_NEAR(energyOf(*system, state) / start, 1, 2e-4);
  // Half-way to implicit Euler the slow swing loses 0.4 % in this time.
  Stepper damped({system, thetaMethod(0.75)});
  State other{0, {0.1, 0.1}, {0, 0}};
  for (int n = 0; n < 2000; ++n) ASSERT_TRUE(damped.step(other, 1e-3).certified);
  EXPECT_LT(energyOf(*system, other) / start, 0.999);
}

// x'' + 9 x = sin(2 t) from x = 1 at rest.
double errorAtEnd(double theta, double h) {
  LinearSystemData data;
  data.coordinates = {"x"};
  data.M = {1};
  data.K = {9};
  data.implicit = true;
  data.loads = {{0, SinusoidalLoad{1, 1 / std::numbers::pi, 0}}};
  Stepper stepper({std::make_shared<LinearSystem>(data), thetaMethod(theta)});
  const RunSummary summary = run(stepper, {0, {1}, {0}}, {{h, 2.0}, false});
  EXPECT_TRUE(summary.certified());
  const double exact = std::sin(4.0) / 5 + std::cos(6.0) - 2.0 / 15 * std::sin(6.0);
  return std::abs(summary.final_state.q[0] - exact);
}

TEST(Theta, SecondOrderAtOneHalfAndFirstOrderAbove) {
  const auto order = [](double theta) {
    return std::log2(errorAtEnd(theta, 0.002) / errorAtEnd(theta, 0.001));
  };
  EXPECT_NEAR(order(0.5), 2, 0.1);
  EXPECT_NEAR(order(0.7), 1, 0.1);
  EXPECT_NEAR(order(1.0), 1, 0.1);
}

TEST(Theta, DampersHaveTheMeanOfBothVelocities) {
  LinearSystemData data;
  data.coordinates = {"x"};
  data.M = {2};
  data.C = {6};
  data.implicit = true;
  const double theta = 0.7, h = 0.5;
  Stepper stepper({std::make_shared<LinearSystem>(data), thetaMethod(theta)});
  State state{0, {0}, {1}};
  stepper.step(state, h);
  EXPECT_NEAR(state.u[0], (1 - 3 * h * (1 - theta)) / (1 + 3 * h * theta), 1e-13);
  EXPECT_NEAR(state.q[0], h * ((1 - theta) + theta * state.u[0]), 1e-13);
}

TEST(Theta, SpringsBetweenBodiesLoseTheSameEnergy) {
  const double theta = 0.8, h = 0.05;
  BodySystemData data;
  data.dimension = 2;
  data.bodies = {testing::planarBody("bob", 2, 1, {1.5, 0})};
  data.springs = {
      {.name = "spring", .body_a = Joint::kWorld, .body_b = 0, .rest_length = 1, .stiffness = 50}};
  const auto system = std::make_shared<BodySystem>(data);
  Stepper stepper({system, thetaMethod(theta)});
  State state = system->initialState();
  const double w = h * 5;
  const double factor = (1 + (1 - theta) * (1 - theta) * w * w) / (1 + theta * theta * w * w);
  for (int n = 0; n < 10; ++n) {
    const auto energy = [&] {
      return state.u[0] * state.u[0] + system->potentialEnergy(state.t, state.q);
    };
    const double before = energy();
    ASSERT_TRUE(stepper.step(state, h).certified);
    EXPECT_NEAR(energy() / before, factor, 1e-11);
  }
}

TEST(Theta, ContactsAndRestitutionHoldForEveryTheta) {
  for (const double theta : {0.5, 0.7, 1.0}) {
    std::vector<std::string> overrides{"method.scheme=midpoint",
                                       "method.theta=" + std::to_string(theta)};
    Scene scene = testing::repositoryScene("sliding-block.json", overrides);
    Stepper stepper(scene.model);
    const RunSummary summary = run(stepper, scene.initial, scene.run);
    EXPECT_TRUE(summary.certified());
    EXPECT_NEAR(summary.final_state.u[0], 0, 1e-15);
    // Of v h, the part that the ends count more than the middle is missing.
    EXPECT_NEAR(summary.final_state.q[0], 9 / (2 * 0.3 * testing::kGravity) - 3e-3 * (theta - 0.5),
                1e-5);
  }
}

TEST(Theta, IsRefusedWhereItDoesNotBelong) {
  const auto complaint = [](std::vector<std::string> overrides) -> std::string {
    try {
      testing::repositoryScene("woodpecker.json", overrides);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(complaint({"method.theta=0.4"}).find("/method/theta"), std::string::npos);
  EXPECT_NE(complaint({"method.theta=1.1"}).find("/method/theta"), std::string::npos);
  EXPECT_NE(complaint({"method.scheme=position", "method.theta=0.7"}).find("scheme \"midpoint\""),
            std::string::npos);
  EXPECT_NE(complaint({"method.scheme=midpoint", "method.theta=0.7"}).find("implicit"),
            std::string::npos);
  EXPECT_EQ(complaint({"method.scheme=midpoint", "method.theta=0.7", "system.implicit=true"}), "");
}

}  // namespace
}  // namespace stickslip
