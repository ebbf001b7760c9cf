// The iteration that makes friction agree with the sliding speeds: one contact against all its
// solutions, found by a scan, and many random problems, counted.
#include <gtest/gtest.h>

#include <cmath>

#include "stepping/friction_iteration.hpp"
#include "stickslip/certificate.hpp"
#include "support/contact_problems.hpp"
#include "support/spatial_problems.hpp"

namespace stickslip {
namespace {

using testing::Random;

constexpr double kCurveTolerance = 1e-8;

struct CurveRange {
  double least_speed = 1e-3;
  double most_speed = 1;
  double least_ratio = 0.3;
  double most_ratio = 1;
};

FrictionCurve randomCurve(Random& random, const CurveRange& range) {
  FrictionCurve curve;
  curve.transition = random.integer(0, 1) == 0 ? FrictionCurve::Transition::smooth
                                               : FrictionCurve::Transition::stribeck;
  curve.kinetic_ratio = random.uniform(range.least_ratio, range.most_ratio);
  curve.speed =
      range.least_speed * std::pow(range.most_speed / range.least_speed, random.uniform(0, 1));
  curve.exponent = random.uniform(0.5, 2);
  return curve;
}

void addCurves(Random& random, const CurveRange& range, ContactProblem& problem) {
  for (const ImpulseSet& set : problem.sets)
    problem.speed_friction.push_back({randomCurve(random, range), set.mu, set.mu_2});
}

double factorOf(const ContactProblem& problem, std::size_t i) {
  return problem.sets[i].mu / problem.speed_friction[i].mu;
}

// f(s(x)) - x of a problem with one planar contact.
double residualAt(double x, ContactProblem problem, Solver& solver) {
  ContactSolution solution;
  problem.sets.own(0).mu = x * problem.speed_friction[0].mu;
  solver.solve(problem, solution);
  const std::vector<double> w = testing::denseRow(problem.J, 1, problem.velocityCount());
  double slip = problem.b[1];
  for (std::size_t k = 0; k < w.size(); ++k) slip += w[k] * solution.v[k];
  // What rounding leaves of a contact at rest.
  if (std::abs(slip) < 1e-13) slip = 0;
  return problem.speed_friction[0].curve.factor(std::abs(slip)) - x;
}

// The solution next to x in the direction in which the residual at x points, by a scan. The
// residual is continuous, and at the ends of the range it points into it.
double nextSolution(double x, const ContactProblem& problem, Solver& solver) {
  const double kinetic = problem.speed_friction[0].curve.kinetic_ratio;
  const double start = residualAt(x, problem, solver);
  if (std::abs(start) <= kCurveTolerance) return x;
  const double step = std::copysign((1 - kinetic) / 300, start);
  double last = x;
  for (double next = x + step;; next += step) {
    next = std::clamp(next, kinetic, 1.0);
    const double r = residualAt(next, problem, solver);
    if (r * start <= 0) return (last + next) / 2;
    if (next == last) return next;
    last = next;
  }
}

TEST(FrictionIteration, OneContactTakesTheNextSolutionFromTheOldSpeed) {
  Random random(501);
  Method method;
  method.solver = "lemke";
  const auto solver = makeSolver(method);
  FrictionIteration iteration(method);
  int agreeing = 0, sliding = 0;
  for (int trial = 0; trial < 150; ++trial) {
    ContactProblem problem =
        testing::randomContactProblem(random, {.velocities = 3, .contacts = 1});
    addCurves(random, {1e-2, 1, 0.2, 0.9}, problem);
    double speed = 0;
    const std::vector<double> w = testing::denseRow(problem.J, 1, 3);
    for (std::size_t k = 0; k < 3; ++k) speed += w[k] * problem.v_old[k];
    const FrictionCurve& curve = problem.speed_friction[0].curve;
    const double expected = nextSolution(curve.factor(std::abs(speed)), problem, *solver);
    ContactSolution solution;
    iteration.solve(*solver, problem, solution);
    if (solution.p[0] == 0) continue;
    ++sliding;
    const Certificate certificate = Certifier().certify(problem, solution);
    EXPECT_LE(certificate.friction_residual, kCurveTolerance) << trial;
    const double grid = (1 - curve.kinetic_ratio) / 300;
    agreeing += std::abs(factorOf(problem, 0) - expected) <= 1.01 * grid ? 1 : 0;
  }
  EXPECT_GE(sliding, 60);
  EXPECT_EQ(agreeing, sliding);
}

struct Count {
  int certified = 0;
  long solves = 0;
};

// Solves random problems; whatever comes out, the certificate must measure what it says.
template <class Generate>
Count solveMany(Random& random, int trials, const Method& method, const CurveRange& range,
                Generate&& generate) {
  Count count;
  const auto solver = makeSolver(method);
  FrictionIteration iteration(method);
  for (int trial = 0; trial < trials; ++trial) {
    ContactProblem problem = generate(random);
    problem.law = method.law;
    addCurves(random, range, problem);
    ContactSolution solution;
    const SolveReport report = iteration.solve(*solver, problem, solution);
    const Certificate certificate = Certifier().certify(problem, solution);
    EXPECT_TRUE(certificate.lawHolds(kCurveTolerance)) << trial;
    count.certified += certificate.holds(kCurveTolerance) ? 1 : 0;
    count.solves += report.friction_iterations;
  }
  return count;
}

TEST(FrictionIteration, SolvesRandomPlanarProblems) {
  Random random(502);
  for (const int contacts : {2, 5, 12}) {
    const Count count = solveMany(random, 40, {}, {}, [&](Random& r) {
      return testing::randomContactProblem(r, {.velocities = contacts + 1, .contacts = contacts});
    });
    EXPECT_GE(count.certified, 40);
    EXPECT_LE(count.solves, 40 * 15);
  }
}

TEST(FrictionIteration, SolvesRandomSpatialProblemsWithAllCones) {
  Random random(503);
  for (const bool polyhedral : {false, true})
    for (const bool circular : {false, true}) {
      Method method;
      method.cone = polyhedral ? FrictionCone::polyhedral : FrictionCone::circular;
      const Count count = solveMany(random, 15, method, {}, [&](Random& r) {
        return testing::randomSpatialProblem(
            r, {.bodies = 2, .patches = 4, .polyhedral = polyhedral, .circular = circular});
      });
      EXPECT_GE(count.certified, 15);
    }
}

TEST(FrictionIteration, SolvesRandomProblemsOfTheRelaxedLaw) {
  Random random(504);
  Method method;
  method.law = Law::relaxed;
  const Count count = solveMany(random, 40, method, {}, [&](Random& r) {
    return testing::randomContactProblem(r, {.velocities = 5, .contacts = 5});
  });
  EXPECT_GE(count.certified, 39);
}

// Steep curves that rise with the speed make x := f(s(x)) hop.
TEST(FrictionIteration, SolvesMostProblemsWhereFrictionGrows) {
  Random random(505);
  const Count count = solveMany(random, 60, {}, {1e-2, 1, 1, 2}, [&](Random& r) {
    return testing::randomContactProblem(r, {.velocities = 4, .contacts = 4});
  });
  EXPECT_GE(count.certified, 57);
}

// Half a coefficient of friction off is half a coefficient of friction.
TEST(FrictionIteration, TheCertificateMeasuresTheDisagreement) {
  Random random(506);
  Method method;
  const auto solver = makeSolver(method);
  int sliding = 0;
  for (int trial = 0; trial < 20; ++trial) {
    ContactProblem problem =
        testing::randomContactProblem(random, {.velocities = 3, .contacts = 1});
    ContactSolution solution;
    solver->solve(problem, solution);
    const double mu = problem.sets[0].mu;
    problem.speed_friction = {{{FrictionCurve::Transition::stribeck, 0.5, 1e-9, 1}, mu, 0}};
    const std::vector<double> w = testing::denseRow(problem.J, 1, 3);
    double slip = 0;
    for (std::size_t k = 0; k < 3; ++k) slip += w[k] * solution.v[k];
    if (std::abs(slip) < 1e-6 || solution.p[0] == 0) continue;
    ++sliding;
    const Certificate certificate = Certifier().certify(problem, solution);
    EXPECT_NEAR(certificate.friction_residual, 0.5, 1e-12);
    EXPECT_TRUE(certificate.lawHolds(kCurveTolerance));
    EXPECT_FALSE(certificate.holds(kCurveTolerance));
  }
  EXPECT_GE(sliding, 3);
}

}  // namespace
}  // namespace stickslip
