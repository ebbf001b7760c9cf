// The certificate: zero on solutions that are known by hand, honest about everything else.
#include <gtest/gtest.h>

#include <cmath>

#include "solvers/lemke/lemke_solver.hpp"
#include "stickslip/certificate.hpp"
#include "support/contact_problems.hpp"

namespace stickslip {
namespace {

using testing::Random;

// A particle of mass m in the plane, one contact: normal is y, tangent is x.
ContactProblem particle(double m, double vx, double vy, double mu) {
  ContactProblem problem;
  const int sizes[] = {2};
  problem.M.resize(sizes);
  problem.M.block(0)(0, 0) = problem.M.block(0)(1, 1) = m;
  problem.v_free = problem.v_old = {vx, vy};
  problem.J.addGroup(2);
  const MatrixView w = problem.J.addStrip(0, 2);
  w(0, 1) = 1;
  w(1, 0) = 1;
  problem.b = problem.drive = {0, 0};
  problem.sets = {{ImpulseSet::Kind::planar, mu}};
  problem.contact_id = {0};
  problem.gap = {-0.25};
  return problem;
}

TEST(Certificate, AcceptsStickingSlidingAndSeparation) {
  Certifier certifier;
  // Sticking: friction can stop it.
  EXPECT_LE(certifier.certify(particle(2, 1, -4, 0.5), {{0, 0}, {8, -2}, {}}).worstResidual(),
            1e-15);
  // Sliding: p_t = -mu p_n.
  EXPECT_LE(certifier.certify(particle(2, 3, -4, 0.5), {{1, 0}, {8, -4}, {}}).worstResidual(),
            1e-15);
  // Separating: no impulse.
  EXPECT_LE(certifier.certify(particle(2, 3, 4, 0.5), {{3, 4}, {0, 0}, {}}).worstResidual(), 1e-15);
}

TEST(Certificate, MeasuresEachKindOfViolation) {
  Certifier certifier;
  const ContactProblem problem = particle(2, 3, -4, 0.5);
  const double scale = 5;  // |(3, -4)|
  // Penetrating with speed 1, momentum right: rho = m = 2, so the residual is that speed.
  const Certificate penetrating = certifier.certify(problem, {{1.5, -1}, {6, -3}, {}});
  EXPECT_GT(penetrating.residual, 0.1 / scale);
  // Pulling impulse.
  EXPECT_GT(certifier.certify(problem, {{3, -5}, {-2, 0}, {}}).residual, 0.1);
  // Friction beyond the cone.
  EXPECT_GT(certifier.certify(problem, {{0, 0}, {8, -6}, {}}).residual, 0.1);
  // Friction along the sliding.
  EXPECT_GT(certifier.certify(problem, {{5, 0}, {8, 4}, {}}).residual, 0.1);
  // Impulse that keeps acting on a contact that opens.
  EXPECT_GT(certifier.certify(problem, {{3, 1}, {10, 0}, {}}).residual, 0.1);
  // Velocity that does not belong to the impulse.
  const Certificate wrong = certifier.certify(problem, {{1, 0}, {8, -5}, {}});
  EXPECT_NEAR(wrong.momentum_residual, 1.0 / (2 * (1 + 3) + 5), 1e-15);
  EXPECT_FALSE(wrong.holds(1e-8));
}

TEST(Certificate, NotFiniteNeverHolds) {
  Certifier certifier;
  const Certificate c =
      certifier.certify(particle(2, 3, -4, 0.5), {{std::nan(""), 0}, {8, -4}, {}});
  EXPECT_FALSE(c.finite);
  EXPECT_FALSE(c.holds(1.0));
  EXPECT_TRUE(std::isinf(c.worstResidual()));
  // A mass matrix that is not positive definite.
  EXPECT_FALSE(certifier.certify(particle(-2, 3, -4, 0.5), {{1, 0}, {8, -4}, {}}).holds(1.0));
}

TEST(Certificate, ReportsEnergyGapAndDrift) {
  Certifier certifier;
  ContactProblem problem = particle(2, 3, -4, 0.5);
  problem.G.addGroup(1);
  problem.G.addStrip(0, 2)(0, 0) = 1;
  problem.g = problem.joint_drive = problem.compliance = {0};
  problem.joint_gap = {0.125};
  // The joint stops x, the contact stops y.
  const Certificate c = certifier.certify(problem, {{0, 0}, {8, 0}, {-6}});
  EXPECT_LE(c.worstResidual(), 1e-15);
  EXPECT_DOUBLE_EQ(c.kinetic_energy_start, 25);
  EXPECT_DOUBLE_EQ(c.kinetic_energy_end, 0);
  EXPECT_DOUBLE_EQ(c.contact_work, -25);
  EXPECT_DOUBLE_EQ(c.worst_gap, -0.25);
  EXPECT_DOUBLE_EQ(c.joint_drift, 0.125);
  // The joint violated.
  EXPECT_NEAR(certifier.certify(problem, {{1, 0}, {8, 0}, {-4}}).joint_residual, 1.0 / 3, 1e-15);
}

// What forces do within a step counts in the kinetic norm; in an impact there are none.
TEST(Certificate, ReportsEnergyOfForces) {
  Certifier certifier;
  ContactProblem problem = particle(2, 3, -4, 0.5);
  problem.v_old = {3, -3.5};
  EXPECT_EQ(certifier.certify(problem, {{1, 0}, {8, -4}, {}}).forced_energy, 0);
  problem.duration = 0.1;
  EXPECT_DOUBLE_EQ(certifier.certify(problem, {{1, 0}, {8, -4}, {}}).forced_energy, 0.25);
  // A spring that pulls with an impulse 6 along x does as much more.
  problem.G.addGroup(1);
  problem.G.addStrip(0, 2)(0, 0) = 1;
  problem.g = problem.joint_drive = problem.joint_gap = {0};
  problem.compliance = {0.5};
  EXPECT_DOUBLE_EQ(certifier.certify(problem, {{0, 0}, {8, 0}, {-6}}).forced_energy, 9.25);
}

// Contacts that overlap and are pushed out faster than they approach.
TEST(Certificate, ReportsTheWorkOfPushingOverlapsOut) {
  Certifier certifier;
  ContactProblem problem = particle(2, 0, 1, 0);
  problem.duration = 0.125;
  problem.b[0] = -3;
  EXPECT_DOUBLE_EQ(certifier.certify(problem, {{0, 3}, {4, 0}, {}}).overlap_work, 12);
  problem.v_old = problem.v_free = {0, -2};
  EXPECT_DOUBLE_EQ(certifier.certify(problem, {{0, 3}, {10, 0}, {}}).overlap_work, 10);
  // Thrown back with its own speed at most: restitution.
  problem.b[0] = -2;
  EXPECT_DOUBLE_EQ(certifier.certify(problem, {{0, 2}, {8, 0}, {}}).overlap_work, 0);
}

TEST(Certificate, NamesItsWorstResidual) {
  Certificate c;
  EXPECT_EQ(c.worstName(), "residual");
  c.joint_residual = 1e-3;
  c.energy_residual = 1e-2;
  EXPECT_EQ(c.worstName(), "energy_residual");
  EXPECT_FALSE(c.holds(5e-3));
  EXPECT_TRUE(c.lawHolds(5e-3));
  c.finite = false;
  EXPECT_EQ(c.worstName(), "finite");
}

TEST(Certificate, FlagsImpulsesThatAreNotUnique) {
  Certifier certifier;
  ContactProblem problem = particle(2, 1, -4, 0.5);
  EXPECT_TRUE(certifier.certify(problem, {{0, 0}, {8, -2}, {}}).impulses_unique);
  // A second contact at the same place shares the load in any proportion.
  problem.J.addGroup(2);
  const MatrixView w = problem.J.addStrip(0, 2);
  w(0, 1) = 1;
  w(1, 0) = 1;
  problem.b = problem.drive = {0, 0, 0, 0};
  problem.sets.push_back(problem.sets[0]);
  problem.contact_id.push_back(1);
  problem.gap.push_back(0);
  const Certificate c = certifier.certify(problem, {{0, 0}, {8, -2, 0, 0}, {}});
  EXPECT_LE(c.worstResidual(), 1e-15);
  EXPECT_FALSE(c.impulses_unique);
}

// The same problem in other units of mass, length and of each coordinate.
TEST(Certificate, DoesNotDependOnUnits) {
  Random random(31);
  for (int trial = 0; trial < 200; ++trial) {
    testing::ProblemShape shape;
    shape.joints = 1;
    ContactProblem problem = testing::randomContactProblem(random, shape);
    ContactSolution solution;
    LemkeSolver(0).solve(problem, solution);
    for (double& p : solution.p) p += 1e-3 * random.uniform();
    Certifier certifier;
    const Certificate before = certifier.certify(problem, solution);

    const double mass = 1e6, length = 1e3;
    std::vector<double> unit = random.vector(4, -3, 3);
    for (double& u : unit) u = std::pow(10.0, u);
    ContactProblem other = problem;
    other.J.clear();
    other.G.clear();
    const auto rescale = [&](const BlockRows& from, BlockRows& to) {
      for (int group = 0; group < from.groupCount(); ++group) {
        to.addGroup(from.rowsOf(group));
        const MatrixView strip = to.addStrip(0, 4);
        for (int i = 0; i < from.rowsOf(group); ++i) {
          const auto row = testing::denseRow(from, from.firstRow(group) + i, 4);
          for (int k = 0; k < 4; ++k) strip(i, k) = length * row[k] / unit[k];
        }
      }
    };
    rescale(problem.J, other.J);
    rescale(problem.G, other.G);
    ContactSolution same = solution;
    for (int i = 0; i < 4; ++i) {
      const auto k = std::size_t(i);
      for (int j = 0; j < 4; ++j)
        other.M.block(0)(i, j) *= mass * length * length / (unit[k] * unit[j]);
      other.v_free[k] *= unit[k];
      other.v_old[k] *= unit[k];
      same.v[k] *= unit[k];
    }
    for (double& b : other.b) b *= length;
    for (double& g : other.g) g *= length;
    for (double& p : same.p) p *= mass * length;
    for (double& c : same.c) c *= mass * length;
    const Certificate after = certifier.certify(other, same);
    EXPECT_NEAR(after.residual, before.residual, 1e-12);
    EXPECT_NEAR(after.momentum_residual, before.momentum_residual, 1e-9);
    EXPECT_NEAR(after.joint_residual, before.joint_residual, 1e-12);
    EXPECT_EQ(after.impulses_unique, before.impulses_unique);
  }
}

}  // namespace
}  // namespace stickslip
