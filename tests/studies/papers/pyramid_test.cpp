// The pyramid of [AH04] section 3, against what the paper derives by hand, and what it misses.
#include <gtest/gtest.h>

#include <cmath>

#include "papers/experiments.hpp"
#include "papers/pyramid_lcp.hpp"
#include "papers/timed_solve.hpp"

namespace stickslip {
namespace {

using Variables = PyramidLcp::Variables;
constexpr double kWeight = 9.81 * 0.05;

ContactProblem pyramid() {
  return firstProblem(paperScene("pyramid", {"system.materials.default.friction=0.3"}));
}

// Solution 1 or 2 of the paper.
Variables paperSolution(int first) {
  Variables z{};
  for (int corner = 0; corner < PyramidLcp::kCorners; ++corner)
    if (corner % 2 == first)
      z[PyramidLcp::normal(corner)] = kWeight / 3;
    else
      z[PyramidLcp::lambda(corner)] = 1;
  return z;
}

TEST(ReproducePyramid, AgreesWithThePaper) {
  const Outcome outcome = reproducePyramid({true});
  EXPECT_EQ(outcome.verdict, Verdict::agrees) << outcome.why;
  ASSERT_FALSE(outcome.rows.empty());
  for (const Json& row : outcome.rows) {
    EXPECT_NEAR(row.at("average_residual").get<double>(), row.at("mu").get<double>() / 6, 1e-12);
    EXPECT_GE(row.at("lemke_solutions"), 2);
  }
}

TEST(ReproducePyramid, SolutionsOfThePaperAreSolutionsAndTheirAverageIsNone) {
  const ContactProblem problem = pyramid();
  const PyramidLcp lcp(problem, PyramidLcp::around(problem));
  const Variables one = paperSolution(0), two = paperSolution(1);
  EXPECT_LE(lcp.residual(one), 1e-13);
  EXPECT_LE(lcp.residual(two), 1e-13);
  Variables average{};
  for (std::size_t k = 0; k < average.size(); ++k) average[k] = (one[k] + two[k]) / 2;
  EXPECT_NEAR(lcp.residual(average), 0.3 / 6, 1e-13);
  // Nor is anything else: a corner that carries too much is refused.
  Variables wrong = one;
  wrong[PyramidLcp::normal(0)] *= 1.01;
  EXPECT_GT(lcp.residual(wrong), 1e-3);
}

// (3.16): n1 + n3 + n5 = n2 + n4 + n6, hence the columns of N over the impulses, too.
TEST(ReproducePyramid, NormalsOfEverySecondCornerHaveTheSameSum) {
  const ContactProblem problem = pyramid();
  const PyramidLcp lcp(problem, PyramidLcp::around(problem));
  const ConstMatrixView N = lcp.lcp().N;
  for (int i = 0; i < PyramidLcp::kImpulses; ++i)
    EXPECT_NEAR(N(i, 0) + N(i, 2) + N(i, 4), N(i, 1) + N(i, 3) + N(i, 5), 1e-12);
}

// Two velocities of one step, as far apart as the closed form says, whatever friction is.
TEST(ReproduceSeveralVelocities, RefutesUniqueness) {
  const Outcome outcome = reproduceSeveralVelocities({true});
  EXPECT_EQ(outcome.verdict, Verdict::refutes) << outcome.why;
  for (const Json& row : outcome.rows) {
    EXPECT_LE(row.at("residual").get<double>(), 4e-15) << row;
    if (row.at("what") == "flat, spinning") {
      EXPECT_NEAR(row.at("velocity_difference"), row.at("mu").get<double>() * 2 / 3, 1e-14) << row;
      EXPECT_NEAR(row.at("lipschitz_at_least").get<double>() * row.at("mu").get<double>(), 1, 1e-8)
          << row;
    }
  }
}

// Two solvers certify different velocities of the same problem.
TEST(ReproduceSeveralVelocities, SolversFindDifferentOnes) {
  ContactProblem problem = pyramid();
  problem.sets.changeAll([](ImpulseSet& set) { set.mu = set.mu_2 = 0.01; });
  const double push[6] = {0.332, 0.168, -0.380, -0.261, 0.426, 0.144};
  std::copy(std::begin(push), std::end(push), problem.v_free.begin());
  const TimedSolve one = coldSolve("lemke", problem), other = coldSolve("exact", problem);
  EXPECT_LE(one.certificate.worstResidual(), 1e-12);
  EXPECT_LE(other.certificate.worstResidual(), 1e-12);
  double difference = 0;
  for (std::size_t k = 0; k < 6; ++k)
    difference = std::max(difference, std::abs(one.solution.v[k] - other.solution.v[k]));
  EXPECT_GT(difference, 1e-5);
}

}  // namespace
}  // namespace stickslip
