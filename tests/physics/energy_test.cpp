// Contacts and joints put no energy in: impacts with friction and restitution 1, joints that turn
// far in a step, drift that is taken back; and what is right is not flagged.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "support/scenes.hpp"

namespace stickslip {
namespace {

constexpr double kTolerance = 1e-8;

Method methodOf(const std::string& scheme, const std::string& law = "coulomb") {
  Method method;
  method.scheme = scheme;
  method.law = named<Law>(law);
  if (law == "relaxed") method.solver = "convex";
  method.tolerance = kTolerance;
  return method;
}

// A rod with one end just above the floor, in free space.
Scene fallingRod(double angle, double mu, double v_x, double omega) {
  const double y = 0.5 * std::sin(angle) + 0.05;
  return parseScene(
      R"({"stickslip": 1, "name": "rod", "time": {"step": 0.001, "end": 0.001},
          "system": {"type": "planar", "gravity": [0, 0],
                     "materials": {"default": {"friction": )" +
          std::to_string(mu) + R"(, "restitution": 1}},
          "bodies": [{"name": "floor", "type": "static", "shape": {"type": "half-plane"}},
                     {"name": "rod", "position": [0, )" +
          std::to_string(y) + R"(], "angle": )" + std::to_string(angle) + R"(, "velocity": [)" +
          std::to_string(v_x) + R"(, -1], "angular_velocity": )" + std::to_string(omega) +
          R"(, "mass": 1, "inertia": 0.08,
                      "shape": {"type": "capsule", "length": 1, "radius": 0.05}}]}})",
      "rod");
}

// Newton's rule with friction gains energy by itself (Kane's paradox): 46 % for one of these rods.
// Part of its e is then given up, so that no energy is lost for it either.
TEST(Energy, NewtonsRuleWithFrictionGainsNothing) {
  int given_up = 0;
  for (const char* law : {"coulomb", "relaxed"})
    for (const double angle : {0.3, 0.6, 0.9, 1.2})
      for (const double mu : {0.3, 1.0})
        for (const double v_x : {-2.0, -0.5, 0.5, 2.0})
          for (const double omega : {-2.0, 0.0, 2.0}) {
            const Scene scene = fallingRod(angle, mu, v_x, omega);
            Stepper stepper({scene.model.system, methodOf("position", law)});
            State state = scene.initial;
            const StepReport report = stepper.step(state, 1e-3);
            const Certificate& c = report.certificate;
            EXPECT_TRUE(report.certified) << c.worstName() << ' ' << c.worstResidual();
            EXPECT_LE(c.kinetic_energy_end, c.kinetic_energy_start * (1 + 2 * kTolerance))
                << law << ' ' << angle << ' ' << mu << ' ' << v_x << ' ' << omega;
            if (!report.restitution_dropped || std::string(law) == "relaxed") continue;
            ++given_up;
            EXPECT_GT(c.kinetic_energy_end, 0.9 * c.kinetic_energy_start)
                << law << ' ' << angle << ' ' << mu << ' ' << v_x << ' ' << omega;
          }
  EXPECT_GT(given_up, 10);
}

// A rotor that turns by up to two and a half radians in a step leaves its circle so far that taking
// the drift back would make it faster and faster.
TEST(Energy, JointsThatTurnFarInAStepGainNothing) {
  for (const char* scheme : {"position", "midpoint"})
    for (const double turn : {0.1, 0.6, 1.0, 1.5, 2.0, 2.5}) {
      const double h = 0.01, w = turn / h;
      const Scene scene = parseScene(
          R"({"stickslip": 1, "name": "rotor", "time": {"step": 0.01, "end": 0.4},
              "system": {"type": "planar", "gravity": [0, 0],
              "bodies": [{"name": "arm", "position": [1, 0], "velocity": [0, )" +
              std::to_string(w) + R"(], "angular_velocity": )" + std::to_string(w) +
              R"(, "mass": 1, "inertia": 0.01, "shape": {"type": "disk", "radius": 0.02}}],
              "joints": [{"type": "revolute", "bodies": ["world", "arm"], "position": [0, 0]}]}})",
          "rotor");
      Stepper stepper({scene.model.system, methodOf(scheme)});
      State state = scene.initial;
      double most = 0, start = 0;
      bool certified = true;
      for (int n = 0; n < 40; ++n) {
        const StepReport report = stepper.step(state, h);
        const Certificate& c = report.certificate;
        if (n == 0) start = c.kinetic_energy_start;
        certified = certified && report.certified;
        if (certified) most = std::max(most, c.kinetic_energy_end);
      }
      EXPECT_LE(most, start * (1 + kTolerance)) << scheme << ' ' << turn;
      EXPECT_TRUE(certified) << scheme << ' ' << turn;
    }
}

// A box that starts in the floor is pushed out, and no step of that is flagged.
TEST(Energy, DeepOverlapsMayBePushedOut) {
  for (const double depth : {1e-6, 1e-4, 1e-2})
    for (const double h : {1e-4, 1e-3, 1e-2}) {
      const Scene scene = parseScene(
          R"({"stickslip": 1, "name": "box", "time": {"step": 0.01, "end": 1},
              "system": {"type": "planar", "materials": {"default": {"friction": 0.5}},
              "bodies": [{"name": "floor", "type": "static", "shape": {"type": "half-plane"}},
                         {"name": "box", "mass": 2, "position": [0, )" +
              std::to_string(0.1 - depth) +
              R"(], "shape": {"type": "box", "size": [0.3, 0.2]}}]}})",
          "box");
      Stepper stepper({scene.model.system, methodOf("position")});
      const RunSummary summary = run(stepper, scene.initial, {{h, 200 * h}, false});
      EXPECT_TRUE(summary.certified())
          << depth << ' ' << h << ' ' << summary.first_uncertified_residual << ' '
          << summary.first_uncertified_value << " at " << summary.first_uncertified_step;
      EXPECT_EQ(summary.drift_kept_steps, 0) << depth << ' ' << h;
    }
}

// An arm that a stop brings to rest has left its circle; what takes that back gives it some energy.
TEST(Energy, DriftIsTakenBackAfterAnArmHasHitAStop) {
  const Scene scene = parseScene(
      R"({"stickslip": 1, "name": "arm", "time": {"step": 0.005, "end": 0.5},
          "system": {"type": "planar", "gravity": [0, 0],
          "bodies": [{"name": "stop", "type": "static",
                      "shape": {"type": "half-plane", "normal": [1, 0], "position": [0.05, 0]}},
                     {"name": "arm", "position": [1, 0], "velocity": [0, 10],
                      "angular_velocity": 10, "mass": 1, "inertia": 0.01,
                      "shape": {"type": "disk", "radius": 0.02}}],
          "joints": [{"type": "revolute", "bodies": ["world", "arm"], "position": [0, 0]}]}})",
      "arm");
  Stepper stepper({scene.model.system, methodOf("position")});
  const RunSummary summary = run(stepper, scene.initial, {{0.005, 0.5}, false});
  EXPECT_TRUE(summary.certified()) << summary.first_uncertified_residual;
  EXPECT_EQ(summary.drift_kept_steps, 0);
  EXPECT_LT(summary.energy_end, 0.01 * summary.energy_start);
}

}  // namespace
}  // namespace stickslip
