// The reduced problem against the full linear system, and compliant joint rows.
#include "problem/reduced_problem.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "solvers/lemke/lemke_solver.hpp"
#include "stickslip/certificate.hpp"
#include "support/contact_problems.hpp"
#include "support/lcp_enumerator.hpp"

namespace stickslip {
namespace {

using testing::denseRow;
using testing::Random;

// Velocity from [M -G'; G C] (v, c) = (momentum, joint_rhs).
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
    const auto joint = std::size_t(n + r);
    const std::vector<double> row = denseRow(problem.G, r, n);
    for (std::size_t k = 0; k < std::size_t(n); ++k) {
      A[joint * size + k] = row[k];
      A[k * size + joint] = -row[k];
    }
    A[joint * size + joint] = problem.compliance[r];
  }
  return *testing::solveDense(A, b);
}

void expectSchurComplement(const ContactProblem& problem) {
  ReducedProblem reduced;
  reduced.reduce(problem);
  const int n = problem.velocityCount();
  const std::vector<double> none(problem.g.size(), 0.0);
  std::vector<double> Mv(std::size_t(n), 0.0), minus_g = problem.g;
  for (double& g : minus_g) g = -g;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) Mv[i] += problem.M.block(0)(i, j) * problem.v_free[j];
  const std::vector<double> start = solveKkt(problem, Mv, minus_g);
  for (int row = 0; row < problem.J.rowCount(); ++row) {
    const std::vector<double> J = denseRow(problem.J, row, n);
    double q = problem.b[row];
    for (std::size_t k = 0; k < J.size(); ++k) q += J[k] * start[k];
    EXPECT_NEAR(reduced.q()[row], q, 1e-10);
    for (int column = 0; column < problem.J.rowCount(); ++column) {
      const std::vector<double> x = solveKkt(problem, denseRow(problem.J, column, n), none);
      double w = 0;
      for (std::size_t k = 0; k < J.size(); ++k) w += J[k] * x[k];
      EXPECT_NEAR(reduced.W()(row, column), w, 1e-10);
    }
  }
}

TEST(ReducedProblem, IsTheSchurComplementWithJoints) {
  Random random(21);
  ContactProblem problem =
      testing::randomContactProblem(random, {.velocities = 5, .contacts = 2, .joints = 2});
  problem.g = random.vector(2);
  expectSchurComplement(problem);
}

TEST(ReducedProblem, IsTheSchurComplementWithCompliantJoints) {
  Random random(22);
  for (int trial = 0; trial < 50; ++trial) {
    ContactProblem problem =
        testing::randomContactProblem(random, {.velocities = 5, .contacts = 2, .joints = 4});
    problem.g = random.vector(4);
    for (const std::size_t row : {0, 2, 3})
      problem.compliance[row] = std::pow(10.0, random.uniform(-3, 2));
    expectSchurComplement(problem);
  }
}

// Joints that say the same are no contradiction if they give: each carries its share.
TEST(ReducedProblem, ParallelSpringsShareTheLoad) {
  ContactProblem problem;
  const int sizes[] = {1};
  problem.M.resize(sizes);
  problem.M.block(0)(0, 0) = 2;
  problem.v_free = problem.v_old = {3};
  for (int k = 0; k < 2; ++k) {
    problem.G.addGroup(1);
    problem.G.addStrip(0, 1)(0, 0) = 1;
  }
  problem.g = {0.5, -1};
  problem.compliance = {0.25, 4};
  problem.joint_gap = problem.joint_drive = {0, 0};
  ContactSolution s;
  LemkeSolver(0).solve(problem, s);
  // 2 (v - 3) = c_1 + c_2 with c_1 = -(v + 0.5) / 0.25, c_2 = -(v - 1) / 4.
  const double v = (6 - 2 + 0.25) / (2 + 4 + 0.25);
  EXPECT_NEAR(s.v[0], v, 1e-15);
  EXPECT_NEAR(s.c[0], -(v + 0.5) / 0.25, 1e-14);
  EXPECT_NEAR(s.c[1], -(v - 1) / 4, 1e-15);
  const Certificate certificate = Certifier().certify(problem, s);
  EXPECT_LE(certificate.worstResidual(), 1e-15);
  EXPECT_TRUE(certificate.impulses_unique);
  EXPECT_EQ(certificate.contact_work, 0) << "springs are no constraints";
  // Without the springs' give it does not hold.
  s.c[0] += 0.1;
  EXPECT_GT(Certifier().certify(problem, s).joint_residual, 1e-3);
}

TEST(ReducedProblem, ARowWithoutDirectionIsItsOwnEquation) {
  ContactProblem problem;
  const int sizes[] = {1};
  problem.M.resize(sizes);
  problem.M.block(0)(0, 0) = 2;
  problem.v_free = problem.v_old = {3};
  problem.G.addGroup(1);
  problem.G.addStrip(0, 1);
  problem.g = {5};
  problem.compliance = {4};
  problem.joint_gap = problem.joint_drive = {0};
  ContactSolution s;
  LemkeSolver(0).solve(problem, s);
  EXPECT_EQ(s.v[0], 3);
  EXPECT_DOUBLE_EQ(s.c[0], -1.25);
  EXPECT_LE(Certifier().certify(problem, s).worstResidual(), 1e-15);
}

}  // namespace
}  // namespace stickslip
