// The model problems that tests and benchmarks share are what they say, and a solver that shares
// nothing with the library's, projected Gauss-Seidel, agrees with these where it converges.
#include <gtest/gtest.h>

#include <cmath>

#include "stickslip/certificate.hpp"
#include "stickslip/solver.hpp"
#include "support/gauss_seidel.hpp"
#include "support/local_problems.hpp"
#include "support/pile_problems.hpp"
#include "support/sphere_box.hpp"

namespace stickslip {
namespace {

using testing::Random;

TEST(ModelProblems, GaussSeidelAgreesWithTheSolverOnASmallPile) {
  for (const double mu : {0.1, 0.3, 0.6}) {
    Random random(3);
    const ContactProblem problem = testing::cannonballPile(3, mu, 0.05, 0.1, random);
    ContactSolution slow, quick;
    testing::GaussSeidel().solve(problem, 4000, slow);
    Method method;
    method.solver = "exact";
    makeSolver(method)->solve(problem, quick);
    Certifier certifier;
    EXPECT_LE(certifier.certify(problem, slow).worstResidual(), 1e-9) << mu;
    EXPECT_LE(certifier.certify(problem, quick).worstResidual(), 1e-9) << mu;
  }
}

TEST(ModelProblems, TheLocalFormHasTheSameCertificate) {
  Random random(4);
  const ContactProblem problem = testing::cannonballPile(4, 0.3, 0.05, 0.2, random);
  ContactSolution solution;
  testing::GaussSeidel().solve(problem, 10, solution);
  const Certificate bodies = Certifier().certify(problem, solution);
  const Certificate local = certifyLocal(testing::localForm(problem), solution.p);
  EXPECT_GT(bodies.residual, 1e-6);  // not converged: there is something to compare
  EXPECT_NEAR(local.residual, bodies.residual, 1e-9 * bodies.residual);
  EXPECT_NEAR(local.fclib_error, bodies.fclib_error, 1e-9 * bodies.fclib_error);
}

// The scheme stops bodies where it finds them, so that they keep what they overlap by in their last
// step of free flight.
TEST(ModelProblems, SpheresSettleInTheirBox) {
  const testing::SphereBox box = testing::settledSpheres(2, 0.5, 250);
  EXPECT_GE(box.nextProblem().contactCount(), 16);
  EXPECT_TRUE(box.system->overlaps(box.state, 0.05).empty());
  for (int body = 5; body < 5 + 8; ++body) {
    const BodyState sphere = box.system->bodyState(body, box.state);
    EXPECT_LE(std::abs(sphere.position.x), 0.55) << body;
    EXPECT_LE(std::abs(sphere.position.y), 0.55) << body;
    EXPECT_GE(sphere.position.z, 0.45) << body;
    EXPECT_LE(norm(sphere.velocity), 0.05) << body;
  }
}

}  // namespace
}  // namespace stickslip
