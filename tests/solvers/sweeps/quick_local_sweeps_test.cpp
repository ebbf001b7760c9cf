// Sweeps over problems without bodies: exact where contacts hardly know of each other, against
// solver `exact`; given up where they do.
#include "solvers/sweeps/quick_local_sweeps.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "stickslip/certificate.hpp"
#include "stickslip/solver.hpp"
#include "support/local_problems.hpp"
#include "support/pile_problems.hpp"
#include "support/random.hpp"

namespace stickslip {
namespace {

using testing::Random;

ImpulseSet randomSet(Random& random, int kind) {
  ImpulseSet set;
  if (kind == 0) return set;
  set.mu = random.uniform(0.1, 1);
  set.kind = ImpulseSet::Kind::planar;
  if (kind == 1) return set;
  set.kind = ImpulseSet::Kind::elliptic;
  set.mu_2 = kind == 2 ? set.mu : random.uniform(0.1, 1);
  return set;
}

// A = B B' + 1 for every contact, and a weak coupling of all rows.
LocalProblem looseContacts(Random& random, int contacts, double coupling) {
  LocalProblem problem;
  std::vector<int> contact_of;
  for (int i = 0; i < contacts; ++i) {
    problem.sets.push_back(randomSet(random, i % 4));
    contact_of.insert(contact_of.end(), static_cast<std::size_t>(problem.sets.back().dimension()),
                      i);
  }
  const std::size_t rows = contact_of.size();
  std::vector<double> B(rows * rows), c(rows);
  for (double& entry : B) entry = random.uniform(-1, 1);
  for (double& entry : c) entry = random.uniform(-1, 1);
  problem.W.rows = problem.W.columns = static_cast<int>(rows);
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < rows; ++j) {
      double entry = coupling * c[i] * c[j] + (i == j ? 1 : 0);
      for (std::size_t k = 0; k < rows && contact_of[i] == contact_of[j]; ++k)
        if (contact_of[k] == contact_of[i]) entry += B[i * rows + k] * B[j * rows + k];
      problem.W.column.push_back(static_cast<int>(j));
      problem.W.value.push_back(entry);
    }
    problem.W.start.push_back(problem.W.column.size());
    problem.q.push_back(random.uniform(-2, 1));
  }
  return problem;
}

TEST(QuickLocalSweeps, AgreeWithTheExactSolverOnLooseContacts) {
  for (int trial = 0; trial < 40; ++trial) {
    Random random(static_cast<std::uint64_t>(900 + trial));
    const LocalProblem problem = looseContacts(random, 3 + trial % 9, trial % 2 == 0 ? 0 : 1e-5);
    ASSERT_TRUE(QuickLocalSweeps::covers(problem));
    std::vector<double> p, reference;
    long sweeps = 0;
    ASSERT_TRUE(QuickLocalSweeps().run(problem, 1e-12, 10, p, sweeps)) << trial;
    EXPECT_LE(sweeps, 6) << trial;
    EXPECT_LE(certifyLocal(problem, p).residual, 1e-11) << trial;
    makeSolver(Method{.cone = FrictionCone::circular, .solver = "exact"})
        ->solveLocal(problem, reference);
    for (std::size_t k = 0; k < p.size(); ++k) EXPECT_NEAR(p[k], reference[k], 1e-7) << trial;
  }
}

TEST(QuickLocalSweeps, GiveUpWherePilesCarryLoads) {
  Random random(5);
  const LocalProblem pile = testing::localForm(testing::cannonballPile(5, 0.4, 0.05, 0, random));
  ASSERT_TRUE(QuickLocalSweeps::covers(pile));
  std::vector<double> p;
  long sweeps = 0;
  EXPECT_FALSE(QuickLocalSweeps().run(pile, 1e-11, 10, p, sweeps));
  EXPECT_LE(sweeps, 3);
}

TEST(QuickLocalSweeps, LeaveOtherLawsToOthers) {
  Random random(6);
  LocalProblem problem = looseContacts(random, 4, 0);
  problem.law = Law::relaxed;
  EXPECT_FALSE(QuickLocalSweeps::covers(problem));
  problem.law = Law::coulomb;
  EXPECT_TRUE(QuickLocalSweeps::covers(problem));
  problem.sets.own(1).mu = 0;
  EXPECT_FALSE(QuickLocalSweeps::covers(problem));
  problem.sets.own(1).mu = 0.5;
  problem.sets.own(2).torsion = 0.1;
  EXPECT_FALSE(QuickLocalSweeps::covers(problem));
}

// W in other units, a power of two: impulses in theirs, bit by bit.
TEST(QuickLocalSweeps, DoNotDependOnUnits) {
  constexpr double kUnit = 256;
  Random random(7);
  const LocalProblem problem = looseContacts(random, 6, 1e-5);
  LocalProblem other = problem;
  for (double& entry : other.W.value) entry /= kUnit;
  std::vector<double> p, q;
  long sweeps = 0, other_sweeps = 0;
  EXPECT_TRUE(QuickLocalSweeps().run(problem, 1e-12, 10, p, sweeps));
  EXPECT_TRUE(QuickLocalSweeps().run(other, 1e-12, 10, q, other_sweeps));
  EXPECT_EQ(sweeps, other_sweeps);
  for (std::size_t k = 0; k < p.size(); ++k) EXPECT_EQ(kUnit * p[k], q[k]);
}

TEST(QuickLocalSweeps, AreWhatAutoTriesFirst) {
  Random random(8);
  const LocalProblem problem = looseContacts(random, 8, 1e-6);
  std::vector<double> p;
  const SolveReport report =
      makeSolver(Method{.cone = FrictionCone::circular})->solveLocal(problem, p);
  EXPECT_EQ(report.status, SolveStatus::solved);
  EXPECT_LE(report.iterations, 5);
  EXPECT_LE(certifyLocal(problem, p).worstResidual(), 1e-8);
}

}  // namespace
}  // namespace stickslip
