// The solver `exact` in the plane and with polyhedral cones, where its paths are those of pairs:
// piles, random problems, units, budgets.
#include <gtest/gtest.h>

#include <cmath>

#include "problem/reduced_problem.hpp"
#include "solvers/exact/exact_solver.hpp"
#include "solvers/lemke/lemke_solver.hpp"
#include "stickslip/certificate.hpp"
#include "support/contact_problems.hpp"
#include "support/lcp_enumerator.hpp"
#include "support/pile_problems.hpp"
#include "support/spatial_problems.hpp"

namespace stickslip {
namespace {

using testing::ProblemShape;
using testing::Random;
using testing::SpatialShape;

Method withBudget(long budget) {
  Method method;
  method.budget = budget;
  return method;
}

// Returns the iterations.
long expectCertified(ExactSolver& solver, const ContactProblem& problem) {
  ContactSolution solution;
  Certifier certifier;
  const SolveReport report = solver.solve(problem, solution);
  EXPECT_EQ(report.status, SolveStatus::solved);
  EXPECT_LE(certifier.certify(problem, solution).worstResidual(), 1e-8);
  return report.iterations;
}

TEST(ExactPlanar, SolvesPilesAtRest) {
  Random random(1);
  ExactSolver solver(Method{});
  for (const double mu : {0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8}) {
    solver.restart();
    expectCertified(solver, testing::cannonballPile(6, mu, 0.05, 0, random));
  }
}

TEST(ExactPlanar, SolvesPilesNearRest) {
  Random random(2);
  ExactSolver solver(Method{});
  long most = 0;
  for (const double mu : {0.3, 0.5})
    for (const double speed : {0.03, 0.1}) {
      solver.restart();
      const auto pile = testing::cannonballPile(10, mu, 0.05, speed, random);
      most = std::max(most, expectCertified(solver, pile));
    }
  // At least one is no matter of a few Newton steps.
  EXPECT_GT(most, 60);
}

// With a little more friction nothing would slide: paths are long here, and sweeps from the relaxed
// solution find the few contacts that do.
TEST(ExactPlanar, SolvesPilesThatBarelySlide) {
  Random random(5);
  ExactSolver solver(Method{});
  for (const double mu : {0.52, 0.54}) {
    solver.restart();
    EXPECT_LE(expectCertified(solver, testing::cannonballPile(14, mu, 0.05, 0, random)), 250) << mu;
  }
}

TEST(ExactPlanar, SolvesRandomPiles) {
  Random random(3);
  ExactSolver solver(Method{});
  for (int trial = 0; trial < 40; ++trial) {
    solver.restart();
    const double mu = random.uniform(0.05, 1);
    expectCertified(solver, testing::randomPile(random.integer(2, 12), mu, 30, 0.1, random));
  }
}

void expectPlanarCertified(const ProblemShape& shape, int trials, std::uint64_t seed) {
  Random random(seed);
  ExactSolver solver(Method{});
  for (int trial = 0; trial < trials; ++trial) {
    solver.restart();
    expectCertified(solver, testing::randomContactProblem(random, shape));
    ASSERT_FALSE(::testing::Test::HasFailure()) << "trial " << trial;
  }
}

TEST(ExactPlanar, SolvesRandomProblemsInThePlane) {
  expectPlanarCertified({.velocities = 6, .contacts = 1}, 50, 11);
  expectPlanarCertified({.velocities = 6, .contacts = 6}, 50, 12);
  expectPlanarCertified({.velocities = 3, .contacts = 8, .largest_mu = 2}, 100, 13);
  expectPlanarCertified({.velocities = 5, .contacts = 5, .some_frictionless = true}, 50, 14);
  expectPlanarCertified({.velocities = 8, .contacts = 3, .restitution = true}, 50, 15);
}

TEST(ExactPlanar, SolvesWithJoints) {
  expectPlanarCertified({.velocities = 6, .contacts = 3, .joints = 2}, 50, 21);
  expectPlanarCertified({.velocities = 6, .contacts = 3, .joints = 3, .repeated_joints = 2}, 50,
                        22);
  expectPlanarCertified({.velocities = 3, .contacts = 2, .joints = 3}, 30, 23);
}

void expectPlanarCertified(SpatialShape shape, int trials, std::uint64_t seed) {
  Random random(seed);
  ExactSolver solver(Method{});
  shape.polyhedral = true;
  for (int trial = 0; trial < trials; ++trial) {
    solver.restart();
    shape.bodies = random.integer(1, 3);
    shape.patches = random.integer(1, 4);
    expectCertified(solver, testing::randomSpatialProblem(random, shape));
    ASSERT_FALSE(::testing::Test::HasFailure()) << "trial " << trial;
  }
}

TEST(ExactPlanar, SolvesPolyhedralConesInSpace) {
  expectPlanarCertified(SpatialShape{.directions = 8}, 40, 31);
  expectPlanarCertified(SpatialShape{.points = 4, .directions = 4, .circular = false}, 30, 32);
  expectPlanarCertified(SpatialShape{.directions = 6, .mass_ratio = 100, .joints = 1, .motors = 1},
                        30, 33);
  expectPlanarCertified(SpatialShape{.springs = 1, .motors = 2, .frictionless = true}, 30, 34);
}

// Velocities of the solutions that the LCP has by brute force.
TEST(ExactPlanar, FindsASolutionThatBruteForceFinds) {
  Random random(41);
  ExactSolver solver(Method{});
  for (int trial = 0; trial < 40; ++trial) {
    const ContactProblem problem =
        testing::randomContactProblem(random, {.velocities = 5, .contacts = 2});
    ReducedProblem reduced;
    reduced.reduce(problem);
    FrictionLcp lcp;
    lcp.build(FrictionLcp::Form::cone, reduced.W(), reduced.q(), problem.J, problem.sets);
    ContactSolution solution;
    solver.restart();
    ASSERT_EQ(solver.solve(problem, solution).status, SolveStatus::solved);
    double nearest = 1e300, size = 1;
    for (const auto& z : testing::enumerateLcpSolutions(lcp.lcp())) {
      std::vector<double> p(solution.p.size());
      lcp.impulses(z, p);
      double distance = 0;
      for (std::size_t k = 0; k < p.size(); ++k) {
        distance = std::max(distance, std::abs(p[k] - solution.p[k]));
        size = std::max(size, std::abs(p[k]));
      }
      nearest = std::min(nearest, distance);
    }
    EXPECT_LE(nearest, 1e-7 * size) << "trial " << trial;
  }
}

// With friction this small the solution is unique, and two methods must agree on the motion.
TEST(ExactPlanar, MovesAsLemkesMethodDoes) {
  Random random(51);
  ExactSolver solver(Method{});
  LemkeSolver lemke(0);
  for (int trial = 0; trial < 40; ++trial) {
    SpatialShape shape{.bodies = 2, .patches = 3, .points = 3, .polyhedral = true};
    shape.largest_mu = 0.1;
    const ContactProblem problem = testing::randomSpatialProblem(random, shape);
    ContactSolution a, b;
    solver.restart();
    ASSERT_EQ(solver.solve(problem, a).status, SolveStatus::solved);
    ASSERT_EQ(lemke.solve(problem, b).status, SolveStatus::solved);
    double size = 0;
    for (const double v : problem.v_free) size = std::max(size, std::abs(v));
    for (std::size_t k = 0; k < a.v.size(); ++k)
      EXPECT_NEAR(a.v[k], b.v[k], 1e-6 * size) << "trial " << trial;
  }
}

TEST(ExactPlanar, StartsFromTheLastImpulses) {
  Random random(61);
  ExactSolver solver(Method{});
  ContactProblem pile = testing::cannonballPile(8, 0.3, 0.05, 0.1, random);
  const long cold = expectCertified(solver, pile);
  for (double& v : pile.v_free) v *= 1 + 1e-4 * random.uniform();
  EXPECT_LT(5 * expectCertified(solver, pile), cold);
}

TEST(ExactPlanar, KeepsItsBudget) {
  Random random(71);
  const ContactProblem pile = testing::cannonballPile(20, 0.5, 0.05, 0.03, random);
  Certifier certifier;
  ContactSolution nothing{pile.v_free, std::vector<double>(pile.b.size(), 0.0), {}};
  const double start = certifier.certify(pile, nothing).residual;
  for (const long budget : {1L, 20L, 60L}) {
    ExactSolver solver(withBudget(budget));
    ContactSolution solution;
    const SolveReport report = solver.solve(pile, solution);
    EXPECT_EQ(report.status, SolveStatus::iteration_limit);
    EXPECT_LE(report.iterations, budget);
    // The best point met: not worse than the start, whatever stage the budget ended in.
    const Certificate certificate = certifier.certify(pile, solution);
    EXPECT_TRUE(certificate.finite);
    EXPECT_LE(certificate.residual, start * (1 + 1e-9));
  }
}

TEST(ExactPlanar, GivesTheSameAnswerAgain) {
  Random random(81);
  const ContactProblem pile = testing::cannonballPile(8, 0.5, 0.05, 0.1, random);
  ContactSolution a, b, c;
  ExactSolver one(Method{}), other(Method{});
  const long iterations = one.solve(pile, a).iterations;
  one.restart();
  EXPECT_EQ(one.solve(pile, b).iterations, iterations);
  EXPECT_EQ(other.solve(pile, c).iterations, iterations);
  EXPECT_EQ(a.p, b.p);
  EXPECT_EQ(a.p, c.p);
}

// The same in other units: velocities by a factor, masses by another one.
ContactProblem inPathUnits(ContactProblem problem, double velocity, double mass) {
  for (double& v : problem.v_free) v *= velocity;
  for (double& b : problem.b) b *= velocity;
  for (int k = 0; k < problem.M.blockCount(); ++k) {
    const MatrixView block = problem.M.block(k);
    for (int i = 0; i < block.rows * block.columns; ++i) block.data[i] *= mass;
  }
  return problem;
}

TEST(ExactPlanar, DoesNotDependOnUnits) {
  Random random(91);
  const ContactProblem pile = testing::cannonballPile(6, 0.4, 0.05, 0.1, random);
  const double velocity = 0x1p40, mass = 0x1p-30;
  ContactSolution a, b;
  ExactSolver one(Method{}), other(Method{});
  EXPECT_EQ(one.solve(pile, a).iterations,
            other.solve(inPathUnits(pile, velocity, mass), b).iterations);
  for (std::size_t k = 0; k < a.v.size(); ++k) EXPECT_EQ(a.v[k] * velocity, b.v[k]);
  other.restart();
  expectCertified(other, inPathUnits(pile, 3e5, 7e-9));
}

}  // namespace
}  // namespace stickslip
