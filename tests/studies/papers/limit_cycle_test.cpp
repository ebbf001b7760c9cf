// Limit cycles: of a motion that is known, and the woodpecker's against the event-driven reference.
#include "papers/limit_cycle.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "papers/experiments.hpp"
#include "reference/event_driven_woodpecker.hpp"
#include "support/effort.hpp"

namespace stickslip {
namespace {

// Position 0 falls evenly, position 1 swings.
Trajectory swing(double period, double fall, double amplitude) {
  Trajectory motion;
  const double rate = 2 * std::numbers::pi / period;
  for (int step = 0; step <= 20000; ++step) {
    const double t = 5e-4 * step, angle = rate * t + 0.3;
    motion.append({t,
                   {-fall * t, amplitude * std::cos(angle)},
                   {-fall, -amplitude * rate * std::sin(angle)}});
  }
  return motion;
}

TEST(LimitCycle, OfAKnownMotion) {
  const double period = 0.731, fall = 0.2, amplitude = 1.7;
  const LimitCycle cycle = measureCycle(swing(period, fall, amplitude), 2, 1);
  EXPECT_EQ(cycle.count, 10);
  EXPECT_NEAR(cycle.period, period, 1e-6);
  EXPECT_NEAR(cycle.drop, fall * period, 1e-6);
  EXPECT_NEAR(cycle.ranges[1].least, -amplitude, 1e-4);
  EXPECT_NEAR(cycle.ranges[1].most, amplitude, 1e-4);
  EXPECT_NEAR(cycle.ranges[3].width(), 2 * amplitude * 2 * std::numbers::pi / period, 1e-2);
  EXPECT_NEAR(cycle.section[1], amplitude * std::cos(0.3), 1e-9);
  EXPECT_LT(cycle.section[3], 0);
  EXPECT_LE(cycle.spread, 1e-4);
}

TEST(LimitCycle, SeesThatAMotionDoesNotRepeat) {
  Trajectory motion = swing(0.731, 0.2, 1.7);
  for (std::size_t step = 0; step < motion.count(); ++step)
    motion.u[2 * step + 1] *= 1 + 0.05 * motion.times[step];
  // By hand: at the section the velocity is sin(0.3) of its amplitude, which grows over ten
  // periods, beside twice the amplitude halfway.
  const double growth = 0.05 * 10 * 0.731, halfway = 1 + 0.05 * (2 + 5.5 * 0.731);
  EXPECT_NEAR(measureCycle(motion, 2, 1).spread, std::sin(0.3) * growth / (2 * halfway), 2e-3);
}

TEST(LimitCycle, IsNoneWithoutPassages) {
  EXPECT_EQ(measureCycle(swing(100, 0.2, 1.7), 2, 1).count, 0);
}

TEST(LimitCycle, WoodpeckersIsThatOfTheReference) {
  const Outcome outcome = reproduceWoodpecker({true});
  EXPECT_EQ(outcome.verdict, Verdict::agrees) << outcome.why;
  const reference::LimitCycle expected = reference::findLimitCycle();
  const Json& row = outcome.rows.front();
  EXPECT_NEAR(row.at("period").get<double>(), expected.period, 5e-3 * expected.period);
  EXPECT_NEAR(row.at("drop").get<double>(), expected.drop, 1e-2 * expected.drop);
  EXPECT_NEAR(row.at("phi_S")[0].get<double>(), expected.phiS.min, 1e-2);
  EXPECT_NEAR(row.at("phi_S")[1].get<double>(), expected.phiS.max, 1e-2);
  EXPECT_NEAR(row.at("omega_M")[1].get<double>(), expected.omegaM.max, 0.5);
}

}  // namespace
}  // namespace stickslip
