// Friction that is the same in all directions: with circular cones a scene may be turned as one
// likes; with few corners it may not, and the error is known.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "support/bodies.hpp"
#include "support/particle_on_plane.hpp"

namespace stickslip {
namespace {

using testing::ParticleOnPlane;

// A block that is pushed across a slope, all of it turned about the vertical by `heading`.
BodySystemData blockOnSlope(double heading) {
  const Quaternion turn = testing::aboutZ(heading);
  const Quaternion tilt = turn * rotationBy({0, 0.35, 0});
  BodySystemData data;
  data.gravity = {0, 0, -testing::kGravity};
  data.materials = {{.name = "default", .surface = {.friction = 0.3}}};
  Body slope;
  slope.name = "slope";
  slope.type = Body::Type::fixed;
  slope.orientation = tilt;
  slope.shapes = {{HalfSpace{}, {}, 0}};
  Body block;
  block.name = "block";
  block.orientation = tilt;
  block.position = matrixOf(tilt) * Vec3{0, 0, 0.25};
  block.velocity = matrixOf(tilt) * Vec3{0.4, 1.5, 0};
  block.shapes = {{Box{{0.8, 0.6, 0.5}}, {}, 0}};
  const double density[] = {500};
  block.mass = massProperties(block.shapes, density);
  data.bodies = {slope, block};
  return data;
}

// Position and velocity of the block after a while, turned back.
std::pair<Vec3, Vec3> slideOf(double heading, FrictionCone cone, int directions) {
  const auto system = std::make_shared<BodySystem>(blockOnSlope(heading));
  const Method method{.cone = cone, .directions = directions, .tolerance = 1e-11};
  Stepper stepper({system, method});
  const RunSummary summary = run(stepper, system->initialState(), {{0.01, 0.5}, false});
  EXPECT_LE(summary.residual_max, 1e-9);
  const BodyState end = system->bodyState(1, summary.final_state);
  const Mat3 back = transposed(matrixOf(testing::aboutZ(heading)));
  return {back * end.position, back * end.velocity};
}

TEST(Isotropy, CircularConesAreTheSameAtEveryHeading) {
  const auto [position, velocity] = slideOf(0, FrictionCone::circular, 8);
  EXPECT_GT(norm(velocity), 0.5);
  double worst = 0;
  for (int k = 1; k < 16; ++k) {
    const auto [x, v] =
        slideOf(2 * std::numbers::pi * k / 16 + 0.03 * k, FrictionCone::circular, 8);
    worst = std::max({worst, norm(x - position), norm(v - velocity)});
  }
  EXPECT_LE(worst, 1e-10);
}

// The velocity of the block is off by 1 - cos(pi / m) of what friction takes, and by the turn of
// its direction; the block on its own shows neither apart, so that only the size is asserted. So
// many headings that some are near the worst for every m.
TEST(Isotropy, PyramidsAreNot) {
  const Vec3 velocity = slideOf(0, FrictionCone::circular, 8).second;
  std::vector<double> errors;
  for (const int m : {4, 8, 16}) {
    errors.push_back(0);
    for (int k = 0; k < 24; ++k) {
      const auto [x, v] =
          slideOf(2 * std::numbers::pi * k / 24 + 0.03 * k, FrictionCone::polyhedral, m);
      errors.back() = std::max(errors.back(), norm(v - velocity) / norm(velocity));
    }
  }
  EXPECT_GT(errors[0], 0.2) << "m = 4";
  EXPECT_LT(errors[0], 0.5) << "m = 4";
  EXPECT_LT(errors[1], errors[0] / 2) << "m = 8";
  EXPECT_LT(errors[2], errors[1] / 2) << "m = 16";
}

State slideDown(double slope, double mu, double turn, int directions) {
  Method method{.cone = FrictionCone::polyhedral, .solver = "auto", .directions = directions};
  Stepper stepper({std::make_shared<ParticleOnPlane>(slope, mu, turn), method});
  return run(stepper, {0, {0, 0, 0}, {0, 0, 0}}, {{1e-2, 1.0}, false}).final_state;
}

// With the slope at an angle `turn` from a corner, friction is at the corner and deflects the
// particle until it moves across the edge between two corners; then it stays there, with
// mu cos(pi / m) against it.
TEST(Isotropy, PyramidsDeflectAndAreWeakBetweenTheirCorners) {
  const double slope = 0.6, mu = 0.4;
  const double pull = ParticleOnPlane::kGravity * std::sin(slope);
  const double hold = mu * ParticleOnPlane::kGravity * std::cos(slope);
  for (const int m : {3, 4, 5, 8, 9, 16})
    for (int k = 0; k <= 8; ++k) {
      const double half = std::numbers::pi / m, turn = half * k / 8, to_edge = half - turn;
      // Opposite to a corner there is one if m is even, and the middle of an edge if it is odd.
      const double corner = m % 2 == 0 ? 0 : half;
      const double x = pull - hold * std::cos(turn), y = -hold * std::sin(turn);
      const double along = pull * std::cos(to_edge) - hold * std::cos(half);
      const bool deflected = std::atan2(-y, x) > to_edge;
      const State end = slideDown(slope, mu, turn + corner, m);
      EXPECT_NEAR(end.u[0], deflected ? along * std::cos(to_edge) : x, 1e-8) << m << " " << turn;
      EXPECT_NEAR(end.u[1], deflected ? -along * std::sin(to_edge) : y, 1e-8) << m << " " << turn;
    }
}

// A pyramid's diagonal holds 29 % less: what stays on the slope at one heading slides at another.
TEST(Isotropy, PyramidsHoldLessBetweenTheirCorners) {
  const double mu = 0.5, diagonal = std::numbers::pi / 4;
  const double weak = std::atan(mu / std::numbers::sqrt2);
  EXPECT_NEAR(slideDown(0.99 * weak, mu, diagonal, 4).q[0], 0, 1e-12);
  EXPECT_GT(slideDown(1.01 * weak, mu, diagonal, 4).q[0], 1e-2);
  EXPECT_NEAR(slideDown(1.01 * weak, mu, 0, 4).q[0], 0, 1e-12);
}

}  // namespace
}  // namespace stickslip
