// Joints: a pendulum in Cartesian coordinates, with its rod given once or three times.
#include <gtest/gtest.h>

#include <cmath>

#include "stickslip/stickslip.hpp"
#include "support/scenes.hpp"

namespace stickslip {
namespace {

class Pendulum final : public GeneralizedSystem {
 public:
  explicit Pendulum(int copies_of_the_rod) : GeneralizedSystem(2), copies_(copies_of_the_rod) {}

  int jointCount() const override { return copies_; }
  void generalizedMass(double, std::span<const double>, MatrixView M) const override {
    M(0, 0) = M(1, 1) = 2;
  }
  void generalizedForces(double, std::span<const double>, std::span<const double>,
                         std::span<double> h) const override {
    h[1] = -2 * 9.81;
  }
  double jointGap(int, double, std::span<const double> q) const override {
    return (q[0] * q[0] + q[1] * q[1] - 1) / 2;
  }
  double jointDirection(int, double, std::span<const double> q,
                        std::span<double> w) const override {
    w[0] = q[0];
    w[1] = q[1];
    return 0;
  }
  double potentialEnergy(double, std::span<const double> q) const override {
    return 2 * 9.81 * q[1];
  }

 private:
  int copies_;
};

// Angle of the pendulum after the time, by Runge-Kutta on theta'' = -g sin theta.
double pendulumAngle(double theta, double time) {
  const int steps = 20000;
  const double h = time / steps;
  double omega = 0;
  for (int i = 0; i < steps; ++i) {
    const auto f = [](double a) { return -9.81 * std::sin(a); };
    const double k1 = omega, l1 = f(theta);
    const double k2 = omega + h / 2 * l1, l2 = f(theta + h / 2 * k1);
    const double k3 = omega + h / 2 * l2, l3 = f(theta + h / 2 * k2);
    const double k4 = omega + h * l3, l4 = f(theta + h * k3);
    theta += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    omega += h / 6 * (l1 + 2 * l2 + 2 * l3 + l4);
  }
  return theta;
}

TEST(Joint, PendulumFollowsItsCircle) {
  std::vector<double> errors;
  for (const double h : {2e-3, 1e-3}) {
    Stepper stepper({std::make_shared<Pendulum>(1), {}});
    const RunSummary summary = run(stepper, {0, {1, 0}, {0, 0}}, {{h, 2.0}, false});
    EXPECT_TRUE(summary.certified());
    EXPECT_LE(summary.joint_drift_max, 30 * h * h);
    const double angle = std::atan2(summary.final_state.q[0], -summary.final_state.q[1]);
    errors.push_back(std::abs(angle - pendulumAngle(std::atan2(1, 0), 2.0)));
    EXPECT_NEAR(summary.energy_end, summary.energy_start, 30 * h);
  }
  EXPECT_LE(errors[1], 0.02);
  EXPECT_LT(errors[1], errors[0]);
}

TEST(Joint, RepeatedJointsChangeNothingButTheImpulses) {
  Stepper once({std::make_shared<Pendulum>(1), {}}), thrice({std::make_shared<Pendulum>(3), {}});
  State a{0, {1, 0}, {0, 0}}, b = a;
  for (int i = 0; i < 500; ++i) {
    const StepReport report_a = once.step(a, 1e-3), report_b = thrice.step(b, 1e-3);
    ASSERT_TRUE(report_a.certified);
    ASSERT_TRUE(report_b.certified);
    EXPECT_TRUE(report_a.certificate.impulses_unique);
    EXPECT_FALSE(report_b.certificate.impulses_unique);
  }
  EXPECT_NEAR(a.q[0], b.q[0], 1e-12);
  EXPECT_NEAR(a.q[1], b.q[1], 1e-12);
}

TEST(Joint, DriftIsTakenBack) {
  Stepper stepper({std::make_shared<Pendulum>(1), {}});
  const RunSummary summary = run(stepper, {0, {1.01, 0}, {0, 0}}, {{1e-3, 0.5}, false});
  EXPECT_TRUE(summary.certified());
  const auto& q = summary.final_state.q;
  EXPECT_NEAR(std::hypot(q[0], q[1]), 1, 1e-4);
}

TEST(Joint, CoupledCartsBounceAsOne) {
  const Scene scene = testing::repositoryScene("coupled-carts.json");
  Stepper stepper(scene.model);
  const RunSummary summary = run(stepper, scene.initial, scene.run);
  EXPECT_TRUE(summary.certified());
  EXPECT_NEAR(summary.final_state.u[0], -0.8, 1e-12);
  EXPECT_NEAR(summary.final_state.u[1], -0.8, 1e-12);
  EXPECT_LE(summary.joint_drift_max, 1e-12);
}

}  // namespace
}  // namespace stickslip
