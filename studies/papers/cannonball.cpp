// [AH04] Figures 2 and 3, Table 1: piles of disks at rest, n at the bottom and one less in every
// row above, and the algorithms LCP0 (the whole problem), LCP1, LCP2 (fixed points), LCP3 (one
// convex problem).
//
// LCP3 lifts a loaded contact that slides by mu |u_t|, which is what it leaves of Coulomb's law:
// the last column of Table 1. LCP0's problem, (2.7)-(2.8), is solved by `auto`, which takes other
// ways where Lemke's method gives up; that method alone is beside it.
//
// The paper gives no moment of inertia. Disks have m r^2/2 = 4.5; numbers close to those of Table 1
// come out with 0.5, that of a disk of radius 1, which is shown beside them.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "math/blocks/block_products.hpp"
#include "papers/experiments.hpp"
#include "papers/pile_simulation.hpp"
#include "papers/timed_solve.hpp"

namespace stickslip {
namespace {

// The paper's largest error of LCP3 where nothing slides.
constexpr double kNoError = 1e-8;
// What is clearly none, in terms of the velocity g h that a free disk gets in a step.
constexpr double kClearError = 0.02 * 9.81 * 0.05;
constexpr double kMostFrictionWithError = 0.4, kLeastFrictionWithout = 0.6;
// Velocities of solvers that solve the same problem, relative to g h.
constexpr double kSameVelocity = 1e-6 * 9.81 * 0.05;
constexpr double kSmallInertia = 0.5;

struct SolverTimes {
  double mu;
  const char *lcp0, *lcp3, *error;
};
constexpr SolverTimes kCannonballTable[] = {{0.1, "29.76", "34.42", "0.06"},
                                            {0.2, "gave up", "36.28", "0.12"},
                                            {0.4, "gave up", "24.03", "0.07"},
                                            {0.6, "gave up", "20.40", "1e-8"},
                                            {0.8, "gave up", "14.52", "8e-11"}};

// One pile's first step.
struct PileStep {
  int disks, contacts;
  double mu;
  TimedSolve lcp0, lcp1, lcp2, lcp3;
  TimedSolve lemke;  ///< alone, on the problem of LCP0
  double lcp3_error, lcp3_error_small_inertia;
};

// Largest mu |u_t| of a contact that carries load, which is more than rounding of the largest.
double slidingError(const ContactProblem& problem, const ContactSolution& solution) {
  std::vector<double> u(problem.b.size());
  multiply(problem.J, solution.v, u);
  addScaled(1, problem.b, u);
  double largest = 0, error = 0;
  for (int i = 0; i < problem.contactCount(); ++i)
    largest = std::max(largest, solution.p[problem.J.firstRow(i)]);
  for (int i = 0; i < problem.contactCount(); ++i) {
    const std::size_t row = problem.J.firstRow(i);
    if (solution.p[row] > 1e-9 * largest)
      error = std::max(error, problem.sets[i].mu * std::abs(u[row + 1]));
  }
  return error;
}

double lcp3Error(int bottom, double mu, double inertia) {
  const ContactProblem problem = firstProblem(pileScene(bottom, mu, inertia));
  return slidingError(problem, coldSolve("one-step", problem).solution);
}

PileStep firstStep(int bottom, double mu) {
  sayProgress(fmt::format("cannonball: {} disks, mu {}", bottom * (bottom + 1) / 2, mu));
  const ContactProblem problem = firstProblem(pileScene(bottom, mu));
  PileStep out{bottom * (bottom + 1) / 2,
               problem.contactCount(),
               mu,
               coldSolve("auto", problem),
               coldSolve("fixed-point-1", problem),
               coldSolve("fixed-point-2", problem),
               coldSolve("one-step", problem),
               coldSolve("lemke", problem),
               0,
               lcp3Error(bottom, mu, kSmallInertia)};
  out.lcp3_error = slidingError(problem, out.lcp3.solution);
  return out;
}

std::string statusOf(const TimedSolve& solve) {
  return std::string(toString(solve.report.status));
}

Json secondsIfSolved(const TimedSolve& solve) {
  return solve.certified ? Json(solve.seconds) : Json();
}

Json pileRow(const PileStep& step) {
  return {{"disks", step.disks},
          {"mu", step.mu},
          {"contacts", step.contacts},
          {"lcp0_status", statusOf(step.lcp0)},
          {"lcp0_residual", step.lcp0.certificate.worstResidual()},
          {"lcp0_seconds", step.lcp0.seconds},
          {"lcp3_seconds", step.lcp3.seconds},
          {"lcp3_error_max", step.lcp3_error},
          {"lcp3_error_max_inertia_0.5", step.lcp3_error_small_inertia},
          {"lcp1_seconds", secondsIfSolved(step.lcp1)},
          {"lcp2_seconds", secondsIfSolved(step.lcp2)},
          {"lemke_status", statusOf(step.lemke)},
          {"lemke_pivots", step.lemke.report.iterations},
          {"lemke_seconds", step.lemke.seconds}};
}

std::string secondsOf(const TimedSolve& solve) {
  return solve.certified ? fmt::format("{:.4f}", solve.seconds) : "gave up";
}

Table firstStepTable(std::span<const PileStep> steps) {
  Table table{
      "First step from rest: seconds of LCP0 (by `auto`) ... LCP3, and of Lemke's method "
      "alone; "
      "LCP1 and LCP2 need not converge unless friction is small",
      {"disks", "mu", "contacts", "LCP0", "residual", "LCP1", "LCP2", "LCP3", "DenseLemke",
       "pivots"},
      {}};
  for (const PileStep& step : steps)
    table.rows.push_back({fmt::format("{}", step.disks), fmt::format("{:g}", step.mu),
                          fmt::format("{}", step.contacts), secondsOf(step.lcp0),
                          fmt::format("{:.0e}", step.lcp0.certificate.worstResidual()),
                          secondsOf(step.lcp1), secondsOf(step.lcp2),
                          fmt::format("{:.4f}", step.lcp3.seconds), secondsOf(step.lemke),
                          fmt::format("{}", step.lemke.report.iterations)});
  return table;
}

Table table1(std::span<const PileStep> steps, int bottom) {
  Table table{
      fmt::format("Table 1, {} disks: here and in the paper (seconds of 2003, 210 disks); "
                  "error of LCP3: largest mu |u_t| at a loaded contact [m/s]",
                  bottom * (bottom + 1) / 2),
      {"mu", "LCP0 [s]", "paper", "LCP3 [s]", "paper", "LCP3 error", "with inertia 0.5", "paper"},
      {}};
  for (std::size_t k = 0; k < steps.size(); ++k)
    table.rows.push_back({fmt::format("{:g}", steps[k].mu), secondsOf(steps[k].lcp0),
                          kCannonballTable[k].lcp0, fmt::format("{:.4f}", steps[k].lcp3.seconds),
                          kCannonballTable[k].lcp3, fmt::format("{:.2g}", steps[k].lcp3_error),
                          fmt::format("{:.2g}", steps[k].lcp3_error_small_inertia),
                          kCannonballTable[k].error});
  return table;
}

Plot errorPlot(int bottom, double spacing) {
  Plot plot{fmt::format("Error of LCP3 in the first step of {} disks, against friction; marks: the "
                        "paper's Table 1 (210 disks)",
                        bottom * (bottom + 1) / 2),
            {"mu"},
            {"largest mu |u_t| [m/s]"},
            {}};
  for (const double inertia : {kDiskInertia, kSmallInertia}) {
    Series series{fmt::format("inertia {:g}", inertia), {}, {}};
    for (int k = 1; k * spacing < 0.81; ++k) {
      series.x.push_back(k * spacing);
      series.y.push_back(lcp3Error(bottom, k * spacing, inertia));
    }
    plot.series.push_back(series);
  }
  Series paper{"paper", {}, {}, true};
  for (const SolverTimes& row : kCannonballTable) {
    paper.x.push_back(row.mu);
    paper.y.push_back(std::stod(row.error));
  }
  plot.series.push_back(paper);
  return plot;
}

void checkStep(Checks& checks, const PileStep& step) {
  const std::string where = fmt::format("{} disks, mu {:g}: ", step.disks, step.mu);
  checks.expect(step.lcp0.certified,
                where + fmt::format("no solution of LCP0's problem is found, residual {:.1e}",
                                    step.lcp0.certificate.worstResidual()));
  const bool slides = step.mu <= kMostFrictionWithError;
  checks.expect(!slides || step.lcp3_error > kClearError,
                where + fmt::format("LCP3 has an error of only {:.1e}", step.lcp3_error));
  checks.expect(step.mu < kLeastFrictionWithout || step.lcp3_error <= kNoError,
                where + fmt::format("LCP3 has an error of {:.1e}", step.lcp3_error));
}

// What the paper says about small friction: the iterations converge, and to the same velocity.
void checkSmallFriction(Checks& checks, const PileStep& step) {
  for (const TimedSolve* solve : {&step.lemke, &step.lcp1, &step.lcp2}) {
    checks.expect(solve->certified,
                  "21 disks, mu 0.05: one of Lemke's method, LCP1, LCP2 does not converge");
    double difference = 0;
    for (std::size_t k = 0; k < solve->solution.v.size(); ++k)
      difference = std::max(difference, std::abs(solve->solution.v[k] - step.lcp0.solution.v[k]));
    checks.expect(difference <= kSameVelocity,
                  fmt::format("21 disks, mu 0.05: velocities differ by {:.1e}", difference));
  }
}

// The errors of the rows in which something slides, beside those of the paper.
std::string errorsBesideThePaper(std::span<const PileStep> table) {
  std::string ours, small, paper;
  for (std::size_t k = 0; k < table.size() && table[k].mu <= kMostFrictionWithError; ++k) {
    const std::string_view comma = k == 0 ? "" : ", ";
    ours += fmt::format("{}{:.3f}", comma, table[k].lcp3_error);
    small += fmt::format("{}{:.3f}", comma, table[k].lcp3_error_small_inertia);
    paper += fmt::format("{}{}", comma, kCannonballTable[k].error);
  }
  return fmt::format(
      "{} m/s for mu 0.1, 0.2, 0.4, and {} with the inertia 0.5 of a disk of radius 1; the paper, "
      "which gives no inertia and has 210 disks, has {}",
      ours, small, paper);
}

std::string summaryOf(std::span<const PileStep> table) {
  double none = 0;
  std::string gave_up;
  for (const PileStep& step : table) {
    if (!step.lemke.certified)
      gave_up += fmt::format("{}{:g}", gave_up.empty() ? "" : ", ", step.mu);
    if (step.mu >= kLeastFrictionWithout) none = std::max(none, step.lcp3_error);
  }
  const std::string lemke =
      gave_up.empty()
          ? "Lemke's method alone solves all, too"
          : fmt::format("Lemke's method alone gives up for mu {}, as the paper's did from 0.2 on",
                        gave_up);
  return fmt::format(
      "{} disks at rest: LCP0's problem is solved for every mu of Table 1, with a certificate; "
      "{}. The error of LCP3 is {}; from mu 0.6 on it is at most {:.0e}.",
      table.front().disks, lemke, errorsBesideThePaper(table), none);
}

}  // namespace

Outcome reproduceCannonball(const Effort& effort) {
  Outcome outcome;
  Checks checks;
  const int bottom = effort.quick ? 6 : 20;
  std::vector<PileStep> steps{firstStep(6, 0.05)};
  if (!effort.quick) {
    steps.push_back(firstStep(6, 0.2));
    steps.push_back(firstStep(16, 0.2));
  }
  const std::size_t before_table = steps.size();
  for (const SolverTimes& row : kCannonballTable) steps.push_back(firstStep(bottom, row.mu));
  const auto table = std::span(steps).subspan(before_table);

  checkSmallFriction(checks, steps.front());
  for (const PileStep& step : steps) {
    checkStep(checks, step);
    outcome.rows.push_back(pileRow(step));
  }
  checks.expect(table.front().lemke.certified, "Lemke's method gives up for mu 0.1 already");
  outcome.parameters = {
      {"scene", "scenes/papers/cannonball.json"},
      {"radius", 3},
      {"h", 0.05},
      {"chosen",
       "mass 1, moment of inertia m r^2/2, g 9.81 (no number depends on the mass); "
       "seconds are processor time of a solver that starts cold"}};
  outcome.blocks = {table1(table, bottom), firstStepTable(steps),
                    errorPlot(bottom, effort.quick ? 0.2 : 0.05)};
  addPileFigures(effort, checks, outcome);
  checks.decide(outcome, Verdict::agrees_in_kind, summaryOf(table));
  return outcome;
}

}  // namespace stickslip
