// The reduced problem and its LCP forms against formulas that are written out in full.
#include <gtest/gtest.h>

#include <cmath>

#include "contact/friction_lcp.hpp"
#include "contact/reduced_problem.hpp"
#include "support/contact_problems.hpp"
#include "support/lcp_enumerator.hpp"

namespace stickslip {
namespace {

using testing::denseRow;
using testing::Random;

// J A b with A = the block of the inverse of [M G'; G 0] that belongs to velocities.
std::vector<double> solveKkt(const ContactProblem& problem, std::vector<double> momentum,
                             const std::vector<double>& joint_rhs) {
  const int n = problem.velocityCount(), m = problem.G.rowCount();
  const auto size = std::size_t(n + m);
  std::vector<double> A(size * size, 0.0), b = std::move(momentum);
  b.insert(b.end(), joint_rhs.begin(), joint_rhs.end());
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      A[std::size_t(i) * size + std::size_t(j)] = problem.M.block(0)(i, j);
  for (int r = 0; r < m; ++r) {
    const std::vector<double> row = denseRow(problem.G, r, n);
    for (int k = 0; k < n; ++k) {
      A[std::size_t(n + r) * size + std::size_t(k)] = row[std::size_t(k)];
      A[std::size_t(k) * size + std::size_t(n + r)] = -row[std::size_t(k)];
    }
  }
  return *testing::solveDense(A, b);
}

TEST(ReducedProblem, IsTheSchurComplementWithJoints) {
  Random random(21);
  testing::ProblemShape shape;
  shape.velocities = 5;
  shape.contacts = 2;
  shape.joints = 2;
  ContactProblem problem = testing::randomContactProblem(random, shape);
  problem.g = random.vector(2);
  ReducedProblem reduced;
  reduced.reduce(problem);

  const std::size_t n = 5;
  std::vector<double> Mv(n, 0.0), minus_g{-problem.g[0], -problem.g[1]};
  for (int i = 0; i < 5; ++i)
    for (int j = 0; j < 5; ++j)
      Mv[std::size_t(i)] += problem.M.block(0)(i, j) * problem.v_free[std::size_t(j)];
  const std::vector<double> start = solveKkt(problem, Mv, minus_g);
  for (int row = 0; row < problem.J.rowCount(); ++row) {
    const std::vector<double> J = denseRow(problem.J, row, 5);
    double q = problem.b[std::size_t(row)];
    for (std::size_t k = 0; k < n; ++k) q += J[k] * start[k];
    EXPECT_NEAR(reduced.q()[std::size_t(row)], q, 1e-11);
    for (int column = 0; column < problem.J.rowCount(); ++column) {
      const std::vector<double> x = solveKkt(problem, denseRow(problem.J, column, 5), {0, 0});
      double w = 0;
      for (std::size_t k = 0; k < n; ++k) w += J[k] * x[k];
      EXPECT_NEAR(reduced.W()(row, column), w, 1e-10);
    }
  }
}

// 002 (33) for two contacts, written out, in the scale of each contact.
TEST(FrictionLcp, RelayFormIsEquation33) {
  Random random(22);
  const ContactProblem problem = testing::randomContactProblem(random, {});
  ReducedProblem reduced;
  reduced.reduce(problem);
  FrictionLcp planar;
  planar.build(FrictionLcp::Form::relay, reduced.W(), reduced.q(), problem.J, problem.sets);
  const Lcp lcp = planar.lcp();
  for (int i = 0; i < 2; ++i) {
    const double s = planar.scale(i);
    EXPECT_EQ(std::exp2(std::ilogb(s)), s) << "a power of two, so that no rounding is added";
    EXPECT_NEAR(std::log2(s * s * reduced.W()(2 * i, 2 * i)), 0, 2);
  }
  const auto W = [&](int i, int j) {
    return planar.scale(i / 2) * planar.scale(j / 2) * reduced.W()(i, j);
  };
  ASSERT_EQ(lcp.size(), 6);
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j) {
      const double mu = problem.sets[std::size_t(j)].mu;
      const double same = i == j ? 1 : 0;
      EXPECT_DOUBLE_EQ(lcp.N(i, j), W(2 * i, 2 * j) - mu * W(2 * i, 2 * j + 1));
      EXPECT_DOUBLE_EQ(lcp.N(i, 2 + j), W(2 * i, 2 * j + 1));
      EXPECT_DOUBLE_EQ(lcp.N(i, 4 + j), 0);
      EXPECT_DOUBLE_EQ(lcp.N(2 + i, j), W(2 * i + 1, 2 * j) - mu * W(2 * i + 1, 2 * j + 1));
      EXPECT_DOUBLE_EQ(lcp.N(2 + i, 2 + j), W(2 * i + 1, 2 * j + 1));
      EXPECT_DOUBLE_EQ(lcp.N(2 + i, 4 + j), same);
      EXPECT_DOUBLE_EQ(lcp.N(4 + i, j), 2 * mu * same);
      EXPECT_DOUBLE_EQ(lcp.N(4 + i, 2 + j), -same);
      EXPECT_DOUBLE_EQ(lcp.N(4 + i, 4 + j), 0);
    }
  for (int i = 0; i < 2; ++i) {
    EXPECT_DOUBLE_EQ(lcp.q[std::size_t(i)], planar.scale(i) * reduced.q()[std::size_t(2 * i)]);
    EXPECT_DOUBLE_EQ(lcp.q[std::size_t(2 + i)],
                     planar.scale(i) * reduced.q()[std::size_t(2 * i + 1)]);
    EXPECT_DOUBLE_EQ(lcp.q[std::size_t(4 + i)], 0);
  }
}

TEST(FrictionLcp, BothFormsGiveTheSameImpulses) {
  Random random(23);
  for (int trial = 0; trial < 300; ++trial) {
    testing::ProblemShape shape;
    shape.velocities = 6;
    shape.contacts = 2;
    shape.largest_mu = 0.3;
    shape.some_frictionless = trial % 2 == 0;
    const ContactProblem problem = testing::randomContactProblem(random, shape);
    ReducedProblem reduced;
    reduced.reduce(problem);
    std::vector<std::vector<double>> impulses;
    for (const FrictionLcp::Form form : {FrictionLcp::Form::relay, FrictionLcp::Form::cone}) {
      FrictionLcp planar;
      planar.build(form, reduced.W(), reduced.q(), problem.J, problem.sets);
      Lemke lemke;
      std::vector<double> z(planar.lcp().q.size()), p(std::size_t(problem.J.rowCount()));
      ASSERT_EQ(lemke.solve(planar.lcp(), z).status, SolveStatus::solved);
      planar.impulses(z, p);
      impulses.push_back(p);
    }
    for (std::size_t k = 0; k < impulses[0].size(); ++k)
      EXPECT_NEAR(impulses[0][k], impulses[1][k], 1e-9) << trial;
  }
}

}  // namespace
}  // namespace stickslip
