// All of a step but the solver has the same bits for any number of threads.
#include <gtest/gtest.h>

#include <bit>
#include <cstring>

#include "stickslip/certificate.hpp"
#include "stickslip/scheme.hpp"
#include "stickslip/threads.hpp"
#include "support/gauss_seidel.hpp"
#include "support/sphere_box.hpp"

namespace stickslip {
namespace {

class StepOnThreads : public ::testing::Test {
 protected:
  void TearDown() override { setThreadCount(1); }
};

struct StepResult {
  ContactProblem problem;
  Certificate certificate;
  State next;
};

// The certificate is that of a poor solution, so that none of its numbers is zero.
StepResult stepOf(const testing::SphereBox& box, int threads) {
  setThreadCount(threads);
  const Method method{.scheme = "position", .cone = "circular"};
  const std::unique_ptr<Scheme> scheme = makeScheme(method);
  StepResult result;
  result.next = box.state;
  ContactSolution solution;
  scheme->formulate(*box.system, box.state, box.step, result.problem);
  testing::GaussSeidel().solve(result.problem, 3, solution);
  Certifier certifier;
  result.certificate = certifier.certify(result.problem, solution);
  scheme->advance(*box.system, box.step, solution.v, result.next);
  return result;
}

bool sameBits(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

void expectSame(const ContactProblem& a, const ContactProblem& b) {
  EXPECT_EQ(a.contact_id, b.contact_id);
  EXPECT_EQ(a.gap, b.gap);
  EXPECT_EQ(a.b, b.b);
  EXPECT_EQ(a.v_free, b.v_free);
  ASSERT_EQ(a.J.rowCount(), b.J.rowCount());
  for (int i = 0; i < a.contactCount(); ++i) {
    ASSERT_EQ(a.J.stripsOf(i).size(), b.J.stripsOf(i).size());
    for (std::size_t k = 0; k < a.J.stripsOf(i).size(); ++k) {
      const ConstMatrixView x = a.J.values(i, a.J.stripsOf(i)[k]);
      const ConstMatrixView y = b.J.values(i, b.J.stripsOf(i)[k]);
      EXPECT_EQ(a.J.stripsOf(i)[k].first_column, b.J.stripsOf(i)[k].first_column);
      const auto bytes = static_cast<std::size_t>(x.rows * x.columns) * sizeof(double);
      ASSERT_EQ(std::memcmp(x.data, y.data, bytes), 0);
    }
  }
}

TEST_F(StepOnThreads, ContactsCertificateAndMotionHaveTheSameBits) {
  const testing::SphereBox box = testing::settledSpheres(9, 0.5, 40);
  const StepResult one = stepOf(box, 1);
  EXPECT_GT(one.problem.contactCount(), 500);
  EXPECT_GT(one.certificate.residual, 1e-3);
  for (const int threads : {2, 3, 8}) {
    const StepResult many = stepOf(box, threads);
    expectSame(one.problem, many.problem);
    EXPECT_TRUE(sameBits(one.certificate.residual, many.certificate.residual));
    EXPECT_TRUE(sameBits(one.certificate.fclib_error, many.certificate.fclib_error));
    EXPECT_TRUE(sameBits(one.certificate.momentum_residual, many.certificate.momentum_residual));
    EXPECT_TRUE(sameBits(one.certificate.contact_work, many.certificate.contact_work));
    EXPECT_TRUE(sameBits(one.certificate.kinetic_energy_end, many.certificate.kinetic_energy_end));
    EXPECT_EQ(fingerprint(one.next), fingerprint(many.next));
  }
}

}  // namespace
}  // namespace stickslip
