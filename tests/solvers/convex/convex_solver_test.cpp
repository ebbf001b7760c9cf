// The relaxed law: against brute force, against its own variational inequality, and against the
// certificate.
#include <gtest/gtest.h>

#include <cmath>

#include "solvers/convex/convex_solver.hpp"
#include "stickslip/certificate.hpp"
#include "stickslip/solver.hpp"
#include "support/contact_problems.hpp"
#include "support/dense_relaxed.hpp"
#include "support/pile_problems.hpp"
#include "support/spatial_problems.hpp"

namespace stickslip {
namespace {

using testing::largestDifference;
using testing::Random;
using testing::randomContactProblem;
using testing::randomSpatialProblem;

std::unique_ptr<Solver> convexSolver(long budget = 0, double tolerance = 1e-8) {
  Method method;
  method.solver = "convex";
  method.law = Law::relaxed;
  method.budget = budget;
  method.tolerance = tolerance;
  return makeSolver(method);
}

struct Outcome {
  SolveReport report;
  ContactSolution solution;
  Certificate certificate;
};

Outcome solve(ContactProblem problem) {
  problem.law = Law::relaxed;
  Outcome out;
  out.report = convexSolver()->solve(problem, out.solution);
  out.certificate = Certifier().certify(problem, out.solution);
  return out;
}

void expectSolved(const ContactProblem& problem, const std::string& what) {
  const Outcome out = solve(problem);
  EXPECT_EQ(out.report.status, SolveStatus::solved) << what;
  EXPECT_LE(out.certificate.worstResidual(), 1e-8) << what;
}

double energyDistance(const ContactProblem& problem, const std::vector<double>& a,
                      const std::vector<double>& b) {
  double sum = 0;
  for (int block = 0; block < problem.M.blockCount(); ++block) {
    const ConstMatrixView M = problem.M.block(block);
    const std::size_t first = problem.M.firstRow(block);
    for (int i = 0; i < M.rows; ++i)
      for (int j = 0; j < M.rows; ++j) sum += a[first + i] * M(i, j) * b[first + j];
  }
  return sum;
}

std::vector<double> difference(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> out(a.size());
  for (std::size_t k = 0; k < a.size(); ++k) out[k] = a[k] - b[k];
  return out;
}

TEST(ConvexSolver, SolvesRandomProblemsOfEveryKind) {
  for (int k = 0; k < 40; ++k) {
    Random random(static_cast<std::uint64_t>(1000 + k));
    const std::string seed = std::to_string(k);
    expectSolved(randomContactProblem(random, testing::mixedShape(k)), "planar " + seed);
    expectSolved(randomSpatialProblem(random, {.bodies = 1 + k % 5,
                                               .patches = 1 + k % 7,
                                               .points = 1 + k % 4,
                                               .circular = k % 2 == 0,
                                               .largest_mu = 2,
                                               .restitution = true}),
                 "redundant patches " + seed);
    expectSolved(randomSpatialProblem(random, testing::jointedShape(k)),
                 "joints, springs and motors " + seed);
    expectSolved(
        randomSpatialProblem(
            random,
            {.bodies = 2 + k % 6, .patches = 1 + k % 7, .points = 1 + k % 4, .mass_ratio = 1e6}),
        "mass ratio 1e6 " + seed);
    expectSolved(testing::patchProblem(random, 1 + k % 8), "nearly parallel normals " + seed);
  }
}

TEST(ConvexSolver, SolvesPilesAndTowers) {
  Random random(7);
  for (const double mu : {0.05, 0.2, 0.4, 0.8}) {
    expectSolved(testing::cannonballPile(6, mu, 0.05, 0, random), "pile " + std::to_string(mu));
    expectSolved(testing::cannonballPile(6, mu, 0.05, 0.1, random), "moving pile");
    expectSolved(testing::randomPile(20, mu, 30, 0.5, random), "random pile");
  }
  for (const double ratio : {1e-6, 1e-3, 1.0, 1e3, 1e6})
    for (const double sideways : {0.0, 0.3})
      expectSolved(testing::towerProblem(8, std::pow(ratio, 1.0 / 7), 0.5, sideways),
                   "tower " + std::to_string(ratio));
}

// Impulses can grow without moving anything: velocities must be right all the same.
TEST(ConvexSolver, JamsAreSolvedAsFarAsRoundingAllows) {
  int missed = 0;
  for (int k = 0; k < 60; ++k) {
    Random random(static_cast<std::uint64_t>(k + 1));
    const Outcome out = solve(testing::jammedProblem(random, 2 + k % 5));
    EXPECT_LE(out.certificate.worstResidual(), 1e-6) << k;
    const bool holds = out.certificate.holds(1e-8);
    if (out.report.status == SolveStatus::solved) {
      EXPECT_TRUE(holds) << k;
    }
    missed += holds ? 0 : 1;
  }
  EXPECT_LE(missed, 4);
}

TEST(ConvexSolver, AgreesWithProjectedGradients) {
  for (int k = 0; k < 8; ++k) {
    Random random(static_cast<std::uint64_t>(50 + k));
    ContactProblem problem = randomSpatialProblem(random, {.bodies = 2,
                                                           .patches = 3,
                                                           .polyhedral = k % 2 == 1,
                                                           .directions = 6,
                                                           .circular = k % 3 == 0,
                                                           .largest_mu = 0.8,
                                                           .motors = k % 2});
    const std::vector<double> reference = testing::relaxedVelocities(problem, 3000);
    EXPECT_LE(largestDifference(solve(problem).solution.v, reference), 1e-6) << k;
  }
}

// v is the feasible velocity next to v_free in the kinetic metric: (v - v_free).M (w - v) >= 0 for
// every other feasible w. Without b these form a cone, and solutions for other v_free are in it.
TEST(ConvexSolver, MinimizesTheEnergyOfTheChange) {
  Random random(3);
  ContactProblem problem = randomSpatialProblem(
      random, {.bodies = 3, .patches = 5, .points = 2, .circular = false, .largest_mu = 1});
  const Outcome first = solve(problem);
  const std::vector<double> change = difference(first.solution.v, problem.v_free);
  EXPECT_GT(energyDistance(problem, change, change), 1e-3);
  for (int k = 0; k < 20; ++k) {
    ContactProblem other = problem;
    other.v_free = random.vector(problem.v_free.size());
    const std::vector<double> w = solve(other).solution.v;
    EXPECT_GE(energyDistance(problem, change, difference(w, first.solution.v)), -1e-7) << k;
  }
  // Zero and all multiples of v are feasible, too: the change is normal to v.
  EXPECT_NEAR(energyDistance(problem, change, first.solution.v), 0, 1e-7);
}

TEST(ConvexSolver, PolygonsTendToTheCircle) {
  Random random(12);
  const ContactProblem circular =
      randomSpatialProblem(random, {.bodies = 2, .patches = 3, .points = 2, .largest_mu = 0.6});
  const std::vector<double> v = solve(circular).solution.v;
  double last = 1;
  for (const int directions : {8, 16, 32, 64}) {
    ContactProblem polyhedral = circular;
    polyhedral.sets.changeAll([&](ImpulseSet& set) {
      set.kind = ImpulseSet::Kind::polyhedral;
      set.directions = directions;
    });
    const double error = largestDifference(solve(polyhedral).solution.v, v);
    EXPECT_LE(error, 0.5 / directions) << directions;
    EXPECT_LT(error, last);
    last = error;
  }
}

TEST(ConvexSolver, LocalProblemsHaveTheSameVelocities) {
  for (int k = 0; k < 10; ++k) {
    Random random(static_cast<std::uint64_t>(80 + k));
    ContactProblem problem = randomSpatialProblem(
        random, {.bodies = 2, .patches = 3, .points = 1 + k % 3, .polyhedral = k % 2 == 1});
    problem.law = Law::relaxed;
    const LocalProblem local = testing::eliminateBodies(problem);
    std::vector<double> p;
    EXPECT_EQ(convexSolver()->solveLocal(local, p).status, SolveStatus::solved) << k;
    EXPECT_LE(certifyLocal(local, p).residual, 1e-8) << k;
    const std::vector<double> u = testing::contactVelocities(problem, solve(problem).solution.v);
    for (int row = 0; row < local.W.rows; ++row) {
      double velocity = local.q[row];
      for (std::size_t e = local.W.start[row]; e < local.W.start[row + 1]; ++e)
        velocity += local.W.value[e] * p[local.W.column[e]];
      EXPECT_NEAR(velocity, u[row], 1e-7) << k;
    }
  }
}

TEST(ConvexSolver, UnitsChangeNothing) {
  Random random(9);
  const ContactProblem problem = randomSpatialProblem(
      random, {.bodies = 3, .patches = 5, .points = 3, .mass_ratio = 100, .restitution = true});
  const Outcome plain = solve(problem);
  for (const double mass : {0x1p-30, 1.7e7, 0x1p24})
    for (const double speed : {0x1p-26, 3.1e-9, 0x1p20}) {
      ContactProblem scaled = problem;
      for (int b = 0; b < scaled.M.blockCount(); ++b)
        for (int i = 0; i < 6; ++i)
          for (double& entry : scaled.M.block(b).row(i)) entry *= mass;
      for (auto* x : {&scaled.v_free, &scaled.v_old, &scaled.b})
        for (double& value : *x) value *= speed;
      const Outcome out = solve(scaled);
      EXPECT_LE(out.certificate.worstResidual(), 1e-8);
      EXPECT_NEAR(static_cast<double>(out.report.iterations),
                  static_cast<double>(plain.report.iterations), 4);
      for (std::size_t k = 0; k < plain.solution.v.size(); ++k)
        EXPECT_NEAR(out.solution.v[k] / speed, plain.solution.v[k], 1e-6);
    }
}

TEST(ConvexSolver, WarmStartsFindTheSameVelocityInFewerIterations) {
  Random random(4);
  ContactProblem problem = testing::cannonballPile(8, 0.3, 0.05, 0, random);
  problem.law = Law::relaxed;
  const auto warm = convexSolver();
  ContactSolution solution, cold_solution;
  const long first = warm->solve(problem, solution).iterations;
  long cold = 0, again = 0;
  for (int k = 0; k < 3; ++k) {
    for (double& v : problem.v_free) v += 1e-4 * random.uniform();
    again += warm->solve(problem, solution).iterations;
    cold += convexSolver()->solve(problem, cold_solution).iterations;
    EXPECT_LE(largestDifference(solution.v, cold_solution.v), 1e-7);
    EXPECT_LE(Certifier().certify(problem, solution).worstResidual(), 1e-8);
  }
  EXPECT_GT(first, 3);
  EXPECT_LT(again, cold);
  EXPECT_LE(warm->solve(problem, solution).iterations, 1);
}

TEST(ConvexSolver, KeepsTheBudget) {
  Random random(5);
  ContactProblem problem = testing::cannonballPile(6, 0.3, 0.05, 0.1, random);
  problem.law = Law::relaxed;
  double last = 10;
  for (const long budget : {1L, 4L, 7L, 10L}) {
    ContactSolution solution;
    const SolveReport report = convexSolver(budget)->solve(problem, solution);
    EXPECT_LE(report.iterations, budget);
    const Certificate certificate = Certifier().certify(problem, solution);
    EXPECT_TRUE(certificate.finite);
    EXPECT_LE(certificate.residual, last);
    if (report.status != SolveStatus::solved) {
      EXPECT_EQ(report.status, SolveStatus::iteration_limit) << budget;
    }
    last = certificate.residual;
  }
}

TEST(ConvexSolver, ToleranceDecidesTheWork) {
  Random random(6);
  ContactProblem problem = testing::cannonballPile(8, 0.3, 0.05, 0.1, random);
  problem.law = Law::relaxed;
  ContactSolution solution;
  const long rough = convexSolver(0, 1e-2)->solve(problem, solution).iterations;
  EXPECT_LE(Certifier().certify(problem, solution).worstResidual(), 1e-2);
  const long fine = convexSolver(0, 1e-10)->solve(problem, solution).iterations;
  EXPECT_LE(Certifier().certify(problem, solution).worstResidual(), 1e-10);
  EXPECT_LT(rough, fine);
}

TEST(ConvexSolver, RestStaysAtRest) {
  Random random(2);
  ContactProblem problem = randomSpatialProblem(random, {.bodies = 3, .patches = 4, .joints = 1});
  std::fill(problem.v_free.begin(), problem.v_free.end(), 0.0);
  const Outcome out = solve(problem);
  EXPECT_EQ(out.report.status, SolveStatus::solved);
  for (const double v : out.solution.v) EXPECT_EQ(v, 0);
}

// Two walls that close on a particle.
TEST(ConvexSolver, SaysThatNoMotionFits) {
  const Outcome out = solve(testing::closingWalls(2, 0.5));
  EXPECT_EQ(out.report.status, SolveStatus::ray);
  EXPECT_TRUE(out.certificate.finite);
  EXPECT_LE(out.certificate.residual, 1.5);
}

TEST(ConvexIsland, ShiftsNormalVelocities) {
  Random random(21);
  ContactProblem problem =
      randomSpatialProblem(random, {.bodies = 3, .patches = 5, .largest_mu = 0.7});
  problem.law = Law::relaxed;
  const LocalProblem local = testing::eliminateBodies(problem);
  std::vector<int> contacts;
  for (int i = 0; i < local.contactCount(); ++i) contacts.push_back(i);
  ScaledIsland island;
  island.build(local, contacts, 1);
  std::vector<double> scaled_p(static_cast<std::size_t>(island.rowCount()), 0.0),
      scaled_u(scaled_p.size());
  const std::vector<double> shift = random.vector(contacts.size(), 0, 0.5);
  ConvexIsland convex;
  const ConvexReport report = convex.solve(island, shift, scaled_p, 1e-10, 100);
  EXPECT_EQ(report.status, SolveStatus::solved);
  island.velocity(scaled_p, scaled_u);
  EXPECT_GT(island.residual(scaled_p, scaled_u, Law::relaxed), 1e-3);
  for (std::size_t i = 0; i < shift.size(); ++i) scaled_u[island.cones()[i].first] += shift[i];
  EXPECT_LE(island.residual(scaled_p, scaled_u, Law::relaxed), 1e-10);
}

}  // namespace
}  // namespace stickslip
