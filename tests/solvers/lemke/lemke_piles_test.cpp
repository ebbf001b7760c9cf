// The solver `lemke` on piles: every coefficient of friction, masses far apart, any units, and step
// after step from the basis of the one before.
#include <gtest/gtest.h>

#include <cmath>

#include "solvers/lemke/lemke_solver.hpp"
#include "stickslip/certificate.hpp"
#include "support/local_problems.hpp"
#include "support/pile_problems.hpp"
#include "support/spatial_problems.hpp"

namespace stickslip {
namespace {

using testing::cannonballPile;
using testing::Random;

void expectSolved(LemkeSolver& solver, const ContactProblem& problem, double tolerance,
                  const std::string& what) {
  ContactSolution solution;
  EXPECT_EQ(solver.solve(problem, solution).status, SolveStatus::solved) << what;
  EXPECT_LE(Certifier().certify(problem, solution).worstResidual(), tolerance) << what;
}

TEST(LemkePiles, SolvesTheCannonballPileForEveryFriction) {
  for (const double speed : {0.0, 0.1})
    for (const double mu : {0.05, 0.1, 0.2, 0.3, 0.4, 0.6, 0.8}) {
      Random random(1);
      LemkeSolver solver(0);
      expectSolved(solver, cannonballPile(6, mu, 0.05, speed, random), 1e-13,
                   "mu " + std::to_string(mu));
    }
}

// Heavy on light and light on heavy, a million to one.
TEST(LemkePiles, SolvesPilesOfAllMasses) {
  Random random(2);
  LemkeSolver solver(0);
  for (int trial = 0; trial < 60; ++trial)
    expectSolved(solver, testing::randomPile(12, 0.1 + 0.1 * (trial % 8), 1e3, 0.1, random), 1e-9,
                 "trial " + std::to_string(trial));
}

// Without bodies, and where the relay form takes longer than the cone form would.
TEST(LemkePiles, SolvesPilesWithoutBodies) {
  for (const double mu : {0.2, 0.4, 0.6, 0.8}) {
    Random random(1);
    const LocalProblem local = testing::localForm(cannonballPile(6, mu, 0.05, 0, random));
    std::vector<double> p;
    for (const long budget : {0L, 100000L}) {
      const SolveReport report = LemkeSolver(budget).solveLocal(local, p);
      EXPECT_EQ(report.status, SolveStatus::solved) << mu;
      EXPECT_LE(certifyLocal(local, p).worstResidual(), 1e-10) << mu;
    }
  }
}

// Masses, times and the gap of every contact in other units.
ContactProblem inUnits(const ContactProblem& problem, double mass, double velocity,
                       const std::vector<double>& gap_unit) {
  ContactProblem other = problem;
  for (int b = 0; b < problem.M.blockCount(); ++b)
    for (int k = 0; k < 9; ++k) other.M.block(b).data[k] *= mass;
  for (double& v : other.v_free) v *= velocity;
  other.J.clear();
  for (int i = 0; i < problem.contactCount(); ++i) {
    other.J.addGroup(2);
    for (const BlockRows::Strip& strip : problem.J.stripsOf(i)) {
      const StripValues entries = problem.J.values(i, strip);
      const ConstMatrixView from = entries.view();
      const MatrixView to = other.J.addStrip(strip.first_column, strip.columns);
      for (int k = 0; k < 6; ++k) to.data[k] = gap_unit[i] * from.data[k];
    }
  }
  return other;
}

TEST(LemkePiles, PowersOfTwoInTheUnitsChangeNoBit) {
  Random random(3);
  // Dense and sparse; the latter compares velocities of contacts, so that all have one unit.
  for (const int bottom : {3, 6}) {
    const ContactProblem problem = cannonballPile(bottom, 0.3, 0.05, 0.1, random);
    ContactSolution expected;
    const SolveReport report = LemkeSolver(0).solve(problem, expected);
    ASSERT_EQ(report.status, SolveStatus::solved);
    for (int trial = 0; trial < 5; ++trial) {
      const double mass = std::ldexp(1.0, 2 * random.integer(-20, 20));
      const double velocity = std::ldexp(1.0, random.integer(-20, 20));
      std::vector<double> gap_unit;
      for (int i = 0; i < problem.contactCount(); ++i)
        gap_unit.push_back(std::ldexp(1.0, bottom == 6 ? 0 : random.integer(-5, 5)));
      ContactSolution solution;
      const SolveReport other =
          LemkeSolver(0).solve(inUnits(problem, mass, velocity, gap_unit), solution);
      EXPECT_EQ(other.status, SolveStatus::solved);
      EXPECT_EQ(other.iterations, report.iterations);
      for (std::size_t k = 0; k < expected.v.size(); ++k)
        EXPECT_EQ(solution.v[k], velocity * expected.v[k]) << trial;
      for (std::size_t k = 0; k < expected.p.size(); ++k)
        EXPECT_EQ(solution.p[k], mass * velocity * expected.p[k] / gap_unit[k / 2]) << trial;
    }
  }
}

// Little friction, so that there is one answer only.
TEST(LemkePiles, OtherUnitsGiveTheSameAnswer) {
  Random random(4);
  const ContactProblem problem = cannonballPile(6, 0.02, 0.05, 0.2, random);
  ContactSolution expected, solution;
  ASSERT_EQ(LemkeSolver(0).solve(problem, expected).status, SolveStatus::solved);
  for (int trial = 0; trial < 5; ++trial) {
    const double mass = std::pow(10, random.uniform(-6, 6));
    const double velocity = std::pow(10, random.uniform(-6, 6));
    std::vector<double> gap_unit;
    for (int i = 0; i < problem.contactCount(); ++i)
      gap_unit.push_back(std::pow(10, random.uniform(-3, 3)));
    const ContactProblem other = inUnits(problem, mass, velocity, gap_unit);
    ASSERT_EQ(LemkeSolver(0).solve(other, solution).status, SolveStatus::solved) << trial;
    EXPECT_LE(Certifier().certify(other, solution).worstResidual(), 1e-13) << trial;
    for (std::size_t k = 0; k < expected.v.size(); ++k)
      EXPECT_NEAR(solution.v[k] / velocity, expected.v[k], 1e-10) << trial;
  }
}

// Two piles and a disk that touches nothing are solved as if each were alone.
TEST(LemkePiles, IslandsDoNotFeelEachOther) {
  Random random(5);
  const ContactProblem first = cannonballPile(3, 0.2, 0.05, 0.1, random);
  const ContactProblem second = cannonballPile(6, 0.5, 0.05, 0.1, random);
  ContactProblem both;
  both.M.resize(std::vector<int>(6 + 1 + 21, 3));
  for (const auto& [part, offset] : {std::pair(&first, 0), std::pair(&second, 7)}) {
    for (int b = 0; b < part->M.blockCount(); ++b)
      std::copy_n(part->M.block(b).data, 9, both.M.block(offset + b).data);
    for (int i = 0; i < part->contactCount(); ++i) {
      both.J.addGroup(2);
      for (const BlockRows::Strip& strip : part->J.stripsOf(i)) {
        const StripValues entries = part->J.values(i, strip);
        std::copy_n(entries.view().data, 6,
                    both.J.addStrip(strip.first_column + 3 * offset, 3).data);
      }
    }
    for (const ImpulseSet& set : part->sets) both.sets.push_back(set);
    both.b.insert(both.b.end(), part->b.begin(), part->b.end());
  }
  std::fill_n(both.M.block(6).data, 9, 0.0);
  for (int k = 0; k < 3; ++k) both.M.block(6)(k, k) = 1;
  both.v_free = first.v_free;
  both.v_free.insert(both.v_free.end(), {1.0, 2.0, 3.0});
  both.v_free.insert(both.v_free.end(), second.v_free.begin(), second.v_free.end());
  ContactSolution a, b, ab;
  const long pivots =
      LemkeSolver(0).solve(first, a).iterations + LemkeSolver(0).solve(second, b).iterations;
  const SolveReport report = LemkeSolver(0).solve(both, ab);
  EXPECT_EQ(report.status, SolveStatus::solved);
  EXPECT_EQ(report.iterations, pivots);
  std::vector<double> v = a.v, p = a.p;
  v.insert(v.end(), {1.0, 2.0, 3.0});
  v.insert(v.end(), b.v.begin(), b.v.end());
  p.insert(p.end(), b.p.begin(), b.p.end());
  EXPECT_EQ(ab.v, v);
  EXPECT_EQ(ab.p, p);
}

TEST(LemkePiles, StepsThatChangeLittleReuseTheBasis) {
  Random random(6);
  ContactProblem problem = cannonballPile(6, 0.2, 0.05, 0.1, random);
  LemkeSolver warm(0);
  long warm_pivots = 0, cold_pivots = 0;
  for (int step = 0; step < 12; ++step) {
    ContactSolution solution, other;
    const SolveReport report = warm.solve(problem, solution);
    ASSERT_EQ(report.status, SolveStatus::solved) << step;
    EXPECT_LE(Certifier().certify(problem, solution).worstResidual(), 1e-13) << step;
    if (step > 0) warm_pivots += report.iterations;
    cold_pivots += LemkeSolver(0).solve(problem, other).iterations;
    for (double& v : problem.v_free) v += 1e-4 * random.uniform();
  }
  EXPECT_GE(warm.basisReuses(), 4);
  EXPECT_LT(warm_pivots, cold_pivots / 20);
}

// Contacts come and go; the ids find the others in any order.
TEST(LemkePiles, TheBasisFollowsTheContacts) {
  Random random(7);
  const ContactProblem problem = cannonballPile(6, 0.2, 0.05, 0.1, random);
  ContactProblem reversed = problem;
  reversed.J.clear();
  for (const int drop : {0, 1}) {
    reversed = problem;
    reversed.J.clear();
    for (int i = problem.contactCount() - 1; i >= drop; --i) {
      reversed.J.addGroup(2);
      for (const BlockRows::Strip& strip : problem.J.stripsOf(i)) {
        const StripValues entries = problem.J.values(i, strip);
        std::copy_n(entries.view().data, 6, reversed.J.addStrip(strip.first_column, 3).data);
      }
    }
    const auto contacts = std::size_t(problem.contactCount() - drop);
    reversed.sets.shrink(contacts);
    reversed.contact_id.assign(problem.contact_id.rbegin(), problem.contact_id.rend() - drop);
    for (auto* rows : {&reversed.b, &reversed.drive}) rows->resize(2 * contacts);
    reversed.gap.resize(contacts);
    LemkeSolver solver(0);
    ContactSolution solution;
    const long cold = solver.solve(problem, solution).iterations;
    const SolveReport warm = solver.solve(reversed, solution);
    EXPECT_EQ(warm.status, SolveStatus::solved);
    EXPECT_LE(Certifier().certify(reversed, solution).worstResidual(), 1e-13);
    EXPECT_EQ(solver.basisReuses(), drop == 0 ? 1 : solver.basisReuses());
    EXPECT_LT(warm.iterations, cold / 2);
  }
}

// Large problems in space, with joints, springs and motors.
TEST(LemkePiles, SolvesLargeProblemsOfAllKinds) {
  Random random(8);
  LemkeSolver solver(0);
  for (int trial = 0; trial < 3; ++trial)
    expectSolved(solver,
                 testing::randomSpatialProblem(random, {.bodies = 12,
                                                        .patches = 24,
                                                        .polyhedral = true,
                                                        .mass_ratio = 100,
                                                        .joints = 4,
                                                        .springs = 3,
                                                        .motors = 3,
                                                        .frictionless = true}),
                 1e-11, "trial " + std::to_string(trial));
}

}  // namespace
}  // namespace stickslip
