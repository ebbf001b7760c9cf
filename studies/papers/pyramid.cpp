// [AH04] section 3: a pyramid over a regular hexagon rests on a table. Its contact problem
// (2.7)-(2.8) has two solutions whose average is none, for every friction mu > 0; their velocity is
// the same.
//
//   1: c_n = h m g / 3 at the corners 1, 3, 5 and lambda = 1 at 2, 4, 6;   2: the other way round
//
// Lemke's method, with the corners in one order after the other, finds the impulses of both;
// lambda of a corner without load may be anything, and is 1 as in the paper. Where the average
// fails is mu c_n lambda = 0, hence by min(lambda, mu c_n) / |q| = mu / 6.
//
// So it is the multipliers that are to blame. For one velocity the impulses by themselves are a
// convex set, and the certificate, which is about impulses and velocity, accepts their average.
//
// In motion it has several velocities: several_velocities.cpp.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "papers/experiments.hpp"
#include "papers/pyramid_lcp.hpp"
#include "papers/timed_solve.hpp"
#include "problem/mass_factor.hpp"

namespace stickslip {
namespace {

using Variables = PyramidLcp::Variables;
constexpr int kCorners = PyramidLcp::kCorners;
constexpr double kFall = 9.81 * 0.05;  // g h, and h m g as m = 1
// What is zero up to rounding, relative to the weight or to g h.
constexpr double kZero = 1e-11;
// Velocities of iterative solvers, relative to g h.
constexpr double kSamePyramidVelocity = 1e-6;
// Friction whose impulses are shown.
constexpr double kShownFriction = 0.1;
constexpr std::array kPyramidSolvers{"lemke", "exact", "auto", "fixed-point-1", "fixed-point-2"};

ContactProblem pyramidProblem(double mu) {
  return firstProblem(
      paperScene("pyramid", {fmt::format("system.materials.default.friction={:.17g}", mu)}));
}

// Whether every second corner carries a third of the weight, and nothing else acts.
bool loadsEverySecond(const Variables& z, int first) {
  for (int corner = 0; corner < kCorners; ++corner) {
    const double expected = corner % 2 == first ? kFall / 3 : 0;
    if (std::abs(z[PyramidLcp::normal(corner)] - expected) > kZero * kFall) return false;
  }
  return std::all_of(z.begin() + kCorners, z.begin() + PyramidLcp::kImpulses,
                     [](double beta) { return beta <= kZero * kFall; });
}

struct Pair {
  bool found = false;
  Variables first{}, second{};
  int distinct = 0;  ///< solutions that Lemke's method finds in all
};

Pair findPair(const ContactProblem& problem) {
  const PyramidSolutions solutions = lemkeSolutions(problem);
  Pair out;
  out.distinct = static_cast<int>(solutions.distinct.size());
  bool found[2] = {false, false};
  for (const Variables& z : solutions.distinct)
    for (const int which : {0, 1}) {
      if (!loadsEverySecond(z, which)) continue;
      Variables& solution = which == 0 ? out.first : out.second;
      solution = z;
      for (int corner = 0; corner < kCorners; ++corner)
        solution[PyramidLcp::lambda(corner)] = corner % 2 == which ? 0 : 1;
      found[which] = true;
    }
  out.found = found[0] && found[1];
  return out;
}

Variables between(const Pair& pair, double s) {
  Variables out{};
  for (std::size_t k = 0; k < out.size(); ++k)
    out[k] = (1 - s) * pair.first[k] + s * pair.second[k];
  return out;
}

// What the certificate says of the impulses in z and the velocity that belongs to them.
double certifiedResidual(const ContactProblem& problem, const Variables& z) {
  const PyramidLcp::Order hexagon = PyramidLcp::around(problem);
  ContactSolution solution;
  solution.p.assign(problem.b.size(), 0.0);
  solution.v.assign(problem.v_free.size(), 0.0);
  for (int corner = 0; corner < kCorners; ++corner) {
    const int contact = hexagon[corner];
    const double p = z[PyramidLcp::normal(corner)];
    solution.p[problem.J.firstRow(contact)] = p;
    for (const BlockRows::Strip& strip : problem.J.stripsOf(contact)) {
      const StripValues values = problem.J.values(contact, strip);
      const auto row = values.row(0);
      for (std::size_t k = 0; k < row.size(); ++k) solution.v[strip.first_column + k] += p * row[k];
    }
  }
  MassFactor mass;
  mass.start(problem.M);
  mass.divide(solution.v);
  for (std::size_t k = 0; k < solution.v.size(); ++k) solution.v[k] += problem.v_free[k];
  return Certifier().residuals(problem, solution).worstResidual();
}

double largestDifference(std::span<const double> a, std::span<const double> b) {
  double most = 0;
  for (std::size_t k = 0; k < a.size(); ++k) most = std::max(most, std::abs(a[k] - b[k]));
  return most;
}

// Largest velocity of a solver at rest, relative to g h: the solution is v = 0.
double largestVelocity(const ContactProblem& problem, Table* impulses) {
  const PyramidLcp::Order hexagon = PyramidLcp::around(problem);
  const std::vector<double> rest(problem.v_free.size());
  double most = 0;
  for (const char* solver : kPyramidSolvers) {
    const TimedSolve solve = coldSolve(solver, problem);
    const double velocity = largestDifference(solve.solution.v, rest) / kFall;
    most = std::max(most, solve.certified ? velocity : 1.0);
    if (!impulses) continue;
    std::vector<std::string> row{solver};
    for (const int contact : hexagon)
      row.push_back(fmt::format("{:.4f}", solve.solution.p[problem.J.firstRow(contact)] / kFall));
    row.push_back(fmt::format("{:.0e}", velocity));
    impulses->rows.push_back(row);
  }
  return most;
}

Series segment(const PyramidLcp& lcp, const Pair& pair, double mu) {
  Series series{fmt::format("mu {:g}", mu), {}, {}};
  for (int k = 0; k <= 40; ++k) {
    series.x.push_back(k / 40.0);
    series.y.push_back(lcp.residual(between(pair, k / 40.0)));
  }
  return series;
}

// All that is measured for one coefficient of friction.
struct Finding {
  double mu;
  Pair pair;
  double first, second, average;  ///< residuals of the linear complementarity problem
  double by_impulses;             ///< residual of the certificate, average of the impulses
  double velocity;                ///< at rest
};

Finding measure(const ContactProblem& problem, double mu, Table& impulses, Plot& plot) {
  const PyramidLcp lcp(problem, PyramidLcp::around(problem));
  const Pair pair = findPair(problem);
  plot.series.push_back(segment(lcp, pair, mu));
  return {mu,
          pair,
          lcp.residual(pair.first),
          lcp.residual(pair.second),
          lcp.residual(between(pair, 0.5)),
          certifiedResidual(problem, between(pair, 0.5)),
          largestVelocity(problem, mu == kShownFriction ? &impulses : nullptr)};
}

void check(Checks& checks, const Finding& f) {
  const std::string where = fmt::format("mu {:g}: ", f.mu);
  checks.expect(f.pair.found, where + "Lemke's method does not find both solutions");
  checks.expect(std::max(f.first, f.second) <= kZero, where + "one of the two is no solution");
  checks.expect(std::abs(f.average - f.mu / 6) <= kZero,
                where + fmt::format("the average has the residual {:.3g}", f.average));
  checks.expect(f.velocity <= kSamePyramidVelocity,
                where + fmt::format("a solver has the velocity {:.1e} g h", f.velocity));
  checks.expect(f.by_impulses <= kCertified, where + "the average of the impulses is refused");
}

void addRow(Outcome& outcome, Table& table, const Finding& f) {
  outcome.rows.push_back({{"mu", f.mu},
                          {"solution_1_residual", f.first},
                          {"solution_2_residual", f.second},
                          {"average_residual", f.average},
                          {"average_impulses_residual", f.by_impulses},
                          {"velocity_max", f.velocity},
                          {"lemke_solutions", f.pair.distinct}});
  table.rows.push_back({fmt::format("{:g}", f.mu), fmt::format("{:.0e}", f.first),
                        fmt::format("{:.0e}", f.second), fmt::format("{:.3g}", f.average),
                        fmt::format("{:.3g}", f.mu / 6), fmt::format("{:.0e}", f.by_impulses),
                        fmt::format("{:.0e}", f.velocity), fmt::format("{}", f.pair.distinct)});
}

}  // namespace

Outcome reproducePyramid(const Effort& effort) {
  Outcome outcome;
  Checks checks;
  Table table{
      "Residual |min(z, N z + q)| / |q| of (2.7)-(2.8) at both solutions and at their "
      "average, and of the certificate at the average of the impulses",
      {"mu", "solution 1", "solution 2", "average", "mu / 6", "impulses only", "|v| / g h",
       "solutions of DenseLemke"},
      {}};
  Table impulses{
      "Normal impulses / h m g of the six corners by solver, mu 0.1: all are right, and "
      "give the same velocity",
      {"solver", "1", "2", "3", "4", "5", "6", "|v| / g h"},
      {}};
  Plot plot{"From one solution to the other: residual of the points between them",
            {"s"},
            {"residual of (1 - s) z1 + s z2"},
            {}};
  for (const double mu : effort.quick
                             ? std::vector{0.0, 0.001, kShownFriction, 0.5}
                             : std::vector{0.0, 0.001, 0.01, kShownFriction, 0.3, 0.5, 1.0}) {
    // A scene without friction has no tangents, and the paper's problem has.
    ContactProblem problem = pyramidProblem(mu > 0 ? mu : kShownFriction);
    problem.sets.changeAll([&](ImpulseSet& set) { set.mu = set.mu_2 = mu; });
    const Finding finding = measure(problem, mu, impulses, plot);
    check(checks, finding);
    addRow(outcome, table, finding);
  }
  checks.decide(
      outcome, Verdict::agrees,
      "For every mu > 0 the average of two solutions that Lemke's method finds violates mu "
      "c_n "
      "lambda = 0, its residual being mu / 6, and without friction it does not; the velocity at "
      "rest is 0 for all solvers. What is not convex are the multipliers lambda: impulses and "
      "velocity alone are right at the average, too.");
  outcome.parameters = {{"scene", "scenes/papers/pyramid.json"},
                        {"chosen", "all: corners at radius 1, height 1, m 1, h 0.05, g 9.81"},
                        {"orders", "Lemke's method has the corners in all 720 orders"}};
  outcome.blocks = {table, impulses, plot};
  return outcome;
}

}  // namespace stickslip
