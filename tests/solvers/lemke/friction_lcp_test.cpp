// The LCP forms against formulas that are written out in full.
#include <gtest/gtest.h>

#include <cmath>

#include "problem/reduced_problem.hpp"
#include "solvers/lemke/friction_lcp.hpp"
#include "support/contact_problems.hpp"
#include "support/lcp_enumerator.hpp"

namespace stickslip {
namespace {

using testing::denseRow;
using testing::Random;

// [GS05] (33) for two contacts, written out, in the scale of each contact.
TEST(FrictionLcp, RelayFormIsEquation33) {
  Random random(22);
  const ContactProblem problem = testing::randomContactProblem(random, {});
  ReducedProblem reduced;
  reduced.reduce(problem);
  FrictionLcp planar;
  planar.build(FrictionLcp::Form::relay, reduced.W(), reduced.q(), problem.J, problem.sets);
  const Lcp lcp = planar.lcp();
  for (int i = 0; i < 2; ++i) {
    const double s = planar.scale(i);
    EXPECT_EQ(std::exp2(std::ilogb(s)), s) << "a power of two, so that no rounding is added";
    EXPECT_NEAR(std::log2(s * s * reduced.W()(2 * i, 2 * i)), 0, 2);
  }
  const auto W = [&](int i, int j) {
    return planar.scale(i / 2) * planar.scale(j / 2) * reduced.W()(i, j);
  };
  ASSERT_EQ(lcp.size(), 6);
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j) {
      const double mu = problem.sets[j].mu;
      const double same = i == j ? 1 : 0;
      EXPECT_DOUBLE_EQ(lcp.N(i, j), W(2 * i, 2 * j) - mu * W(2 * i, 2 * j + 1));
      EXPECT_DOUBLE_EQ(lcp.N(i, 2 + j), W(2 * i, 2 * j + 1));
      EXPECT_DOUBLE_EQ(lcp.N(i, 4 + j), 0);
      EXPECT_DOUBLE_EQ(lcp.N(2 + i, j), W(2 * i + 1, 2 * j) - mu * W(2 * i + 1, 2 * j + 1));
      EXPECT_DOUBLE_EQ(lcp.N(2 + i, 2 + j), W(2 * i + 1, 2 * j + 1));
      EXPECT_DOUBLE_EQ(lcp.N(2 + i, 4 + j), same);
      EXPECT_DOUBLE_EQ(lcp.N(4 + i, j), 2 * mu * same);
      EXPECT_DOUBLE_EQ(lcp.N(4 + i, 2 + j), -same);
      EXPECT_DOUBLE_EQ(lcp.N(4 + i, 4 + j), 0);
    }
  for (int i = 0; i < 2; ++i) {
    EXPECT_DOUBLE_EQ(lcp.q[i], planar.scale(i) * reduced.q()[2 * i]);
    EXPECT_DOUBLE_EQ(lcp.q[2 + i], planar.scale(i) * reduced.q()[2 * i + 1]);
    EXPECT_DOUBLE_EQ(lcp.q[4 + i], 0);
  }
}

// Corners at the angles of a square, given one by one, are the square.
TEST(FrictionLcp, CornersMayBeAtAnyAngles) {
  const double W_data[] = {2, 0.3, 0.1, 0.3, 1, 0.2, 0.1, 0.2, 3};
  const ConstMatrixView W{W_data, 3, 3};
  const double q[] = {-1, 0.5, 0.25}, square[] = {0, M_PI / 2, M_PI, 3 * M_PI / 2};
  const double wedge[] = {0, 0.1, -0.1, 3};
  BlockRows J;
  J.addGroup(3);
  const ImpulseSet set{ImpulseSet::Kind::polyhedral, 0.5, 0.5, 4};
  ImpulseSet at_angles = set;
  at_angles.directions = 0;
  FrictionLcp even, given, uneven;
  even.build(FrictionLcp::Form::cone, W, q, J, {set});
  given.build(FrictionLcp::Form::cone, W, q, J, {at_angles}, square);
  uneven.build(FrictionLcp::Form::cone, W, q, J, {at_angles}, wedge);
  for (int i = 0; i < even.lcp().size(); ++i)
    for (int j = 0; j < even.lcp().size(); ++j)
      EXPECT_DOUBLE_EQ(even.lcp().N(i, j), given.lcp().N(i, j));
  const double s = uneven.scale(0), c = std::cos(0.1), d = std::sin(0.1);
  EXPECT_DOUBLE_EQ(uneven.lcp().q[2], s * (c * q[1] + d * q[2]));
  EXPECT_DOUBLE_EQ(uneven.lcp().N(0, 3), s * s * (c * 0.3 - d * 0.1));
}

// [AP97] (2.13) for one contact with an elliptic polygon and one bounded row, written out.
TEST(FrictionLcp, ConeFormIsEquation213) {
  Random random(24);
  const double W_half[] = {2, 0.3, -0.2, 0.1, 1.5, 0.4, 0.5, 1.1, 0.2, 1.7};
  double W[16];
  for (int i = 0, next = 0; i < 4; ++i)
    for (int j = i; j < 4; ++j) W[4 * i + j] = W[4 * j + i] = W_half[next++];
  const std::vector<double> q = random.vector(4);
  BlockRows groups;
  groups.addGroup(3);
  groups.addGroup(1);
  ImpulseSet contact{ImpulseSet::Kind::polyhedral, 0.5, 0.25, 4}, motor;
  motor.kind = ImpulseSet::Kind::interval;
  motor.lower = -0.75;
  motor.upper = 2;
  const ImpulseSets sets{contact, motor};
  FrictionLcp friction;
  friction.build(FrictionLcp::Form::cone, {W, 4, 4}, q, groups, sets);
  const Lcp lcp = friction.lcp();
  // z = (c_n, p - lower, beta_1 ... beta_4, lambda, u_-); scales are 1 for W_nn in [1, 4).
  ASSERT_EQ(lcp.size(), 8);
  ASSERT_EQ(friction.scale(0), 1);
  ASSERT_EQ(friction.scale(1), 1);
  const double D[4][4] = {{0, 1, 0, 0}, {0, 0, 0.5, 0}, {0, -1, 0, 0}, {0, 0, -0.5, 0}};
  double column[6][4] = {{1, 0, 0, 0}, {0, 0, 0, 1}};
  for (int k = 0; k < 4; ++k) std::copy(D[k], D[k] + 4, column[2 + k]);
  for (int a = 0; a < 6; ++a) {
    double constant = 0;
    for (int i = 0; i < 4; ++i) constant += column[a][i] * (q[i] + W[4 * i + 3] * motor.lower);
    EXPECT_NEAR(lcp.q[a], constant, 1e-15);
    for (int b = 0; b < 6; ++b) {
      double entry = 0;
      for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j) entry += column[a][i] * W[4 * i + j] * column[b][j];
      EXPECT_NEAR(lcp.N(a, b), entry, 1e-15) << a << ' ' << b;
    }
    EXPECT_EQ(lcp.N(a, 6), a >= 2 ? 1 : 0);
    EXPECT_EQ(lcp.N(a, 7), a == 1 ? 1 : 0);
    EXPECT_EQ(lcp.N(6, a), a == 0 ? 0.5 : a >= 2 ? -1 : 0);
    EXPECT_EQ(lcp.N(7, a), a == 1 ? -1 : 0);
  }
  EXPECT_EQ(lcp.q[6], 0);
  EXPECT_EQ(lcp.q[7], 2.75);
}

TEST(FrictionLcp, BothFormsGiveTheSameImpulses) {
  Random random(23);
  for (int trial = 0; trial < 300; ++trial) {
    testing::ProblemShape shape;
    shape.velocities = 6;
    shape.contacts = 2;
    shape.largest_mu = 0.3;
    shape.some_frictionless = trial % 2 == 0;
    const ContactProblem problem = testing::randomContactProblem(random, shape);
    ReducedProblem reduced;
    reduced.reduce(problem);
    std::vector<std::vector<double>> impulses;
    for (const FrictionLcp::Form form : {FrictionLcp::Form::relay, FrictionLcp::Form::cone}) {
      FrictionLcp planar;
      planar.build(form, reduced.W(), reduced.q(), problem.J, problem.sets);
      DenseLemke lemke;
      std::vector<double> z(planar.lcp().q.size()), p(std::size_t(problem.J.rowCount()));
      ASSERT_EQ(lemke.solve(planar.lcp(), z).status, SolveStatus::solved);
      planar.impulses(z, p);
      impulses.push_back(p);
    }
    for (std::size_t k = 0; k < impulses[0].size(); ++k)
      EXPECT_NEAR(impulses[0][k], impulses[1][k], 1e-9) << trial;
  }
}

}  // namespace
}  // namespace stickslip
