// Coulomb's law by sequences of convex problems ([AH04] section 5).
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>
#include <string_view>

#include "stickslip/certificate.hpp"
#include "stickslip/solver.hpp"
#include "stickslip/vector.hpp"
#include "support/contact_problems.hpp"
#include "support/dense_relaxed.hpp"
#include "support/pile_problems.hpp"
#include "support/spatial_problems.hpp"

namespace stickslip {
namespace {

using testing::largestDifference;
using testing::Random;
using testing::randomSpatialProblem;

std::unique_ptr<Solver> solverNamed(const char* name, long budget = 0) {
  Method method;
  method.solver = name;
  method.budget = budget;
  return makeSolver(method);
}

// The most negative normal velocity of a contact with friction.
double deepest(const ContactProblem& problem, const std::vector<double>& v) {
  const std::vector<double> u = testing::contactVelocities(problem, v);
  double least = 0;
  for (int i = 0; i < problem.contactCount(); ++i)
    least = std::min(least, u[problem.J.firstRow(i)]);
  return least;
}

TEST(FixedPointSolver, ContractsForSmallFriction) {
  for (int k = 0; k < 6; ++k) {
    Random random(static_cast<std::uint64_t>(k + 1));
    const ContactProblem problem =
        randomSpatialProblem(random, {.bodies = 3, .patches = 4, .largest_mu = 0.15});
    ContactSolution exact;
    solverNamed("exact")->solve(problem, exact);
    for (const char* name : {"fixed-point-1", "fixed-point-2"}) {
      ContactSolution solution;
      const SolveReport report = solverNamed(name)->solve(problem, solution);
      EXPECT_EQ(report.status, SolveStatus::solved) << name << k;
      EXPECT_LE(Certifier().certify(problem, solution).worstResidual(), 1e-8) << name << k;
      EXPECT_LE(largestDifference(solution.v, exact.v), 1e-6) << name << k;
      EXPECT_GT(report.outer_iterations, 1);
      EXPECT_GT(report.contraction, 0);
      EXPECT_LT(report.contraction, 0.5) << name << k;
    }
  }
}

// 21 disks and mu = 0.05: both iterations converge ([AH04] section 5.3).
TEST(FixedPointSolver, SolvesTheCannonballsOfThePaper) {
  Random random(1);
  const ContactProblem problem = testing::cannonballPile(6, 0.05, 0.05, 0, random);
  for (const char* name : {"fixed-point-1", "fixed-point-2"}) {
    ContactSolution solution;
    EXPECT_EQ(solverNamed(name)->solve(problem, solution).status, SolveStatus::solved) << name;
    EXPECT_LE(Certifier().certify(problem, solution).worstResidual(), 1e-8) << name;
  }
}

TEST(FixedPointSolver, TakesPolygonsJointsAndMotors) {
  for (int k = 0; k < 6; ++k) {
    Random random(static_cast<std::uint64_t>(20 + k));
    const ContactProblem problem = randomSpatialProblem(random, {.bodies = 3,
                                                                 .patches = 3,
                                                                 .polyhedral = k % 2 == 0,
                                                                 .directions = 6,
                                                                 .largest_mu = 0.15,
                                                                 .joints = 1 + k % 2,
                                                                 .motors = k % 3});
    for (const char* name : {"fixed-point-1", "fixed-point-2"}) {
      ContactSolution solution;
      solverNamed(name)->solve(problem, solution);
      EXPECT_LE(Certifier().certify(problem, solution).worstResidual(), 1e-8) << name << k;
    }
  }
}

// Wherever it is stopped, and whether it converges or not.
TEST(FixedPointSolver, TheSecondKeepsContactsApartAtAnyTime) {
  int unfinished = 0;
  for (int k = 0; k < 8; ++k) {
    Random random(static_cast<std::uint64_t>(40 + k));
    const ContactProblem problem =
        randomSpatialProblem(random, {.bodies = 1, .patches = 4, .points = 2, .largest_mu = 1});
    for (const long budget : {1L, 2L, 5L, 0L}) {
      ContactSolution solution;
      const SolveReport report = solverNamed("fixed-point-2", budget)->solve(problem, solution);
      if (budget > 0) {
        EXPECT_LE(report.outer_iterations, budget);
      }
      if (report.status == SolveStatus::iteration_limit) ++unfinished;
      EXPECT_GE(deepest(problem, solution.v), -1e-6) << k << " " << budget;
      EXPECT_LE(Certifier().certify(problem, solution).momentum_residual, 1e-12);
    }
  }
  EXPECT_GT(unfinished, 2);
}

// Particles that slide and fall onto the floor, each an island of its own: x, y.
struct SlidingParticles {
  double mu = 0.4;
  double slide = 1;   ///< free velocity along the floor
  double fall = 0.1;  ///< and onto it
  double before = 0;  ///< sliding velocity at the start of the step
  int count = 3;

  ContactProblem problem() const {
    ContactProblem out;
    const std::vector<int> sizes(static_cast<std::size_t>(count), 2);
    out.M.resize(sizes);
    for (int k = 0; k < count; ++k) {
      out.M.block(k)(0, 0) = out.M.block(k)(1, 1) = 1 + k;
      out.J.addGroup(2);
      const MatrixView strip = out.J.addStrip(2 * k, 2);
      strip(0, 1) = strip(1, 0) = 1;
      strip(0, 0) = strip(1, 1) = 0;
      out.sets.push_back({ImpulseSet::Kind::planar, mu, mu, 0});
      out.v_free.insert(out.v_free.end(), {slide, -fall});
      out.v_old.insert(out.v_old.end(), {before, 0});
      out.gap.push_back(0);
    }
    out.b.assign(out.v_free.size(), 0.0);
    out.drive.assign(out.v_free.size(), 0.0);
    return out;
  }

  // P_1(Gamma) of one particle: with v_y = mu v_x - Gamma and v_x = slide - mu (v_y + fall).
  double shifted(double Gamma) const { return (slide - mu * (fall - Gamma)) / (1 + mu * mu); }
  // Sliding velocity after so many iterations, of LCP1 and LCP2 alike.
  double after(long iterations, double start) const {
    double v = start;
    for (long k = 0; k < iterations; ++k) v = shifted(mu * v);
    return v;
  }
};

// [AH04] sections 5.1 and 5.2 by hand: every iteration of LCP1 and LCP2 of a particle that slides,
// on every island, whatever the budget. LCP1 lets it off the floor with mu times the change of the
// sliding velocity, LCP2 does not.
TEST(FixedPointSolver, BudgetsCountWholeIterationsOfEveryIsland) {
  const SlidingParticles particles;
  const ContactProblem problem = particles.problem();
  for (const long budget : {1L, 2L, 3L, 6L}) {
    const double expected = particles.after(budget, 0), last = particles.after(budget - 1, 0);
    ContactSolution first, second;
    const SolveReport report = solverNamed("fixed-point-1", budget)->solve(problem, first);
    EXPECT_EQ(report.outer_iterations, budget);
    EXPECT_EQ(report.status, SolveStatus::iteration_limit);
    EXPECT_EQ(solverNamed("fixed-point-2", budget)->solve(problem, second).outer_iterations,
              budget);
    for (std::size_t k = 0; k < problem.v_free.size(); k += 2) {
      EXPECT_NEAR(first.v[k], expected, 1e-9) << budget;
      EXPECT_NEAR(first.v[k + 1], particles.mu * (expected - last), 1e-9) << budget;
      EXPECT_NEAR(second.v[k], expected, 1e-8) << budget;
      EXPECT_NEAR(second.v[k + 1], 0, 1e-8) << budget;
    }
  }
}

// LCP3 is one iteration of LCP1 from Gamma = 0, whatever moved before the step ([AH04] 5.2); so is
// that of LCP2. Gamma of the velocity before is an option.
TEST(FixedPointSolver, OneIterationStartsAtZeroUnlessToldOtherwise) {
  const SlidingParticles particles{.before = 0.9};
  const ContactProblem problem = particles.problem();
  for (const char* start : {"zero", "previous"}) {
    const double slip = std::string_view(start) == "zero" ? 0 : particles.before;
    const double expected = particles.after(1, slip);
    for (const char* name : {"one-step", "one-step-2"}) {
      Method method;
      method.solver = name;
      method.initial_slip = named<InitialSlip>(start);
      ContactSolution solution;
      const SolveReport report = makeSolver(method)->solve(problem, solution);
      EXPECT_EQ(report.outer_iterations, 1);
      EXPECT_EQ(report.status, SolveStatus::iteration_limit);
      const bool lifts = std::string_view(name) == "one-step";
      for (std::size_t k = 0; k < problem.v_free.size(); k += 2) {
        EXPECT_NEAR(solution.v[k], expected, 1e-9) << name << start;
        EXPECT_NEAR(solution.v[k + 1], lifts ? particles.mu * (expected - slip) : 0, 1e-9)
            << name << start;
      }
    }
  }
}

// P_2 (4.29) by brute force, where the bodies are eliminated: impulses p_n >= 0 for u_n >= 0, and
// p_t that costs bound |p_t| for |u_t| <= bound, by projected gradients.
std::vector<double> boundedSlip(const ContactProblem& problem, const std::vector<double>& bounds) {
  const LocalProblem local = testing::eliminateBodies(problem);
  const std::size_t rows = local.q.size();
  std::vector<double> W(rows * rows), p(rows, 0.0), u(rows);
  double trace = 0;
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < rows; ++j)
      W[i * rows + j] = local.W.entry(static_cast<int>(i), static_cast<int>(j));
  for (std::size_t i = 0; i < rows; ++i) trace += W[i * (rows + 1)];
  const double length = 1 / trace;
  for (int k = 0; k < 200'000; ++k) {
    for (std::size_t i = 0; i < rows; ++i) {
      u[i] = local.q[i];
      for (std::size_t j = 0; j < rows; ++j) u[i] += W[i * rows + j] * p[j];
    }
    for (std::size_t i = 0; i < rows; i += 3) {
      p[i] = std::max(0.0, p[i] - length * u[i]);
      const double a = p[i + 1] - length * u[i + 1], b = p[i + 2] - length * u[i + 2];
      const double size = std::hypot(a, b);
      const double part = size > 0 ? std::max(0.0, 1 - length * bounds[i / 3] / size) : 0;
      p[i + 1] = part * a;
      p[i + 2] = part * b;
    }
  }
  return u;
}

// Lambda of (4.23) for circular cones, times mu or not.
std::vector<double> slips(const ContactProblem& problem, const std::vector<double>& u, bool times) {
  std::vector<double> out;
  for (std::size_t i = 0; i < problem.sets.size(); ++i)
    out.push_back((times ? problem.sets[i].mu : 1) * std::hypot(u[3 * i + 1], u[3 * i + 2]));
  return out;
}

// Steps 2 to 6 of [AH04] 5.2, and 2 to 4 of 5.1, against brute force: two iterations of each.
TEST(FixedPointSolver, IterationsAreThoseOfThePaper) {
  for (int k = 0; k < 3; ++k) {
    Random random(static_cast<std::uint64_t>(30 + k));
    const ContactProblem problem =
        randomSpatialProblem(random, {.bodies = 1, .patches = 2, .largest_mu = 0.5});
    for (const bool second : {false, true}) {
      std::vector<double> Gamma(problem.sets.size(), 0.0);
      for (const long budget : {1L, 2L}) {
        ContactProblem shifted = problem;
        shifted.law = Law::relaxed;
        for (std::size_t i = 0; i < Gamma.size(); ++i) shifted.b[3 * i] += Gamma[i];
        std::vector<double> u =
            testing::contactVelocities(problem, testing::relaxedVelocities(shifted, 20'000));
        if (second) u = boundedSlip(problem, slips(problem, u, false));
        Gamma = slips(problem, u, true);
        ContactSolution solution;
        solverNamed(second ? "fixed-point-2" : "fixed-point-1", budget)->solve(problem, solution);
        EXPECT_LE(largestDifference(testing::contactVelocities(problem, solution.v), u), 1e-6)
            << k << " " << budget << (second ? " LCP2" : " LCP1");
      }
    }
  }
}

// Random bodies as a user may have them: large friction, moments, polygons, joints and tangential
// restitution. However it ends, the number of factorizations is bounded, and what is called solved
// is.
TEST(FixedPointSolver, EndsSoonAndHonestlyWhateverTheProblem) {
  constexpr long kMost = 2'500;
  for (const char* name : {"fixed-point-1", "fixed-point-2"})
    for (int k = 0; k < 30; ++k) {
      Random random(static_cast<std::uint64_t>(100 + k));
      const ContactProblem problem =
          randomSpatialProblem(random, {.bodies = 2 + k % 3,
                                        .patches = 3 + k % 4,
                                        .points = 1 + k % 2,
                                        .polyhedral = k % 4 != 0,
                                        .largest_mu = 0.5 + k % 3,
                                        .mass_ratio = k % 5 == 0 ? 1e3 : 1,
                                        .restitution = k % 2 == 1,
                                        .joints = k % 3,
                                        .torsion = k % 2 * 0.01,
                                        .rolling = (k / 2) % 2 * 0.01});
      ContactSolution solution;
      const SolveReport report = solverNamed(name)->solve(problem, solution);
      EXPECT_LE(report.iterations, kMost) << name << k << toString(report.status);
      EXPECT_LE(report.outer_iterations, 200) << name << k;
      const double residual = Certifier().certify(problem, solution).worstResidual();
      if (report.status == SolveStatus::solved) {
        EXPECT_LE(residual, 1e-8) << name << k;
      }
    }
}

// Shifts that run away are noticed long before the last iteration.
TEST(FixedPointSolver, NoticesThatItDoesNotContract) {
  // A rod that leans into its sliding direction, with more friction than it can slide with: normal
  // velocity per friction impulse -0.8, so that each shift asks for a larger one.
  ContactProblem problem;
  const int sizes[] = {3};
  problem.M.resize(sizes);
  for (int k = 0; k < 3; ++k) problem.M.block(0)(k, k) = k < 2 ? 1 : 1.0 / 3;
  problem.J.addGroup(2);
  const MatrixView strip = problem.J.addStrip(0, 3);
  const double rows[] = {0, 1, -0.5, 1, 0, 0.85};
  std::copy(std::begin(rows), std::end(rows), strip.data);
  problem.sets.push_back({ImpulseSet::Kind::planar, 3, 3, 0});
  problem.b.assign(2, 0.0);
  problem.drive.assign(2, 0.0);
  problem.gap.assign(1, 0.0);
  problem.v_old = {-1, 0, 0};
  problem.v_free = {-1, -0.1, 0};
  for (const char* name : {"fixed-point-1", "fixed-point-2"}) {
    ContactSolution solution;
    const SolveReport report = solverNamed(name)->solve(problem, solution);
    const bool solved = Certifier().certify(problem, solution).worstResidual() <= 1e-8;
    EXPECT_EQ(report.status, solved ? SolveStatus::solved : SolveStatus::diverged) << name;
    EXPECT_LE(report.outer_iterations, 40) << name;
  }
}

TEST(FixedPointSolver, LargeFrictionIsReportedHonestly) {
  for (int k = 0; k < 10; ++k) {
    Random random(static_cast<std::uint64_t>(60 + k));
    const ContactProblem problem =
        randomSpatialProblem(random, {.bodies = 2, .patches = 5, .points = 2, .largest_mu = 3});
    ContactSolution solution;
    const SolveReport report = solverNamed("fixed-point-1")->solve(problem, solution);
    const double residual = Certifier().certify(problem, solution).worstResidual();
    EXPECT_EQ(report.status == SolveStatus::solved, residual <= 1e-8) << k << " " << residual;
  }
}

// One convex problem: that of the relaxed law, or shifted by the sliding velocity before the step.
TEST(FixedPointSolver, OneStepIsOneConvexProblem) {
  Random random(11);
  const ContactProblem problem =
      randomSpatialProblem(random, {.bodies = 3, .patches = 4, .largest_mu = 0.8});
  for (const char* start : {"zero", "previous"}) {
    ContactSolution once, reference;
    Method method;
    method.solver = "one-step";
    method.initial_slip = named<InitialSlip>(start);
    const SolveReport report = makeSolver(method)->solve(problem, once);
    EXPECT_EQ(report.outer_iterations, 1);
    ContactProblem shifted = problem;
    shifted.law = Law::relaxed;
    const std::vector<double> u = testing::contactVelocities(problem, problem.v_old);
    if (std::string_view(start) == "previous")
      for (std::size_t i = 0; i < problem.sets.size(); ++i)
        shifted.b[3 * i] += problem.sets[i].mu * std::hypot(u[3 * i + 1], u[3 * i + 2]);
    solverNamed("convex")->solve(shifted, reference);
    EXPECT_LE(largestDifference(once.v, reference.v), 1e-7) << start;
  }
}

TEST(FixedPointSolver, OneStepIsExactWhereTheSlidingVelocityIsKnown) {
  Random random(13);
  ContactProblem problem =
      randomSpatialProblem(random, {.bodies = 2, .patches = 3, .largest_mu = 0.3});
  ContactSolution exact, once;
  solverNamed("fixed-point-1")->solve(problem, exact);
  problem.v_old = exact.v;
  Method method;
  method.initial_slip = InitialSlip::previous;
  for (const char* name : {"one-step", "one-step-2"}) {
    method.solver = name;
    EXPECT_EQ(makeSolver(method)->solve(problem, once).status, SolveStatus::solved) << name;
    EXPECT_LE(largestDifference(once.v, exact.v), 1e-7) << name;
  }
}

TEST(FixedPointSolver, TheRelaxedLawIsOneConvexProblem) {
  Random random(17);
  ContactProblem problem = randomSpatialProblem(random, {.bodies = 3, .patches = 4});
  problem.law = Law::relaxed;
  ContactSolution solution, reference;
  const SolveReport report = solverNamed("fixed-point-1")->solve(problem, solution);
  EXPECT_EQ(report.outer_iterations, 1);
  EXPECT_EQ(report.status, SolveStatus::solved);
  solverNamed("convex")->solve(problem, reference);
  EXPECT_LE(largestDifference(solution.v, reference.v), 1e-8);
}

// [AH04] section 3: a body on six feet, the corners of a regular hexagon. The set of impulses is
// not convex; the velocity is zero.
TEST(FixedPointSolver, TheHexagonalPyramidRests) {
  ContactProblem problem;
  const int sizes[] = {6};
  problem.M.resize(sizes);
  for (int k = 0; k < 6; ++k) problem.M.block(0)(k, k) = k < 3 ? 2 : 0.3;
  const std::array<Vec3, 3> axes{Vec3{0, 0, 1}, Vec3{1, 0, 0}, Vec3{0, 1, 0}};
  for (int j = 0; j < 6; ++j) {
    const double angle = std::numbers::pi * j / 3;
    const Vec3 r{std::cos(angle), std::sin(angle), -0.5};
    problem.J.addGroup(3);
    const MatrixView strip = problem.J.addStrip(0, 6);
    for (int k = 0; k < 3; ++k) {
      const Vec3 d = axes[k], turn = cross(r, d);
      const double row[] = {d.x, d.y, d.z, turn.x, turn.y, turn.z};
      std::copy(std::begin(row), std::end(row), strip.row(k).begin());
    }
    problem.sets.push_back({ImpulseSet::Kind::polyhedral, 0.3, 0.3, 4});
  }
  problem.b.assign(18, 0.0);
  problem.drive.assign(18, 0.0);
  problem.gap.assign(6, 0.0);
  problem.v_old.assign(6, 0.0);
  problem.v_free = {0, 0, -0.5, 0, 0, 0};
  for (const char* name : {"convex", "fixed-point-1", "fixed-point-2", "one-step", "one-step-2"}) {
    ContactSolution solution;
    const SolveReport report = solverNamed(name)->solve(problem, solution);
    EXPECT_EQ(report.status, SolveStatus::solved) << name;
    for (const double v : solution.v) EXPECT_NEAR(v, 0, 1e-9) << name;
    EXPECT_LE(Certifier().certify(problem, solution).worstResidual(), 1e-8) << name;
  }
}

}  // namespace
}  // namespace stickslip
