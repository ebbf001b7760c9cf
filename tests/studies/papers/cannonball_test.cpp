// The piles of [AH04]: rows as they are promised, and the error of LCP3 by another route.
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "papers/experiments.hpp"
#include "papers/pile_simulation.hpp"
#include "papers/timed_solve.hpp"
#include "support/pile_problems.hpp"

namespace stickslip {
namespace {

const Outcome& quickCannonball() {
  static const Outcome outcome = reproduceCannonball({true});
  return outcome;
}

TEST(ReproduceCannonball, AgreesAndHasTheRowsOfTable1) {
  EXPECT_EQ(quickCannonball().verdict, Verdict::agrees_in_kind) << quickCannonball().why;
  std::set<double> frictions;
  for (const Json& row : quickCannonball().rows) {
    for (const char* field : {"disks", "mu", "contacts", "lcp0_status", "lcp0_residual",
                              "lcp0_seconds", "lcp3_seconds", "lcp3_error_max"})
      EXPECT_TRUE(row.contains(field)) << field;
    EXPECT_EQ(row.at("disks"), 21);
    EXPECT_EQ(row.at("contacts"), 6 + 3 * 6 * 5 / 2);
    EXPECT_EQ(row.at("lcp0_status"), "solved");
    EXPECT_LE(row.at("lcp0_residual"), 1e-9);
    frictions.insert(row.at("mu").get<double>());
  }
  EXPECT_EQ(frictions, (std::set{0.05, 0.1, 0.2, 0.4, 0.6, 0.8}));
}

// LCP3 from rest is the relaxed law, whose lift the certificate measures by itself; the pile is
// built here without bodies and collision.
TEST(ReproduceCannonball, ErrorOfLcp3IsTheLiftOfTheRelaxedLaw) {
  for (const Json& row : quickCannonball().rows) {
    testing::Random random(1);
    ContactProblem pile = testing::cannonballPile(6, row.at("mu").get<double>(), 0.05, 0.0, random);
    pile.law = Law::relaxed;
    const TimedSolve solve = coldSolve("convex", pile);
    EXPECT_TRUE(solve.certified);
    EXPECT_NEAR(row.at("lcp3_error_max").get<double>(), solve.certificate.lift, 1e-7)
        << row.at("mu");
  }
}

TEST(ReproduceCannonball, PilesAreThoseOfThePaper) {
  for (const int bottom : {6, 16, 20}) {
    const ContactProblem problem = firstProblem(pileScene(bottom, 0.2));
    EXPECT_EQ(problem.M.blockCount(), bottom * (bottom + 1) / 2);
    EXPECT_EQ(problem.contactCount(), bottom + 3 * bottom * (bottom - 1) / 2);
    EXPECT_DOUBLE_EQ(problem.M.block(0)(0, 0), 1);
    EXPECT_DOUBLE_EQ(problem.M.block(0)(2, 2), kDiskInertia);
    for (const double gap : problem.gap) EXPECT_NEAR(gap, 0, 1e-12);
  }
}

}  // namespace
}  // namespace stickslip
