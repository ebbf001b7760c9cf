#include "solvers/fixed_point/split_delassus.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support/dense_relaxed.hpp"
#include "support/spatial_problems.hpp"

namespace stickslip {
namespace {

using testing::Random;

class SplitOperatorTest : public ::testing::Test {
 protected:
  SplitOperatorTest() {
    ContactProblem problem = testing::randomSpatialProblem(
        random_, {.bodies = 3, .patches = 4, .motors = 1, .frictionless = true});
    const LocalProblem local = testing::eliminateBodies(problem);
    std::vector<int> contacts;
    for (int i = 0; i < local.contactCount(); ++i) contacts.push_back(i);
    island_.build(local, contacts, 1);
    split_.build(island_);
  }

  std::vector<double> rows() const {
    return std::vector<double>(static_cast<std::size_t>(split_.rowCount()), 0.0);
  }

  Random random_{5};
  ScaledIsland island_;
  SplitDelassus split_;
};

TEST_F(SplitOperatorTest, BoundsAreNotPushed) {
  const std::vector<double> p = random_.vector(rows().size());
  std::vector<double> out = rows(), q = rows();
  const std::vector<double> sliding =
      random_.vector(static_cast<std::size_t>(island_.rowCount()), 1, 2);
  split_.apply(p, out);
  split_.freeVelocities(sliding, q);
  int cones = 0;
  for (const Cone& cone : split_.cones()) {
    if (cone.rows != 3) continue;
    ++cones;
    EXPECT_EQ(out[cone.first], 0);
    EXPECT_GT(q[cone.first], 0);
  }
  EXPECT_EQ(cones, 2);
  EXPECT_EQ(split_.rowCount(), island_.rowCount() + cones);
  // All other rows are the island's, in other units: the power is the same.
  std::vector<double> source(static_cast<std::size_t>(island_.rowCount())), expected = source;
  split_.fromSplit(p, source);
  island_.W().apply(source, expected);
  double power = 0, expected_power = 0;
  for (std::size_t k = 0; k < p.size(); ++k) power += p[k] * out[k];
  for (std::size_t k = 0; k < source.size(); ++k) expected_power += source[k] * expected[k];
  EXPECT_NEAR(power, expected_power, 1e-13 * expected_power);
  std::vector<double> again = rows();
  split_.toSplit(source, again);
  for (std::size_t k = 0; k < p.size(); ++k) {
    if (again[k] == 0) continue;
    EXPECT_NEAR(again[k], p[k], 1e-14);
  }
}

TEST_F(SplitOperatorTest, SolvesItsLinearSystems) {
  std::vector<double> S(split_.blockEntries());
  for (int cone = 0; cone < split_.coneCount(); ++cone) {
    const int n = split_.rowsOf(cone);
    const std::vector<double> B = random_.vector(static_cast<std::size_t>(n * n));
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        for (int k = 0; k < n; ++k)
          S[split_.firstOfBlock(cone) + i * n + j] += B[i * n + k] * B[j * n + k];
  }
  const std::vector<double> r = random_.vector(rows().size()), s = random_.vector(rows().size());
  ASSERT_TRUE(split_.factor(S, Delassus::Symmetry::symmetric));
  for (const bool refined : {false, true}) {
    std::vector<double> d_p = rows(), d_u = rows(), product = rows();
    if (refined) {
      EXPECT_LE(split_.solve(r, s, d_p, d_u), 1e-12);
    } else {
      split_.solveOnce(r, s, d_p, d_u);
    }
    split_.apply(d_p, product);
    for (std::size_t k = 0; k < product.size(); ++k) EXPECT_NEAR(d_u[k], product[k] + s[k], 1e-11);
    for (int cone = 0; cone < split_.coneCount(); ++cone)
      for (int i = 0; i < split_.rowsOf(cone); ++i) {
        const std::size_t first = split_.firstRow(cone);
        double expected = r[first + i];
        for (int j = 0; j < split_.rowsOf(cone); ++j)
          expected -= S[split_.firstOfBlock(cone) + i * split_.rowsOf(cone) + j] * d_u[first + j];
        EXPECT_NEAR(d_p[first + i], expected, 1e-11);
      }
  }
}

}  // namespace
}  // namespace stickslip
