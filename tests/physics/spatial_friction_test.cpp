// Friction in space where the answer is known: a particle on an inclined plane.
#include <gtest/gtest.h>

#include <cmath>

#include "stickslip/input_error.hpp"
#include "stickslip/run.hpp"
#include "support/particle_on_plane.hpp"

namespace stickslip {
namespace {

using testing::ParticleOnPlane;

Stepper particleStepper(double slope, double mu, double turn,
                        Method method = {.cone = FrictionCone::circular}) {
  return Stepper({std::make_shared<ParticleOnPlane>(slope, mu, turn), std::move(method)});
}

// Whatever the tangents of the contact are, it slides straight down with g (sin - mu cos).
TEST(SpatialFriction, SlidesDownhillWithAnyTangents) {
  const double slope = 0.6, mu = 0.4;
  const double a = ParticleOnPlane::kGravity * (std::sin(slope) - mu * std::cos(slope));
  for (const double turn : {0.0, 0.3, 1.0, 2.5, 4.0}) {
    Stepper stepper = particleStepper(slope, mu, turn);
    const RunSummary summary = run(stepper, {0, {0, 0, 0}, {0, 0, 0}}, {{1e-2, 1.0}, false});
    EXPECT_TRUE(summary.certified());
    EXPECT_NEAR(summary.final_state.u[0], a, 1e-12);
    EXPECT_NEAR(summary.final_state.u[1], 0, 1e-13);
    EXPECT_NEAR(summary.final_state.q[0], a / 2, 1e-12);
    EXPECT_NEAR(summary.final_state.q[2], 0, 1e-15) << "lift";
  }
}

// On the level it slows down by mu g in any heading, without being deflected, and stops.
TEST(SpatialFriction, StopsWithoutBeingDeflected) {
  for (const double heading : {0.0, 0.7, 2.0, 3.3, 5.5}) {
    Stepper stepper = particleStepper(0, 0.5, 0.2);
    const double v_x = 2 * std::cos(heading), v_y = 2 * std::sin(heading);
    const RunSummary summary = run(stepper, {0, {0, 0, 0}, {v_x, v_y, 0}}, {{1e-3, 1.0}, false});
    EXPECT_TRUE(summary.certified());
    const double distance = 4 / (2 * 0.5 * ParticleOnPlane::kGravity);
    EXPECT_NEAR(summary.final_state.q[0], distance * std::cos(heading), 1e-3);
    EXPECT_NEAR(summary.final_state.q[1], distance * std::sin(heading), 1e-3);
    EXPECT_NEAR(summary.final_state.q[1] * v_x - summary.final_state.q[0] * v_y, 0, 1e-12);
    EXPECT_NEAR(std::hypot(summary.final_state.u[0], summary.final_state.u[1]), 0, 1e-14);
  }
}

TEST(SpatialFriction, SticksBelowTheFrictionAngle) {
  Stepper stepper = particleStepper(std::atan(0.5) * 0.999, 0.5, 1.2);
  const RunSummary summary = run(stepper, {0, {0, 0, 0}, {0, 0, 0}}, {{1e-2, 20.0}, false});
  EXPECT_TRUE(summary.certified());
  EXPECT_LE(std::hypot(summary.final_state.q[0], summary.final_state.q[1]), 1e-13) << "creep";
}

// A polygon with a corner up the slope is as good as the circle there.
TEST(SpatialFriction, PolyhedralConeIsExactAlongItsCorners) {
  const double slope = 0.6, mu = 0.4;
  const double a = ParticleOnPlane::kGravity * (std::sin(slope) - mu * std::cos(slope));
  Method method{.cone = FrictionCone::polyhedral, .solver = "lemke", .directions = 6};
  Stepper straight = particleStepper(slope, mu, 0, method);
  RunSummary summary = run(straight, {0, {0, 0, 0}, {0, 0, 0}}, {{1e-2, 1.0}, false});
  EXPECT_TRUE(summary.certified());
  EXPECT_NEAR(summary.final_state.u[0], a, 1e-12);
  // Turned by a little the corner next to it takes over, and the particle drifts sideways.
  Stepper turned = particleStepper(slope, mu, 0.2, method);
  summary = run(turned, {0, {0, 0, 0}, {0, 0, 0}}, {{1e-2, 1.0}, false});
  EXPECT_TRUE(summary.certified());
  EXPECT_GT(std::abs(summary.final_state.u[1]), 0.1);
}

TEST(SpatialFriction, APlanarConeDoesNotFit) {
  EXPECT_THROW(particleStepper(0.1, 0.5, 0, Method{}), InputError);
}

}  // namespace
}  // namespace stickslip
