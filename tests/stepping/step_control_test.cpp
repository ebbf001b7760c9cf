// Steps chosen by their error: errors follow what was asked for, steps close in on impacts and grow
// again, runs end where they should.
#include <gtest/gtest.h>

#include <cmath>

#include "stickslip/stickslip.hpp"
#include "support/bodies.hpp"

namespace stickslip {
namespace {

LinearSystemData oscillator() {
  LinearSystemData data;
  data.coordinates = {"x"};
  data.M = {1};
  data.K = {4};
  return data;
}

LinearSystemData bouncingBall() {
  LinearSystemData data;
  data.coordinates = {"y"};
  data.M = {1};
  data.f = {-9.81};
  data.contacts = {{"floor", 0, {1}, {}, 0, 0, {0, 0.8, 0}}};
  return data;
}

RunSummary runWith(LinearSystemData data, const State& initial, const TimeSettings& time,
                   const char* scheme = "midpoint") {
  Method method;
  method.scheme = scheme;
  Stepper stepper({std::make_shared<LinearSystem>(std::move(data)), method});
  return run(stepper, initial, {time, false});
}

TEST(StepControl, SmallerErrorsCostMoreStepsAndGiveBetterEnds) {
  double last_error = INFINITY;
  long last_steps = 0;
  for (const double error : {1e-4, 1e-6, 1e-8}) {
    const RunSummary s = runWith(oscillator(), {0, {1}, {0}}, {0.5, 10, error});
    EXPECT_EQ(s.final_state.t, 10);
    EXPECT_EQ(s.coarse_steps, 0);
    const double off = std::abs(s.final_state.q[0] - std::cos(20.0));
    EXPECT_LT(off, last_error / 5);
    EXPECT_GT(s.steps, last_steps);
    last_error = off;
    last_steps = s.steps;
  }
}

TEST(StepControl, StepsCloseInOnImpactsAndGrowAgain) {
  const double height = 1, e = 0.8;
  const RunSummary s = runWith(bouncingBall(), {0, {height}, {0}}, {0.05, 1.0, 1e-6});
  EXPECT_TRUE(s.certified());
  EXPECT_LT(s.shortest_step, 1e-5);
  EXPECT_GT(s.longest_step, 1e-2);
  EXPECT_GT(s.rejected_steps, 0);
  // Closed form after the first bounce, at t1, with the second one at t1 + 2 e v1 / g.
  const double v1 = std::sqrt(2 * 9.81 * height), t1 = v1 / 9.81, t = 1.0 - t1;
  ASSERT_LT(t, 2 * e * v1 / 9.81);
  EXPECT_NEAR(s.final_state.q[0], e * v1 * t - 9.81 / 2 * t * t, 1e-4);
  // As exact with steps of one length takes many more of them.
  EXPECT_LT(s.steps, 1000);
}

TEST(StepControl, EveryScheme) {
  for (const char* scheme : {"midpoint", "position"}) {
    const RunSummary s = runWith(bouncingBall(), {0, {1}, {0}}, {0.05, 0.6, 1e-5}, scheme);
    EXPECT_TRUE(s.certified()) << scheme;
    const double v1 = std::sqrt(2 * 9.81), t = 0.6 - v1 / 9.81;
    EXPECT_NEAR(s.final_state.q[0], 0.8 * v1 * t - 9.81 / 2 * t * t, 5e-3) << scheme;
  }
}

TEST(StepControl, RunsRepeatBitByBitAndEndOnTime) {
  const TimeSettings time{0.03, 0.7, 1e-5};
  const RunSummary a = runWith(bouncingBall(), {0, {1}, {0}}, time);
  const RunSummary b = runWith(bouncingBall(), {0, {1}, {0}}, time);
  EXPECT_EQ(fingerprint(a.final_state), fingerprint(b.final_state));
  EXPECT_EQ(a.final_state.t, 0.7);
  EXPECT_EQ(a.steps, b.steps);
}

// A length in other units is the same length.
TEST(StepControl, UnitsDoNotMatter) {
  LinearSystemData small = bouncingBall();
  small.f = {-9.81 * 1024};
  const RunSummary metres = runWith(bouncingBall(), {0, {1}, {0}}, {0.05, 1, 1e-6});
  const RunSummary others = runWith(small, {0, {1024}, {0}}, {0.05, 1, 1024e-6});
  EXPECT_EQ(metres.steps, others.steps);
  EXPECT_EQ(metres.final_state.q[0] * 1024, others.final_state.q[0]);
}

TEST(StepControl, DistanceOfBodiesCountsTurns) {
  BodySystemData data;
  Body body;
  body.name = "top";
  body.mass = {2, {}, diagonal({8, 8, 8})};
  data.bodies = {body};
  const BodySystem system(data);
  const State at = system.initialState();
  State moved = at;
  moved.q[0] += 3;
  moved.q[1] += 4;
  EXPECT_NEAR(system.distance(at.q, moved.q), 5, 1e-15);
  State turned = at;
  turned.q[3] = std::cos(0.005);
  turned.q[4] = std::sin(0.005);
  EXPECT_NEAR(system.distance(at.q, turned.q), 2 * 0.01, 1e-6);
  for (std::size_t k = 3; k < 7; ++k) turned.q[k] *= -1;
  EXPECT_NEAR(system.distance(at.q, turned.q), 2 * 0.01, 1e-6);
}

}  // namespace
}  // namespace stickslip
