// The last digits of joints: rows become exact, momentum stays balanced, redundant rows do no harm.
#include "solvers/common/joint_correction.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "math/blocks/block_products.hpp"
#include "math/dense/cholesky.hpp"
#include "support/contact_problems.hpp"

namespace stickslip {
namespace {

using testing::Random;

// A problem with joints and the velocities of impulses that satisfy them only roughly.
struct RoughCase {
  ContactProblem problem;
  BlockDiagonal L;
  ContactSolution rough;
};

// v = v_free + M^-1 (J' p + G' c).
void findVelocities(const ContactProblem& problem, const BlockDiagonal& L, ContactSolution& s) {
  s.v.assign(problem.v_free.size(), 0.0);
  const auto push = [&](const BlockRows& rows, const std::vector<double>& x) {
    for (int row = 0; row < rows.rowCount(); ++row) {
      const std::vector<double> dense =
          testing::denseRow(rows, row, static_cast<int>(problem.v_free.size()));
      addScaled(x[row], dense, s.v);
    }
  };
  push(problem.J, s.p);
  push(problem.G, s.c);
  solveLower(L, s.v);
  solveLowerTransposed(L, s.v);
  addScaled(1, problem.v_free, s.v);
}

RoughCase roughCase(std::uint64_t seed, int repeated, double compliance) {
  Random random(seed);
  RoughCase out;
  out.problem = testing::randomContactProblem(
      random, {.velocities = 9, .contacts = 2, .joints = 4, .repeated_joints = repeated});
  for (double& c : out.problem.compliance) c = compliance;
  out.L = out.problem.M;
  factorizeCholesky(out.L);
  for (std::size_t k = 0; k < out.problem.b.size(); ++k)
    out.rough.p.push_back(random.uniform(-1, 1));
  for (std::size_t k = 0; k < out.problem.g.size(); ++k)
    out.rough.c.push_back(random.uniform(-1, 1));
  findVelocities(out.problem, out.L, out.rough);
  return out;
}

double worstJoint(const ContactProblem& problem, const ContactSolution& s) {
  double worst = 0;
  for (int row = 0; row < problem.G.rowCount(); ++row) {
    const std::size_t k = row;
    const std::vector<double> dense =
        testing::denseRow(problem.G, row, static_cast<int>(problem.v_free.size()));
    worst =
        std::max(worst, std::abs(dot(dense, s.v) + problem.g[k] + problem.compliance[k] * s.c[k]));
  }
  return worst;
}

// Momentum must stay balanced: v belongs to the new c.
void expectBalanced(const RoughCase& known, const ContactSolution& s) {
  ContactSolution again = s;
  findVelocities(known.problem, known.L, again);
  for (std::size_t k = 0; k < s.v.size(); ++k) EXPECT_NEAR(s.v[k], again.v[k], 1e-10);
}

TEST(JointCorrection, MakesRigidAndCompliantRowsExact) {
  for (const double compliance : {0.0, 0.3})
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      const RoughCase known = roughCase(100 + seed, 0, compliance);
      ASSERT_GT(worstJoint(known.problem, known.rough), 1e-3);
      ContactSolution s = known.rough;
      JointCorrection().run(known.problem, known.L, 1e-10, s);
      EXPECT_LT(worstJoint(known.problem, s), 1e-8 * worstJoint(known.problem, known.rough))
          << "seed " << seed << " compliance " << compliance;
      EXPECT_EQ(s.p, known.rough.p);
      expectBalanced(known, s);
    }
}

TEST(JointCorrection, TakesRowsThatSayTheSameTwice) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const RoughCase known = roughCase(200 + seed, 2, 0);
    ContactSolution s = known.rough;
    JointCorrection().run(known.problem, known.L, 1e-10, s);
    EXPECT_LT(worstJoint(known.problem, s), 1e-8 * worstJoint(known.problem, known.rough))
        << "seed " << seed;
    expectBalanced(known, s);
  }
}

TEST(JointCorrection, LeavesWhatIsGoodEnough) {
  const RoughCase known = roughCase(300, 0, 0);
  ContactSolution s = known.rough;
  JointCorrection correction;
  correction.run(known.problem, known.L, 1e-10, s);
  const ContactSolution exact = s;
  correction.run(known.problem, known.L, 1e-6, s);
  EXPECT_EQ(s.v, exact.v);
  EXPECT_EQ(s.c, exact.c);
  // A tolerance above every error leaves the rough solution alone.
  ContactSolution rough = known.rough;
  correction.run(known.problem, known.L, 1e3, rough);
  EXPECT_EQ(rough.v, known.rough.v);
  EXPECT_EQ(rough.c, known.rough.c);
}

TEST(JointCorrection, DoesNothingWithoutJoints) {
  Random random(400);
  RoughCase known;
  known.problem = testing::randomContactProblem(random, {.velocities = 5, .contacts = 3});
  known.L = known.problem.M;
  factorizeCholesky(known.L);
  known.rough.p.assign(known.problem.b.size(), 0.5);
  findVelocities(known.problem, known.L, known.rough);
  ContactSolution s = known.rough;
  JointCorrection().run(known.problem, known.L, 1e-12, s);
  EXPECT_EQ(s.v, known.rough.v);
}

// Masses and impulses in another unit, a power of two: the same velocities, bit by bit.
TEST(JointCorrection, DoesNotDependOnTheUnitOfMass) {
  constexpr double kUnit = 1024;
  const RoughCase known = roughCase(500, 0, 0);
  RoughCase other = known;
  for (int b = 0; b < other.problem.M.blockCount(); ++b) {
    const MatrixView block = other.problem.M.block(b);
    for (int i = 0; i < block.rows; ++i)
      for (int j = 0; j < block.columns; ++j) block(i, j) *= kUnit;
  }
  other.L = other.problem.M;
  factorizeCholesky(other.L);
  for (auto* x : {&other.rough.p, &other.rough.c})
    for (double& value : *x) value *= kUnit;
  ContactSolution a = known.rough, b = other.rough;
  JointCorrection().run(known.problem, known.L, 1e-10, a);
  JointCorrection().run(other.problem, other.L, 1e-10, b);
  for (std::size_t k = 0; k < a.v.size(); ++k) EXPECT_EQ(a.v[k], b.v[k]);
  for (std::size_t k = 0; k < a.c.size(); ++k) EXPECT_EQ(kUnit * a.c[k], b.c[k]);
}

}  // namespace
}  // namespace stickslip
