// What the papers say about the laws themselves, on contact problems: impulses that are not unique
// and yet move alike, where the relaxed law is exact and where it lifts, and polygons for circles.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "stickslip/certificate.hpp"
#include "stickslip/lcp.hpp"
#include "stickslip/solver.hpp"
#include "support/contact_problems.hpp"
#include "support/effort.hpp"
#include "support/random.hpp"
#include "support/single_body.hpp"
#include "support/spatial_problems.hpp"

namespace stickslip {
namespace {

using testing::circularCone;
using testing::denseRow;
using testing::largestDifference;
using testing::polyhedralCone;
using testing::Random;
using testing::spatialBodyProblem;
using testing::touchSpatial;

constexpr double kFall = 9.81e-2;  // what gravity adds to the velocity in the step

// The body of [AH04] section 3: six corners on a table, mass 2, centre of mass above the middle.
ContactProblem hexagonalPyramid(const ImpulseSet& set) {
  ContactProblem problem = spatialBodyProblem(2, {0.3, 0.4, 0.5});
  for (int k = 0; k < 6; ++k) {
    const double around = k * std::numbers::pi / 3;
    touchSpatial(problem, {std::cos(around), std::sin(around), -0.7}, {0, 0, 1}, {1, 0, 0}, set);
  }
  problem.v_free[2] = -kFall;
  return problem;
}

struct Solved {
  ContactSolution solution;
  Certificate certificate;
};

Solved solveWith(const std::string& solver, ContactProblem problem, Law law) {
  problem.law = law;
  Method method;
  method.solver = solver;
  method.law = law;
  Solved solved;
  makeSolver(method)->solve(problem, solved.solution);
  solved.certificate = Certifier().certify(problem, solved.solution);
  return solved;
}

// Contact velocity: normal part, and the slip along the two tangents.
std::array<double, 3> velocityOf(const ContactProblem& problem, const std::vector<double>& v,
                                 int contact) {
  std::array<double, 3> u{};
  for (int k = 0; k < 3; ++k) {
    const int row = problem.J.firstRow(contact) + k;
    const std::vector<double> w = denseRow(problem.J, row, problem.velocityCount());
    u[k] = problem.b[row];
    for (std::size_t i = 0; i < v.size(); ++i) u[k] += w[i] * v[i];
  }
  return u;
}

constexpr const char* kExactSolvers[] = {"exact",         "auto",     "fixed-point-1",
                                         "fixed-point-2", "one-step", "one-step-2"};

TEST(HexagonalPyramid, EverySolverLeavesItAtRest) {
  for (const double mu : {1e-4, 1e-2, 0.1, 0.3, 1.0, 3.0, 20.0})
    for (const ImpulseSet& set :
         {polyhedralCone(mu, 4), polyhedralCone(mu, 10), circularCone(mu)}) {
      const ContactProblem problem = hexagonalPyramid(set);
      const auto expectRest = [&](const std::string& solver, Law law) {
        const Solved solved = solveWith(solver, problem, law);
        EXPECT_TRUE(solved.certificate.holds(1e-8)) << solver << " mu " << mu;
        for (const double x : solved.solution.v)
          EXPECT_NEAR(x, 0, 1e-9 * kFall) << solver << " mu " << mu;
        EXPECT_FALSE(solved.certificate.impulses_unique);
      };
      for (const char* solver : kExactSolvers) expectRest(solver, Law::coulomb);
      expectRest("convex", Law::relaxed);
      expectRest("auto", Law::relaxed);
      if (set.kind == ImpulseSet::Kind::polyhedral) expectRest("lemke", Law::coulomb);
    }
}

// [AH04] (2.7-2.8) without its velocities, z = (beta, c_n, lambda) with four directions a contact.
struct PyramidLcp {
  static constexpr int kContacts = 6, kDirections = 4;
  static constexpr int kSize = kContacts * (kDirections + 2);
  std::vector<double> N = std::vector<double>(kSize * kSize);
  std::vector<double> q = std::vector<double>(kSize);

  static int beta(int contact, int k) { return kDirections * contact + k; }
  static int normal(int contact) { return kDirections * kContacts + contact; }
  static int lambda(int contact) { return (kDirections + 1) * kContacts + contact; }
  double& at(int i, int j) { return N[i * kSize + j]; }
  Lcp view() const { return {{N.data(), kSize, kSize}, q}; }

  PyramidLcp(const ContactProblem& problem, double mu) {
    std::vector<std::vector<double>> direction(std::size_t(lambda(0)));
    for (int i = 0; i < kContacts; ++i) {
      const int row = problem.J.firstRow(i);
      direction[normal(i)] = denseRow(problem.J, row, 6);
      for (int k = 0; k < kDirections; ++k) {
        direction[beta(i, k)] = denseRow(problem.J, row + 1 + k % 2, 6);
        if (k >= 2)
          for (double& x : direction[beta(i, k)]) x = -x;
        at(beta(i, k), lambda(i)) = 1;
        at(lambda(i), beta(i, k)) = -1;
      }
      at(lambda(i), normal(i)) = mu;
    }
    for (int i = 0; i < lambda(0); ++i)
      for (std::size_t k = 0; k < 6; ++k) {
        const double along = direction[i][k];
        q[i] += along * problem.v_free[k];
        for (int j = 0; j < lambda(0); ++j)
          at(i, j) += along * direction[j][k] /
                      problem.M.block(0)(static_cast<int>(k), static_cast<int>(k));
      }
  }
};

TEST(HexagonalPyramid, TheMeanOfTwoSolutionsIsNone) {
  for (const double mu : {1e-3, 0.1, 1.0}) {
    const PyramidLcp lcp(hexagonalPyramid(polyhedralCone(mu, 4)), mu);
    const double load = 2 * kFall / 3;
    std::vector<double> even(PyramidLcp::kSize), odd(PyramidLcp::kSize), mean(PyramidLcp::kSize);
    for (int i = 0; i < PyramidLcp::kContacts; ++i) {
      const auto n = std::size_t(PyramidLcp::normal(i)), l = std::size_t(PyramidLcp::lambda(i));
      (i % 2 == 0 ? even : odd)[n] = load;
      (i % 2 == 0 ? odd : even)[l] = 1;
    }
    for (std::size_t k = 0; k < mean.size(); ++k) mean[k] = (even[k] + odd[k]) / 2;
    EXPECT_LE(lcpResidual(lcp.view(), even), 1e-14);
    EXPECT_LE(lcpResidual(lcp.view(), odd), 1e-14);
    // All that fails is mu c_n against lambda.
    EXPECT_NEAR(lcpResidual(lcp.view(), mean), std::min(mu * load / 2, 0.5) / kFall, 1e-12);
  }
}

// [AH04] Theorem 7: the relaxed law is exact where nothing slides and no open contact is grazed.
TEST(FrictionLaws, WithoutSlipRelaxedAndExactMoveAlike) {
  Random random(3);
  int compared = 0, moving = 0;
  for (int trial = 0; trial < testing::trials(200); ++trial) {
    ContactProblem problem = spatialBodyProblem(random.uniform(0.5, 2), {0.2, 0.4, 0.3});
    const int contacts = random.integer(1, 4);
    for (int i = 0; i < contacts; ++i)
      touchSpatial(problem, {random.uniform(), random.uniform(), -0.5}, {0, 0, 1}, {1, 0, 0},
                   trial % 2 == 0 ? circularCone(random.uniform(0.6, 3))
                                  : polyhedralCone(random.uniform(0.6, 3), 8));
    problem.v_free = random.vector(6);
    problem.v_free[2] -= 2;
    const Solved exact = solveWith("exact", problem, Law::coulomb);
    ASSERT_TRUE(exact.certificate.holds(1e-8)) << trial;
    bool slips = false;
    for (int i = 0; i < contacts; ++i) {
      const auto u = velocityOf(problem, exact.solution.v, i);
      const double slip = std::hypot(u[1], u[2]);
      const bool open = u[0] > 1e-6;
      slips = slips || slip > (open ? 0.9 * u[0] / problem.sets[i].mu : 1e-8);
    }
    if (slips) continue;
    const Solved relaxed = solveWith("convex", problem, Law::relaxed);
    EXPECT_LE(largestDifference(exact.solution.v, relaxed.solution.v), 1e-7) << trial;
    ++compared;
    moving += std::hypot(exact.solution.v[3], exact.solution.v[4], exact.solution.v[5]) > 0.1;
  }
  EXPECT_GE(compared, testing::trials(40));
  EXPECT_GE(moving, testing::trials(20)) << "all at rest proves little";
}

// Sliding: Coulomb's law keeps the contact closed, the relaxed one lifts it by mu |u_t|.
TEST(FrictionLaws, OnlyTheRelaxedLawLifts) {
  for (const double mu : {0.1, 0.5, 0.9})
    for (const ImpulseSet& set : {circularCone(mu), polyhedralCone(mu, 12)}) {
      ContactProblem problem = hexagonalPyramid(set);
      problem.v_free[0] = 3;
      const Solved exact = solveWith("exact", problem, Law::coulomb);
      const Solved relaxed = solveWith("convex", problem, Law::relaxed);
      ASSERT_TRUE(exact.certificate.holds(1e-8));
      ASSERT_TRUE(relaxed.certificate.holds(1e-8));
      EXPECT_EQ(exact.certificate.lift, 0);
      double largest_lift = 0;
      int loaded = 0;
      for (int i = 0; i < 6; ++i) {
        const auto normal = std::size_t(problem.J.firstRow(i));
        const auto u = velocityOf(problem, exact.solution.v, i);
        EXPECT_GT(u[1], 1) << "it slides";
        if (exact.solution.p[normal] > 1e-6) {
          EXPECT_NEAR(u[0], 0, 1e-9);
        }
        if (relaxed.solution.p[normal] <= 1e-6) continue;
        ++loaded;
        const auto lifted = velocityOf(problem, relaxed.solution.v, i);
        EXPECT_NEAR(lifted[0], mu * std::hypot(lifted[1], lifted[2]), 1e-8);
        largest_lift = std::max(largest_lift, lifted[0]);
      }
      EXPECT_GE(loaded, 1);
      EXPECT_NEAR(relaxed.certificate.lift, largest_lift, 1e-8);
    }
}

// A particle: both laws by hand. With u = (slip, normal) before the step the relaxed law takes the
// nearest point of u_n >= mu |u_t|.
TEST(FrictionLaws, ParticleThatSlidesHasItsClosedForm) {
  const double mu = 0.4, slip = 5, fall = 1;
  ContactProblem problem = spatialBodyProblem(3, {1, 1, 1});
  touchSpatial(problem, {0, 0, 0}, {0, 0, 1}, {1, 0, 0}, circularCone(mu));
  problem.v_free = {slip, 0, -fall, 0, 0, 0};
  const Solved exact = solveWith("exact", problem, Law::coulomb);
  EXPECT_NEAR(exact.solution.v[0], slip - mu * fall, 1e-10);
  EXPECT_NEAR(exact.solution.v[2], 0, 1e-10);
  const Solved relaxed = solveWith("convex", problem, Law::relaxed);
  const double along = (slip - mu * fall) / (1 + mu * mu);
  EXPECT_NEAR(relaxed.solution.v[0], along, 1e-8);
  EXPECT_NEAR(relaxed.solution.v[2], mu * along, 1e-8);
  EXPECT_NEAR(relaxed.certificate.lift, mu * along, 1e-8);
}

// Velocity of a body that slides in some heading, with polygons of m corners (0: a circle).
std::vector<double> slidingVelocity(int m, double heading, Law law) {
  const double mu = 0.5;
  ContactProblem problem = spatialBodyProblem(2, {0.3, 0.4, 0.5});
  for (const Vec3& point : {Vec3{1, 0.2, -0.4}, Vec3{-0.5, 0.8, -0.4}, Vec3{-0.6, -0.9, -0.4}})
    touchSpatial(problem, point, {0, 0, 1}, {1, 0, 0},
                 m == 0 ? circularCone(mu) : polyhedralCone(mu, m));
  problem.v_free = {2 * std::cos(heading), 2 * std::sin(heading), -1, 0, 0, 0.5};
  const Solved solved = solveWith(law == Law::relaxed ? "convex" : "exact", problem, law);
  EXPECT_TRUE(solved.certificate.holds(1e-8)) << m << " corners, heading " << heading;
  return solved.solution.v;
}

// [A06] Lemma 5.1. In the worst heading friction points to a corner that is off by up to p / m.
TEST(FrictionLaws, PolygonsTendToTheCircle) {
  for (const Law law : {Law::coulomb, Law::relaxed}) {
    std::vector<double> errors;
    for (const int m : {4, 8, 16, 32, 64}) {
      errors.push_back(0);
      for (int k = 0; k < 12; ++k) {
        const double heading = 0.1 + 0.5 * k;
        errors.back() = std::max(
            errors.back(),
            largestDifference(slidingVelocity(m, heading, law), slidingVelocity(0, heading, law)));
      }
      if (errors.size() > 1) {
        EXPECT_LT(errors.back(), errors[errors.size() - 2]) << m;
      }
    }
    const double order = std::log2(errors.front() / errors.back()) / 4;
    EXPECT_GT(order, 0.75);
    EXPECT_LT(order, 1.25);
  }
}

// Along the middle of an edge a polygon is a circle with mu cos(p / m): second order.
TEST(FrictionLaws, PolygonsAreWeakestAlongTheirEdges) {
  const double mu = 0.4, slip = 5, fall = 1;
  for (const int m : {4, 8, 16, 32, 64}) {
    const double heading = std::numbers::pi / m, weak = mu * std::cos(heading);
    ContactProblem problem = spatialBodyProblem(3, {1, 1, 1});
    touchSpatial(problem, {0, 0, 0}, {0, 0, 1}, {1, 0, 0}, polyhedralCone(mu, m));
    problem.v_free = {slip * std::cos(heading), slip * std::sin(heading), -fall, 0, 0, 0};
    const auto expectAlong = [&](const Solved& solved, double along, double lift) {
      EXPECT_NEAR(solved.solution.v[0], along * std::cos(heading), 1e-8) << m;
      EXPECT_NEAR(solved.solution.v[1], along * std::sin(heading), 1e-8) << m;
      EXPECT_NEAR(solved.solution.v[2], lift, 1e-8) << m;
    };
    expectAlong(solveWith("exact", problem, Law::coulomb), slip - weak * fall, 0);
    const double along = (slip - weak * fall) / (1 + weak * weak);
    expectAlong(solveWith("convex", problem, Law::relaxed), along, weak * along);
  }
}

// Where friction is small the velocity is unique ([AH04] Theorem 5).
TEST(FrictionLaws, ExactSolversAgreeInVelocity) {
  Random random(5);
  int compared = 0;
  for (int trial = 0; trial < testing::trials(60); ++trial) {
    testing::SpatialShape shape;
    shape.bodies = random.integer(1, 3);
    shape.patches = random.integer(1, 3);
    shape.points = random.integer(1, 3);
    shape.polyhedral = trial % 2 == 0;
    shape.largest_mu = 0.15;
    const ContactProblem problem = testing::randomSpatialProblem(random, shape);
    const Solved reference = solveWith("exact", problem, Law::coulomb);
    if (!reference.certificate.holds(1e-9)) continue;
    double size = 0;
    for (const double x : problem.v_free) size = std::max(size, std::abs(x));
    std::vector<std::string> others{"auto", "fixed-point-1", "fixed-point-2"};
    if (shape.polyhedral) others.push_back("lemke");
    for (const std::string& solver : others) {
      const Solved other = solveWith(solver, problem, Law::coulomb);
      if (!other.certificate.holds(1e-9)) continue;
      EXPECT_LE(largestDifference(other.solution.v, reference.solution.v), 1e-6 * size)
          << solver << " " << trial;
      ++compared;
    }
  }
  EXPECT_GE(compared, testing::trials(60) * 3);
}

}  // namespace
}  // namespace stickslip
