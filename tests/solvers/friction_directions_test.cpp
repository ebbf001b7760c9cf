// Friction in the hull of directions that are given one by one ([ST00] 3.1), odd numbers of
// corners, and cones of different kinds side by side: projections against what defines them,
// solvers against the certificate, and against sets that are the same by another name.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "certificate/impulse_law.hpp"
#include "cones/cone.hpp"
#include "cones/cone_layout.hpp"
#include "math/dense/nonnegative_fit.hpp"
#include "stickslip/certificate.hpp"
#include "stickslip/input_error.hpp"
#include "stickslip/solver.hpp"
#include "support/spatial_problems.hpp"

namespace stickslip {
namespace {

using testing::Random;
using testing::SpatialShape;
using Direction = FrictionDirections::Direction;
using Kind = ImpulseSet::Kind;

std::vector<Direction> regularPolygon(int corners) {
  std::vector<Direction> out;
  for (int k = 0; k < corners; ++k) {
    const double angle = 2 * std::numbers::pi * k / corners;
    out.push_back({std::cos(angle), std::sin(angle)});
  }
  return out;
}

// With 2, 3 or 5 components; the last direction balances the others.
std::vector<Direction> randomDirections(Random& random, int rows) {
  std::vector<Direction> out;
  Direction last{};
  const int count = random.integer(rows + 1, rows + 7);
  for (int k = 0; k + 1 < count; ++k) {
    Direction d{};
    for (int i = 0; i < rows; ++i) {
      d[i] = random.uniform();
      last[i] -= d[i] * 0.5;
    }
    out.push_back(d);
  }
  out.push_back(last);
  return out;
}

// mu times the hull of the directions.
ImpulseSet setOf(const std::vector<Direction>& directions, double mu) {
  ImpulseSet set;
  set.kind = Kind::polyhedral;
  set.given = FrictionDirections::make(directions);
  set.mu = set.mu_2 = mu * set.given->tangentReach();
  set.torsion = mu * set.given->spinReach();
  set.rolling = mu * set.given->rollingReach();
  set.directions = 8;
  return set;
}

// Replaces all cones by hulls, and rows and right sides to go with them.
ContactProblem withDirections(Random& random, const SpatialShape& shape, int rows) {
  SpatialShape moments = shape;
  moments.torsion = rows > 2 ? 1 : 0;
  moments.rolling = rows > 3 ? 1 : shape.rolling;
  ContactProblem problem = testing::randomSpatialProblem(random, moments);
  for (std::size_t i = 0; i < problem.sets.size(); ++i) {
    if (problem.sets[i].tangents() != 2) continue;
    const double rolling = problem.sets[i].rolling;
    const bool fixed = problem.sets[i].load_independent;
    ImpulseSet& set = problem.sets.own(i);
    set = setOf(randomDirections(random, rows), random.uniform(0.1, 0.8));
    if (rows == 2) set.rolling = rolling;
    set.load_independent = fixed;
  }
  return problem;
}

std::unique_ptr<Solver> solverOf(const std::string& name, Law law = Law::coulomb,
                                 double tolerance = 1e-8) {
  Method method;
  method.solver = name;
  method.law = law;
  method.cone = FrictionCone::polyhedral;
  method.tolerance = tolerance;
  // Few sweeps are usual, for steps that need not be exact.
  if (name == "sweeps") method.budget = 1000;
  return makeSolver(method);
}

// Sweeps converge linearly, and take their time to get far.
int trialsOf(const std::string& solver, int usual) {
  return solver == "sweeps" ? 2 : usual;
}
double toleranceOf(const std::string& solver) {
  return solver == "sweeps" ? 1e-5 : 1e-8;
}

double residualOf(Solver& solver, const ContactProblem& problem) {
  ContactSolution solution;
  solver.solve(problem, solution);
  return Certifier().certify(problem, solution).worstResidual();
}

double difference(const std::vector<double>& a, const std::vector<double>& b) {
  double most = 0;
  for (std::size_t k = 0; k < a.size(); ++k) most = std::max(most, std::abs(a[k] - b[k]));
  return most;
}

std::string refusal(const std::vector<Direction>& directions) {
  try {
    FrictionDirections::make(directions);
    return "";
  } catch (const InputError& error) {
    return error.what();
  }
}

TEST(FrictionDirections, MustBeBalanced) {
  EXPECT_EQ(refusal(regularPolygon(3)), "");
  EXPECT_EQ(refusal({{1, 0.2}, {-0.5, 1}, {-0.5, -1.3}}), "");
  // A line in the plane, and a plane in space, are balanced by themselves.
  EXPECT_EQ(refusal({{1, 1}, {-0.2, -0.2}}), "");
  EXPECT_EQ(refusal({{1, 1, 0.1}, {-1, -1, 0.1}, {0, 0, -0.3}}), "");
  EXPECT_NE(refusal({{1, 0}, {0, 1}, {0, -1}}).find("nothing opposes direction 0"),
            std::string::npos);
  EXPECT_NE(refusal({{1, 0}, {0, 1}, {-1, 0.001}}), "") << "zero is beside the hull";
  EXPECT_NE(refusal({{1, 0}, {-1, 0}, {0, 1}}), "") << "zero is on a side of the hull";
  EXPECT_NE(refusal({{1, 0}, {-1, 0}, {0, 0}}).find("direction 2 is zero"), std::string::npos);
  EXPECT_NE(refusal({{1, 0}}), "");
  EXPECT_NE(refusal(regularPolygon(67)).find("67"), std::string::npos);
}

TEST(FrictionDirections, HaveNoUnits) {
  const auto given =
      FrictionDirections::make(std::vector<Direction>{{3, 4, 0.1}, {-3, -4, 0.1}, {0, 0, -0.4}});
  EXPECT_EQ(given->rows(), 3);
  EXPECT_EQ(given->tangentReach(), 5);
  EXPECT_EQ(given->spinReach(), 0.4);
  EXPECT_EQ((*given)[0][1], 0.8);
  EXPECT_EQ((*given)[2][2], -1);
  EXPECT_EQ(given->span().size(), 2u);
  // From below, the first tangent of impulses on the other body is turned round.
  EXPECT_EQ((*given->mirrored())[0][0], -0.6);
  EXPECT_EQ((*given->mirrored())[0][2], 0.25);
}

TEST(NonnegativeFit, FindsWhatDefinesIt) {
  Random random(1);
  for (int trial = 0; trial < 2000; ++trial) {
    std::vector<FitColumn> columns(std::size_t(random.integer(1, 20)));
    FitColumn b{};
    for (FitColumn& column : columns)
      for (double& x : column) x = random.uniform();
    for (double& x : b) x = random.uniform();
    const NonnegativeFit fit = fitNonnegative(columns, b);
    FitColumn rest = b;
    for (std::size_t i = 0; i < std::size_t(fit.count); ++i) {
      EXPECT_GT(fit.x[i], 0);
      for (std::size_t k = 0; k < b.size(); ++k) rest[k] -= fit.x[i] * columns[fit.column[i]][k];
    }
    for (const FitColumn& column : columns) {
      double along = 0;
      for (std::size_t k = 0; k < b.size(); ++k) along += column[k] * rest[k];
      EXPECT_LE(along, 1e-11) << trial;
    }
    double complementary = 0;
    for (std::size_t k = 0; k < b.size(); ++k) complementary += rest[k] * (b[k] - rest[k]);
    EXPECT_NEAR(complementary, 0, 1e-11) << trial;
  }
}

// y in the cone of the corners (1, c), x - y in its polar, and both at right angles. In the cone:
// no half space with all corners leaves it out, by the weights that fitNonnegative finds.
void expectNearest(const std::vector<FitColumn>& edges, const FitColumn& x, const FitColumn& y,
                   const std::string& what) {
  double along = 0;
  for (std::size_t k = 0; k < x.size(); ++k) along += (x[k] - y[k]) * y[k];
  EXPECT_NEAR(along, 0, 1e-13) << what;
  for (const FitColumn& edge : edges) {
    double outside = 0;
    for (std::size_t k = 0; k < x.size(); ++k) outside += edge[k] * (x[k] - y[k]);
    EXPECT_LE(outside, 1e-13) << what;
  }
  for (const double part : fitNonnegative(edges, y).rest) EXPECT_NEAR(part, 0, 1e-12) << what;
}

TEST(FrictionDirections, NearestPointsOfConesAreNearest) {
  Random random(2);
  for (int trial = 0; trial < 3000; ++trial) {
    const int rows = trial % 3 == 0 ? 2 : trial % 3 == 1 ? 3 : 5;
    std::vector<Direction> directions = randomDirections(random, rows);
    // Sometimes flat.
    if (trial % 7 == 0)
      for (Direction& d : directions) d[1] = 2 * d[0];
    const ImpulseSet set = setOf(directions, random.uniform(0.1, 2));
    const auto n = std::size_t(set.dimension());
    FitColumn x{}, y{};
    for (std::size_t k = 0; k < n; ++k) x[k] = random.uniform(k == 0 ? -1 : -2, k == 0 ? 1 : 2);
    std::vector<FitColumn> edges, unit_edges;
    for (const Direction& d : directions) {
      FitColumn edge{1};
      const double mu = set.mu / set.given->tangentReach();
      for (std::size_t k = 0; k + 1 < n; ++k) edge[k + 1] = mu * d[k];
      edges.push_back(edge);
    }
    const std::string what = std::to_string(trial);
    const ImpulseVector nearest = projectOnSet(set, {x[0], x[1], x[2], x[3], x[4], x[5]});
    std::copy(nearest.begin(), nearest.end(), y.begin());
    expectNearest(edges, x, y, "certificate " + what);

    // The solvers' in coordinates without units, and its derivative.
    const Cone cone = layoutOf(set).parts[0].cone;
    for (int k = 0; k < set.given->count(); ++k) {
      FitColumn edge{1};
      std::copy((*set.given)[k].begin(), (*set.given)[k].end(), edge.begin() + 1);
      unit_edges.push_back(edge);
    }
    std::array<double, 36> D{}, unused{};
    projectWithDerivative(cone, x.data(), y.data(), D.data());
    expectNearest(unit_edges, x, y, "solvers " + what);
    FitColumn copy = x;
    project(cone, std::span(copy).first(n));
    for (std::size_t k = 0; k < n; ++k) EXPECT_NEAR(copy[k], y[k], 1e-13) << what;
    constexpr double kStep = 1e-7;
    for (std::size_t j = 0; j < n; ++j) {
      FitColumn after = x, before = x, plus{}, minus{};
      after[j] += kStep;
      before[j] -= kStep;
      projectWithDerivative(cone, after.data(), plus.data(), unused.data());
      projectWithDerivative(cone, before.data(), minus.data(), unused.data());
      for (std::size_t i = 0; i < n; ++i)
        EXPECT_NEAR((plus[i] - minus[i]) / (2 * kStep), D[i * n + j], 1e-5) << what;
    }
  }
}

// Corners of a regular polygon, one by one, are that polygon; odd ones too.
TEST(FrictionDirections, OfAPolygonAreThePolygon) {
  Random random(3);
  for (int corners = 3; corners <= 9; ++corners)
    for (int trial = 0; trial < 10; ++trial) {
      ContactProblem problem = testing::randomSpatialProblem(
          random, {.patches = 4, .polyhedral = true, .directions = corners, .largest_mu = 0.5});
      ContactProblem listed = problem;
      for (std::size_t i = 0; i < listed.sets.size(); ++i)
        listed.sets.own(i).given = FrictionDirections::make(regularPolygon(corners));
      for (const char* name : {"lemke", "exact", "auto"}) {
        ContactSolution a, b;
        solverOf(name, Law::coulomb, 1e-12)->solve(problem, a);
        solverOf(name, Law::coulomb, 1e-12)->solve(listed, b);
        EXPECT_LE(difference(a.v, b.v), 1e-10) << name << " " << corners << " " << trial;
        EXPECT_LE(Certifier().certify(problem, b).worstResidual(), 1e-10);
        EXPECT_LE(Certifier().certify(listed, a).worstResidual(), 1e-10);
      }
      ContactSolution a, b;
      problem.law = listed.law = Law::relaxed;
      solverOf("convex", Law::relaxed)->solve(problem, a);
      solverOf("convex", Law::relaxed)->solve(listed, b);
      EXPECT_LE(difference(a.v, b.v), 1e-7) << corners << " " << trial;
      EXPECT_LE(Certifier().certify(listed, b).worstResidual(), 1e-8);
    }
}

// Torsion is two directions of pure spin.
TEST(FrictionDirections, OfSpinAreTorsion) {
  Random random(4);
  for (int trial = 0; trial < 30; ++trial) {
    const int corners = 4 + trial % 3;
    const ContactProblem problem = testing::randomSpatialProblem(random, {.patches = 4,
                                                                          .polyhedral = true,
                                                                          .directions = corners,
                                                                          .largest_mu = 0.5,
                                                                          .torsion = 0.5});
    ContactProblem listed = problem;
    for (std::size_t i = 0; i < listed.sets.size(); ++i) {
      const ImpulseSet before = problem.sets[i];
      std::vector<Direction> directions = regularPolygon(corners);
      const double length = before.torsion / before.mu;
      directions.push_back({0, 0, length});
      directions.push_back({0, 0, -length});
      listed.sets.own(i) = setOf(directions, before.mu);
      EXPECT_NEAR(listed.sets[i].torsion, before.torsion, 1e-15);
    }
    for (const char* name : {"lemke", "exact"}) {
      ContactSolution a, b;
      solverOf(name, Law::coulomb, 1e-12)->solve(problem, a);
      solverOf(name, Law::coulomb, 1e-12)->solve(listed, b);
      EXPECT_LE(difference(a.v, b.v), 1e-9) << name << " " << trial;
      EXPECT_LE(Certifier().certify(problem, b).worstResidual(), 1e-10);
    }
  }
}

const std::vector<SpatialShape> kShapes{
    {.patches = 3},
    {.bodies = 4, .patches = 5, .mass_ratio = 100, .joints = 1},
    {.patches = 3, .restitution = true, .motors = 2},
    {.bodies = 4, .patches = 4, .springs = 2, .frictionless = true}};

TEST(FrictionDirections, RandomHullsAreSolvedByLemke) {
  Random random(5);
  const auto lemke = solverOf("lemke");
  for (const SpatialShape& shape : kShapes)
    for (const int rows : {2, 3, 5})
      for (int trial = 0; trial < 25; ++trial)
        EXPECT_LE(residualOf(*lemke, withDirections(random, shape, rows)), 1e-10)
            << rows << " " << trial;
}

// [AP97] Theorem 2.3: contacts and joints at rest take energy, and the same problem has the same
// bits.
TEST(FrictionDirections, TakeEnergyAndRepeatThemselves) {
  Random random(15);
  for (const int rows : {2, 3, 5})
    for (int trial = 0; trial < 25; ++trial) {
      const ContactProblem problem =
          withDirections(random, {.bodies = 3, .patches = 4, .joints = 1}, rows);
      ContactSolution once, again;
      solverOf("auto")->solve(problem, once);
      solverOf("auto")->solve(problem, again);
      EXPECT_EQ(once.v, again.v);
      EXPECT_EQ(once.p, again.p);
      const Certificate certificate = Certifier().certify(problem, once);
      EXPECT_LE(certificate.kinetic_energy_end, certificate.kinetic_energy_free * (1 + 1e-10))
          << rows << " " << trial;
    }
}

TEST(FrictionDirections, RandomHullsAreSolvedByOthers) {
  for (const char* name : {"exact", "auto", "convex", "accelerated", "sweeps"}) {
    Random random(6);
    const bool relaxed = std::string(name) == "convex";
    const auto solver = solverOf(name, relaxed ? Law::relaxed : Law::coulomb);
    for (const SpatialShape& shape : kShapes)
      for (const int rows : {2, 3, 5})
        for (int trial = 0; trial < trialsOf(name, 6); ++trial) {
          ContactProblem problem = withDirections(random, shape, rows);
          if (relaxed) problem.law = Law::relaxed;
          EXPECT_LE(residualOf(*solver, problem), toleranceOf(name))
              << name << " " << rows << " " << trial;
        }
  }
}

// Fixed point iterations contract with little friction.
TEST(FrictionDirections, FixedPointsAreFound) {
  Random random(7);
  for (const char* name : {"fixed-point-1", "fixed-point-2"})
    for (const int rows : {2, 3}) {
      const auto solver = solverOf(name);
      for (int trial = 0; trial < 5; ++trial) {
        ContactProblem problem = withDirections(random, {.bodies = 3, .patches = 2}, rows);
        for (std::size_t i = 0; i < problem.sets.size(); ++i) {
          ImpulseSet& set = problem.sets.own(i);
          for (double* size : {&set.mu, &set.mu_2, &set.torsion}) *size *= 0.1;
        }
        EXPECT_LE(residualOf(*solver, problem), 1e-8) << name << " " << rows << " " << trial;
      }
    }
}

// Rolling friction, and a bound whatever the load, beside directions along the tangents.
TEST(FrictionDirections, GoWithRollingAndWithFixedBounds) {
  Random random(8);
  for (const char* name : {"lemke", "exact"}) {
    const auto solver = solverOf(name);
    for (int trial = 0; trial < 15; ++trial) {
      EXPECT_LE(residualOf(*solver, withDirections(random, {.patches = 3, .rolling = 0.3}, 2)),
                1e-8)
          << name << " rolling " << trial;
      EXPECT_LE(
          residualOf(*solver, withDirections(random, {.patches = 3, .load_independent = true}, 2)),
          1e-8)
          << name << " fixed " << trial;
    }
  }
}

// Polygons, circles, hulls and contacts with one tangent in one problem.
TEST(FrictionDirections, ConesOfAllKindsStandSideBySide) {
  Random random(9);
  for (const char* name : {"exact", "auto", "accelerated", "sweeps"}) {
    const auto solver = solverOf(name);
    for (int trial = 0; trial < trialsOf(name, 20); ++trial) {
      ContactProblem problem =
          testing::randomSpatialProblem(random, {.bodies = 3, .patches = 4, .largest_mu = 0.7});
      for (std::size_t i = 0; i < problem.sets.size(); ++i) {
        ImpulseSet& set = problem.sets.own(i);
        if (i % 4 == 1 || i % 4 == 3) {
          set.kind = Kind::polyhedral;
          set.directions = 3 + trial % 5;
        }
        if (i % 4 == 3) set = setOf(randomDirections(random, 2), set.mu);
      }
      EXPECT_LE(residualOf(*solver, problem), toleranceOf(name)) << name << " " << trial;
    }
  }
}

// Lengths in another unit: moments and their directions are scaled, angular rows too.
TEST(FrictionDirections, UnitsChangeNothing) {
  Random random(10);
  const double unit = 1024;  // of length: exact
  for (int trial = 0; trial < 20; ++trial) {
    const ContactProblem problem = withDirections(random, {.patches = 3}, 5);
    ContactProblem other = problem;
    for (std::size_t i = 0; i < other.sets.size(); ++i) {
      ImpulseSet& set = other.sets.own(i);
      set.torsion *= unit;
      set.rolling *= unit;
    }
    // Velocities of masses in the other unit; angular ones stay.
    for (int block = 0; block < other.M.blockCount(); ++block) {
      MatrixView M = other.M.block(block);
      for (int i = 3; i < 6; ++i)
        for (int j = 3; j < 6; ++j) M(i, j) *= unit * unit;
    }
    const auto scale = [&](std::vector<double>& v) {
      for (std::size_t k = 0; k < v.size(); ++k)
        if (k % 6 < 3) v[k] *= unit;
    };
    scale(other.v_free);
    scale(other.v_old);
    BlockRows J;
    for (int i = 0; i < problem.J.groupCount(); ++i) {
      J.addGroup(problem.J.rowsOf(i));
      for (const BlockRows::Strip& strip : problem.J.stripsOf(i)) {
        const StripValues from = problem.J.values(i, strip);
        const MatrixView to = J.addStrip(strip.first_column, strip.columns);
        const int linear = problem.sets[i].linearRows();
        for (int row = 0; row < problem.J.rowsOf(i); ++row)
          for (int k = 0; k < strip.columns; ++k)
            to(row, k) = from(row, k) * (row < linear && k >= 3 ? unit : 1);
      }
    }
    other.J = J;
    ContactSolution a, b;
    solverOf("lemke")->solve(problem, a);
    solverOf("lemke")->solve(other, b);
    scale(a.v);
    for (std::size_t k = 0; k < a.v.size(); ++k)
      EXPECT_NEAR(a.v[k], b.v[k], 1e-9 * (k % 6 < 3 ? unit : 1)) << trial;
    EXPECT_LE(Certifier().certify(other, b).worstResidual(), 1e-10);
  }
}

TEST(FrictionDirections, LoadsOfTheirSpanMayVary) {
  // A line at 45 degrees: sticking along it, whatever happens across.
  const ImpulseSet line = setOf({{1, 1}, {-1, -1}}, 0.5);
  EXPECT_EQ(loadDirections(line, {0, 1, -1}, 1e-9).count, 2);
  EXPECT_EQ(loadDirections(line, {0, 1, 1}, 1e-9).count, 1);
  EXPECT_EQ(loadDirections(line, {1, 0, 0}, 1e-9).count, 0);
  // A square prism in three rows: four corners of a side are two directions.
  std::vector<Direction> prism;
  for (const double height : {0.1, -0.1})
    for (const Direction& d : regularPolygon(4)) prism.push_back({d[0], d[1], height});
  const ImpulseSet set = setOf(prism, 0.5);
  EXPECT_EQ(loadDirections(set, {}, 1e-9).count, 4);
  EXPECT_EQ(loadDirections(set, {0, -1, -1, 0}, 1e-9).count, 3);
  EXPECT_EQ(loadDirections(set, {0, 0, 0, 1}, 1e-9).count, 3);
  EXPECT_EQ(loadDirections(set, {0, 1, 0, 1}, 1e-9).count, 1);
}

// Without friction along one axis an odd polygon is a segment, for solvers and certificate.
TEST(OddPolygons, AreSegmentsWithoutOneAxis) {
  Random random(11);
  for (const int corners : {3, 5, 7})
    for (int trial = 0; trial < 10; ++trial) {
      ContactProblem problem = testing::randomSpatialProblem(
          random, {.polyhedral = true, .directions = corners, .torsion = trial % 2 * 0.2});
      for (std::size_t i = 0; i < problem.sets.size(); ++i)
        (i % 2 == 0 ? problem.sets.own(i).mu : problem.sets.own(i).mu_2) = 0;
      EXPECT_LE(residualOf(*solverOf("lemke"), problem), 1e-10) << corners << " " << trial;
      EXPECT_LE(residualOf(*solverOf("exact"), problem), 1e-8) << corners << " " << trial;
    }
}

TEST(OddPolygons, AreSolved) {
  for (const char* name : {"lemke", "exact", "auto", "convex", "accelerated", "sweeps"}) {
    Random random(12);
    const bool relaxed = std::string(name) == "convex";
    const auto solver = solverOf(name, relaxed ? Law::relaxed : Law::coulomb);
    for (const int corners : {3, 5, 9})
      for (int trial = 0; trial < trialsOf(name, 12); ++trial) {
        ContactProblem problem =
            testing::randomSpatialProblem(random, {.patches = 4,
                                                   .polyhedral = true,
                                                   .directions = corners,
                                                   .circular = trial % 2 == 0,
                                                   .torsion = trial % 3 == 0 ? 0.3 : 0,
                                                   .rolling = trial % 4 == 0 ? 0.3 : 0});
        if (relaxed) problem.law = Law::relaxed;
        EXPECT_LE(residualOf(*solver, problem), toleranceOf(name))
            << name << " " << corners << " " << trial;
      }
  }
}

}  // namespace
}  // namespace stickslip
