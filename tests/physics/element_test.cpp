// Set-valued force elements ([GS05] section 2) along rows of linear systems: against closed forms,
// in every scheme.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>

#include "stickslip/generalized_system.hpp"
#include "stickslip/input_error.hpp"
#include "stickslip/io/scene.hpp"
#include "stickslip/run.hpp"

namespace stickslip {
namespace {

constexpr double kPi = std::numbers::pi;

class ElementTest : public ::testing::TestWithParam<std::string> {
 protected:
  struct Outcome {
    RunSummary summary;
    double impulse = 0;  ///< of the only element, in the last step
    double most_energy = 0;
  };

  // `system` is what a linear scene of one coordinate has beside its matrices.
  Outcome runScene(const std::string& system, const std::string& start, double step, double end) {
    const std::string text = R"({"stickslip": 1, "name": "element", "time": {"step": )" +
                             std::to_string(step) + R"(, "end": )" + std::to_string(end) +
                             R"(}, "system": {"type": "linear", "coordinates": ["x"], )" + system +
                             R"(}, "initial": )" + start + R"(, "method": {"scheme": ")" +
                             GetParam() + R"("}})";
    const Scene scene = parseScene(text, "element");
    Stepper stepper(scene.model);
    Outcome outcome;
    outcome.most_energy = -1e300;
    outcome.summary = run(stepper, scene.initial, scene.run,
                          [&](long, const State& state, const Stepper& of, const StepReport*) {
                            outcome.impulse = of.solution().p.empty() ? 0 : of.solution().p[0];
                            outcome.most_energy =
                                std::max(outcome.most_energy,
                                         0.5 * state.u[0] * state.u[0] +
                                             scene.model.system->potentialEnergy(state.t, state.q));
                          });
    EXPECT_TRUE(outcome.summary.certified());
    return outcome;
  }
  static double x(const Outcome& outcome) { return outcome.summary.final_state.q[0]; }
  static double u(const Outcome& outcome) { return outcome.summary.final_state.u[0]; }
};
INSTANTIATE_TEST_SUITE_P(Schemes, ElementTest,
                         ::testing::Values("midpoint", "position", "velocity"));

// A clutch on a mass under 3 sin(2 pi t) - 1: it goes on when the force is positive, glides on, is
// stopped and held.
TEST_P(ElementTest, OneWayClutchRatchets) {
  const double w = 2 * kPi, start = std::asin(1.0 / 3) / w;
  const auto speed = [&](double t) {
    return 3 / w * (std::cos(w * start) - std::cos(w * t)) - (t - start);
  };
  double low = 0.5, high = start + 1;  // it is stopped between
  while (high - low > 1e-14) ((speed((low + high) / 2) > 0) ? low : high) = (low + high) / 2;
  ASSERT_LT(low, 0.999);
  const double way = 3 / w * std::cos(w * start) * (low - start) -
                     3 / (w * w) * (std::sin(w * low) - std::sin(w * start)) -
                     (low - start) * (low - start) / 2;
  const std::string system =
      R"("M": [[1]], "f": [-1],
         "loads": [{"coordinate": "x", "type": "sinusoid", "amplitude": 3, "frequency": 1}],
         "elements": [{"type": "one-way", "w": [1]}])";
  const double h = 5e-4;
  const Outcome outcome = runScene(system, "{}", h, 4);
  EXPECT_NEAR(x(outcome), 4 * way, 4 * way * 5e-3);
  EXPECT_NEAR(u(outcome), 0, 1e-13) << "held, not let back";
  EXPECT_NEAR(outcome.impulse / h, 1, 0.02) << "carries the load";
}

TEST_P(ElementTest, OneWayClutchTakesBackwardVelocitiesAwayAtOnce) {
  const std::string system = R"("M": [[2]], "elements": [{"type": "one-way", "w": [-1]}])";
  EXPECT_NEAR(u(runScene(system, R"({"u": {"x": 3}, "impact": true})", 0.01, 0)), 0, 1e-14);
  EXPECT_NEAR(u(runScene(system, R"({"u": {"x": 3}})", 0.01, 0.01)), 0, 1e-14);
  EXPECT_NEAR(u(runScene(system, R"({"u": {"x": -3}})", 0.01, 1)), -3, 1e-14);
}

// A swing of x'' = -4 x with dry friction 0.4 loses 2 * 0.4/4 of its amplitude in each half period,
// and stays where it first stops within 0.1: 0.93, -0.73, 0.53, -0.33, 0.13, 0.07.
TEST_P(ElementTest, DryFrictionWithoutAContactStopsASwing) {
  const std::string system =
      R"("M": [[1]], "K": [[4]], "elements": [{"type": "friction", "w": [1], "force": 0.4}])";
  const double h = 5e-4;
  EXPECT_NEAR(x(runScene(system, R"({"q": {"x": 0.93}})", h, kPi)), 0.93 - 0.4, 4e-3);
  const Outcome late = runScene(system, R"({"q": {"x": 0.93}})", h, 20);
  EXPECT_NEAR(x(late), 0.07, 4e-3);
  EXPECT_NEAR(u(late), 0, 1e-13);
  EXPECT_NEAR(late.impulse / h, 4 * x(late), 1e-9);
}

// x'' = -2 Sgn(x) - 9 x from x = 1: quarters of a swing about +-2/9.
TEST_P(ElementTest, PrestressedSpringSwings) {
  const double quarter = std::acos((2.0 / 9) / (1 + 2.0 / 9)) / 3;
  const std::string system =
      R"("M": [[1]],
         "elements": [{"type": "spring", "w": [1], "g0": 0.5, "rest": 0.5, "prestress": 2,
                       "stiffness": 9}])";
  double error[2];
  for (int k = 0; k < 2; ++k) {
    const Outcome outcome =
        runScene(system, R"({"q": {"x": 1}})", k == 0 ? 1e-3 : 2.5e-4, 12 * quarter);
    error[k] = std::abs(x(outcome) - 1);
    EXPECT_LE(outcome.most_energy, (2 + 4.5) * (GetParam() == "midpoint" ? 1 + 1e-5 : 1 + 1e-2));
  }
  EXPECT_LT(error[0], 0.06);
  EXPECT_LT(error[1], 0.4 * error[0]) << "converges with first order";
  EXPECT_NEAR(x(runScene(system, R"({"q": {"x": 1}})", 2.5e-4, quarter)), 0, 2e-3);
}

// Rigid until the load exceeds the prestress; then as far as the rest of it takes the spring.
TEST_P(ElementTest, PrestressedSpringHoldsBelowItsPrestress) {
  const auto loaded = [](double f) {
    return R"("M": [[1]], "f": [)" + std::to_string(f) +
           R"(], "elements": [{"type": "spring", "w": [1], "prestress": 2, "stiffness": 9,
                               "damping": 6}])";
  };
  const double h = 1e-3;
  for (const double f : {-1.9, 0.5, 1.9}) {
    const Outcome held = runScene(loaded(f), "{}", h, 5);
    EXPECT_NEAR(x(held), 0, 1e-12);
    EXPECT_NEAR(u(held), 0, 1e-12);
    EXPECT_NEAR(held.impulse / h, -f, 1e-8);
  }
  for (const double f : {-3.0, 2.9}) {
    const Outcome moved = runScene(loaded(f), "{}", h, 8);
    EXPECT_NEAR(x(moved), (f - std::copysign(2, f)) / 9, 1e-6);
    EXPECT_NEAR(moved.impulse / h, -std::copysign(2, f), 1e-9);
  }
  // A push that the prestress can stop within a step dies out.
  const Outcome pushed = runScene(loaded(0), R"({"u": {"x": 1e-3}})", h, 1);
  EXPECT_NEAR(x(pushed), 0, 1e-12);
  EXPECT_NEAR(u(pushed), 0, 1e-12);
}

// Thrown at 2, taut after 0.5 at x = 1: comes back with half the speed, slack again.
TEST_P(ElementTest, RopeBecomesTautAndThrowsBack) {
  const std::string system =
      R"("M": [[3]],
         "elements": [{"type": "rope", "w": [1], "length": 1, "restitution": 0.5}])";
  const Outcome outcome = runScene(system, R"({"u": {"x": 2}})", 1e-3, 1);
  EXPECT_NEAR(u(outcome), -1, 1e-12);
  EXPECT_NEAR(x(outcome), 0.5, GetParam() == "velocity" ? 1e-9 : 4e-3);
}

TEST_P(ElementTest, RopeHoldsAWeightAndPullsOnly) {
  const std::string system =
      R"("M": [[3]], "f": [-29.43], "elements": [{"type": "rope", "w": [-1], "length": 1}])";
  const double h = 1e-3;
  const Outcome falling = runScene(system, R"({"u": {"x": 0}})", h, 0.4);
  EXPECT_EQ(falling.impulse, 0);
  const Outcome hanging = runScene(system, R"({"u": {"x": 0}})", h, 1);
  EXPECT_NEAR(x(hanging), -1, GetParam() == "midpoint" ? 5e-3 : 1e-9);
  EXPECT_NEAR(u(hanging), 0, 1e-12);
  EXPECT_NEAR(hanging.impulse / h, 29.43, 1e-8);
}

TEST_P(ElementTest, DriveMovesWhatTheElementHolds) {
  // x - t cannot grow: the mass is pulled along with speed 1 at most.
  const std::string pulled =
      R"("M": [[1]], "f": [5], "elements": [{"type": "one-way", "w": [-1], "drive": 1}])";
  EXPECT_NEAR(x(runScene(pulled, "{}", 1e-3, 2)), 0.1 + 1.8, 4e-3);
  // Held at x = 0.3 t by a prestressed spring.
  const std::string carried =
      R"("M": [[1]], "elements": [{"type": "spring", "w": [1], "drive": -0.3, "prestress": 5}])";
  EXPECT_NEAR(x(runScene(carried, R"({"u": {"x": 0.3}})", 1e-3, 2)), 0.6, 1e-9);
}

TEST(LinearElements, WhatIsWrongIsNamed) {
  const auto complaint = [](const std::string& element) -> std::string {
    try {
      parseScene(R"({"stickslip": 1, "name": "element", "time": {"step": 0.1, "end": 1}, "system":
                     {"type": "linear", "coordinates": ["x"], "M": [[1]], "elements": [)" +
                     element + "]}}",
                 "element");
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  const auto names = [](const std::string& text, const char* field) {
    return text.find(field) != std::string::npos && text.find('\n') == std::string::npos;
  };
  EXPECT_PRED2(names, complaint(R"({"type": "clutch", "w": [1]})"), "/system/elements/0/type");
  EXPECT_PRED2(names, complaint(R"({"type": "one-way", "w": [0]})"), "/system/elements/0/w");
  EXPECT_PRED2(names, complaint(R"({"type": "one-way", "w": [1], "force": 1})"), "force");
  EXPECT_PRED2(names, complaint(R"({"type": "friction", "w": [1], "force": 0})"), "force");
  EXPECT_PRED2(names, complaint(R"({"type": "rope", "w": [1]})"), "length");
  EXPECT_PRED2(names, complaint(R"({"type": "rope", "w": [1], "length": 1, "restitution": 2})"),
               "restitution");
  EXPECT_PRED2(names, complaint(R"({"type": "spring", "w": [1]})"), "prestress");
  EXPECT_PRED2(names, complaint(R"({"type": "spring", "w": [1], "prestress": -1})"), "prestress");
  EXPECT_PRED2(names, complaint(R"({"type": "one-way", "w": [1], "name": "a"},
                            {"type": "one-way", "w": [1], "name": "a"})"),
               "/system/elements/1/name");
}

// ---- In C++ ----

// A sledge that a spring pulls over a rack: one coordinate, a clutch and a spring row.
class Sledge final : public GeneralizedSystem {
 public:
  Sledge() : GeneralizedSystem(1) {}
  int contactCount() const override { return 2; }
  int jointCount() const override { return 1; }
  void generalizedMass(double, std::span<const double>, MatrixView M) const override {
    M(0, 0) = 2;
  }
  void generalizedForces(double, std::span<const double>, std::span<const double>,
                         std::span<double>) const override {}
  ContactLaw contactLaw(int i) const override {
    return i == 0 ? ContactLaw::oneWay() : ContactLaw::dryFriction(1);
  }
  double gap(int, double, std::span<const double>) const override { return 0; }
  double normalDirection(int, double, std::span<const double>, std::span<double> w) const override {
    w[0] = 1;
    return 0;
  }
  JointLaw jointLaw(int) const override { return {.stiffness = 8, .damping = 0}; }
  double jointGap(int, double, std::span<const double> q) const override { return q[0] - 1; }
  double jointDirection(int, double, std::span<const double>, std::span<double> w) const override {
    w[0] = 1;
    return 0;
  }
};

TEST(GeneralizedElements, SledgeGoesToTheFarSideAndStays) {
  // Half a swing about 1 - 1/8, from 0 to 1.75; the spring pulls it back in vain.
  for (const std::string scheme : {"midpoint", "position", "velocity"}) {
    Method method;
    method.scheme = scheme;
    Stepper stepper({std::make_shared<Sledge>(), method});
    const RunSummary summary = run(stepper, {0, {0}, {0}}, {{5e-4, 5.0}, false});
    EXPECT_TRUE(summary.certified());
    EXPECT_NEAR(summary.final_state.q[0], 1.75, 3e-3) << scheme;
    EXPECT_NEAR(summary.final_state.u[0], 0, 1e-14);
    const std::span<const double> p = stepper.solution().p;
    EXPECT_NEAR((p[0] + p[1]) / 5e-4, 8 * (summary.final_state.q[0] - 1), 1e-8);
  }
}

}  // namespace
}  // namespace stickslip
