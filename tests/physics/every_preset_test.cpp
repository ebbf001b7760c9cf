// What all methods of the papers have in common, on the same scenes: Painleve's rod ([ST00] 1.4),
// rest and sliding on an incline, convergence of order one where contact is smooth.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "../examples/rod.hpp"
#include "stickslip/stickslip.hpp"
#include "support/scenes.hpp"

namespace stickslip {
namespace {

class EveryPreset : public ::testing::TestWithParam<std::string_view> {
 protected:
  Stepper stepperFor(const std::shared_ptr<const System>& system) const {
    return Stepper({system, presetMethod(GetParam(), *system)});
  }
  Stepper stepperFor(LinearSystemData data) const {
    return stepperFor(std::make_shared<LinearSystem>(std::move(data)));
  }
  // LCP3 of [AH04] from Gamma = 0 is the relaxed law.
  bool isRelaxed() const { return GetParam() == "anitescu" || GetParam() == "anitescu-hart-3"; }
  // One iteration of LCP2: its friction is off by mu^2 times the sliding velocity in every step.
  bool isOneOfTwo() const { return GetParam() == "anitescu-hart-2-once"; }
};

std::string asTestName(const ::testing::TestParamInfo<std::string_view>& preset) {
  std::string name(preset.param);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Papers, EveryPreset,
                         ::testing::ValuesIn(presetNames().begin(), presetNames().end()),
                         asTestName);

// Those that solve every problem: [AH04]'s iterations contract for small friction only (Theorem 5).
class AnyFriction : public EveryPreset {};
INSTANTIATE_TEST_SUITE_P(Papers, AnyFriction,
                         ::testing::Values("stickslip", "stewart-trinkle", "anitescu-potra",
                                           "glocker-studer", "anitescu", "anitescu-hart-0"),
                         asTestName);

// Of these, those with Coulomb's law: the relaxed one lifts the tip instead of jamming it.
class ExactLaw : public EveryPreset {};
INSTANTIATE_TEST_SUITE_P(Papers, ExactLaw,
                         ::testing::Values("stickslip", "stewart-trinkle", "anitescu-potra",
                                           "glocker-studer", "anitescu-hart-0"),
                         asTestName);

double kineticEnergy(const State& state) {
  const double inertia = Rod::kMass * Rod::kHalfLength * Rod::kHalfLength / 3;
  return (Rod::kMass * (state.u[0] * state.u[0] + state.u[1] * state.u[1]) +
          inertia * state.u[2] * state.u[2]) /
         2;
}

// [ST00] 1.4, Figure 2: on both sides of the critical friction no step fails.
TEST_P(AnyFriction, PainlevesRodNeverFails) {
  for (int degrees = 25; degrees <= 85; degrees += 10) {
    const double theta = degrees * std::numbers::pi / 180;
    for (const double ratio : {0.3, 0.9, 1.1, 3.0}) {
      const double mu = ratio * Rod::criticalFriction(theta);
      const auto rod = std::make_shared<Rod>(mu);
      Stepper stepper = stepperFor(rod);
      State state{0, {0, Rod::kHalfLength * std::sin(theta), theta}, {-1, 0, 0}};
      const double start = kineticEnergy(state) + rod->potentialEnergy(0, state.q);
      double most = start;
      for (int n = 0; n < 400; ++n) {
        const StepReport report = stepper.step(state, 2e-3);
        ASSERT_TRUE(report.certified) << degrees << " degrees, mu " << mu << ", step " << n
                                      << ", residual " << report.certificate.worstResidual();
        most = std::max(most, kineticEnergy(state) + rod->potentialEnergy(0, state.q));
      }
      EXPECT_LE(most, start * (1 + 2e-2)) << degrees << " degrees, mu " << mu;
    }
  }
}

// Above the critical friction the tip stops by an impulse within one short step; below, a finite
// force acts for a short time.
TEST_P(ExactLaw, TheTipJamsAboveTheCriticalFriction) {
  const double theta = 65 * std::numbers::pi / 180, h = 1e-6;
  for (const double ratio : {0.5, 0.95, 1.05, 3.0}) {
    Stepper stepper = stepperFor(std::make_shared<Rod>(ratio * Rod::criticalFriction(theta)));
    State state{0, {0, Rod::kHalfLength * std::sin(theta), theta}, {-1, 0, 0}};
    ASSERT_TRUE(stepper.step(state, h).certified);
    const double tip = state.u[0] + Rod::kHalfLength * std::sin(state.q[2]) * state.u[2];
    EXPECT_NEAR(tip, ratio < 1 ? -1 : 0, ratio < 1 ? 0.01 : 10 * h) << ratio;
  }
}

TEST_P(AnyFriction, JointsOfEveryKind) {
  for (const char* joint : {"cylindrical", "distance", "fixed", "gear", "planar", "prismatic",
                            "revolute", "spherical", "universal"}) {
    const std::vector<std::string> changes{"method.preset=" + std::string(GetParam()),
                                           "time.step=0.002", "time.end=0.1"};
    const Scene scene = testing::repositoryScene("joints/" + std::string(joint) + ".json", changes);
    Stepper stepper(scene.model);
    const RunSummary summary = run(stepper, scene.initial, scene.run);
    EXPECT_TRUE(summary.certified()) << joint << ", residual " << summary.residual_max;
  }
}

// A block on an incline; x down the slope, y off it.
LinearSystemData incline(double slope, double mu) {
  LinearSystemData data;
  data.coordinates = {"x", "y"};
  data.M = {1, 0, 0, 1};
  data.f = {9.81 * std::sin(slope), -9.81 * std::cos(slope)};
  data.contacts = {{"plane", 0, {0, 1}, {1, 0}, 0, 0, {mu, 0, 0}}};
  return data;
}

TEST_P(EveryPreset, SticksBelowTheFrictionAngle) {
  Stepper stepper = stepperFor(incline(0.25, 0.3));
  const RunSummary summary = run(stepper, {0, {0, 0}, {0, 0}}, {{0.01, 5.0}, false});
  EXPECT_TRUE(summary.certified());
  // What the tolerance allows: that part of the free velocity g h, for 5 s.
  const double drift = 1e-8 * 9.81 * 0.01 * 5;
  EXPECT_NEAR(summary.final_state.q[0], 0, drift);
  EXPECT_NEAR(summary.final_state.q[1], 0, drift);
}

TEST_P(EveryPreset, SlidesAboveTheFrictionAngle) {
  const double slope = 0.4, mu = 0.2;
  Stepper stepper = stepperFor(incline(slope, mu));
  const RunSummary summary = run(stepper, {0, {0, 0}, {1, 0}}, {{1e-3, 1.0}, false});
  const double speed = 1 + 9.81 * (std::sin(slope) - mu * std::cos(slope));
  if (isRelaxed()) {
    // It lifts off with mu |u_t| at the start, at the cost of mu times that along the slope, and
    // lands again: [A06]'s lasting difference where there is contact initially.
    EXPECT_NEAR(summary.final_state.u[0], speed, mu * mu);
    if (GetParam() == "anitescu") {
      EXPECT_NEAR(summary.lift_max, mu * speed, mu * speed / 2);
    }
    EXPECT_GT(summary.final_state.q[1], 0);
    EXPECT_LT(summary.final_state.q[1], std::pow(mu * speed, 2) / (2 * 9.81 * std::cos(slope)));
    return;
  }
  EXPECT_NEAR(summary.final_state.q[1], 0, 1e-9);
  if (isOneOfTwo()) {
    // It keeps to the plane; [AH04] Theorem 7 has an error of order mu times the sliding velocity.
    double slowed = 1;
    for (int n = 0; n < 1000; ++n) slowed = (slowed + (speed - 1) * 1e-3) / (1 + mu * mu);
    EXPECT_NEAR(summary.final_state.u[0], slowed, 1e-6);
    return;
  }
  EXPECT_NEAR(summary.final_state.u[0], speed, 1e-8);
}

// A particle on a rough track, y = x^2 / 2, held against it by gravity: contact is smooth.
class Track final : public GeneralizedSystem {
 public:
  Track() : GeneralizedSystem(2) {}
  int contactCount() const override { return 1; }
  void generalizedMass(double, std::span<const double>, MatrixView M) const override {
    M(0, 0) = M(1, 1) = 1;
  }
  void generalizedForces(double, std::span<const double>, std::span<const double>,
                         std::span<double> h) const override {
    h[1] = -9.81;
  }
  ContactLaw contactLaw(int) const override { return {0.1, 0, 0}; }
  double gap(int, double, std::span<const double> q) const override {
    return (q[1] - q[0] * q[0] / 2) / std::hypot(1.0, q[0]);
  }
  // The gradient near the track, where the gap is zero.
  double normalDirection(int, double, std::span<const double> q,
                         std::span<double> w) const override {
    const double length = std::hypot(1.0, q[0]);
    w[0] = -q[0] / length - gap(0, 0, q) * q[0] / (length * length);
    w[1] = 1 / length;
    return 0;
  }
  double tangentDirection(int, double, std::span<const double> q,
                          std::span<double> w) const override {
    const double length = std::hypot(1.0, q[0]);
    w[0] = 1 / length;
    w[1] = q[0] / length;
    return 0;
  }
};

// The exact motion, by a fine Runge-Kutta integration along the track with the force
// N = (g + x'^2) / length, friction 0.1 N against x'.
double exactEnd(double x, double v, double end) {
  const auto acceleration = [](double at, double speed) {
    const double s = 1 + at * at, length = std::sqrt(s);
    const double N = (9.81 + speed * speed) / length;
    const double friction = speed > 0 ? -0.1 : 0.1;
    // Along the track: length x'' + x x'^2 / length = -g x / length + friction N.
    return (-9.81 * at / length - at * speed * speed / length + friction * N) / length;
  };
  const int steps = 20000;
  const double h = end / steps;
  for (int n = 0; n < steps; ++n) {
    const double v1 = v, a1 = acceleration(x, v1);
    const double v2 = v + h / 2 * a1, a2 = acceleration(x + h / 2 * v1, v2);
    const double v3 = v + h / 2 * a2, a3 = acceleration(x + h / 2 * v2, v3);
    const double v4 = v + h * a3, a4 = acceleration(x + h * v3, v4);
    x += h / 6 * (v1 + 2 * v2 + 2 * v3 + v4);
    v += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
  }
  return x;
}

TEST_P(EveryPreset, ConvergesWithOrderOneOnASmoothContact) {
  if (isOneOfTwo()) GTEST_SKIP() << "an error that is there in every step does not fall with h";
  const double x = 0.8, v = -0.5, end = 0.4, exact = exactEnd(x, v, end);
  double error[3];
  int i = 0;
  for (const int steps : {100, 200, 400}) {
    Stepper stepper = stepperFor(std::make_shared<Track>());
    const RunSummary s = run(stepper, {0, {x, x * x / 2}, {v, v * x}}, {{end / steps, end}, false});
    error[i++] = std::abs(s.final_state.q[0] - exact);
  }
  EXPECT_LT(error[2], 0.02);
  // At least order one; a scheme may be better here (midpoint is of order two while contact lasts).
  EXPECT_GT(error[0] / error[1], 1.6) << error[0] << " " << error[1];
  EXPECT_GT(error[1] / error[2], 1.6) << error[1] << " " << error[2];
}

}  // namespace
}  // namespace stickslip
