// Scenes whose answer is known in closed form (g = 9.81).
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "support/bodies.hpp"
#include "support/scenes.hpp"

namespace stickslip {
namespace {

using testing::kGravity;

Stepper makeStepper(LinearSystemData data) {
  return Stepper({std::make_shared<LinearSystem>(std::move(data)), {}});
}

// Unit mass on a floor that is tilted by `angle` about the horizontal: x along, y away from it.
LinearSystemData block(double angle, double mu) {
  LinearSystemData data;
  data.coordinates = {"x", "y"};
  data.M = {1, 0, 0, 1};
  data.f = {kGravity * std::sin(angle), -kGravity * std::cos(angle)};
  data.contacts = {{"floor", 0, {0, 1}, {1, 0}, 0, 0, {mu, 0, 0}}};
  return data;
}

TEST(KnownAnswers, SlidingBlockStopsAfterTheRightDistance) {
  for (const char* scheme : {"midpoint", "position"}) {
    Scene scene = testing::repositoryScene("sliding-block.json");
    scene.model.method.scheme = scheme;
    Stepper stepper(scene.model);
    const RunSummary summary = run(stepper, scene.initial, scene.run);
    EXPECT_TRUE(summary.certified());
    EXPECT_NEAR(summary.final_state.u[0], 0, 1e-15);
    // `position` moves by the velocity at the end of each step: it falls behind by h v0 / 2.
    const double behind = scheme == std::string("position") ? 1e-3 * 3 / 2 : 0;
    EXPECT_NEAR(summary.final_state.q[0], 9 / (2 * 0.3 * kGravity) - behind, 1e-4) << scheme;
    EXPECT_NEAR(summary.final_state.q[1], 0, 1e-15);  // no lift
  }
}

TEST(KnownAnswers, BlockOnAnInclineSticksBelowTheFrictionAngleForGood) {
  for (const double mu : {0.3, 0.7, 1.2}) {
    Stepper stepper = makeStepper(block(std::atan(mu) * 0.999, mu));
    const RunSummary summary = run(stepper, {0, {0, 0}, {0, 0}}, {{1e-2, 60.0}, false});
    EXPECT_TRUE(summary.certified());
    EXPECT_LE(std::abs(summary.final_state.q[0]), 1e-13) << "creep";
  }
}

TEST(KnownAnswers, BlockOnAnInclineSlidesAboveTheFrictionAngle) {
  const double mu = 0.4, angle = std::atan(mu) * 1.2;
  Stepper stepper = makeStepper(block(angle, mu));
  const RunSummary summary = run(stepper, {0, {0, 0}, {0, 0}}, {{1e-3, 2.0}, false});
  const double acceleration = kGravity * (std::sin(angle) - mu * std::cos(angle));
  EXPECT_NEAR(summary.final_state.u[0], 2 * acceleration, 1e-9);
  EXPECT_NEAR(summary.final_state.q[0], 2 * acceleration, 1e-9);
}

TEST(KnownAnswers, BouncingBallComesToRestInFiniteTime) {
  const Scene scene = testing::repositoryScene("bouncing-ball.json");
  Stepper stepper(scene.model);
  double last_motion = 0;
  const RunSummary summary = run(stepper, scene.initial, scene.run,
                                 [&](long, const State& state, const Stepper&, const StepReport*) {
                                   if (std::abs(state.u[0]) > 0.003) last_motion = state.t;
                                 });
  EXPECT_TRUE(summary.certified());
  EXPECT_NEAR(last_motion, std::sqrt(2 / kGravity) * 3, 2e-3);  // (1 + e) / (1 - e) = 3
}

TEST(KnownAnswers, CradleFollowsSimultaneousNewtonImpact) {
  LinearSystemData data;
  data.coordinates = {"a", "b", "c"};
  data.M = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  data.contacts = {{"ab", 0, {-1, 1, 0}, {}, 0, 0, {0, 1, 0}},
                   {"bc", 0, {0, -1, 1}, {}, 0, 0, {0, 1, 0}}};
  Stepper stepper = makeStepper(data);
  State state{0, {0, 0, 0}, {3, 0, 0}};
  EXPECT_TRUE(stepper.step(state, 0).certified);
  EXPECT_NEAR(state.u[0], -1, 1e-14);
  EXPECT_NEAR(state.u[1], 2, 1e-14);
  EXPECT_NEAR(state.u[2], 2, 1e-14);
}

// A mass on a spring and a belt: carried along until friction gives way at x = (mu m g - c v) / k,
// then it swings about mu m g / k, damped, and settles there.
TEST(KnownAnswers, BeltOscillatorSticksSlipsAndSettles) {
  const Scene scene = testing::repositoryScene("belt-oscillator.json");
  Stepper stepper(scene.model);
  const double belt = 0.1, k = 100, omega = 10, damping = 0.1, centre = 0.4 * kGravity / k;
  double most = 0, stuck_until = 0;
  const RunSummary summary = run(stepper, scene.initial, scene.run,
                                 [&](long, const State& state, const Stepper&, const StepReport*) {
                                   if (most == state.q[0] || std::abs(state.u[0] - belt) < 1e-12)
                                     stuck_until = state.q[0];
                                   most = std::max(most, state.q[0]);
                                 });
  EXPECT_TRUE(summary.certified());
  EXPECT_NEAR(stuck_until, (0.4 * kGravity - 2 * belt) / k, 2e-4);
  // Free damped swing about the centre, from where it let go, up to the first standstill.
  const double start = -2 * belt / k, omega_d = omega * std::sqrt(1 - damping * damping);
  const double phase = std::atan2(belt * omega_d, omega * omega * start + damping * omega * belt);
  const double swing =
      std::exp(-damping * omega / omega_d * phase) *
      (start * std::cos(phase) + (belt + damping * omega * start) / omega_d * std::sin(phase));
  EXPECT_NEAR(most, centre + swing, 1e-4);
  EXPECT_NEAR(summary.final_state.q[0], centre, 1e-6);
  EXPECT_LE(summary.energy_max_gain, 1e-12);
}

// A wedge that rests in a V-shaped gap of half angle a stands whatever the friction, and its two
// contacts share the load in many ways if friction can hold them: then the flag is raised.
TEST(KnownAnswers, WedgeInAGapStandsAndSaysThatImpulsesAreNotUnique) {
  const double mu = 0.3, half_angle = 0.9 * std::atan(mu);
  const double s = std::sin(half_angle), c = std::cos(half_angle);
  LinearSystemData data;
  data.coordinates = {"x", "y"};
  data.M = {1, 0, 0, 1};
  data.f = {0, -kGravity};
  data.contacts = {{"left", 0, {c, s}, {-s, c}, 0, 0, {mu, 0, 0}},
                   {"right", 0, {-c, s}, {s, c}, 0, 0, {mu, 0, 0}}};
  Stepper stepper = makeStepper(data);
  const RunSummary summary = run(stepper, {0, {0, 0}, {0, 0}}, {{1e-3, 0.1}, false});
  EXPECT_TRUE(summary.certified());
  EXPECT_LE(std::abs(summary.final_state.q[1]), 1e-12);
  EXPECT_GE(summary.nonunique_steps, 99);
}

}  // namespace
}  // namespace stickslip
