// Energy bounds: none is violated, and the counters would notice if one were.
#include <gtest/gtest.h>

#include "papers/energy_bounds.hpp"
#include "papers/experiments.hpp"

namespace stickslip {
namespace {

TEST(ReproduceEnergy, NoBoundIsViolated) {
  const Outcome outcome = reproduceEnergy({true});
  EXPECT_EQ(outcome.verdict, Verdict::agrees_in_kind) << outcome.why;
  int bounds = 0;
  for (const Json& row : outcome.rows) {
    if (!row.contains("violations")) continue;
    ++bounds;
    EXPECT_EQ(row.at("violations"), 0) << row.at("statement");
    EXPECT_GT(row.at("checked"), 50) << row.at("statement");
  }
  EXPECT_EQ(bounds, 6);
}

TEST(ReproduceEnergy, CountsViolationsBeyondRounding) {
  EnergyBound bound{"a statement", "a setting"};
  bound.check(1, 1 - 1e-12, 1);
  EXPECT_EQ(bound.violations, 0);
  bound.check(1, 1 - 1e-6, 1);
  EXPECT_EQ(bound.violations, 1);
  EXPECT_EQ(bound.checked, 2);
  EXPECT_NEAR(bound.margin, -1e-6, 1e-12);
}

// A bound for gravity of 9.81 is too low for bodies that fall forty times as fast.
TEST(ReproduceEnergy, NoticesForcesThatTheBoundDoesNotKnow) {
  EnergyBound bound{"[AP97] Theorem 5.1 b", "more gravity"};
  checkBoundedForces(
      throwBodies("energy-plane", 0, {}, {"system.gravity=[0,400]", "method.impact=reflected"}),
      bound);
  EXPECT_GT(bound.violations, 0);
}

TEST(ReproduceEnergy, ThrownBodiesDifferBySeedAndAreRepeatable) {
  const ThrownBodies one = throwBodies("energy-plane", 1, {}),
                     again = throwBodies("energy-plane", 1, {}),
                     other = throwBodies("energy-plane", 2, {});
  EXPECT_EQ(one.scene.initial.u, again.scene.initial.u);
  EXPECT_EQ(one.scene.initial.q, again.scene.initial.q);
  EXPECT_NE(one.scene.initial.u, other.scene.initial.u);
  EXPECT_NE(one.scene.initial.q, other.scene.initial.q);
  // Boxes come first: m 2, I = m (a^2 + b^2) / 12.
  std::vector<double> u(one.scene.initial.u.size());
  u[0] = 3;
  u[2] = 5;
  EXPECT_NEAR(one.twiceKinetic(u), 2 * 9 + 2 * (0.09 + 0.04) / 12 * 25, 1e-12);
}

}  // namespace
}  // namespace stickslip
