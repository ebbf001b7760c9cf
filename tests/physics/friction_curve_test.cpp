// Friction that depends on the sliding speed: stick-slip on a belt against its closed form, the
// speed above which it disappears, a block that slows down through the Stribeck range, and which of
// two possible motions a step takes.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "support/bodies.hpp"

namespace stickslip {
namespace {

using testing::kGravity;

constexpr double kBlockMass = 2;
constexpr double kLoad = kBlockMass * kGravity;

FrictionCurve stribeck(double ratio, double speed, double exponent = 1) {
  return {FrictionCurve::Transition::stribeck, ratio, speed, exponent};
}

// A block on a belt that runs at speed `belt`, held by a spring and a damper; x, y.
struct Block {
  double mu = 0.5;
  FrictionCurve curve{};
  double belt = 0;
  double stiffness = 0;
  double damping = 0;
  double pull = 0;

  std::shared_ptr<LinearSystem> system() const {
    LinearSystemData data;
    data.coordinates = {"x", "y"};
    data.M = {kBlockMass, 0, 0, kBlockMass};
    data.K = {stiffness, 0, 0, 0};
    data.C = {damping, 0, 0, 0};
    data.f = {pull, -kLoad};
    data.contacts = {{"belt", 0, {0, 1}, {1, 0}, 0, -belt, {.mu = mu, .curve = curve}}};
    return std::make_shared<LinearSystem>(std::move(data));
  }
};

Method method(const std::string& scheme, bool implicit = false) {
  Method method;
  method.scheme = scheme;
  method.implicit = implicit;
  return method;
}

const std::vector<Method> kCurveSchemes{method("midpoint"), method("position"),
                                        method("position", true), method("velocity")};

struct Cycle {
  double period = 0;
  double largest = 0;
  double smallest = 0;
  int count = 0;
};

// Mean period from one beginning of slip to the next, and the range of x, after the first slip.
Cycle observeCycle(const Block& block, const Method& how, double h, double end) {
  Stepper stepper({block.system(), how});
  State state{0, {0, 0}, {block.belt, 0}};
  Cycle cycle;
  double first = 0, last = 0;
  bool sticks = true;
  for (long n = 0; static_cast<double>(n) * h < end; ++n) {
    EXPECT_TRUE(stepper.step(state, h).certified) << "t = " << state.t;
    const bool stuck = std::abs(state.u[0] - block.belt) <= 1e-9 * block.belt;
    if (sticks && !stuck) {
      if (cycle.count++ == 0) {
        first = state.t;
        cycle.largest = cycle.smallest = state.q[0];
      }
      last = state.t;
    }
    sticks = stuck;
    if (cycle.count == 0) continue;
    cycle.largest = std::max(cycle.largest, state.q[0]);
    cycle.smallest = std::min(cycle.smallest, state.q[0]);
  }
  if (cycle.count > 1) cycle.period = (last - first) / (cycle.count - 1);
  return cycle;
}

// With a sudden transition the block slips about x_k = mu_k N/k from x_s = mu_s N/k until it has
// the belt's speed again: tan(w t / 2) = -D w / V with D = x_s - x_k; it sticks for 2 D / V.
TEST(FrictionCurve, StickSlipHasThePeriodAndTheAmplitudeOfTheClosedForm) {
  Block block{.mu = 0.5, .curve = stribeck(0.6, 1e-6), .belt = 0.1, .stiffness = 200};
  const double w = std::sqrt(block.stiffness / kBlockMass), V = block.belt;
  const double x_k = 0.3 * kLoad / block.stiffness, D = 0.2 * kLoad / block.stiffness;
  const double period = 2 * D / V + 2 * (std::numbers::pi - std::atan(D * w / V)) / w;
  const double highest = x_k + std::hypot(D, V / w), lowest = x_k - std::hypot(D, V / w);
  for (const Method& how : kCurveSchemes) {
    const Cycle cycle = observeCycle(block, how, 5e-4, 2.8);
    ASSERT_GE(cycle.count, 3) << how.scheme;
    EXPECT_NEAR(cycle.period, period, 0.01 * period) << how.scheme;
    EXPECT_NEAR(cycle.largest, highest, 0.01 * (highest - lowest)) << how.scheme;
    EXPECT_NEAR(cycle.smallest, lowest, 0.01 * (highest - lowest)) << how.scheme;
  }
}

TEST(FrictionCurve, WithoutADifferenceTheBlockSettles) {
  Block block{.mu = 0.4, .belt = 0.1, .stiffness = 200, .damping = 4};
  Stepper stepper({block.system(), {}});
  State state{0, {0, 0}, {0.1, 0}};
  for (int n = 0; n < 5000; ++n) ASSERT_TRUE(stepper.step(state, 2e-3).certified);
  EXPECT_NEAR(state.q[0], 0.4 * kLoad / block.stiffness, 1e-6);
  EXPECT_NEAR(state.u[0], 0, 1e-6);
}

// Near steady sliding m x'' + (c + N mu'(V)) x' + k x = 0: oscillations grow at the rate
// -(c + N mu'(V)) / (2 m), which changes its sign at the critical speed of the belt.
TEST(FrictionCurve, SteadySlidingIsUnstableBelowTheCriticalSpeedOnly) {
  const double mu = 0.5, ratio = 0.6, v_s = 0.05, c = 20;
  const double critical = v_s * std::log(kLoad * mu * (1 - ratio) / (c * v_s));
  ASSERT_GT(critical, 0);
  for (const double part : {0.7, 1.4}) {
    const double V = part * critical;
    const FrictionCurve curve = stribeck(ratio, v_s);
    Block block{.mu = mu, .curve = curve, .belt = V, .stiffness = 800, .damping = c};
    const double slope = -mu * (1 - ratio) / v_s * std::exp(-V / v_s);
    const double rate = -(c + kLoad * slope) / (2 * kBlockMass);
    Stepper stepper({block.system(), {}});
    const double x_0 = mu * curve.factor(V) * kLoad / block.stiffness;
    State state{0, {x_0, 0}, {1e-5, 0}};
    const double h = 1e-4, w = std::sqrt(block.stiffness / kBlockMass - rate * rate);
    const long steps = std::lround(4 * std::numbers::pi / w / h);  // two swings
    const auto size = [&] {
      return std::hypot(w * (state.q[0] - x_0), state.u[0] - rate * (state.q[0] - x_0));
    };
    const double before = size();
    for (long n = 0; n < steps; ++n) ASSERT_TRUE(stepper.step(state, h).certified);
    const double measured = std::log(size() / before) / state.t;
    EXPECT_NEAR(measured, rate, 0.03 * std::abs(rate)) << part;
    EXPECT_EQ(measured > 0, part < 1);
  }
}

// Started from rest on the belt, below the critical speed and above it.
TEST(FrictionCurve, StickSlipDisappearsAboveTheCriticalSpeed) {
  Block block{.mu = 0.5, .curve = stribeck(0.6, 0.05), .stiffness = 800, .damping = 20};
  const double D = 0.2 * kLoad / block.stiffness;
  const auto amplitudeAt = [&](double V) {
    block.belt = V;
    Stepper stepper({block.system(), {}});
    State state{0, {0, 0}, {V, 0}};
    double highest = -INFINITY, lowest = INFINITY;
    for (int n = 0; n < 3000; ++n) {
      EXPECT_TRUE(stepper.step(state, 1e-3).certified);
      if (n < 2500) continue;
      highest = std::max(highest, state.q[0]);
      lowest = std::min(lowest, state.q[0]);
    }
    return (highest - lowest) / 2;
  };
  EXPECT_GT(amplitudeAt(0.05), 0.5 * D);
  EXPECT_LT(amplitudeAt(0.1), 0.02 * D);
  EXPECT_LT(amplitudeAt(0.2), 1e-4 * D);
}

// m v' = -mu(v) m g from 1 m/s by Runge's and Kutta's rule with tiny steps: path until t.
std::pair<double, double> brakingByOde(double mu, const FrictionCurve& curve, double t) {
  double v = 1, x = 0;
  const int steps = 20000;
  const double h = t / steps;
  const auto rate = [&](double u) { return u > 0 ? -mu * curve.factor(u) * kGravity : 0; };
  for (int n = 0; n < steps; ++n) {
    const double k1 = rate(v), k2 = rate(v + h / 2 * k1), k3 = rate(v + h / 2 * k2);
    const double k4 = rate(v + h * k3);
    x += h * v + h * h / 6 * (k1 + k2 + k3);
    v = std::max(0.0, v + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4));
  }
  return {x, v};
}

TEST(FrictionCurve, BrakingThroughTheTransitionFollowsTheEquationOfMotion) {
  const double mu = 0.5;
  for (const FrictionCurve& curve : {stribeck(0.4, 0.2), stribeck(0.4, 0.2, 2), stribeck(1.6, 0.3),
                                     FrictionCurve{FrictionCurve::Transition::smooth, 0.4, 0.2, 1}})
    for (const double end : {0.2, 1.0}) {
      const auto [path, speed] = brakingByOde(mu, curve, end);
      double error_before = 0;
      for (const double h : {4e-3, 2e-3}) {
        Stepper stepper({Block{.mu = mu, .curve = curve}.system(), {}});
        State state{0, {0, 0}, {1, 0}};
        const RunSummary summary = run(stepper, state, {{h, end}, false});
        EXPECT_TRUE(summary.certified()) << summary.friction_residual_max;
        const double error = std::abs(summary.final_state.q[0] - path);
        EXPECT_LT(error, 0.2 * h);
        EXPECT_NEAR(summary.final_state.u[0], speed, 3 * h);
        if (error_before > 0) {
          EXPECT_LT(error, 0.6 * error_before) << "order one";
        }
        error_before = error;
      }
    }
}

// A pull between kinetic and static friction allows both rest and sliding: what rests stays, what
// slides goes on, under all schemes, for steps that are far longer than the transition takes too.
TEST(FrictionCurve, RestStaysRestAndSlidingGoesOn) {
  Block block{.mu = 0.5, .curve = stribeck(0.6, 1e-3), .pull = 0.4 * kLoad};
  for (const Method& how : kCurveSchemes)
    for (const double h : {1e-5, 1e-3, 0.1}) {
      Stepper stepper({block.system(), how});
      State rest{0, {0, 0}, {0, 0}}, slide{0, {0, 0}, {0.5, 0}};
      for (int n = 0; n < 20; ++n) {
        ASSERT_TRUE(stepper.step(rest, h).certified);
        ASSERT_TRUE(stepper.step(slide, h).certified);
      }
      EXPECT_NEAR(rest.u[0], 0, 1e-12);
      EXPECT_NEAR(slide.u[0], 0.5 + (0.4 - 0.3) * kGravity * 20 * h, 1e-3);
    }
}

// The relaxed law lifts what slides by mu times the speed: mu at that speed.
TEST(FrictionCurve, TheRelaxedLawLiftsWithTheFrictionAtTheSpeed) {
  const FrictionCurve curve = stribeck(0.4, 0.1);
  Method how = method("position");
  how.law = Law::relaxed;
  Stepper stepper({Block{.mu = 0.5, .curve = curve}.system(), how});
  State state{0, {0, 0}, {0.3, 0}};
  const StepReport report = stepper.step(state, 1e-3);
  ASSERT_TRUE(report.certified) << report.certificate.friction_residual;
  EXPECT_NEAR(report.certificate.lift, 0.5 * curve.factor(state.u[0]) * state.u[0], 1e-9);
  EXPECT_NEAR(state.u[1], report.certificate.lift, 1e-9);
}

// FrictionCurve::excess by the midpoint rule.
TEST(FrictionCurve, TheExcessIsTheIntegralAboveTheFactor) {
  for (const double ratio : {0.0, 0.4, 1.7})
    for (const FrictionCurve& curve :
         {FrictionCurve{FrictionCurve::Transition::smooth, ratio, 0.2, 1}, stribeck(ratio, 0.2),
          stribeck(ratio, 0.2, 2), stribeck(ratio, 0.2, 0.5)})
      for (const double s : {0.0, 0.01, 0.2, 1.5}) {
        const int pieces = 20'000;
        double sum = 0;
        for (int k = 0; k < pieces; ++k)
          sum += (curve.factor(s * (k + 0.5) / pieces) - curve.factor(s)) * s / pieces;
        EXPECT_NEAR(curve.excess(curve.factor(s)), sum, 1e-6) << ratio << " " << s;
      }
  EXPECT_EQ(FrictionCurve{}.excess(1), 0);
  // All of it, at any speed.
  EXPECT_NEAR(stribeck(0.4, 0.2).excess(0.4), 0.6 * 0.2, 1e-14);
  EXPECT_NEAR((FrictionCurve{FrictionCurve::Transition::smooth, 0.4, 0.2, 1}.excess(0.4)),
              0.6 * 0.2 * std::numbers::pi / 2, 1e-14);
}

// [A06] 5.1: friction L'(s), lift L(s). Of a block that slides, s = u - L'(s) (L(s) + g h), here
// with L = mu (k s + (1 - k) v (1 - exp(-s/v))).
TEST(FrictionCurve, TheIntegralLiftSolvesTheNonconvexProgram) {
  const double mu = 0.5, h = 1e-3;
  for (const double ratio : {0.4, 1.6})
    for (const double u : {0.02, 0.1, 0.3, 2.0}) {
      const double v = 0.1;
      const auto L = [&](double s) {
        return mu * (ratio * s + (1 - ratio) * v * (1 - std::exp(-s / v)));
      };
      const auto slope = [&](double s) { return mu * (ratio + (1 - ratio) * std::exp(-s / v)); };
      const auto misfit = [&](double s) { return s - u + slope(s) * (L(s) + kGravity * h); };
      double low = 0, high = u;
      for (int k = 0; k < 200; ++k) (misfit((low + high) / 2) < 0 ? low : high) = (low + high) / 2;
      Method how = method("position");
      how.law = Law::relaxed;
      how.lift = Lift::integral;
      Stepper stepper({Block{.mu = mu, .curve = stribeck(ratio, v)}.system(), how});
      State state{0, {0, 0}, {u, 0}};
      const StepReport report = stepper.step(state, h);
      ASSERT_TRUE(report.certified) << report.certificate.friction_residual;
      EXPECT_NEAR(state.u[0], low, 1e-7 * u);
      EXPECT_NEAR(state.u[1], L(low), 1e-7 * u);
      EXPECT_NEAR(report.certificate.lift, L(low), 1e-7 * u);
    }
}

// The certificate computes the lift by itself.
TEST(FrictionCurve, AWrongLiftIsNotCertified) {
  Method how = method("position");
  how.law = Law::relaxed;
  how.lift = Lift::integral;
  Stepper stepper({Block{.mu = 0.5, .curve = stribeck(0.4, 0.1)}.system(), how});
  State state{0, {0, 0}, {0.3, 0}};
  ASSERT_TRUE(stepper.step(state, 1e-3).certified);
  ContactProblem problem = stepper.problem();
  EXPECT_LE(Certifier().certify(problem, stepper.solution()).friction_residual, 1e-8);
  problem.speed_friction[0].extra_lift *= 1.01;
  EXPECT_GT(Certifier().certify(problem, stepper.solution()).friction_residual, 1e-5);
}

TEST(FrictionCurve, ChangingUnitsChangesNothing) {
  const auto pathIn = [](double length, double time) {
    LinearSystemData data;
    data.coordinates = {"x", "y"};
    data.M = {kBlockMass, 0, 0, kBlockMass};
    data.f = {0, -kLoad * length / (time * time)};
    data.contacts = {{"floor",
                      0,
                      {0, 1},
                      {1, 0},
                      0,
                      0,
                      {.mu = 0.5, .curve = stribeck(0.4, 0.2 * length / time)}}};
    Stepper stepper({std::make_shared<LinearSystem>(data), {}});
    State state{0, {0, 0}, {length / time, 0}};
    for (int n = 0; n < 50; ++n) EXPECT_TRUE(stepper.step(state, 0.01 * time).certified);
    return state.q[0] / length;
  };
  EXPECT_NEAR(pathIn(1e3, 1e3), pathIn(1, 1), 1e-10);
  EXPECT_NEAR(pathIn(1e-6, 1e2), pathIn(1, 1), 1e-10);
}

}  // namespace
}  // namespace stickslip
