// Scheme `velocity` [AP97] on bodies, mechanisms and generalized coordinates whose answer is known.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "../examples/rod.hpp"
#include "support/bodies.hpp"
#include "support/scenes.hpp"

namespace stickslip {
namespace {

using testing::kGravity;

constexpr const char* kPreset = "anitescu-potra";

Stepper velocityStepper(const std::shared_ptr<const System>& system) {
  return Stepper({system, presetMethod(kPreset, *system)});
}

RunSummary runByVelocity(
    const std::string& name, std::vector<std::string> overrides,
    const std::function<void(const BodySystem&, const State&)>& observer = {}) {
  overrides.insert(overrides.begin(), std::string("method.preset=") + kPreset);
  const Scene scene = testing::repositoryScene(name, overrides);
  Stepper stepper(scene.model);
  const RunSummary summary =
      run(stepper, scene.initial, scene.run,
          [&](long, const State& state, const Stepper& s, const StepReport*) {
            if (observer) observer(static_cast<const BodySystem&>(*s.model().system), state);
          });
  EXPECT_TRUE(summary.certified()) << name << ", residual " << summary.residual_max;
  return summary;
}

// ---- Impacts ----

TEST(VelocityScheme, BouncingSphereComesToRestInFiniteTime) {
  double last_motion = 0;
  const RunSummary summary =
      runByVelocity("bouncing-sphere.json", {}, [&](const BodySystem& system, const State& state) {
        if (norm(system.bodyState(1, state).velocity) > 1e-9) last_motion = state.t;
      });
  EXPECT_NEAR(last_motion, 1.3546, 40 * 0.0005);
  EXPECT_LE(summary.penetration_max, 1e-12);
}

TEST(VelocityScheme, CradleIsHitAsOne) {
  for (const char* impact : {"poisson", "reflected"}) {
    double before = 0;
    Vec3 after{};
    runByVelocity("cradle.json", {std::string("method.impact=") + impact, "time.end=0.7"},
                  [&](const BodySystem& system, const State& state) {
                    const double first = system.bodyState(0, state).velocity.x;
                    if (first > 0) before = first;
                    if (first < 0 && after.x == 0)
                      after = {first, system.bodyState(1, state).velocity.x,
                               system.bodyState(2, state).velocity.x};
                  });
    EXPECT_NEAR(before, std::sqrt(2 * kGravity * (1 - std::cos(std::numbers::pi * 40 / 180))),
                1e-2);
    EXPECT_NEAR(after.x / before, -1.0 / 3, 2e-3) << impact;
    EXPECT_NEAR(after.y / before, 2.0 / 3, 2e-3) << impact;
    EXPECT_NEAR(after.z / before, 2.0 / 3, 2e-3) << impact;
  }
}

TEST(VelocityScheme, RockingBlockLosesTheRightShareAtEachImpact) {
  std::vector<double> ratios;
  double last = 0;
  const RunSummary summary =
      runByVelocity("rocking-block.json", {"time.step=4e-4", "time.end=1.2"},
                    [&](const BodySystem& system, const State& state) {
                      const BodyState block = system.bodyState(1, state);
                      const double omega = block.angular_velocity.z;
                      if (std::abs(block.angle) < 4e-3 && std::abs(omega) < 0.97 * std::abs(last))
                        ratios.push_back(omega / last);
                      last = omega;
                    });
  ASSERT_GE(ratios.size(), 2u);
  for (const double ratio : ratios) EXPECT_NEAR(ratio, 1 - 1.5 / 17, 5e-3);
  EXPECT_LE(summary.penetration_max, 1e-10) << "corners land where they are located";
}

// Bodies of all shapes fall on one another and tumble: certified, hardly any overlap.
TEST(VelocityScheme, TumblingBodiesHardlyOverlap) {
  for (const char* scene : {"shapes/planar-on-polygon.json", "shapes/spatial-on-half-space.json"}) {
    const RunSummary summary = runByVelocity(
        scene, {"time.end=0.6", scene[7] == 's' ? "method.cone=circular" : "method.cone=planar",
                "method.solver=auto"});
    EXPECT_LE(summary.penetration_max, 1e-3) << scene;
    EXPECT_LE(summary.energy_end, summary.energy_start) << scene;
    EXPECT_GE(summary.contacts_max, 4) << scene;
  }
}

// ---- Painleve ----

// That no step fails and where the tip jams is in every_preset_test.cpp.
TEST(VelocityScheme, PainleveRodKeepsTheoremTwoPointThree) {
  for (int degrees = 20; degrees <= 85; degrees += 13)
    for (const double mu : {0.1, 1.4, 20.0}) {
      Stepper stepper = velocityStepper(std::make_shared<Rod>(mu));
      const double theta = degrees * std::numbers::pi / 180;
      State state{0, {0, Rod::kHalfLength * std::sin(theta), theta}, {-1, 0, 0}};
      for (int n = 0; n < 300; ++n) {
        const Certificate c = stepper.step(state, 2e-3).certificate;
        ASSERT_LE(c.kinetic_energy_end, c.kinetic_energy_free * (1 + 1e-12)) << "mu " << mu;
        ASSERT_GE(c.worst_gap, -1e-4) << "mu " << mu;
      }
    }
}

// ---- Rest, drift, order ----

TEST(VelocityScheme, StackOfBoxesDoesNotSink) {
  BodySystemData data;
  data.gravity = {0, 0, -kGravity};
  data.materials = {{.name = "default", .surface = {.friction = 0.5, .restitution = 0.3}}};
  Body floor;
  floor.name = "floor";
  floor.type = Body::Type::fixed;
  floor.shapes = {{HalfSpace{}, {}, 0}};
  data.bodies = {floor};
  for (int k = 0; k < 3; ++k) {
    Body box =
        testing::spatialBody("box" + std::to_string(k), 1 + k, {0.1, 0.1, 0.1},
                             {0.01 * k, 0.02 * k, 0.25 + 0.5 * k}, rotationBy({0, 0, 0.2 * k}));
    box.shapes = {{Box{{0.5, 0.5, 0.5}}, {}, 0}};
    data.bodies.push_back(box);
  }
  const testing::BodyRun run = testing::runBodies(data, 0.025, 10, {}, kPreset);
  EXPECT_TRUE(run.summary.certified());
  EXPECT_LE(run.summary.penetration_max, 1e-10);
  for (int k = 1; k <= 3; ++k)
    EXPECT_LE(norm(run.body(k).position - data.bodies[k].position), 1e-9);
}

// A particle that runs around inside a circle: gap 1 - |q|.
class Bowl final : public GeneralizedSystem {
 public:
  Bowl() : GeneralizedSystem(2) {}
  int contactCount() const override { return 1; }
  void generalizedMass(double, std::span<const double>, MatrixView M) const override {
    M(0, 0) = M(1, 1) = 1;
  }
  void generalizedForces(double, std::span<const double>, std::span<const double>,
                         std::span<double>) const override {}
  double gap(int, double, std::span<const double> q) const override {
    return 1 - std::hypot(q[0], q[1]);
  }
  double normalDirection(int, double, std::span<const double> q,
                         std::span<double> w) const override {
    for (std::size_t k = 0; k < 2; ++k) w[k] = -q[k] / std::hypot(q[0], q[1]);
    return 0;
  }
};

// The drift that docs/theory.md names: each step leaves the curve by (h v)^2/2R.
TEST(VelocityScheme, DriftOffACurveIsOfFirstOrder) {
  for (const double h : {0.01, 0.005}) {
    Stepper stepper = velocityStepper(std::make_shared<Bowl>());
    const RunSummary summary = run(stepper, {0, {0, -1}, {1, 0}}, {{h, 1.0}, false});
    EXPECT_TRUE(summary.certified());
    EXPECT_NEAR(summary.penetration_max, h / 2, 0.1 * h / 2);
  }
}

// m x'' = -k x - mu m g while x' > 0: x = (x_0 + c) cos(w t) - c, c = mu g/w^2.
TEST(VelocityScheme, OrderOneOnASlidingBlock) {
  LinearSystemData data;
  data.coordinates = {"x", "y"};
  data.M = {1, 0, 0, 1};
  data.K = {4, 0, 0, 0};
  data.f = {0, -kGravity};
  data.contacts = {{"floor", 0, {0, 1}, {1, 0}, 0, 0, {0.1, 0, 0}}};
  double error[2];
  for (const int k : {0, 1}) {
    Stepper stepper = velocityStepper(std::make_shared<LinearSystem>(data));
    const RunSummary summary =
        run(stepper, {0, {-1, 0}, {0, 0}}, {{k == 0 ? 0.01 : 0.005, 1.0}, false});
    const double c = 0.1 * kGravity / 4;
    error[k] = std::abs(summary.final_state.q[0] - ((-1 + c) * std::cos(2.0) - c));
  }
  EXPECT_LE(error[0], 0.02);
  EXPECT_NEAR(error[0] / error[1], 2, 0.1);
}

TEST(VelocityScheme, OrderOneOnASphereThatSlidesAndRolls) {
  double error[2];
  for (const int k : {0, 1}) {
    Vec3 position{};
    runByVelocity("slip-to-roll.json",
                  {k == 0 ? "time.step=0.002" : "time.step=0.001", "method.cone=circular",
                   "method.solver=auto"},
                  [&](const BodySystem& s, const State& state) {
                    position = s.bodyState(1, state).position;
                  });
    const double slide = 2 * 2.0 / (7 * 0.2 * kGravity);
    const double way = slide * (2 + 2.0 * 5 / 7) / 2 + (0.5 - slide) * 2.0 * 5 / 7;
    error[k] = std::abs(std::hypot(position.x, position.y) - way);
  }
  EXPECT_LE(error[0], 2e-3);
  EXPECT_NEAR(error[0] / error[1], 2, 0.4);
}

// Mechanisms: joints drift by the square of the step before that is taken back, and lose energy by
// the step; what "baumgarte" puts in cancels most of that here.
TEST(VelocityScheme, JointsHold) {
  const RunSummary coarse = runByVelocity("double-pendulum.json", {"time.end=1", "time.step=1e-3"});
  const RunSummary fine = runByVelocity("double-pendulum.json", {"time.end=1", "time.step=5e-4"});
  EXPECT_LE(coarse.joint_drift_max, 1e-4);
  EXPECT_NEAR(coarse.joint_drift_max / fine.joint_drift_max, 4, 1);
  const auto loss = [](const RunSummary& s) { return s.energy_start - s.energy_end; };
  EXPECT_GT(loss(fine), 0);
  EXPECT_NEAR(loss(coarse) / loss(fine), 2, 0.2);
  const RunSummary pushed =
      runByVelocity("double-pendulum.json",
                    {"time.end=1", "time.step=5e-4", "method.joint_stabilization=baumgarte"});
  EXPECT_LE(std::abs(loss(pushed)), 0.01 * std::abs(pushed.energy_start));
  EXPECT_LE(runByVelocity("joints/prismatic.json", {"time.end=1"}).joint_drift_max, 1e-6);
}

}  // namespace
}  // namespace stickslip
