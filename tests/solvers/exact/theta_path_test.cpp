// The path from a convex problem to Coulomb's law: the branches of the law against finite
// differences and the law itself, and jammed piles that need the path.
#include "solvers/exact/theta_path.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "solvers/exact/exact_solver.hpp"
#include "stickslip/certificate.hpp"
#include "support/counting_allocator.hpp"
#include "support/random.hpp"
#include "support/sphere_box.hpp"

namespace stickslip {
namespace {

using testing::Random;

std::vector<Cone> branchedCones() {
  std::vector<Cone> cones;
  for (const int rows : {1, 2, 3, 4}) cones.push_back({.kind = Cone::Kind::lorentz, .rows = rows});
  for (const int directions : {3, 4, 8})
    cones.push_back({.kind = Cone::Kind::polygon, .rows = 3, .directions = directions});
  cones.push_back({.kind = Cone::Kind::interval, .rows = 1, .lower = -0.5, .upper = 0.7});
  cones.push_back({.kind = Cone::Kind::joint, .rows = 1});
  return cones;
}

struct BranchPoint {
  std::vector<double> x, p, u;
  int branch = 0;
  double d_theta = 0;
};

BranchPoint branchPointAt(const Cone& cone, int branch, LawBranch::Mixture law,
                          std::vector<double> x) {
  const std::size_t n = x.size();
  BranchPoint out{std::move(x), std::vector<double>(n), std::vector<double>(n), branch};
  out.d_theta = LawBranch::evaluate(cone, branch, law, out.x, out.p, out.u);
  return out;
}

TEST(LawBranch, ObeysCoulombsLawAtThetaOne) {
  Random random(1);
  for (const Cone& cone : branchedCones())
    for (int trial = 0; trial < 200; ++trial) {
      const std::vector<double> x = random.vector(static_cast<std::size_t>(cone.rows));
      const BranchPoint at = branchPointAt(cone, LawBranch::at(cone, x), {1, 0.3}, x);
      std::vector<double> map(x.size());
      naturalMap(cone, Law::coulomb, at.p, at.u, map);
      for (const double value : map) EXPECT_NEAR(value, 0, 1e-12);
    }
}

TEST(LawBranch, DerivativesAreThoseOfItsValues) {
  Random random(2);
  const double h = 1e-6, theta = 0.4;
  for (const Cone& cone : branchedCones())
    for (int trial = 0; trial < 100; ++trial) {
      const std::size_t n = cone.rows;
      const std::vector<double> x = random.vector(n);
      const int branch = LawBranch::at(cone, x);
      std::vector<double> D(n * n), B(n * n);
      LawBranch::linearize(cone, branch, theta, x, {D.data(), cone.rows, cone.rows},
                           {B.data(), cone.rows, cone.rows});
      for (std::size_t j = 0; j < n; ++j) {
        std::vector<double> more = x, less = x;
        more[j] += h;
        less[j] -= h;
        const BranchPoint a = branchPointAt(cone, branch, {theta, 0.3}, more);
        const BranchPoint b = branchPointAt(cone, branch, {theta, 0.3}, less);
        for (std::size_t i = 0; i < n; ++i) {
          EXPECT_NEAR(D[i * n + j], (a.p[i] - b.p[i]) / (2 * h), 1e-4);
          EXPECT_NEAR(B[i * n + j], -(a.u[i] - b.u[i]) / (2 * h), 1e-4);
        }
      }
      const BranchPoint a = branchPointAt(cone, branch, {theta + h, 0.3}, x);
      const BranchPoint b = branchPointAt(cone, branch, {theta - h, 0.3}, x);
      EXPECT_NEAR(a.d_theta, (a.u[0] - b.u[0]) / (2 * h), 1e-6);
    }
}

// Where x has just left its region the branch named is the one that is there.
TEST(LawBranch, KnowsWhereItEndsAndWhatIsBeyond) {
  Random random(3);
  for (const Cone& cone : branchedCones()) {
    int exits = 0;
    for (int trial = 0; trial < 300; ++trial) {
      const std::size_t n = cone.rows;
      const std::vector<double> x = random.vector(n), d = random.vector(n);
      const int branch = LawBranch::at(cone, x);
      const LawBranch::Exit exit = LawBranch::exit(cone, branch, x, d);
      const double end = std::min(exit.s, 10.0);
      const auto branchAfter = [&](double s) {
        std::vector<double> y = x;
        for (std::size_t k = 0; k < n; ++k) y[k] += s * d[k];
        return LawBranch::at(cone, y);
      };
      EXPECT_EQ(branchAfter((1 - 1e-7) * end), branch) << trial;
      if (end < exit.s) continue;
      ++exits;
      EXPECT_EQ(branchAfter((1 + 1e-7) * end), exit.branch) << trial;
    }
    if (cone.kind != Cone::Kind::joint) {
      EXPECT_GT(exits, 50);
    }
  }
}

// A creeping pile, which nothing before the path solves; the path is kept to its budget, repeats
// its bits, and allocates nothing when it is followed again.
TEST(ThetaPath, SolvesAJammedPile) {
  const ContactProblem pile = testing::settledSpheres(6, 0.5, 150).nextProblem();
  ContactSolution without, with, again;
  const ExactStages no_path{ExactStage::theta_path, ExactStage::central_path};
  ExactSolver lame(Method{}, no_path), solver(Method{});
  EXPECT_NE(lame.solve(pile, without).status, SolveStatus::solved);
  const SolveReport report = solver.solve(pile, with);
  EXPECT_EQ(report.status, SolveStatus::solved);
  EXPECT_LE(Certifier().certify(pile, with).worstResidual(), 1e-8);
  solver.restart();
  EXPECT_EQ(solver.solve(pile, again).iterations, report.iterations);
  EXPECT_EQ(with.p, again.p);
}

}  // namespace
}  // namespace stickslip
