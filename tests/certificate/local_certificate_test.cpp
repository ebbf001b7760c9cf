// The certificate of problems without bodies, and of the relaxed law.
#include <gtest/gtest.h>

#include <cmath>

#include "problem/reduced_problem.hpp"
#include "stickslip/certificate.hpp"
#include "support/local_problems.hpp"
#include "support/spatial_problems.hpp"

namespace stickslip {
namespace {

using testing::Random;

TEST(LocalCertificate, SaysWhatTheOtherOneSays) {
  Random random(1);
  for (int trial = 0; trial < 50; ++trial) {
    ContactProblem problem = testing::randomSpatialProblem(
        random, {.bodies = 4, .patches = 5, .polyhedral = trial % 3 == 0});
    if (trial % 2 == 0) problem.law = Law::relaxed;
    const LocalProblem local = testing::localForm(problem);
    // Any impulses will do, with the velocities that they lead to.
    ReducedProblem reduced;
    reduced.reduce(problem);
    ContactSolution solution;
    reduced.recover(random.vector(problem.b.size()), solution);
    const Certificate a = Certifier().certify(problem, solution);
    const Certificate b = certifyLocal(local, solution.p);
    EXPECT_NEAR(a.residual, b.residual, 1e-9 + 1e-6 * a.residual);
    EXPECT_NEAR(a.fclib_error, b.fclib_error, 1e-9 + 1e-6 * a.fclib_error);
  }
}

// A block that slides at 3 m/s on a floor with mu = 0.5 and no gravity to hold it down: Coulomb's
// law lets it go on, the relaxed law is satisfied only if it lifts off at 1.5 m/s.
ContactProblem slidingBlock() {
  ContactProblem problem;
  problem.M.resize(std::vector<int>{2});
  for (int k = 0; k < 2; ++k) problem.M.block(0)(k, k) = 2;
  problem.v_free = {0.0, 3.0};
  problem.v_old = problem.v_free;
  problem.J.addGroup(2);
  const MatrixView J = problem.J.addStrip(0, 2);
  J(0, 0) = 1;
  J(1, 1) = 1;
  problem.b = {0, 0};
  problem.drive = {0, 0};
  problem.gap = {0};
  problem.sets = {{ImpulseSet::Kind::planar, 0.5}};
  return problem;
}

TEST(RelaxedLaw, LiftsWhatSlides) {
  ContactProblem problem = slidingBlock();
  const ContactSolution flat{.v = {0, 3}, .p = {0, 0}, .c = {}};
  EXPECT_EQ(Certifier().certify(problem, flat).residual, 0);
  problem.law = Law::relaxed;
  EXPECT_GT(Certifier().certify(problem, flat).residual, 0.1);
  // p = s (1, -0.5) with u = v_free + p / 2 on the boundary of the dual cone, u_n = 0.5 u_t.
  const double s = 2 * 1.5 / 1.25;
  const ContactSolution lifted{.v = {s / 2, 3 - s / 4}, .p = {s, -s / 2}, .c = {}};
  const Certificate certificate = Certifier().certify(problem, lifted);
  EXPECT_LE(certificate.worstResidual(), 1e-15);
  EXPECT_NEAR(certificate.lift, s / 2, 1e-12);
  problem.law = Law::coulomb;
  EXPECT_GT(Certifier().certify(problem, lifted).residual, 0.1);
}

}  // namespace
}  // namespace stickslip
