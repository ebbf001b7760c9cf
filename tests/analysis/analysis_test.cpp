// Can contacts be opened, can they jam: configurations with an answer on paper, and a search over
// all motions of one body.
#include "stickslip/analysis.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "support/bodies.hpp"
#include "support/effort.hpp"
#include "support/random.hpp"
#include "support/single_body.hpp"

namespace stickslip {
namespace {

using testing::circularCone;
using testing::planarBodyProblem;
using testing::polyhedralCone;
using testing::Random;
using testing::spatialBodyProblem;
using testing::touchPlanar;
using testing::touchSpatial;
using Answer = OpeningAnalysis::Answer;

constexpr double kDegree = std::numbers::pi / 180;

// Both bounds are at the margin that is expected.
void expectMargin(const OpeningAnalysis& opening, double margin) {
  EXPECT_EQ(opening.answer, Answer::opens);
  EXPECT_NEAR(opening.margin_proven, margin, 1e-7);
  EXPECT_NEAR(opening.margin_ceiling, margin, 1e-7);
  EXPECT_LE(opening.margin_proven, opening.margin_ceiling + 1e-12);
  EXPECT_TRUE(opening.jammed.empty());
}

void expectJam(const OpeningAnalysis& opening, const std::vector<int>& contacts) {
  EXPECT_EQ(opening.answer, Answer::jams);
  EXPECT_LE(opening.margin_ceiling, 1e-7);
  EXPECT_LE(opening.margin_proven, 1e-7);
  EXPECT_EQ(opening.jammed, contacts);
}

// |J'p + G'c| of a witness relative to its largest impulse.
double imbalance(const ContactProblem& problem, const ContactSolution& witness) {
  std::vector<double> sum(problem.v_free.size());
  double largest = 0;
  const auto add = [&](const BlockRows& rows, const std::vector<double>& impulses) {
    for (int group = 0; group < rows.groupCount(); ++group)
      for (const BlockRows::Strip& strip : rows.stripsOf(group))
        for (int k = 0; k < rows.rowsOf(group); ++k)
          for (int column = 0; column < strip.columns; ++column) {
            const double impulse = impulses[rows.firstRow(group) + k];
            sum[strip.first_column + column] += impulse * rows.values(group, strip)(k, column);
            largest = std::max(largest, std::abs(impulse));
          }
  };
  add(problem.J, witness.p);
  add(problem.G, witness.c);
  double worst = 0;
  for (const double x : sum) worst = std::max(worst, std::abs(x));
  return worst / largest;
}

// Normals at an angle from the vertical: straight up is best, at cos - mu sin.
TEST(Analysis, BallInAGroove) {
  for (const double angle : {20 * kDegree, 45 * kDegree, 80 * kDegree})
    for (const double mu : {0.0, 0.1, 0.3}) {
      ContactProblem problem = planarBodyProblem(2, 0.4 * 2);
      for (const double side : {-1.0, 1.0}) {
        const Vec2 normal{side * std::sin(angle), std::cos(angle)};
        touchPlanar(problem, {-normal.x, -normal.y}, normal, mu);
      }
      const ConfigurationAnalysis analysis = analyseConfiguration(problem);
      ASSERT_EQ(analysis.islands.size(), 1u);
      expectMargin(analysis.islands[0].frictionless, std::cos(angle));
      const double margin = std::cos(angle) - mu * std::sin(angle);
      if (margin > 0)
        expectMargin(analysis.islands[0].frictional, margin);
      else
        expectJam(analysis.islands[0].frictional, {0, 1});
      EXPECT_FALSE(analysis.impulses_unique) << "four rows, three velocities";
    }
}

// The same in space, on three sides, with round cones and with polygons that have a corner upwards.
TEST(Analysis, BallInAPit) {
  const double angle = 60 * kDegree;
  for (const bool polyhedral : {false, true})
    for (const double mu : {0.2, 0.5, 0.6}) {
      ContactProblem problem = spatialBodyProblem(3, {1, 1, 1});
      for (int k = 0; k < 3; ++k) {
        const double around = 2 * std::numbers::pi * k / 3;
        const Vec3 normal{std::sin(angle) * std::cos(around), std::sin(angle) * std::sin(around),
                          std::cos(angle)};
        touchSpatial(problem, -1 * normal, normal, {0, 0, 1},
                     polyhedral ? polyhedralCone(mu, 6) : circularCone(mu));
      }
      const ConfigurationAnalysis analysis = analyseConfiguration(problem);
      const double margin = std::cos(angle) - mu * std::sin(angle);
      expectMargin(analysis.islands[0].frictionless, std::cos(angle));
      if (margin > 0)
        expectMargin(analysis.islands[0].frictional, margin);
      else
        expectJam(analysis.islands[0].frictional, {0, 1, 2});
    }
}

// A tapered block between two plates, two contacts on each side.
ContactProblem wedgeBetweenPlates(double half_angle, double mu) {
  ContactProblem problem = planarBodyProblem(1, 0.5);
  for (const double side : {-1.0, 1.0})
    for (const double height : {-1.0, 1.0}) {
      const double x = side * (1 + height * std::tan(half_angle));
      touchPlanar(problem, {x, height}, {-side * std::cos(half_angle), std::sin(half_angle)}, mu);
    }
  return problem;
}

TEST(Analysis, WedgeJamsAtItsFrictionAngle) {
  for (const double half_angle : {3 * kDegree, 10 * kDegree, 25 * kDegree}) {
    const double critical = std::tan(half_angle);
    const auto opens = analyseConfiguration(wedgeBetweenPlates(half_angle, 0.98 * critical));
    EXPECT_EQ(opens.islands[0].frictionless.answer, Answer::opens);
    EXPECT_EQ(opens.islands[0].frictional.answer, Answer::opens);
    const ContactProblem tight = wedgeBetweenPlates(half_angle, 1.02 * critical);
    const auto jams = analyseConfiguration(tight);
    EXPECT_EQ(jams.islands[0].frictionless.answer, Answer::opens);
    expectJam(jams.islands[0].frictional, {0, 1, 2, 3});
    EXPECT_LE(imbalance(tight, jams.frictional_witness), 1e-7);
  }
  const auto parallel = analyseConfiguration(wedgeBetweenPlates(0, 0));
  expectJam(parallel.islands[0].frictionless, {0, 1, 2, 3});
}

// Without friction the sides of a pocket cannot be opened, but its bottom can.
TEST(Analysis, BoxInAPocketLeavesItsBottomOnly) {
  ContactProblem problem = planarBodyProblem(1, 0.2);
  touchPlanar(problem, {-1, -1}, {0, 1}, 0.3);
  touchPlanar(problem, {-1, 0}, {1, 0}, 0.3);
  touchPlanar(problem, {1, -1}, {0, 1}, 0.3);
  touchPlanar(problem, {1, 0}, {-1, 0}, 0.3);
  const ConfigurationAnalysis analysis = analyseConfiguration(problem);
  expectJam(analysis.islands[0].frictionless, {1, 3});
  const std::vector<double>& v = analysis.frictionless_witness.v;
  EXPECT_NEAR(v[0], 0, 1e-8);
  EXPECT_GT(v[1], 0.5);
  EXPECT_LE(imbalance(problem, analysis.frictionless_witness), 1e-8);
  // With it the sides can hold the box down on its bottom.
  expectJam(analysis.islands[0].frictional, {0, 1, 2, 3});
}

// Two points on either side of a peg: they hold it by themselves if the line through them is in
// both friction cones (Nguyen's condition), mu >= height / width.
TEST(Analysis, PegJamsIfTheLineIsInBothCones) {
  for (const double height : {0.1, 0.5, 2.0}) {
    const double width = 1, critical = height / width;
    const auto peg = [&](double mu) {
      ContactProblem problem = planarBodyProblem(1, 0.3);
      touchPlanar(problem, {-width / 2, 0.7}, {1, 0}, mu);
      touchPlanar(problem, {width / 2, 0.7 + height}, {-1, 0}, mu);
      return analyseConfiguration(problem);
    };
    EXPECT_EQ(peg(0.99 * critical).islands[0].frictionless.answer, Answer::opens);
    EXPECT_EQ(peg(0.99 * critical).islands[0].frictional.answer, Answer::opens);
    expectJam(peg(1.01 * critical).islands[0].frictional, {0, 1});
  }
}

// The best of many motions is no better than the bound by impulses, and no motion is better than
// what the analysis proves.
TEST(Analysis, AgreesWithASearchOverMotions) {
  Random random(11);
  int opened = 0, jammed = 0;
  for (int trial = 0; trial < testing::trials(100); ++trial) {
    ContactProblem problem = planarBodyProblem(random.uniform(0.5, 2), random.uniform(0.2, 2));
    const double mass = problem.M.block(0)(0, 0), inertia = problem.M.block(0)(2, 2);
    const int count = random.integer(2, 5);
    for (int i = 0; i < count; ++i)
      touchPlanar(problem, {random.uniform(), random.uniform()},
                  {random.uniform(), random.uniform()}, random.uniform(0, 0.8));
    const auto marginOf = [&](double a, double b) {  // direction of the motion by two angles
      const double v[] = {std::cos(a) * std::cos(b) / std::sqrt(mass),
                          std::sin(a) * std::cos(b) / std::sqrt(mass),
                          std::sin(b) / std::sqrt(inertia)};
      double least = 1;
      for (int i = 0; i < count; ++i) {
        const StripValues entries = problem.J.values(i, problem.J.stripsOf(i)[0]);
        const ConstMatrixView w = entries.view();
        double u[2] = {0, 0}, s = 0;
        for (int k = 0; k < 3; ++k) {
          u[0] += w(0, k) * v[k];
          u[1] += w(1, k) * v[k];
          s += w(0, k) * w(0, k) / (k < 2 ? mass : inertia);
        }
        least = std::min(least, (u[0] - problem.sets[i].mu * std::abs(u[1])) / std::sqrt(s));
      }
      return least;
    };
    double best = -1, best_a = 0, best_b = 0, reach = std::numbers::pi;
    for (int level = 0; level < 12; ++level, reach /= 3) {
      const double a_0 = best_a, b_0 = best_b;
      for (int i = -12; i <= 12; ++i)
        for (int j = -12; j <= 12; ++j) {
          const double a = a_0 + reach * i / 12, b = b_0 + reach * j / 24;
          if (const double margin = marginOf(a, b); margin > best)
            best = margin, best_a = a, best_b = b;
        }
    }
    const OpeningAnalysis opening = analyseConfiguration(problem).islands[0].frictional;
    EXPECT_LE(std::max(best, 0.0), opening.margin_ceiling + 1e-9) << trial;
    if (opening.answer == Answer::opens) {
      EXPECT_NEAR(best, opening.margin_proven, 1e-3) << trial;
      EXPECT_NEAR(opening.margin_proven, opening.margin_ceiling, 1e-6) << trial;
    } else {
      EXPECT_EQ(opening.answer, Answer::jams) << trial;
      EXPECT_LE(best, 1e-6) << trial;
    }
    (opening.answer == Answer::opens ? opened : jammed) += 1;
  }
  EXPECT_GT(opened, testing::trials(20));
  EXPECT_GT(jammed, testing::trials(20));
}

// Other units of length, mass and time change no answer.
TEST(Analysis, UnitsDoNotMatter) {
  const auto pocket = [](double length, double mass) {
    ContactProblem problem = planarBodyProblem(mass, 0.2 * mass * length * length);
    touchPlanar(problem, {-length, -length}, {0.2, 1}, 0.4);
    touchPlanar(problem, {length, -length}, {-0.5, 1}, 0.2);
    touchPlanar(problem, {0.3 * length, 0.5 * length}, {1, 0.3}, 0.1);
    return analyseConfiguration(problem).islands[0].frictional;
  };
  const OpeningAnalysis usual = pocket(1, 1);
  ASSERT_EQ(usual.answer, Answer::opens);
  for (const double length : {1e-4, 1e3})
    for (const double mass : {1e-9, 1e6}) {
      const OpeningAnalysis other = pocket(length, mass);
      EXPECT_NEAR(other.margin_proven, usual.margin_proven, 1e-8);
      EXPECT_NEAR(other.margin_ceiling, usual.margin_ceiling, 1e-8);
    }
}

// A uniform rod on its tip: mu_c = (1 + 3 cos^2) / (3 sin cos) ([ST00] section 1.4).
TEST(Analysis, FindsPainlevesRod) {
  const double angle = 60 * kDegree, c = std::cos(angle), s = std::sin(angle);
  const double critical = (1 + 3 * c * c) / (3 * s * c);
  for (const double share : {0.99, 1.01, 2.0}) {
    ContactProblem problem = planarBodyProblem(1.5, 1.5 / 3);  // of half length 1
    touchPlanar(problem, {-c, -s}, {0, 1}, share * critical);
    const ConfigurationAnalysis analysis = analyseConfiguration(problem);
    if (share < 1) {
      EXPECT_TRUE(analysis.painleve.empty());
      continue;
    }
    ASSERT_EQ(analysis.painleve.size(), 1u);
    EXPECT_EQ(analysis.painleve[0].contact, 0);
    EXPECT_NEAR(analysis.painleve[0].response, 1 - share, 1e-12);
    EXPECT_EQ(analysis.islands[0].frictional.answer, Answer::opens);
  }
}

ContactProblem problemOf(const BodySystemData& data) {
  const BodySystem system(data);
  ContactProblem problem;
  const auto scheme = makeScheme(defaultMethod(system));
  scheme->reserve(system, problem);
  scheme->formulate(system, system.initialState(), 1e-3, problem);
  return problem;
}

// Four parallel hinges in space close a loop of three bars: 20 rows, one motion of 18 is left.
TEST(Analysis, CountsRedundantRowsOfALoop) {
  BodySystemData data;
  const double x[] = {0, 0.5, 1}, y[] = {0.5, 1, 0.5};
  for (int k = 0; k < 3; ++k)
    data.bodies.push_back(
        testing::spatialBody("bar" + std::to_string(k), 1, {0.1, 0.2, 0.15}, {x[k], y[k], 0}));
  const Vec3 places[] = {{0, 0, 0}, {0, 1, 0}, {1, 1, 0}, {1, 0, 0}};
  const int bodies[] = {Joint::kWorld, 0, 1, 2, Joint::kWorld};
  for (int k = 0; k < 4; ++k)
    data.joints.push_back(testing::jointAt("hinge" + std::to_string(k), Joint::Type::revolute, data,
                                           bodies[k], bodies[k + 1], places[k]));
  const ConfigurationAnalysis loop = analyseConfiguration(problemOf(data));
  ASSERT_EQ(loop.islands.size(), 1u);
  EXPECT_EQ(loop.islands[0].joint_rows, 20);
  EXPECT_EQ(loop.islands[0].redundant_joint_rows, 3);
  EXPECT_FALSE(loop.impulses_unique);
  data.joints.pop_back();
  const ConfigurationAnalysis chain = analyseConfiguration(problemOf(data));
  EXPECT_EQ(chain.islands[0].redundant_joint_rows, 0);
  EXPECT_TRUE(chain.impulses_unique);
}

// A joint can take away the only way out: then contact and joint are in balance.
TEST(Analysis, JointsCanHoldAContact) {
  ContactProblem problem = planarBodyProblem(1, 1);
  touchPlanar(problem, {0, -1}, {0, 1}, 0.2);
  EXPECT_EQ(analyseConfiguration(problem).islands[0].frictionless.answer, Answer::opens);
  problem.G.addGroup(1);
  problem.G.addStrip(0, 3)(0, 1) = 1;
  problem.g.assign(1, 0.0);
  problem.compliance.assign(1, 0.0);
  const ConfigurationAnalysis held = analyseConfiguration(problem);
  expectJam(held.islands[0].frictionless, {0});
  EXPECT_LE(imbalance(problem, held.frictionless_witness), 1e-9);
  EXPECT_NE(held.frictionless_witness.c[0], 0);
  problem.compliance[0] = 1;  // a spring gives way
  EXPECT_EQ(analyseConfiguration(problem).islands[0].frictionless.answer, Answer::opens);
}

TEST(Analysis, NothingTouches) {
  const ConfigurationAnalysis analysis = analyseConfiguration(planarBodyProblem(1, 1));
  EXPECT_TRUE(analysis.islands.empty());
  EXPECT_TRUE(analysis.impulses_unique);
}

}  // namespace
}  // namespace stickslip
