// Rows of contacts and joints in velocities L' v: against dense algebra, and one body twice in a
// contact.
#include "problem/scaled_rows.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "math/blocks/block_products.hpp"
#include "math/dense/cholesky.hpp"
#include "problem/islands.hpp"
#include "problem/reduced_problem.hpp"
#include "problem/scaled_island.hpp"
#include "stickslip/certificate.hpp"
#include "stickslip/solver.hpp"
#include "support/spatial_problems.hpp"

namespace stickslip {
namespace {

using testing::Random;

// The same problem with each strip of J in two that share its velocities, the second of them
// shorter.
ContactProblem withSharedColumns(const ContactProblem& problem, Random& random) {
  ContactProblem out = problem;
  out.J.clear();
  for (int group = 0; group < problem.J.groupCount(); ++group) {
    out.J.addGroup(problem.J.rowsOf(group));
    for (const BlockRows::Strip& strip : problem.J.stripsOf(group)) {
      const StripValues whole = problem.J.values(group, strip);
      const int skipped = strip.columns / 2;
      std::vector<double> part(std::size_t(problem.J.rowsOf(group) * (strip.columns - skipped)));
      for (double& x : part) x = random.uniform(-1, 1);
      const MatrixView first = out.J.addStrip(strip.first_column, strip.columns);
      for (int i = 0; i < first.rows; ++i)
        for (int k = 0; k < first.columns; ++k) {
          const int at_part = i * (strip.columns - skipped) + k - skipped;
          first(i, k) = whole(i, k) - (k < skipped ? 0 : part[std::size_t(at_part)]);
        }
      const MatrixView second =
          out.J.addStrip(strip.first_column + skipped, strip.columns - skipped);
      std::copy(part.begin(), part.end(), second.data);
    }
  }
  return out;
}

ContactProblem twoBodies(Random& random) {
  return testing::randomSpatialProblem(random, {.bodies = 3, .patches = 3, .largest_mu = 0.5});
}

TEST(ScaledRows, AreRowsTimesTheInverseFactor) {
  Random random(3);
  const ContactProblem problem = withSharedColumns(twoBodies(random), random);
  BlockDiagonal L = problem.M;
  factorizeCholesky(L);
  ScaledRows rows;
  for (int group = 0; group < problem.J.groupCount(); ++group) rows.add(L, problem.J, group);
  ASSERT_EQ(rows.rowCount(), problem.J.rowCount());
  // J v = (J L^-T) (L' v) for any v.
  std::vector<double> v(problem.v_free.size()), y(v.size()), u(problem.b.size());
  for (double& x : v) x = random.uniform(-1, 1);
  multiplyLowerTransposed(L, v, y);
  multiply(problem.J, v, u);
  for (int row = 0; row < rows.rowCount(); ++row) {
    double sum = 0;
    rows.forEntries(row, [&](int k, double value) { sum += value * y[std::size_t(k)]; });
    EXPECT_NEAR(sum, u[std::size_t(row)], 1e-12 * (1 + std::abs(u[std::size_t(row)])));
  }
  for (int group = 0; group < rows.groupCount(); ++group) {
    std::vector<double> part(std::size_t(rows.rowsOf(group)));
    rows.velocity(group, y, part);
    for (std::size_t k = 0; k < part.size(); ++k)
      EXPECT_NEAR(part[k], u[std::size_t(problem.J.firstRow(group)) + k], 1e-11);
  }
}

TEST(ScaledRows, KeepsAndPlacesSomeRows) {
  Random random(4);
  const ContactProblem problem = twoBodies(random);
  BlockDiagonal L = problem.M;
  factorizeCholesky(L);
  ScaledRows whole, some;
  whole.add(L, problem.J, 1);
  some.add(whole, std::array{2, 0});
  some.place([](int block) { return std::pair(block + 7, 100 * block); });
  ASSERT_EQ(some.rowsOf(0), 2);
  for (std::size_t s = 0; s < some.strips(0).size(); ++s) {
    EXPECT_EQ(some.strips(0)[s].block, whole.strips(0)[s].block + 7);
    EXPECT_EQ(some.strips(0)[s].first, 100 * whole.strips(0)[s].block);
  }
  EXPECT_EQ(some.product(0, 0, 1), whole.product(0, 2, 0));
}

TEST(ScaledRows, OneBodyTwiceInAContactIsThatBodyOnce) {
  Random random(5);
  for (int trial = 0; trial < 10; ++trial) {
    const ContactProblem once = twoBodies(random), twice = withSharedColumns(once, random);
    BlockDiagonal L = once.M;
    factorizeCholesky(L);
    Islands islands;
    islands.find(twice);
    ReducedProblem reduced, reduced_twice;
    reduced.reduce(once);
    reduced_twice.reduce(twice);
    for (int i = 0; i < reduced.W().rows; ++i)
      for (int j = 0; j < reduced.W().rows; ++j)
        EXPECT_NEAR(reduced_twice.W()(i, j), reduced.W()(i, j), 1e-10);
    for (int k = 0; k < islands.count(); ++k) {
      ScaledIsland a, b;
      a.build(once, L, islands.contacts(k), islands.joints(k), 1);
      b.build(twice, L, islands.contacts(k), islands.joints(k), 1);
      for (int cone = 0; cone < a.W().coneCount(); ++cone) {
        std::vector<double> A(std::size_t(a.W().rowsOf(cone) * a.W().rowsOf(cone))), B(A.size());
        a.W().diagonalBlock(cone, {A.data(), a.W().rowsOf(cone), a.W().rowsOf(cone)});
        b.W().diagonalBlock(cone, {B.data(), a.W().rowsOf(cone), a.W().rowsOf(cone)});
        for (std::size_t e = 0; e < A.size(); ++e) EXPECT_NEAR(B[e], A[e], 1e-10);
      }
    }
  }
}

TEST(ScaledRows, AllSolversTakeOneBodyTwiceInAContact) {
  Random random(6);
  for (int trial = 0; trial < 5; ++trial) {
    const ContactProblem once = twoBodies(random), twice = withSharedColumns(once, random);
    for (const std::string name :
         {"exact", "convex", "lemke", "accelerated", "sweeps", "general"}) {
      Method method;
      // Polygons are not in the packets of sweeps.
      method.solver = name == "general" ? "sweeps" : name;
      method.tolerance = 1e-9;
      if (method.solver == "sweeps") method.budget = 5000;  // its own is a fixed effort
      const auto inForm = [&](ContactProblem problem) {
        if (name == "convex") problem.law = Law::relaxed;
        if (name != "lemke" && name != "general") return problem;
        const ImpulseSets sets = problem.sets;
        problem.sets.clear();
        for (ImpulseSet set : sets) {
          set.kind = ImpulseSet::Kind::polyhedral;
          set.directions = 8;
          problem.sets.push_back(set);
        }
        return problem;
      };
      const ContactProblem problem = inForm(twice), reference = inForm(once);
      ContactSolution solution;
      const SolveReport report = makeSolver(method)->solve(problem, solution);
      EXPECT_EQ(report.status, SolveStatus::solved) << name << trial;
      // By the certificate of the problem in which each strip stands once.
      EXPECT_LE(Certifier().certify(reference, solution).residual, 1e-8) << name << trial;
      EXPECT_LE(Certifier().certify(problem, solution).residual, 1e-8) << name << trial;
    }
  }
}

}  // namespace
}  // namespace stickslip
