// The revised method against brute force and the dense one, its rays, and its warm starts.
#include <gtest/gtest.h>

#include <cmath>

#include "problem/reduced_problem.hpp"
#include "solvers/lemke/friction_lcp.hpp"
#include "solvers/lemke/sparse_friction_lcp.hpp"
#include "solvers/lemke/sparse_lemke.hpp"
#include "support/contact_problems.hpp"
#include "support/effort.hpp"
#include "support/lcp_enumerator.hpp"
#include "support/lcp_problems.hpp"
#include "support/pile_problems.hpp"

namespace stickslip {
namespace {

using testing::DenseLcp;
using testing::Random;

// Without free unknowns.
MixedLcp plain(const DenseLcp& lcp) {
  MixedLcp mixed;
  mixed.start(0, lcp.size);
  for (int i = 0; i < lcp.size; ++i) {
    mixed.rightSide()[i] = lcp.q[i];
    for (int j = 0; j < lcp.size; ++j) mixed.add(i, j, -lcp.N[i * lcp.size + j]);
  }
  mixed.finish();
  return mixed;
}

// N = A A' + skew by velocities of unit mass: d - A' z = 0, w = A d + skew z + q.
MixedLcp withVelocities(const std::vector<double>& A, int rank, const std::vector<double>& skew,
                        const DenseLcp& lcp) {
  MixedLcp mixed;
  mixed.start(rank, lcp.size);
  for (int k = 0; k < rank; ++k) mixed.add(k, k, 1);
  for (int i = 0; i < lcp.size; ++i) {
    for (int k = 0; k < rank; ++k) {
      mixed.add(k, rank + i, -A[i * rank + k]);
      mixed.add(rank + i, k, -A[i * rank + k]);
    }
    for (int j = 0; j < lcp.size; ++j) mixed.add(rank + i, rank + j, -skew[i * lcp.size + j]);
    mixed.rightSide()[rank + i] = lcp.q[i];
  }
  mixed.finish();
  return mixed;
}

TEST(SparseLemke, AgreesWithBruteForceOnDefiniteProblems) {
  Random random(1);
  SparseLemke lemke;
  for (int trial = 0; trial < 500; ++trial) {
    const int n = random.integer(1, 8), rank = n;
    const auto size = std::size_t(n);
    std::vector<double> A = random.vector(size * size), skew(size * size);
    DenseLcp lcp{n, std::vector<double>(size * size), random.vector(size)};
    for (std::size_t i = 0; i < size; ++i) A[i * size + i] += 1.5;
    for (std::size_t i = 0; i < size; ++i)
      for (std::size_t j = 0; j < i; ++j) {
        skew[i * size + j] = random.uniform();
        skew[j * size + i] = -skew[i * size + j];
      }
    for (std::size_t i = 0; i < size; ++i)
      for (std::size_t j = 0; j < size; ++j) {
        lcp.N[i * size + j] = skew[i * size + j];
        for (std::size_t k = 0; k < size; ++k)
          lcp.N[i * size + j] += A[i * size + k] * A[j * size + k];
      }
    const auto all = testing::enumerateLcpSolutions(lcp.view());
    ASSERT_FALSE(all.empty()) << trial;
    for (const MixedLcp& mixed : {plain(lcp), withVelocities(A, rank, skew, lcp)}) {
      ASSERT_EQ(lemke.solve(mixed, 0).status, SolveStatus::solved) << trial;
      for (std::size_t i = 0; i < size; ++i) EXPECT_NEAR(lemke.z()[i], all[0][i], 1e-8) << trial;
    }
  }
}

// Small whole numbers: ties everywhere.
TEST(SparseLemke, SolvesDegenerateProblems) {
  Random random(2);
  SparseLemke lemke;
  for (int trial = 0; trial < 500; ++trial) {
    const int n = random.integer(2, 12);
    const auto size = std::size_t(n);
    std::vector<double> B(size * size);
    DenseLcp lcp{n, std::vector<double>(size * size), std::vector<double>(size)};
    for (double& b : B) b = random.integer(-1, 1);
    for (double& x : lcp.q) x = random.integer(-2, 0);
    for (std::size_t i = 0; i < size; ++i)
      for (std::size_t j = 0; j < size; ++j) {
        lcp.N[i * size + j] = i == j ? 1 : 0;
        for (std::size_t k = 0; k < size; ++k)
          lcp.N[i * size + j] += B[i * size + k] * B[j * size + k];
      }
    ASSERT_EQ(lemke.solve(plain(lcp), 0).status, SolveStatus::solved) << trial;
    EXPECT_LE(lcpResidual(lcp.view(), lemke.z()), 1e-11) << trial;
  }
}

// The contact problem with its velocities has the same solutions as without.
TEST(SparseLemke, ItsImpulsesSolveTheReducedProblem) {
  Random random(3);
  SparseLemke lemke;
  SparseFrictionLcp sparse;
  for (int trial = 0; trial < 200; ++trial) {
    const testing::ProblemShape shape{.velocities = 6,
                                      .contacts = 4,
                                      .joints = trial % 3,
                                      .repeated_joints = trial % 3 > 1 ? 1 : 0,
                                      .some_frictionless = trial % 2 == 0};
    const ContactProblem problem = testing::randomContactProblem(random, shape);
    sparse.build(FrictionVariables::Form::cone, problem);
    ASSERT_EQ(lemke.solve(sparse.lcp(), 0).status, SolveStatus::solved) << trial;
    ContactSolution solution;
    sparse.recover(problem, lemke.x(), lemke.z(), solution);
    // Impulses are fixed by z up to the scales, which the reduced problem chooses for itself.
    ReducedProblem reduced;
    reduced.reduce(problem);
    ContactSolution again;
    reduced.recover(solution.p, again);
    for (std::size_t k = 0; k < 6; ++k) EXPECT_NEAR(again.v[k], solution.v[k], 1e-10) << trial;
    const VelocityError error = sparse.velocityError(problem, lemke.z(), again);
    EXPECT_LE(error.violation, 1e-10 * error.reference) << trial;
  }
}

// A box between two walls that close on it: the ray pushes on both sides.
TEST(SparseLemke, ProvesThatClosingWallsLeaveNoMotion) {
  ContactProblem problem;
  const int sizes[] = {3};
  problem.M.resize(sizes);
  problem.M.block(0)(0, 0) = problem.M.block(0)(1, 1) = 2;
  problem.M.block(0)(2, 2) = 0.5;
  problem.v_free = {0.1, -0.2, 0.3};
  for (const double side : {1.0, -1.0}) {
    problem.J.addGroup(2);
    const MatrixView strip = problem.J.addStrip(0, 3);
    strip(0, 0) = side;
    strip(1, 1) = side;
    strip(1, 2) = -0.5;
    problem.b.insert(problem.b.end(), {-1.0, 0.0});
    problem.sets.push_back({ImpulseSet::Kind::planar, 0.3});
  }
  SparseFrictionLcp sparse;
  SparseLemke lemke;
  sparse.build(FrictionVariables::Form::cone, problem);
  EXPECT_EQ(lemke.solve(sparse.lcp(), 0).status, SolveStatus::ray);
  ASSERT_EQ(lemke.ray().size(), std::size_t(sparse.lcp().size()));
  // The proof, on the reduced problem: z >= 0, z.N z = 0, q.z < 0.
  ReducedProblem reduced;
  reduced.reduce(problem);
  FrictionLcp friction;
  friction.build(FrictionVariables::Form::cone, reduced.W(), reduced.q(), problem.J, problem.sets);
  const Lcp lcp = friction.lcp();
  double z_N_z = 0, q_z = 0;
  for (std::size_t i = 0; i < lemke.ray().size(); ++i) {
    EXPECT_GE(lemke.ray()[i], 0);
    q_z += lcp.q[i] * lemke.ray()[i];
    for (std::size_t j = 0; j < lemke.ray().size(); ++j)
      z_N_z += lemke.ray()[i] * lcp.N(int(i), int(j)) * lemke.ray()[j];
  }
  EXPECT_NEAR(z_N_z, 0, 1e-12);
  EXPECT_LT(q_z, -0.1);
  EXPECT_NEAR(lemke.ray()[0], 1, 1e-12);
  EXPECT_NEAR(lemke.ray()[1], 1, 1e-12);
}

TEST(SparseLemke, StopsAtThePivotLimit) {
  Random random(5);
  SparseFrictionLcp sparse;
  sparse.build(FrictionVariables::Form::cone, testing::cannonballPile(4, 0.3, 0.05, 0, random));
  SparseLemke lemke;
  const SparseLemke::Report report = lemke.solve(sparse.lcp(), 7);
  EXPECT_EQ(report.status, SolveStatus::iteration_limit);
  EXPECT_EQ(report.pivots, 7);
}

// A pile at rest whose paths are long: pivots that were given are used, and the status says which
// limit it was.
TEST(SparseLemke, UsesThePivotsThatItIsGiven) {
  if (testing::kSanitized) GTEST_SKIP() << "the same code for longer";
  Random random(5);
  SparseFrictionLcp sparse;
  sparse.build(FrictionVariables::Form::cone, testing::cannonballPile(13, 0.5, 0.05, 0, random));
  SparseLemke lemke;
  const long budget = 75000;
  const SparseLemke::Report report = lemke.solve(sparse.lcp(), budget);
  if (report.status != SolveStatus::solved) {
    EXPECT_EQ(report.status, SolveStatus::iteration_limit);
    EXPECT_EQ(report.pivots, budget);
  }
  // Without, a limit of its own ends it.
  const SparseLemke::Report own = lemke.solve(sparse.lcp(), 0);
  EXPECT_EQ(own.status, SolveStatus::solver_limit);
  EXPECT_LT(own.pivots, report.pivots);
}

TEST(SparseLemke, ItsOwnBasisSolvesTheProblemAtOnce) {
  Random random(6);
  SparseFrictionLcp sparse;
  sparse.build(FrictionVariables::Form::cone, testing::cannonballPile(5, 0.3, 0.05, 0.1, random));
  SparseLemke lemke;
  const SparseLemke::Report cold = lemke.solve(sparse.lcp(), 0);
  ASSERT_EQ(cold.status, SolveStatus::solved);
  EXPECT_GT(cold.pivots, 50);
  const std::vector<double> z(lemke.z().begin(), lemke.z().end());
  const std::vector<int> basis(lemke.basis().begin(), lemke.basis().end());
  const SparseLemke::Report warm = lemke.solve(sparse.lcp(), 0, basis);
  EXPECT_EQ(warm.status, SolveStatus::solved);
  EXPECT_TRUE(warm.basis_reused);
  EXPECT_EQ(warm.pivots, 0);
  EXPECT_EQ(z, std::vector<double>(lemke.z().begin(), lemke.z().end()));
}

// A few velocities change: the way from the old basis is short, and its end as exact.
TEST(SparseLemke, WarmPathsAreShort) {
  Random random(7);
  ContactProblem problem = testing::cannonballPile(5, 0.2, 0.05, 0.1, random);
  SparseFrictionLcp sparse;
  SparseLemke warm, cold;
  std::vector<int> basis;
  long warm_pivots = 0, cold_pivots = 0;
  for (int step = 0; step < 15; ++step) {
    for (double& v : problem.v_free) v += 0.005 * random.uniform();
    sparse.build(FrictionVariables::Form::cone, problem);
    const SparseLemke::Report report = warm.solve(sparse.lcp(), 0, basis);
    ASSERT_EQ(report.status, SolveStatus::solved) << step;
    if (step > 0) warm_pivots += report.pivots;
    cold_pivots += cold.solve(sparse.lcp(), 0).pivots;
    basis.assign(warm.basis().begin(), warm.basis().end());
    ContactSolution solution;
    sparse.recover(problem, warm.x(), warm.z(), solution);
    const VelocityError error = sparse.velocityError(problem, warm.z(), solution);
    EXPECT_LE(error.violation, 1e-13 * error.reference) << step;
  }
  EXPECT_LT(warm_pivots, cold_pivots / 5);
}

// Whatever basis is offered, even a singular one, the answer is one.
TEST(SparseLemke, SurvivesAnyBasis) {
  Random random(8);
  SparseLemke lemke;
  SparseFrictionLcp sparse;
  for (int trial = 0; trial < 100; ++trial) {
    const ContactProblem problem = testing::cannonballPile(3, 0.4, 0.05, 0.2, random);
    sparse.build(FrictionVariables::Form::cone, problem);
    std::vector<int> basis;
    for (int i = 0; i < sparse.lcp().size(); ++i)
      if (random.integer(0, 2) == 0) basis.push_back(i);
    ASSERT_EQ(lemke.solve(sparse.lcp(), 0, basis).status, SolveStatus::solved) << trial;
    ContactSolution solution;
    sparse.recover(problem, lemke.x(), lemke.z(), solution);
    const VelocityError error = sparse.velocityError(problem, lemke.z(), solution);
    EXPECT_LE(error.violation, 1e-11 * error.reference) << trial;
  }
}

}  // namespace
}  // namespace stickslip
