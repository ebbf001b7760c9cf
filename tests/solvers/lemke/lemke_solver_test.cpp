// The solver `lemke` on random contact problems: every answer must be certified.
#include <gtest/gtest.h>

#include <cmath>

#include "solvers/lemke/lemke_solver.hpp"
#include "stickslip/certificate.hpp"
#include "support/contact_problems.hpp"

namespace stickslip {
namespace {

using testing::ProblemShape;
using testing::Random;

void expectAllCertified(ProblemShape shape, int trials, std::uint64_t seed) {
  Random random(seed);
  LemkeSolver solver(0);
  Certifier certifier;
  ContactSolution solution;
  for (int trial = 0; trial < trials; ++trial) {
    const ContactProblem problem = testing::randomContactProblem(random, shape);
    const SolveReport report = solver.solve(problem, solution);
    const Certificate certificate = certifier.certify(problem, solution);
    ASSERT_EQ(report.status, SolveStatus::solved) << "trial " << trial;
    ASSERT_LE(certificate.worstResidual(), 1e-9) << "trial " << trial;
  }
}

TEST(LemkeSolver, SolvesFewContacts) {
  for (int contacts = 1; contacts <= 6; ++contacts)
    expectAllCertified({.velocities = 6, .contacts = contacts}, 500, 100 + std::uint64_t(contacts));
}

// More contacts than velocities: impulses cannot be unique, and friction is large.
TEST(LemkeSolver, SolvesHyperstaticProblems) {
  expectAllCertified({.velocities = 3, .contacts = 8, .largest_mu = 2}, 500, 201);
  expectAllCertified({.velocities = 6, .contacts = 20, .largest_mu = 0.8}, 100, 202);
  expectAllCertified({.velocities = 30, .contacts = 40, .largest_mu = 0.8}, 10, 203);
}

TEST(LemkeSolver, SolvesWithAndWithoutFrictionInOneProblem) {
  expectAllCertified({.velocities = 5, .contacts = 5, .some_frictionless = true}, 500, 301);
}

TEST(LemkeSolver, SolvesWithJoints) {
  expectAllCertified({.velocities = 6, .contacts = 3, .joints = 2}, 500, 401);
}

TEST(LemkeSolver, SolvesWithRedundantJoints) {
  expectAllCertified({.velocities = 6, .contacts = 3, .joints = 3, .repeated_joints = 2}, 500, 402);
}

TEST(LemkeSolver, SolvesWhenJointsLeaveNoMotion) {
  expectAllCertified({.velocities = 3, .contacts = 2, .joints = 3}, 100, 403);
}

TEST(LemkeSolver, SolvesWithRestitution) {
  expectAllCertified({.velocities = 8, .contacts = 3, .restitution = true}, 500, 501);
}

// Each contact's gap in a unit of its own: nothing may change.
TEST(LemkeSolver, DoesNotDependOnTheUnitsOfEachContact) {
  Random random(801);
  for (int trial = 0; trial < 200; ++trial) {
    const ContactProblem problem = testing::randomContactProblem(
        random, {.velocities = 30, .contacts = 20, .largest_mu = 0.8});
    ContactProblem other = problem;
    other.J.clear();
    for (int i = 0; i < problem.contactCount(); ++i) {
      const double unit = std::pow(10.0, random.uniform(-6, 6));
      other.J.addGroup(2);
      const MatrixView strip = other.J.addStrip(0, 30);
      for (int row = 0; row < 2; ++row)
        for (int k = 0; k < 30; ++k)
          strip(row, k) = unit * testing::denseRow(problem.J, problem.J.firstRow(i) + row, 30)[k];
    }
    ContactSolution a, b;
    ASSERT_EQ(LemkeSolver(0).solve(problem, a).status, SolveStatus::solved) << trial;
    ASSERT_EQ(LemkeSolver(0).solve(other, b).status, SolveStatus::solved) << trial;
    EXPECT_LE(Certifier().certify(other, b).worstResidual(), 1e-9) << trial;
    for (std::size_t k = 0; k < 30; ++k) EXPECT_NEAR(a.v[k], b.v[k], 1e-8) << trial;
  }
}

// Joints that contradict each other cannot be satisfied; the certificate says so.
TEST(LemkeSolver, ContradictingJointsAreNotCertified) {
  Random random(601);
  ContactProblem problem = testing::randomContactProblem(
      random, {.velocities = 4, .contacts = 1, .joints = 1, .repeated_joints = 1});
  problem.g = {1, 1};
  ContactSolution solution;
  LemkeSolver(0).solve(problem, solution);
  const Certificate certificate = Certifier().certify(problem, solution);
  EXPECT_TRUE(certificate.finite);
  EXPECT_GT(certificate.joint_residual, 1e-3);
}

// A particle between two walls that close on it: no motion fits, and the answer is an honest "ray".
TEST(LemkeSolver, ClosingWallsAreReported) {
  const ContactProblem problem = testing::closingWalls(1, 0);
  ContactSolution solution;
  const SolveReport report = LemkeSolver(0).solve(problem, solution);
  EXPECT_EQ(report.status, SolveStatus::ray);
  const Certificate certificate = Certifier().certify(problem, solution);
  EXPECT_TRUE(certificate.finite);
  EXPECT_FALSE(certificate.holds(1e-3));
}

TEST(LemkeSolver, HonoursItsBudget) {
  Random random(701);
  const ContactProblem problem =
      testing::randomContactProblem(random, {.velocities = 6, .contacts = 6});
  ContactSolution solution;
  const SolveReport report = LemkeSolver(2).solve(problem, solution);
  EXPECT_EQ(report.status, SolveStatus::iteration_limit);
  EXPECT_EQ(report.iterations, 2);
  EXPECT_TRUE(Certifier().certify(problem, solution).finite);
}

}  // namespace
}  // namespace stickslip
