// The certificate's paths for circular cones of balls and of other bodies, against its general one:
// the same problem with dense strips, and with these cut in halves, which the short paths do not
// take, has the same certificate.
#include <gtest/gtest.h>

#include <cmath>

#include "stickslip/certificate.hpp"
#include "support/gauss_seidel.hpp"
#include "support/sphere_box.hpp"

namespace stickslip {
namespace {

// Dense strips of so many columns.
BlockRows cutInto(int columns, const BlockRows& rows) {
  BlockRows cut;
  for (int i = 0; i < rows.groupCount(); ++i) {
    cut.addGroup(rows.rowsOf(i));
    for (const BlockRows::Strip& strip : rows.stripsOf(i))
      for (int first = 0; first < 6; first += columns) {
        const MatrixView part = cut.addStrip(strip.first_column + first, columns);
        for (int row = 0; row < rows.rowsOf(i); ++row)
          for (int k = 0; k < columns; ++k) part(row, k) = rows.values(i, strip)(row, first + k);
      }
  }
  return cut;
}

void expectClose(double a, double b) {
  EXPECT_NEAR(a, b, 1e-12 * std::max(std::abs(a), std::abs(b)));
}

TEST(CertificatePaths, CircularConesAsAllOthers) {
  const testing::SphereBox box = testing::settledSpheres(5, 0.5, 60);
  ContactProblem problem = box.nextProblem();
  ASSERT_GT(problem.contactCount(), 60);
  ASSERT_TRUE(problem.J.isOfBalls(0));
  for (const Law law : {Law::coulomb, Law::relaxed})
    for (const int sweeps : {1, 30}) {
      problem.law = law;
      ContactSolution solution;
      testing::GaussSeidel().solve(problem, sweeps, solution);
      Certifier certifier;
      const Certificate whole = certifier.certify(problem, solution);
      const std::vector<double> errors(certifier.contactResiduals().begin(),
                                       certifier.contactResiduals().end());
      EXPECT_GT(whole.residual, 0);
      ContactProblem other = problem;
      for (const int columns : {6, 3}) {
        other.J = cutInto(columns, problem.J);
        const Certificate cut = certifier.certify(other, solution);
        expectClose(whole.residual, cut.residual);
        expectClose(whole.fclib_error, cut.fclib_error);
        expectClose(whole.contact_work, cut.contact_work);
        expectClose(whole.lift, cut.lift);
        EXPECT_EQ(whole.impulses_unique, cut.impulses_unique);
        for (std::size_t i = 0; i < errors.size(); ++i)
          EXPECT_NEAR(errors[i], certifier.contactResiduals()[i], 1e-12 * whole.residual);
      }
    }
}

// Bodies that fly together at great speed: rounding of that speed is all that contacts can ask for.
TEST(CertificatePaths, NoiseOfFastBodiesIsTheSameOnBoth) {
  const testing::SphereBox box = testing::settledSpheres(4, 0.5, 40);
  ContactProblem problem = box.nextProblem();
  for (std::size_t k = 0; k < problem.v_free.size(); k += 6) problem.v_free[k] += 1e8;
  for (double& b : problem.b) b = 0;
  ContactSolution solution;
  testing::GaussSeidel().solve(problem, 5, solution);
  Certifier certifier;
  const double whole = certifier.certify(problem, solution).residual;
  problem.J = cutInto(3, problem.J);
  // The errors themselves are rounding of the great speed.
  EXPECT_NEAR(whole, certifier.certify(problem, solution).residual, 1e-6 * whole);
  EXPECT_GT(whole, 0);
}

}  // namespace
}  // namespace stickslip
