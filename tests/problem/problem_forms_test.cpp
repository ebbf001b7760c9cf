// Forms of a problem agree with each other: momentum and joints hold for any impulses, and the
// problem without bodies has the same velocities of contacts.
#include "stickslip/problem_forms.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "stickslip/certificate.hpp"
#include "stickslip/input_error.hpp"
#include "support/contact_problems.hpp"
#include "support/random.hpp"

namespace stickslip {
namespace {

TEST(ProblemForms, MassTimesAndSolveMassAreInverse) {
  testing::Random random(3);
  const ContactProblem problem = testing::randomContactProblem(random, {.velocities = 6});
  const std::vector<double> f = massTimes(problem.M, problem.v_free);
  EXPECT_LT(testing::largestDifference(solveMass(problem.M, f), problem.v_free), 1e-12);
  BlockDiagonal M = problem.M;
  M.block(0)(0, 0) = -1;
  EXPECT_THROW(solveMass(M, f), InputError);
}

TEST(ProblemForms, ImpulsesHaveTheirVelocities) {
  for (const int joints : {0, 2}) {
    testing::Random random(static_cast<unsigned>(11 + joints));
    const ContactProblem problem = testing::randomContactProblem(
        random, {.velocities = 7, .contacts = 3, .joints = joints, .repeated_joints = joints / 2});
    std::vector<double> p(problem.b.size());
    for (std::size_t k = 0; k < p.size(); ++k) p[k] = static_cast<double>(k % 4) - 1.2;
    const ContactSolution solution = solutionWith(problem, p);
    const Certificate certificate = Certifier().certify(problem, solution);
    EXPECT_LT(certificate.momentum_residual, 1e-12);
    EXPECT_LT(certificate.joint_residual, 1e-12);
    EXPECT_LT(testing::largestDifference(contactVelocities(problem, solution.v),
                                         contactVelocities(localForm(problem), p)),
              1e-12);
  }
}

}  // namespace
}  // namespace stickslip
