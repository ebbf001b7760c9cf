#include "model/bodies/body_forces.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support/random.hpp"

namespace stickslip {
namespace {

struct Spin {
  Mat3 inertia = diagonal({1, 2, 2.5});
  Vec3 w;

  double energy() const { return dot(w, inertia * w) / 2; }
  double momentum() const { return norm(inertia * w); }
  // Free rotation, an impulse of the torque in the middle, free rotation.
  void step(double h, Vec3 torque = {}) {
    w = spinAfter(inertia, w, h / 2);
    w += solve(inertia, h * torque);
    w = spinAfter(inertia, w, h / 2);
  }
};

TEST(Gyroscope, EnergyAndMomentumStayToRoundingHoweverLongTheStep) {
  for (const double h : {1e-4, 1e-2, 0.3, 3.0, 40.0}) {
    Spin spin;
    spin.w = {0.01, 2, 0.02};
    const double energy = spin.energy(), momentum = spin.momentum();
    for (int i = 0; i < 2000; ++i) spin.step(h);
    EXPECT_NEAR(spin.energy(), energy, 2e-12 * energy) << h;
    EXPECT_NEAR(spin.momentum(), momentum, 2e-12 * momentum) << h;
  }
}

// Euler's equations by Runge-Kutta with tiny steps.
TEST(Gyroscope, FollowsEulersEquationsToSecondOrder) {
  const Vec3 start{0.3, 2, -0.4}, torque{0.1, -0.2, 0.3};
  const Mat3 inertia = diagonal({1, 2, 2.5});
  const auto rate = [&](Vec3 w) {
    const Vec3 t = torque - cross(w, inertia * w);
    return Vec3{t.x, t.y / 2, t.z / 2.5};
  };
  Vec3 exact = start;
  const int fine = 20000;
  const double dt = 1.0 / fine;
  for (int i = 0; i < fine; ++i) {
    const Vec3 k1 = rate(exact), k2 = rate(exact + dt / 2 * k1), k3 = rate(exact + dt / 2 * k2);
    const Vec3 k4 = rate(exact + dt * k3);
    exact += dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  }
  double last_error = 0;
  for (const int steps : {50, 100, 200}) {
    Spin spin;
    spin.w = start;
    for (int i = 0; i < steps; ++i) spin.step(1.0 / steps, torque);
    const double error = norm(spin.w - exact);
    if (last_error > 0) {
      EXPECT_NEAR(last_error / error, 4, 0.3);
    }
    last_error = error;
  }
  EXPECT_LE(last_error, 1e-4);
}

TEST(Gyroscope, ABodyThatDoesNotTurnStaysSo) {
  EXPECT_EQ(spinAfter(diagonal({1, 2, 3}), {}, 0.1), Vec3{});
}

TEST(Gyroscope, BeyondAllResolutionEnergyStaysFinite) {
  Spin spin;
  spin.w = {1e9, 2e9, -1e9};
  const double energy = spin.energy();
  for (int i = 0; i < 100; ++i) spin.step(1);
  EXPECT_EQ(spin.energy(), energy);
}

}  // namespace
}  // namespace stickslip
