// Contacts with torsional, rolling and load-independent friction: every solver that takes them
// against the certificate, against each other, against brute force, and in other units.
#include <gtest/gtest.h>

#include <cmath>
#include <initializer_list>
#include <string>

#include "stickslip/certificate.hpp"
#include "stickslip/solver.hpp"
#include "support/dense_relaxed.hpp"
#include "support/local_problems.hpp"
#include "support/planar_problems.hpp"
#include "support/spatial_problems.hpp"

namespace stickslip {
namespace {

using testing::PlanarShape;
using testing::Random;
using testing::SpatialShape;

std::unique_ptr<Solver> solverOf(const std::string& name, Law law, const std::string& cone) {
  Method method;
  method.solver = name;
  method.law = law;
  method.cone = named<FrictionCone>(cone);
  return makeSolver(method);
}

std::vector<SpatialShape> roundShapes() {
  return {{.bodies = 3, .patches = 3, .circular = false, .torsion = 0.5},
          {.bodies = 3, .patches = 3, .rolling = 0.5},
          {.bodies = 4, .patches = 6, .mass_ratio = 100, .torsion = 0.5, .rolling = 0.02},
          {.bodies = 3, .patches = 3, .points = 4, .restitution = true, .rolling = 0.5},
          {.bodies = 3, .patches = 5, .circular = false, .load_independent = true},
          {.bodies = 3,
           .patches = 3,
           .points = 3,
           .torsion = 0.3,
           .rolling = 0.3,
           .load_independent = true},
          {.bodies = 4, .patches = 4, .springs = 2, .motors = 2, .torsion = 0.2, .rolling = 0.2}};
}

std::vector<SpatialShape> polyhedralShapes() {
  std::vector<SpatialShape> shapes = roundShapes();
  for (SpatialShape& shape : shapes) {
    shape.polyhedral = true;
    shape.directions = 6;
    shape.points = 1;
  }
  return shapes;
}

void expectCertified(Solver& solver, const ContactProblem& problem, const std::string& what) {
  ContactSolution solution;
  const SolveReport report = solver.solve(problem, solution);
  EXPECT_EQ(report.status, SolveStatus::solved) << what;
  EXPECT_LE(Certifier().certify(problem, solution).worstResidual(), 1e-8) << what;
}

// `coulomb` names the solvers of Coulomb's law; `convex` solves the relaxed law.
void expectSpatialSolved(const std::vector<SpatialShape>& shapes, const std::string& cone,
                         std::initializer_list<const char*> coulomb, int trials, Random random) {
  const auto convex = solverOf("convex", Law::relaxed, cone);
  std::vector<std::unique_ptr<Solver>> solvers;
  for (const char* name : coulomb) solvers.push_back(solverOf(name, Law::coulomb, cone));
  for (std::size_t index = 0; index < shapes.size(); ++index)
    for (int trial = 0; trial < trials; ++trial) {
      ContactProblem problem = testing::randomSpatialProblem(random, shapes[index]);
      const std::string what = " " + std::to_string(index) + ", trial " + std::to_string(trial);
      for (const auto& solver : solvers)
        expectCertified(*solver, problem, std::string(solver->name()) + what);
      problem.law = Law::relaxed;
      expectCertified(*convex, problem, "convex" + what);
    }
}

TEST(MomentFriction, RoundConesAreSolved) {
  expectSpatialSolved(roundShapes(), "circular", {"exact", "auto"}, 15, Random(1));
}

TEST(MomentFriction, PolyhedralConesAreSolved) {
  expectSpatialSolved(polyhedralShapes(), "polyhedral", {"exact", "lemke"}, 8, Random(2));
}

TEST(MomentFriction, PlanarProblemsAreSolved) {
  Random random(3);
  const auto exact = solverOf("exact", Law::coulomb, "planar");
  const auto lemke = solverOf("lemke", Law::coulomb, "planar");
  const auto convex = solverOf("convex", Law::relaxed, "planar");
  for (const PlanarShape& shape :
       {PlanarShape{.rolling = 0.5}, PlanarShape{.contacts = 7, .rolling = 0.1},
        PlanarShape{.load_independent = true},
        PlanarShape{.contacts = 6, .rolling = 0.5, .load_independent = true}})
    for (int trial = 0; trial < 30; ++trial) {
      ContactProblem problem = testing::randomPlanarProblem(random, shape);
      expectCertified(*exact, problem, "exact " + std::to_string(trial));
      expectCertified(*lemke, problem, "lemke " + std::to_string(trial));
      problem.law = Law::relaxed;
      expectCertified(*convex, problem, "convex " + std::to_string(trial));
    }
}

// With little friction the velocity is unique: exact and lemke must find the same.
TEST(MomentFriction, ExactAgreesWithLemke) {
  Random random(4);
  const auto exact = solverOf("exact", Law::coulomb, "polyhedral");
  const auto lemke = solverOf("lemke", Law::coulomb, "polyhedral");
  ContactSolution a, b;
  const auto compare = [&](const ContactProblem& problem) {
    exact->solve(problem, a);
    lemke->solve(problem, b);
    for (std::size_t k = 0; k < a.v.size(); ++k) EXPECT_NEAR(a.v[k], b.v[k], 1e-6);
  };
  for (int trial = 0; trial < 20; ++trial) {
    compare(testing::randomSpatialProblem(random, {.bodies = 2,
                                                   .patches = 3,
                                                   .polyhedral = true,
                                                   .largest_mu = 0.2,
                                                   .torsion = 0.05,
                                                   .rolling = 0.05}));
    ContactProblem planar = testing::randomPlanarProblem(random, {.contacts = 3, .rolling = 0.1});
    planar.sets.changeAll([](ImpulseSet& set) { set.mu *= 0.2; });
    compare(planar);
  }
}

TEST(MomentFriction, ConvexAgreesWithBruteForce) {
  Random random(5);
  for (const bool polyhedral : {false, true}) {
    const auto convex = solverOf("convex", Law::relaxed, polyhedral ? "polyhedral" : "circular");
    for (int trial = 0; trial < 4; ++trial) {
      ContactProblem problem =
          testing::randomSpatialProblem(random, {.bodies = 2,
                                                 .patches = 3,
                                                 .polyhedral = polyhedral,
                                                 .directions = 6,
                                                 .circular = false,
                                                 .torsion = 0.5,
                                                 .rolling = 0.5,
                                                 .load_independent = trial % 2 == 1});
      problem.law = Law::relaxed;
      ContactSolution solution;
      convex->solve(problem, solution);
      const std::vector<double> expected = testing::relaxedVelocities(problem, 1500);
      for (std::size_t k = 0; k < expected.size(); ++k)
        EXPECT_NEAR(solution.v[k], expected[k], 1e-5) << trial;
    }
  }
}

TEST(MomentFriction, FixedPointIterationsConvergeForLittleFriction) {
  Random random(6);
  for (const char* name : {"fixed-point-1", "fixed-point-2"}) {
    const auto solver = solverOf(name, Law::coulomb, "circular");
    for (int trial = 0; trial < 8; ++trial)
      expectCertified(*solver,
                      testing::randomSpatialProblem(random, {.bodies = 3,
                                                             .patches = 4,
                                                             .largest_mu = 0.1,
                                                             .torsion = 0.02,
                                                             .rolling = 0.02,
                                                             .load_independent = trial % 4 == 3}),
                      std::string(name) + " " + std::to_string(trial));
  }
}

TEST(MomentFriction, LocalProblemsAreSolved) {
  Random random(7);
  const auto exact = solverOf("exact", Law::coulomb, "circular");
  for (int trial = 0; trial < 10; ++trial) {
    const LocalProblem local = testing::localForm(
        testing::randomSpatialProblem(random, {.bodies = 3,
                                               .patches = 4,
                                               .torsion = 0.3,
                                               .rolling = 0.3,
                                               .load_independent = trial % 2 == 1}));
    std::vector<double> p;
    exact->solveLocal(local, p);
    EXPECT_LE(certifyLocal(local, p).residual, 1e-8) << trial;
  }
}

// Velocities, masses and lengths in other units, angular velocities stay.
ContactProblem inUnits(ContactProblem problem, double speed, double mass, double length) {
  const auto unitOf = [&](int column) { return column % 6 < 3 ? 1 : 1 / length; };
  for (int b = 0; b < problem.M.blockCount(); ++b)
    for (int i = 0; i < 6; ++i)
      for (int j = 0; j < 6; ++j) problem.M.block(b)(i, j) *= mass / (unitOf(i) * unitOf(j));
  for (auto* v : {&problem.v_free, &problem.v_old})
    for (std::size_t k = 0; k < v->size(); ++k) (*v)[k] *= speed * unitOf(static_cast<int>(k));
  for (int i = 0; i < problem.contactCount(); ++i) {
    ImpulseSet& set = problem.sets.own(static_cast<std::size_t>(i));
    if (set.load_independent) {
      set.mu *= mass * speed;
      set.mu_2 *= mass * speed;
    }
    set.torsion *= length;
    set.rolling *= length;
  }
  BlockRows J;
  for (int i = 0; i < problem.contactCount(); ++i) {
    const int linear = problem.sets[i].linearRows();
    J.addGroup(problem.J.rowsOf(i));
    for (const BlockRows::Strip& strip : problem.J.stripsOf(i)) {
      const StripValues entries = problem.J.values(i, strip);
      const ConstMatrixView from = entries.view();
      const MatrixView to = J.addStrip(strip.first_column, strip.columns);
      for (int row = 0; row < from.rows; ++row)
        for (int k = 0; k < from.columns; ++k)
          to(row, k) = from(row, k) / unitOf(k) / (row < linear ? 1 : length);
    }
  }
  problem.J = J;
  return problem;
}

ContactSolution inUnits(const ContactProblem& problem, ContactSolution solution, double speed,
                        double mass, double length) {
  for (std::size_t k = 0; k < solution.v.size(); ++k)
    solution.v[k] *= speed / (k % 6 < 3 ? 1 : length);
  for (int i = 0; i < problem.contactCount(); ++i)
    for (int k = 0; k < problem.J.rowsOf(i); ++k)
      solution.p[problem.J.firstRow(i) + k] *=
          mass * speed * (k < problem.sets[i].linearRows() ? 1 : length);
  return solution;
}

TEST(MomentFriction, UnitsChangeNothing) {
  Random random(8);
  double worst = 0;
  for (const bool polyhedral : {false, true})
    for (int trial = 0; trial < 10; ++trial) {
      const ContactProblem problem =
          testing::randomSpatialProblem(random, {.bodies = 2,
                                                 .patches = 3,
                                                 .polyhedral = polyhedral,
                                                 .largest_mu = 0.4,
                                                 .torsion = 0.1,
                                                 .rolling = 0.1,
                                                 .load_independent = trial % 3 == 2});
      const double speed = std::pow(10, random.uniform(-6, 6));
      const double mass = std::pow(10, random.uniform(-9, 9));
      const double length = std::pow(10, random.uniform(-6, 6));
      const ContactProblem scaled = inUnits(problem, speed, mass, length);
      ContactSolution a, b;
      for (const char* name : {"exact", "lemke"}) {
        if (!polyhedral && std::string(name) == "lemke") continue;
        const auto solver = solverOf(name, Law::coulomb, polyhedral ? "polyhedral" : "circular");
        solver->solve(problem, a);
        solver->restart();
        solver->solve(scaled, b);
        for (std::size_t k = 0; k < a.v.size(); ++k)
          EXPECT_NEAR(b.v[k] / speed * (k % 6 < 3 ? 1 : length), a.v[k], 1e-8)
              << name << " " << trial;
        // A wrong answer is as wrong in any units.
        for (double& v : a.v) v += 0.1;
        const double residual = Certifier().certify(problem, a).residual;
        const double other =
            Certifier().certify(scaled, inUnits(problem, a, speed, mass, length)).residual;
        EXPECT_NEAR(other, residual, 1e-7 * residual);
        worst = std::max(worst, residual);
      }
    }
  EXPECT_GT(worst, 1e-2);
}

}  // namespace
}  // namespace stickslip
