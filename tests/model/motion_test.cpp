#include "stickslip/motion.hpp"

#include <gtest/gtest.h>

#include <numbers>

namespace stickslip {
namespace {

// Velocities against central differences of the poses.
void expectConsistent(const Motion& motion, double t) {
  const Pose start{{1, 2, 3}, matrixOf(rotationBy({0.3, -0.2, 0.5}))};
  const double dt = 1e-5;
  const FrameMotion now = evaluate(motion, start, t);
  const FrameMotion before = evaluate(motion, start, t - dt),
                    after = evaluate(motion, start, t + dt);
  const Vec3 velocity = (0.5 / dt) * (after.pose.position - before.pose.position);
  EXPECT_LE(norm(velocity - now.velocity), 1e-7);
  const Vec3 turn =
      rotationVector(quaternionOf(after.pose.rotation * transposed(before.pose.rotation)));
  EXPECT_LE(norm((0.5 / dt) * turn - now.angular_velocity), 1e-7);
}

TEST(Motion, VelocitiesAreTheRatesOfThePoses) {
  const ConstantMotion constant{{1, -2, 0.5}, {0.3, 2, -1}};
  const SinusoidalMotion sinusoid{{0.1, 0, 0.3}, {0.4, -0.2, 0.1}, 1.7, 0.4};
  const TabledMotion table{
      {0, 1, 2.5}, {{0, 0, 0}, {1, 0, 0}, {1, 3, 0}}, {{0, 0, 0}, {0.5, 0.2, 0}, {0.5, 0.2, 3}}};
  for (const double t : {0.1, 0.7, 1.3, 2.2, 7.0}) {
    expectConsistent(constant, t);
    expectConsistent(sinusoid, t);
    expectConsistent(table, t);
  }
}

TEST(Motion, StartsWhereTheBodyIsAndTablesHoldTheirEnds) {
  const Pose start{{1, 2, 3}, {}};
  EXPECT_EQ(evaluate(ConstantMotion{{1, 0, 0}, {}}, start, 0).pose.position, start.position);
  const TabledMotion table{{1, 2}, {{5, 0, 0}, {7, 0, 0}}, {{}, {0, 0, 1}}};
  EXPECT_EQ(evaluate(table, start, 0).pose.position, (Vec3{6, 2, 3}));
  EXPECT_EQ(evaluate(table, start, 0).velocity, Vec3{});
  EXPECT_EQ(evaluate(table, start, 1.5).velocity, (Vec3{2, 0, 0}));
  EXPECT_EQ(evaluate(table, start, 9).pose.position, (Vec3{8, 2, 3}));
  EXPECT_EQ(evaluate(table, start, 9).angular_velocity, Vec3{});
}

TEST(Motion, RotationKeepsItsTurns) {
  const FrameMotion motion = evaluate(ConstantMotion{{}, {0, 0, 3}}, {}, 10);
  EXPECT_NEAR(motion.rotation.z, 30, 1e-14);
  EXPECT_NEAR(std::remainder(30, 2 * std::numbers::pi),
              rotationVector(quaternionOf(motion.pose.rotation)).z, 1e-14);
}

TEST(VectorTable, IsLinearBetweenItsRowsAndConstantOutside) {
  const VectorTable table{{0, 2}, {{1, 0, 0}, {3, 0, 0}}};
  EXPECT_EQ(table.at(-1).x, 1);
  EXPECT_EQ(table.at(1).x, 2);
  EXPECT_EQ(table.at(5).x, 3);
  EXPECT_EQ(table.rateAt(1).x, 1);
  EXPECT_EQ(table.rateAt(5).x, 0);
  EXPECT_EQ((VectorTable{{0}, {{4, 0, 0}}}).at(3).x, 4);
  EXPECT_EQ(VectorTable{}.at(3).x, 0);
}

}  // namespace
}  // namespace stickslip
