// Set-valued force elements between bodies and in joints ([GS05] section 2), against closed forms.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "stickslip/input_error.hpp"
#include "stickslip/io/scene.hpp"
#include "support/bodies.hpp"
#include "support/scene_runs.hpp"

namespace stickslip {
namespace {

using testing::BodySceneRun;
using testing::kGravity;
using testing::runBodyScene;

class BodyElementTest : public ::testing::TestWithParam<std::tuple<std::string, std::string>> {
 protected:
  std::string scheme() const { return std::get<0>(GetParam()); }
  bool planar() const { return std::get<1>(GetParam()) == "planar"; }
  std::string vector(double x, double y) const {
    return "[" + std::to_string(x) + ", " + std::to_string(y) + (planar() ? "]" : ", 0]");
  }
  std::string zero() const { return planar() ? "[0, 0]" : "[0, 0, 0]"; }
  std::string mass(double m) const {
    return "\"mass\": " + std::to_string(m) + ", \"inertia\": " + (planar() ? "1" : "[1, 1, 1]");
  }

  struct Outcome {
    std::shared_ptr<const BodySystem> system;
    RunSummary summary;
    std::vector<double> impulses;  ///< in the last step
    std::vector<std::string> names;

    BodyState body(int k) const { return system->bodyState(k, summary.final_state); }
  };
  Outcome runSystem(const std::string& fields, double step, double end) const {
    const std::string text = R"({"stickslip": 1, "name": "element", "time": {"step": )" +
                             std::to_string(step) + R"(, "end": )" + std::to_string(end) +
                             R"(}, "system": {"type": ")" + (planar() ? "planar" : "spatial") +
                             "\", " + fields + R"(}, "method": {"scheme": ")" + scheme() + R"("}})";
    const Scene scene = parseScene(text, "element");
    Stepper stepper(scene.model);
    Outcome outcome;
    outcome.system = std::static_pointer_cast<const BodySystem>(scene.model.system);
    outcome.summary = run(stepper, scene.initial, scene.run);
    outcome.impulses = stepper.solution().p;
    for (const std::uint64_t id : stepper.problem().contact_id)
      outcome.names.push_back(outcome.system->contactName(id));
    EXPECT_TRUE(outcome.summary.certified());
    return outcome;
  }
};
INSTANTIATE_TEST_SUITE_P(SchemesAndDimensions, BodyElementTest,
                         ::testing::Combine(::testing::Values("midpoint", "position", "velocity"),
                                            ::testing::Values("planar", "spatial")));

// Hangs at last, pulled at the rim of the body: the rope carries the weight.
TEST_P(BodyElementTest, RopeCatchesAWeight) {
  const std::string fields =
      "\"gravity\": " + vector(0, -kGravity) +
      ", \"bodies\": [{\"name\": \"weight\", \"position\": " + vector(0, -0.7) + ", " + mass(2) +
      "}], \"elements\": [{\"name\": \"rope\", \"type\": \"rope\", "
      "\"bodies\": [\"world\", \"weight\"], \"point_b\": " +
      vector(0, 0.2) + ", \"length\": 1}]";
  const double h = 1e-3, taut = std::sqrt(2 * 0.5 / kGravity);
  const Outcome falling = runSystem(fields, h, 0.3);
  ASSERT_LT(0.3, taut);
  EXPECT_NEAR(falling.body(0).velocity.y, -kGravity * 0.3, 1e-9) << "slack: nothing holds it";
  const Outcome hanging = runSystem(fields, h, 1);
  EXPECT_NEAR(hanging.body(0).position.y, -1.2, scheme() == "midpoint" ? 4e-3 : 1e-9);
  EXPECT_NEAR(norm(hanging.body(0).velocity), 0, 1e-12);
  ASSERT_EQ(hanging.impulses.size(), 1U);
  EXPECT_NEAR(hanging.impulses[0] / h, 2 * kGravity, 1e-8);
  EXPECT_EQ(hanging.names[0], "rope upper limit");
}

// A conical pendulum that becomes one when its rope does: along the rope nothing is left, across
// all.
TEST_P(BodyElementTest, RopeTakesOnlyTheVelocityAlongIt) {
  const std::string fields =
      "\"gravity\": " + zero() +
      ", \"bodies\": [{\"name\": \"stone\", \"position\": " + vector(0.6, 0) +
      ", \"velocity\": " + vector(0, 2) + ", " + mass(1) +
      "}], \"elements\": [{\"type\": \"rope\", \"bodies\": [\"world\", "
      "\"stone\"], \"length\": 1}]";
  // Taut at (0.6, 0.8), at 53.13 degrees: 2 cos of it stays.
  const Outcome outcome = runSystem(fields, 1e-4, 2);
  EXPECT_NEAR(norm(outcome.body(0).velocity), 1.2, 2e-3);
  EXPECT_NEAR(norm(outcome.body(0).position), 1, 2e-3);
}

// Two masses and a friction element: their relative motion slows down by F/m_reduced, the common
// one stays.
TEST_P(BodyElementTest, FrictionElementStopsRelativeMotion) {
  const std::string fields =
      "\"gravity\": " + zero() + ", \"bodies\": [{\"name\": \"a\", \"velocity\": " + vector(1, 0) +
      ", " + mass(1) + "}, {\"name\": \"b\", \"position\": " + vector(1, 0) +
      ", \"velocity\": " + vector(4, 0) + ", " + mass(2) +
      "}], \"elements\": [{\"name\": \"damper\", \"type\": \"friction\", \"bodies\": [\"a\", "
      "\"b\"], \"force\": 2}]";
  const double h = 1e-3;
  const Outcome early = runSystem(fields, h, 0.5);  // relative speed 3, slowed down by 3 a second
  EXPECT_NEAR(early.body(1).velocity.x - early.body(0).velocity.x, 1.5, 1e-9);
  EXPECT_NEAR(early.impulses[0] / h, -2, 1e-9);
  const Outcome late = runSystem(fields, h, 2);
  EXPECT_NEAR(late.body(0).velocity.x, 3, 1e-9);
  EXPECT_NEAR(late.body(1).velocity.x, 3, 1e-9);
}

TEST_P(BodyElementTest, OneWayElementLetsPointsMoveOneWayOnly) {
  const auto fields = [&](const char* direction, double speed) {
    return "\"gravity\": " + zero() + ", \"bodies\": [{\"name\": \"a\", " + mass(1) +
           "}, {\"name\": \"b\", \"position\": " + vector(1, 0) +
           ", \"velocity\": " + vector(speed, 0) + ", " + mass(3) +
           "}], \"elements\": [{\"type\": \"one-way\", \"bodies\": [\"a\", \"b\"], \"direction\": "
           "\"" +
           direction + "\"}]";
  };
  EXPECT_NEAR(runSystem(fields("apart", 2), 1e-2, 1).body(1).velocity.x, 2, 1e-12);
  EXPECT_NEAR(runSystem(fields("together", -2), 1e-2, 0.3).body(1).velocity.x, -2, 1e-12);
  // As one body.
  EXPECT_NEAR(runSystem(fields("apart", -2), 1e-2, 1).body(1).velocity.x, -1.5, 1e-12);
  EXPECT_NEAR(runSystem(fields("together", 2), 1e-2, 1).body(0).velocity.x, 1.5, 1e-12);
}

// Reduced mass 2/3: relative elongation x'' = -1.5 (2 Sgn(x) + 6 x) from x = 0.4.
TEST_P(BodyElementTest, PrestressedSpringBetweenBodiesSwings) {
  const std::string fields =
      "\"gravity\": " + zero() + ", \"bodies\": [{\"name\": \"a\", " + mass(1) +
      "}, {\"name\": \"b\", \"position\": " + vector(1.4, 0) + ", " + mass(2) +
      "}], \"elements\": [{\"type\": \"spring\", \"bodies\": [\"a\", \"b\"], \"rest_length\": 1, "
      "\"prestress\": 2, \"stiffness\": 6}]";
  const double quarter = std::acos((1.0 / 3) / (0.4 + 1.0 / 3)) / 3;
  const auto elongation = [&](double end) {
    const Outcome outcome = runSystem(fields, 2e-4, end);
    EXPECT_NEAR(outcome.body(0).velocity.x + 2 * outcome.body(1).velocity.x, 0, 1e-9);
    EXPECT_LE(outcome.summary.energy_end, outcome.summary.energy_start * (1 + 1e-3));
    return outcome.body(1).position.x - outcome.body(0).position.x - 1;
  };
  EXPECT_NEAR(elongation(quarter), 0, 2e-3);
  EXPECT_NEAR(elongation(2 * quarter), -0.4, 4e-3);
  EXPECT_NEAR(elongation(4 * quarter), 0.4, 8e-3);
}

// A lever that is held by a prestressed spring in its hinge against a torque below the prestress.
TEST_P(BodyElementTest, PrestressInAHingeHoldsBelowItsTorque) {
  const auto angle = [&](double torque) {
    const std::string axis = planar() ? "" : R"("axis": [0, 0, 1], )";
    const std::string load =
        planar() ? std::to_string(torque) : "[0, 0, " + std::to_string(torque) + "]";
    const Outcome outcome = runSystem(
        "\"gravity\": " + zero() + ", \"bodies\": [{\"name\": \"lever\", " + mass(1) +
            "}], \"joints\": [{\"name\": \"hinge\", \"type\": \"revolute\", \"bodies\": "
            "[\"world\", "
            "\"lever\"], " +
            axis + "\"position\": " + zero() +
            ", \"spring\": {\"prestress\": 3, \"stiffness\": 10, \"damping\": 6}}], \"loads\": "
            "[{\"body\": \"lever\", \"torque\": " +
            load + "}]",
        1e-3, 8);
    return outcome.system->jointCoordinate(0, 0, outcome.summary.final_state);
  };
  EXPECT_NEAR(angle(2.9), 0, 1e-12);
  EXPECT_NEAR(angle(-4), -0.1, 1e-6);
}

// ---- Shipped scenes ----

TEST(ElementScenes, RopeCatchComesToRest) {
  std::vector<double> heights;  // of the turning points after each catch
  double before = 0;
  const BodySceneRun run = runBodyScene("elements/rope-catch.json", {},
                                        [&](const BodySystem& system, const State& state) {
                                          const BodyState weight = system.bodyState(0, state);
                                          if (before > 0 && weight.velocity.z <= 0)
                                            heights.push_back(weight.position.z);
                                          before = weight.velocity.z;
                                        });
  EXPECT_TRUE(run.summary.certified());
  ASSERT_GE(heights.size(), 2U);
  EXPECT_NEAR(heights[0], -1 + 0.5 * 0.16, 5e-3);
  EXPECT_NEAR(heights[1], -1 + 0.5 * 0.16 * 0.16, 5e-3);
  EXPECT_NEAR(run.state(0).position.z, -1, 1e-6);
}

// The wheel is as fast as the lever or slows down by 0.1/0.02 a second, whatever is faster.
TEST(ElementScenes, RatchetRunsAhead) {
  const double w = 2 * std::numbers::pi * 2, rate = 0.2 * w;
  double expected = rate, angle = 0, worst = 0;
  const int fine = 200000;
  std::vector<double> speeds;
  for (int n = 1; n <= fine; ++n) {
    const double t = 4.0 * n / fine;
    expected = std::max(expected - 5 * 4.0 / fine, rate * std::cos(w * t));
    angle += expected * 4.0 / fine;
    if (n % (fine / 8000) == 0) speeds.push_back(expected);
  }
  std::size_t step = 0;
  const BodySceneRun run =
      runBodyScene("elements/ratchet.json", {}, [&](const BodySystem& system, const State& state) {
        if (step++ == 0) return;
        worst = std::max(worst, std::abs(system.bodyState(1, state).angular_velocity.z -
                                         speeds[std::min(step - 2, speeds.size() - 1)]));
      });
  EXPECT_TRUE(run.summary.certified());
  EXPECT_LT(worst, 0.02) << "of " << rate;
  EXPECT_NEAR(run.system().jointCoordinate(1, 0, run.summary.final_state), angle, 0.01);
  EXPECT_GT(angle, 6) << "while the lever is where it was";
}

TEST(ElementScenes, PrestressedSpringKeepsItsPeriod) {
  const Scene scene = testing::repositoryScene("elements/prestressed-spring.json");
  Stepper stepper(scene.model);
  std::vector<double> crossings;
  double x = 1;
  const RunSummary summary = run(stepper, scene.initial, scene.run,
                                 [&](long, const State& state, const Stepper&, const StepReport*) {
                                   if (x * state.q[0] < 0)
                                     crossings.push_back(state.t - state.q[0] / state.u[0]);
                                   x = state.q[0];
                                 });
  EXPECT_TRUE(summary.certified());
  const double quarter = std::acos(2.0 / 11) / 3;
  ASSERT_GE(crossings.size(), 9U);
  for (std::size_t k = 0; k < 9; ++k)
    EXPECT_NEAR(crossings[k], (1 + 2 * static_cast<double>(k)) * quarter, 0.02) << k;
}

// Den Hartog 1931: a swing without stops under P sin(w t + ..) with friction F has the amplitude
// P/k sqrt(V^2 - (F/P)^2 U^2), V = 1/(1 - r^2), U = sin(pi/r) / (r (1 + cos(pi/r))), r = w/w_n.
TEST(ElementScenes, DrivenFrictionHasDenHartogsAmplitude) {
  const Scene scene = testing::repositoryScene("elements/driven-friction.json");
  Stepper stepper(scene.model);
  double most = 0;
  const RunSummary summary = run(stepper, scene.initial, scene.run,
                                 [&](long, const State& state, const Stepper&, const StepReport*) {
                                   if (state.t > 55) most = std::max(most, std::abs(state.q[0]));
                                 });
  EXPECT_TRUE(summary.certified());
  const double r = 0.8, k = 4 * std::numbers::pi * std::numbers::pi, ratio = 2.0 / 10;
  const double V = 1 / (1 - r * r);
  const double U = std::sin(std::numbers::pi / r) / (r * (1 + std::cos(std::numbers::pi / r)));
  EXPECT_NEAR(most, 10 / k * std::sqrt(V * V - ratio * ratio * U * U), 1e-3);
}

TEST(BodyElements, WhatIsWrongIsNamed) {
  const auto complaint = [](const std::string& element) -> std::string {
    try {
      parseScene(R"({"stickslip": 1, "name": "element", "time": {"step": 0.1, "end": 1}, "system":
                     {"type": "planar", "bodies": [{"name": "a", "mass": 1, "inertia": 1,
                      "position": [0, 2]}], "elements": [)" +
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
  const std::string pair = R"("bodies": ["world", "a"])";
  EXPECT_EQ(complaint(R"({"type": "rope", )" + pair + "}"), "");
  EXPECT_PRED2(names, complaint(R"({"type": "rope", "length": 1, )" + pair + "}"),
               "/system/elements/0/length");
  EXPECT_PRED2(names, complaint(R"({"type": "cable", )" + pair + "}"), "/system/elements/0/type");
  EXPECT_PRED2(names, complaint(R"({"type": "friction", )" + pair + "}"), "force");
  EXPECT_PRED2(names, complaint(R"({"type": "one-way", )" + pair + "}"), "direction");
  EXPECT_PRED2(names, complaint(R"({"type": "spring", )" + pair + "}"), "prestress");
  EXPECT_PRED2(names,
               complaint(R"({"type": "spring", "prestress": 1, "rest_length": 0, )" + pair + "}"),
               "rest_length");
  EXPECT_PRED2(names,
               complaint(R"({"type": "friction", "force": 1, "point_b": [0, -2], )" + pair + "}"),
               "coincide");
  EXPECT_PRED2(names, complaint(R"({"type": "rope", "name": "a", )" + pair + "}"), "name");
}

}  // namespace
}  // namespace stickslip
