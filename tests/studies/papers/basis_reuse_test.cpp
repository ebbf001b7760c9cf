// Bases of the step before, [AP97] section 6: what the rows say must fit together.
#include <gtest/gtest.h>

#include "papers/experiments.hpp"

namespace stickslip {
namespace {

TEST(ReproduceBasisReuse, AgreesAndCountsAddUp) {
  const Outcome outcome = reproduceBasisReuse({true});
  EXPECT_EQ(outcome.verdict, Verdict::agrees_in_kind) << outcome.why;
  ASSERT_GE(outcome.rows.size(), 4u);
  for (const Json& row : outcome.rows) {
    const double steps = row.at("steps"), reused = row.at("reused");
    EXPECT_GT(steps, 0);
    EXPECT_LE(reused, steps);
    EXPECT_DOUBLE_EQ(row.at("share").get<double>(), reused / steps);
    // A step with load takes a cold start one pivot at least, and a basis that solves takes none.
    EXPECT_GE(row.at("pivots_cold").get<double>(), steps);
    EXPECT_LT(row.at("pivots_warm"), row.at("pivots_cold"));
    EXPECT_EQ(row.at("failures_cold"), 0);
  }
  // The block slides one way and then rests: the first step has no basis, and sliding ends once.
  const Json& block = outcome.rows.front();
  ASSERT_EQ(block.at("run"), "block on an incline");
  EXPECT_EQ(block.at("steps").get<int>() - block.at("reused").get<int>(), 2);
}

}  // namespace
}  // namespace stickslip
