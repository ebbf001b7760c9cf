#include "convergence/convergence.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "convergence/packed_run.hpp"

namespace stickslip {
namespace {

// q and u of one coordinate at multiples of `step`, from closed forms.
Trajectory sampled(double step, double end, const auto& position, const auto& velocity) {
  Trajectory out;
  const auto steps = std::lround(end / step);
  for (long k = 0; k <= steps; ++k) {
    const double t = end * static_cast<double>(k) / static_cast<double>(steps);
    out.append({t, {position(t)}, {velocity(t)}});
  }
  return out;
}

Trajectory parabola(double step) {
  return sampled(
      step, 2, [](double t) { return t * t; }, [](double t) { return 2 * t; });
}

TEST(Convergence, ErrorsOfAParabolaAreThoseOfItsChords) {
  // The reference has 32 chords in each of the other's; the largest distance of a chord of length h
  // from the parabola is h^2/4.
  const Trajectory fine = parabola(1.0 / 64), coarse = parabola(0.5);
  EXPECT_NEAR(positionError(coarse, fine), 0.25 * 0.25, 1e-12);
  EXPECT_DOUBLE_EQ(positionError(coarse, fine), positionError(fine, coarse));
  EXPECT_EQ(positionError(fine, fine), 0);
}

TEST(Convergence, VelocityErrorIsTheMeanOfTheDistanceOfSteps) {
  // v^h is 2 t at the end of its step: on average (h - h_fine) larger.
  const Trajectory fine = parabola(1.0 / 64), coarse = parabola(0.5);
  EXPECT_NEAR(velocityError(coarse, fine), 0.5 - 1.0 / 64, 1e-12);
}

TEST(Convergence, StepsThatDoNotMeetAreComparedExactly) {
  const auto line = [](double t) { return 3 * t; };
  const auto slope = [](double) { return 3.0; };
  EXPECT_NEAR(positionError(sampled(0.5, 1, line, slope), sampled(1.0 / 3, 1, line, slope)), 0,
              1e-15);
  EXPECT_NEAR(velocityError(sampled(0.5, 1, line, slope), sampled(1.0 / 3, 1, line, slope)), 0,
              1e-15);
}

TEST(Convergence, VariationCountsEveryWayOfTheVelocity) {
  const auto v = [](double t) { return std::sin(t); };
  const Trajectory waves = sampled(1e-3, 2 * std::numbers::pi, v, v);
  EXPECT_NEAR(velocityVariation(waves), 4, 1e-5);
}

TEST(Convergence, RatesAreThePowersOfTheStep) {
  const Trajectory reference = parabola(1.0 / 1024);
  const std::vector<double> steps = {0.5, 0.25, 0.125};
  std::vector<Trajectory> runs;
  runs.reserve(steps.size());
  for (const double step : steps) runs.push_back(parabola(step));
  const std::vector<ConvergenceRow> rows = convergenceRows(steps, runs, reference);
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_TRUE(std::isnan(rows[0].position_rate));
  for (std::size_t k = 1; k < 3; ++k) {
    EXPECT_NEAR(rows[k].position_rate, 2, 1e-9);
    EXPECT_NEAR(rows[k].velocity_rate, 1, 0.02);
  }
  EXPECT_NEAR(fittedRate(steps, std::vector<double>{8, 4, 2}), 1, 1e-14);
  EXPECT_TRUE(std::isnan(fittedRate(steps, std::vector<double>{0, 0, 1})));
}

TEST(Convergence, RunsSurviveBeingPacked) {
  const StudyRun run{0.25, parabola(0.25), 3, 1e-9};
  const StudyRun back = unpacked(packed(run));
  EXPECT_EQ(back.step, run.step);
  EXPECT_EQ(back.uncertified_steps, 3);
  EXPECT_EQ(back.motion.times, run.motion.times);
  EXPECT_EQ(back.motion.q, run.motion.q);
  EXPECT_EQ(back.motion.u, run.motion.u);
  EXPECT_EQ(back.motion.positions, 1u);
  const std::string bytes = packed(run);
  EXPECT_THROW(unpacked(std::string_view(bytes).substr(0, bytes.size() - 1)), std::runtime_error);
}

}  // namespace
}  // namespace stickslip
