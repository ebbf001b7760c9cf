// Lemke's method against brute force, on the classes of problems that matter, and on
// pathologies.
#include <gtest/gtest.h>

#include <cmath>

#include "problem/reduced_problem.hpp"
#include "solvers/lemke/friction_lcp.hpp"
#include "stickslip/lcp.hpp"
#include "support/contact_problems.hpp"
#include "support/effort.hpp"
#include "support/lcp_enumerator.hpp"
#include "support/random.hpp"

namespace stickslip {
namespace {

using testing::enumerateLcpSolutions;
using testing::Random;

struct OwnedLcp {
  int n = 0;
  std::vector<double> N;
  std::vector<double> q;
  Lcp view() const { return {{N.data(), n, n}, q}; }
};

double& entry(OwnedLcp& lcp, int i, int j) {
  return lcp.N[i * lcp.n + j];
}

// B B' with B of the given rank, plus a skew part: positive semidefinite, unsymmetric.
OwnedLcp randomMonotone(Random& random, int n, int rank, double skew, double shift) {
  OwnedLcp lcp{n, std::vector<double>(static_cast<std::size_t>(n * n)),
               random.vector(std::size_t(n))};
  const auto B = random.vector(static_cast<std::size_t>(n * rank));
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      for (int k = 0; k < rank; ++k) entry(lcp, i, j) += B[i * rank + k] * B[j * rank + k];
  for (int i = 0; i < n; ++i) {
    entry(lcp, i, i) += shift;
    for (int j = 0; j < i; ++j) {
      const double s = skew * random.uniform();
      entry(lcp, i, j) += s;
      entry(lcp, j, i) -= s;
    }
  }
  return lcp;
}

// Small whole numbers make ties and zeros in q.
void makeDegenerate(Random& random, OwnedLcp& lcp) {
  for (double& q : lcp.q) q = random.integer(-2, 1);
}

// Asserts that the outcome is a true one; `must_solve` if theory promises a solution.
void expectTrueOutcome(const OwnedLcp& lcp, bool must_solve, const std::string& what) {
  DenseLemke lemke;
  std::vector<double> z(lcp.q.size());
  const LcpReport report = lemke.solve(lcp.view(), z);
  const bool solvable = must_solve || !enumerateLcpSolutions(lcp.view()).empty();
  if (report.status == SolveStatus::solved) {
    EXPECT_LE(lcpResidual(lcp.view(), z), 1e-10) << what;
    for (const double x : z) EXPECT_GE(x, 0) << what;
  } else {
    EXPECT_EQ(report.status, SolveStatus::ray) << what;
    EXPECT_FALSE(solvable) << what << ": a solution exists, status " << toString(report.status);
    EXPECT_EQ(lemke.ray().size(), lcp.q.size()) << what;
  }
}

TEST(DenseLemke, SolvesPositiveDefiniteProblemsUniquely) {
  Random random(1);
  for (int trial = 0; trial < testing::trials(2000); ++trial) {
    const int n = random.integer(1, 8);
    OwnedLcp lcp = randomMonotone(random, n, n, 1.0, 0.1);
    if (trial % 2 == 1) makeDegenerate(random, lcp);
    DenseLemke lemke;
    std::vector<double> z(std::size_t(n), -1.0);
    const LcpReport report = lemke.solve(lcp.view(), z);
    ASSERT_EQ(report.status, SolveStatus::solved) << trial;
    const auto all = enumerateLcpSolutions(lcp.view());
    ASSERT_FALSE(all.empty());
    for (std::size_t i = 0; i < z.size(); ++i) EXPECT_NEAR(z[i], all[0][i], 1e-8) << trial;
  }
}

TEST(DenseLemke, SolvesSemidefiniteProblemsOrProvesThemInfeasible) {
  Random random(2);
  int rays = 0, solved = 0, proofs = 0;
  for (int trial = 0; trial < testing::trials(3000); ++trial) {
    const int n = random.integer(2, 8);
    OwnedLcp lcp = randomMonotone(random, n, random.integer(0, n - 1), trial % 3 ? 1.0 : 0.0, 0.0);
    if (trial % 2 == 1) makeDegenerate(random, lcp);
    const bool solvable = !enumerateLcpSolutions(lcp.view()).empty();
    expectTrueOutcome(lcp, false, "semidefinite " + std::to_string(trial));
    // For these matrices a ray proves infeasibility; rounding may cost the proof now and then.
    DenseLemke lemke;
    std::vector<double> z(lcp.q.size());
    const LcpReport report = lemke.solve(lcp.view(), z);
    if (report.infeasible) {
      EXPECT_EQ(report.status, SolveStatus::ray) << trial;
    }
    proofs += report.infeasible ? 1 : 0;
    (solvable ? solved : rays) += 1;
  }
  EXPECT_GT(rays, testing::trials(100));
  EXPECT_GE(proofs, 0.99 * rays);
  EXPECT_GT(solved, testing::trials(100));
}

// P matrices that are neither definite nor symmetric: unit lower triangular times positive
// diagonal.
TEST(DenseLemke, SolvesPMatrices) {
  Random random(3);
  for (int trial = 0; trial < testing::trials(2000); ++trial) {
    const int n = random.integer(2, 8);
    OwnedLcp lcp{n, std::vector<double>(std::size_t(n * n)), random.vector(std::size_t(n))};
    for (int i = 0; i < n; ++i) {
      entry(lcp, i, i) = random.uniform(0.1, 2);
      for (int j = 0; j < i; ++j) entry(lcp, i, j) = random.uniform(-5, 5);
    }
    if (trial % 2 == 1) makeDegenerate(random, lcp);
    expectTrueOutcome(lcp, true, "P " + std::to_string(trial));
  }
}

TEST(DenseLemke, SolvesContactProblemsInConeForm) {
  Random random(4);
  for (int trial = 0; trial < testing::trials(2000); ++trial) {
    testing::ProblemShape shape;
    shape.velocities = random.integer(2, 6);
    shape.contacts = random.integer(1, 4);
    shape.largest_mu = trial % 4 == 0 ? 10 : 1;
    shape.some_frictionless = trial % 5 == 0;
    const ContactProblem problem = testing::randomContactProblem(random, shape);
    ReducedProblem reduced;
    reduced.reduce(problem);
    FrictionLcp planar;
    planar.build(FrictionLcp::Form::cone, reduced.W(), reduced.q(), problem.J, problem.sets);
    const Lcp lcp = planar.lcp();
    DenseLemke lemke;
    std::vector<double> z(lcp.q.size());
    const LcpReport report = lemke.solve(lcp, z);
    EXPECT_EQ(report.status, SolveStatus::solved) << trial;
    EXPECT_LE(report.residual, 1e-9) << trial;
  }
}

// The relay form promises less: a ray is allowed. A solution must be one that brute force knows, as
// far as the contact velocities go (impulses need not be unique).
TEST(DenseLemke, AgreesWithBruteForceOnRelayForm) {
  Random random(5);
  int solved = 0;
  for (int trial = 0; trial < testing::trials(1500); ++trial) {
    testing::ProblemShape shape;
    shape.velocities = random.integer(3, 6);
    shape.contacts = random.integer(1, 3);
    shape.largest_mu = 0.4;
    const ContactProblem problem = testing::randomContactProblem(random, shape);
    ReducedProblem reduced;
    reduced.reduce(problem);
    FrictionLcp planar;
    planar.build(FrictionLcp::Form::relay, reduced.W(), reduced.q(), problem.J, problem.sets);
    const Lcp lcp = planar.lcp();
    DenseLemke lemke;
    std::vector<double> z(lcp.q.size());
    const LcpReport report = lemke.solve(lcp, z);
    ASSERT_TRUE(report.status == SolveStatus::solved || report.status == SolveStatus::ray);
    if (report.status == SolveStatus::ray) continue;
    ++solved;
    double nearest = 1;
    for (const auto& other : enumerateLcpSolutions(lcp)) {
      double distance = 0;
      for (int i = 0; i < lcp.size(); ++i) {
        double change = 0;
        for (int j = 0; j < lcp.size(); ++j) change += lcp.N(i, j) * (z[j] - other[j]);
        distance = std::max(distance, std::abs(change));
      }
      nearest = std::min(nearest, distance);
    }
    EXPECT_LE(nearest, 1e-7) << trial;
  }
  EXPECT_GT(solved, testing::trials(1400));
}

// Random units: rows and columns scaled by factors over twenty decades must not change the outcome,
// whether the matrix is full or has zeros.
TEST(DenseLemke, DoesNotDependOnUnits) {
  Random random(6);
  for (int trial = 0; trial < testing::trials(1000); ++trial) {
    const bool tridiagonal = trial % 2 == 1;
    const int n = tridiagonal ? random.integer(2, 30) : random.integer(2, 7);
    OwnedLcp lcp = randomMonotone(random, n, n, 1.0, 0.1);
    if (tridiagonal)
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
          entry(lcp, i, j) = i == j ? 2.5 : std::abs(i - j) == 1 ? random.uniform() : 0.0;
    OwnedLcp scaled = lcp;
    std::vector<double> r, s;
    for (int i = 0; i < n; ++i) {
      r.push_back(std::pow(10.0, random.uniform(-10, 10)));
      s.push_back(std::pow(10.0, random.uniform(-10, 10)));
    }
    for (int i = 0; i < n; ++i) {
      scaled.q[i] *= r[i];
      for (int j = 0; j < n; ++j) entry(scaled, i, j) *= r[i] * s[j];
    }
    DenseLemke lemke;
    std::vector<double> z(lcp.q.size()), z_scaled(lcp.q.size());
    ASSERT_EQ(lemke.solve(lcp.view(), z).status, SolveStatus::solved);
    ASSERT_EQ(lemke.solve(scaled.view(), z_scaled).status, SolveStatus::solved) << trial;
    for (std::size_t i = 0; i < z.size(); ++i)
      EXPECT_NEAR(z_scaled[i] * s[i], z[i], 1e-9 * (1 + z[i])) << trial;
  }
}

TEST(DenseLemke, ReturnsTheRayOfAnInfeasibleProblem) {
  // w = -1 whatever z: no solution.
  const OwnedLcp lcp{1, {0.0}, {-1.0}};
  DenseLemke lemke;
  std::vector<double> z(1);
  const LcpReport report = lemke.solve(lcp.view(), z);
  EXPECT_EQ(report.status, SolveStatus::ray);
  EXPECT_TRUE(report.infeasible);
  ASSERT_EQ(lemke.ray().size(), 1u);
  EXPECT_DOUBLE_EQ(lemke.ray()[0], 1.0);
  EXPECT_DOUBLE_EQ(report.residual, 1.0);
}

// A body that two walls press from both sides: w1 = z1 - z2 - 1, w2 = z2 - z1 - 1.
TEST(DenseLemke, SaysRayWhenWallsCloseOnABody) {
  const OwnedLcp lcp{2, {1, -1, -1, 1}, {-1, -1}};
  DenseLemke lemke;
  std::vector<double> z(2);
  const LcpReport report = lemke.solve(lcp.view(), z);
  EXPECT_EQ(report.status, SolveStatus::ray);
  EXPECT_TRUE(report.infeasible);
  EXPECT_DOUBLE_EQ(lemke.ray()[0], 1.0);
  EXPECT_DOUBLE_EQ(lemke.ray()[1], 1.0);
}

// Nearly singular but definite: a solution exists, far away, and no ray may claim otherwise.
TEST(DenseLemke, DoesNotProveNearlySingularProblemsInfeasible) {
  for (const double gap : {1e-6, 1e-8, 1e-10, 1e-12}) {
    const OwnedLcp lcp{2, {1, -1, -1, 1 + gap}, {-1, -1}};
    DenseLemke lemke;
    std::vector<double> z(2);
    const LcpReport report = lemke.solve(lcp.view(), z);
    EXPECT_FALSE(report.infeasible) << gap;
    EXPECT_NE(report.status, SolveStatus::ray) << gap;
    if (report.status == SolveStatus::solved) {
      EXPECT_NEAR(z[1] * gap, 2, 1e-3) << gap;
    }
  }
}

// A row that is tiny beside the others must still hold.
TEST(DenseLemke, DoesNotCallAProblemSolvedWhenASmallRowIsViolated) {
  const OwnedLcp lcp{2, {8796093022208, -1, 0, 2097152}, {2048, -17179869184}};
  DenseLemke lemke;
  std::vector<double> z(2);
  const LcpReport report = lemke.solve(lcp.view(), z);
  ASSERT_EQ(report.status, SolveStatus::solved);
  EXPECT_NEAR(z[1], 8192, 1e-9);
  EXPECT_NEAR(z[0], 6144.0 / 8796093022208, 1e-16);
}

TEST(DenseLemke, LeavesNonnegativeRightSidesAlone) {
  const OwnedLcp lcp{2, {-1, 7, 0, -3}, {0, 2}};
  DenseLemke lemke;
  std::vector<double> z(2, 5.0);
  const LcpReport report = lemke.solve(lcp.view(), z);
  EXPECT_EQ(report.status, SolveStatus::solved);
  EXPECT_EQ(report.pivots, 0);
  EXPECT_EQ(z, (std::vector<double>{0, 0}));
}

TEST(DenseLemke, StopsAtThePivotLimit) {
  Random random(7);
  const OwnedLcp lcp = randomMonotone(random, 8, 8, 1.0, 0.1);
  DenseLemke lemke({.pivot_limit = 1});
  std::vector<double> z(8);
  const LcpReport report = lemke.solve(lcp.view(), z);
  EXPECT_EQ(report.status, SolveStatus::iteration_limit);
  EXPECT_EQ(report.pivots, 1);
  EXPECT_GT(report.residual, 0);
}

// All entries of q equal and N the identity: every row ties in every ratio test.
TEST(DenseLemke, FinishesWhenEverythingTies) {
  const int n = 30;
  OwnedLcp lcp{n, std::vector<double>(std::size_t(n * n)),
               std::vector<double>(std::size_t(n), -1.0)};
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) entry(lcp, i, j) = i == j ? 2 : 1;
  DenseLemke lemke;
  std::vector<double> z(std::size_t(n), 0.0);
  ASSERT_EQ(lemke.solve(lcp.view(), z).status, SolveStatus::solved);
  for (const double x : z) EXPECT_NEAR(x, 1.0 / (n + 1), 1e-14);
}

// The family on which complementary pivoting is known to take long paths.
TEST(DenseLemke, SolvesMurtysTriangularFamily) {
  for (const int n : {2, 5, 10, 14}) {
    OwnedLcp lcp{n, std::vector<double>(std::size_t(n * n)),
                 std::vector<double>(std::size_t(n), -1.0)};
    for (int i = 0; i < n; ++i)
      for (int j = 0; j <= i; ++j) entry(lcp, i, j) = i == j ? 1 : 2;
    DenseLemke lemke;
    std::vector<double> z(std::size_t(n), 0.0);
    ASSERT_EQ(lemke.solve(lcp.view(), z).status, SolveStatus::solved) << n;
    EXPECT_NEAR(z[0], 1.0, 1e-14);
    for (std::size_t i = 1; i < z.size(); ++i) EXPECT_NEAR(z[i], 0.0, 1e-14);
  }
}

TEST(DenseLemke, DoesNotHangOnNumbersThatAreNotFinite) {
  const double nan = std::nan("");
  const OwnedLcp lcp{2, {1, nan, 0, 1}, {-1, -1}};
  DenseLemke lemke;
  std::vector<double> z(2);
  const LcpReport report = lemke.solve(lcp.view(), z);
  EXPECT_NE(report.status, SolveStatus::solved);
  EXPECT_TRUE(std::isinf(report.residual));
}

}  // namespace
}  // namespace stickslip
