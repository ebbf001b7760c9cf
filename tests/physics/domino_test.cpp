// The speed of a domino wave, against the solution for dominoes that lean on each other.
//
// Dominoes that turn about their front edges, slide on each other without friction and do not
// bounce: all behind the foremost one lean on their neighbours, so that its angle decides all
// others (J. M. J. van Leeuwen, The domino effect, Am. J. Phys. 78 (2010)). Between collisions
// energy is conserved; a collision keeps the part of the momentum that fits the new constraint.
#include <gtest/gtest.h>

#include <cmath>

#include "support/scene_runs.hpp"

namespace stickslip {
namespace {

constexpr double kGravity = 9.81;
constexpr double kThickness = 0.008, kHeight = 0.048;  // of the scene

struct Train {
  double inertia = 0;    // sum of (d angle / d first angle)^2
  double potential = 0;  // per mass
};

Train trainBehind(double angle, double pitch) {
  Train train;
  double share = 1;
  for (int i = 0; i < 60; ++i) {
    train.inertia += share * share;
    train.potential += kGravity / 2 * (kHeight * std::cos(angle) + kThickness * std::sin(angle));
    const double step = std::asin((pitch * std::cos(angle) - kThickness) / kHeight);
    share *= 1 - pitch * std::sin(angle) / (kHeight * std::cos(step));
    angle += step;
  }
  return train;
}

double steadySpeed(double pitch) {
  const double inertia = (kHeight * kHeight + kThickness * kThickness) / 3;
  const double last = std::asin((pitch - kThickness) / kHeight);
  const Train begin = trainBehind(0, pitch), end = trainBehind(last, pitch);
  const double gained = 2 * (begin.potential - end.potential) / inertia;
  // A collision leaves J/(1 + J) of the angular velocity, 1 + J being the new inertia.
  const double first_squared = gained * end.inertia / (1 + end.inertia);
  double period = 0;
  const int parts = 400;
  for (int i = 0; i < parts; ++i) {
    const Train train = trainBehind((i + 0.5) / parts * last, pitch);
    const double energy =
        first_squared * begin.inertia + 2 * (begin.potential - train.potential) / inertia;
    period += last / parts / std::sqrt(energy / train.inertia);
  }
  return pitch / period;
}

// When each domino starts to topple.
std::vector<double> tippingTimes(const std::vector<std::string>& overrides, int first) {
  std::vector<double> times;
  testing::runBodyScene("scale/dominoes.json", overrides,
                        [&](const BodySystem& system, const State& state) {
                          const auto next = first + static_cast<int>(times.size());
                          if (next >= static_cast<int>(system.data().bodies.size())) return;
                          if (system.bodyState(next, state).angle < -0.01) times.push_back(state.t);
                        });
  return times;
}

TEST(Dominoes, WaveHasTheSpeedOfTheory) {
  const int first = 2;  // after the floor and the one that is pushed
  const std::vector<double> times = tippingTimes(
      {"system.instances.0.grid.count=[24,1]", "time.step=0.001", "time.end=0.62"}, first);
  ASSERT_GE(times.size(), 20u);
  const double pitch = 0.024;
  const double speed = pitch * 5 / (times[19] - times[14]);
  EXPECT_NEAR(speed / steadySpeed(pitch), 1, 0.015);
  // Regular: intervals differ by the steps in which they are measured.
  for (std::size_t i = 15; i < 20; ++i) EXPECT_NEAR(times[i] - times[i - 1], pitch / speed, 0.0015);
}

}  // namespace
}  // namespace stickslip
