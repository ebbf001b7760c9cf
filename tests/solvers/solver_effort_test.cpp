// How many factorizations the sparse solvers take on model problems: few, whatever the masses.
// Bounds leave room of a third.
#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "stickslip/certificate.hpp"
#include "stickslip/scheme.hpp"
#include "stickslip/solver.hpp"
#include "support/pile_problems.hpp"
#include "support/spatial_problems.hpp"
#include "support/sphere_box.hpp"

namespace stickslip {
namespace {

Method methodOf(const char* solver, const char* law, const char* cone) {
  Method method;
  method.solver = solver;
  method.law = named<Law>(law);
  method.cone = named<FrictionCone>(cone);
  return method;
}

void expectEffort(const Method& method, ContactProblem problem, long most) {
  problem.law = method.law;
  ContactSolution solution;
  const SolveReport report = makeSolver(method)->solve(problem, solution);
  std::int64_t factorizations = report.iterations;
  for (const StageEffort& effort : report.stages.efforts())
    if (effort.name == "sweeps") factorizations -= effort.iterations;
  EXPECT_LE(factorizations, most) << method.solver;
  EXPECT_TRUE(Certifier().residuals(problem, solution).lawHolds(method.tolerance));
}

TEST(SolverEffort, TowersWhateverTheMasses) {
  constexpr int kLevels = 20;
  for (const double ratio : {1.0, 1e3, 1e6}) {
    const double step = std::pow(ratio, 1.0 / (kLevels - 1));
    const ContactProblem tower = testing::towerProblem(kLevels, step, 0.5, 0.1);
    expectEffort(methodOf("convex", "relaxed", "circular"), tower, 25);
    expectEffort(methodOf("exact", "coulomb", "circular"), tower, 28);
  }
}

// Redundant contacts whose impulses could drift: a second step with the same states finishes them.
TEST(SolverEffort, PilesThatSlide) {
  for (const double mu : {0.05, 0.08}) {
    testing::Random random(1);
    const ContactProblem pile = testing::cannonballPile(20, mu, 0.05, 0, random);
    expectEffort(methodOf("exact", "coulomb", "planar"), pile, 22);
  }
}

TEST(SolverEffort, NextStepsOfSettledSpheres) {
  testing::SphereBox box = testing::settledSpheres(4, 0.5, 200);
  const Method method = methodOf("convex", "relaxed", "circular");
  const std::unique_ptr<Scheme> scheme = makeScheme(method);
  const std::unique_ptr<Solver> solver = makeSolver(method);
  ContactProblem problem;
  ContactSolution solution;
  long cold = 0, warm = 0;
  for (int step = 0; step < 4; ++step) {
    scheme->formulate(*box.system, box.state, box.step, problem);
    const SolveReport report = solver->solve(problem, solution);
    EXPECT_TRUE(Certifier().residuals(problem, solution).lawHolds(method.tolerance)) << step;
    (step == 0 ? cold : warm) += report.iterations;
    scheme->advance(*box.system, box.step, solution.v, box.state);
  }
  // Three warm steps together.
  EXPECT_LT(warm, 2 * cold);
}

}  // namespace
}  // namespace stickslip
