// [ST00] Figures 7-8 and Table 1: four balls in space. Errors of velocity and position fall roughly
// with the first power of h, and the variation of the velocity stays bounded, which is what the
// convergence proof rests on. The paper does not give the positions, sizes and velocities of its
// balls, so its numbers are beside ours for their course, not for their values.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "convergence/step_study.hpp"
#include "papers/experiments.hpp"

namespace stickslip {
namespace {

constexpr double kBallReference = 16;
constexpr std::size_t kBalls = 4;

struct BallErrors {
  double h, velocity, position, variation;
};
// Table 1; the last row has no errors there, since it is the reference.
constexpr std::array<BallErrors, 5> kBallTable = {{{0.02, 0.5050, 0.2505, 19.4046},
                                                   {0.01, 0.3523, 0.2015, 19.1728},
                                                   {0.005, 0.1657, 0.0838, 19.1702},
                                                   {0.0025, 0.0700, 0.0298, 19.0862},
                                                   {0.00125, 0, 0, 19.0690}}};

Scene ballScene(double step) {
  return paperScene("four-balls", {fmt::format("time.step={:.17g}", step)});
}

// Paths of the centres, seen along an axis. A body's row is its centre and its quaternion.
Plot paths(const Trajectory& motion, std::size_t across, std::size_t up, std::string caption) {
  constexpr std::array<const char*, 3> kAxes = {"x [m]", "y [m]", "z [m]"};
  Plot plot{std::move(caption), {kAxes[across]}, {kAxes[up]}, {}, true};
  const std::size_t numbers = motion.positions / kBalls;
  for (std::size_t ball = 0; ball < kBalls; ++ball)
    plot.series.push_back({fmt::format("ball {}", ball + 1),
                           motion.positionsOf(ball * numbers + across),
                           motion.positionsOf(ball * numbers + up), false, false});
  return plot;
}

double paperRate(double BallErrors::*error) {
  std::vector<double> steps, errors;
  for (const BallErrors& row : kBallTable) {
    steps.push_back(row.h);
    errors.push_back(row.*error);
  }
  return fittedRate(steps, errors);
}

Table besideThePaper(const StepStudy& study) {
  Table table{"Table 1, ours and the paper's (other balls: compare the course, not the values)",
              {"h", "velocity error", "paper", "position error", "paper", "variation", "paper"},
              {}};
  for (std::size_t k = 0; k < study.rows.size(); ++k) {
    const ConvergenceRow& ours = study.rows[k];
    const BallErrors& paper = kBallTable[k];
    const auto number = [](double value) {
      return value > 0 ? fmt::format("{:.4f}", value) : std::string();
    };
    table.rows.push_back({fmt::format("{:g}", ours.step), number(ours.velocity_error),
                          number(paper.velocity), number(ours.position_error),
                          number(paper.position), number(ours.variation), number(paper.variation)});
  }
  return table;
}

}  // namespace

Outcome reproduceFourBalls(const Effort& effort) {
  std::vector<double> steps;
  steps.reserve(kBallTable.size());
  for (const BallErrors& row : kBallTable) steps.push_back(row.h);
  if (effort.quick) steps.resize(4);
  sayProgress(fmt::format("four-balls: {} step sizes", steps.size()));
  const StepStudy study =
      studySteps(ballScene, steps, steps.back() / (effort.quick ? 4 : kBallReference));

  Outcome outcome;
  outcome.rows = rowsOf(study);
  double least = study.rows.front().variation, most = least;
  for (std::size_t k = 0; k < steps.size(); ++k) {
    outcome.rows[k]["paper"] = {
        {"velocity_error", kBallTable[k].velocity > 0 ? Json(kBallTable[k].velocity) : Json()},
        {"position_error", kBallTable[k].position > 0 ? Json(kBallTable[k].position) : Json()},
        {"velocity_variation", kBallTable[k].variation}};
    least = std::min(least, study.rows[k].variation);
    most = std::max(most, study.rows[k].variation);
  }
  Checks checks;
  checks.expect(study.uncertifiedSteps() == 0, "steps are not certified");
  checks.expect(study.velocity_rate > 0.7 && study.position_rate > 0.7,
                fmt::format("errors fall with orders {:.2f} and {:.2f}", study.velocity_rate,
                            study.position_rate));
  checks.expect(most <= 1.3 * least, fmt::format("variations from {:.2f} to {:.2f}", least, most));
  checks.decide(
      outcome, Verdict::agrees_in_kind,
      fmt::format("Errors fall with orders {:.2f} (velocity) and {:.2f} (position), the paper's "
                  "with {:.2f} and {:.2f}; the variation stays between {:.2f} and {:.2f}.",
                  study.velocity_rate, study.position_rate, paperRate(&BallErrors::velocity),
                  paperRate(&BallErrors::position), least, most));
  outcome.parameters = {
      {"scene", "scenes/papers/four-balls.json"},
      {"chosen", "all: balls of radius 0.5 and mass 1, mu 0.2; one falls on three that stand"},
      {"scheme", "stewart-trinkle with eight directions of friction"},
      {"reference", fmt::format("h = {:g}", study.reference.step)},
      {"norms", "largest of all coordinates; velocities in the mean over time"}};
  outcome.blocks = {
      besideThePaper(study),
      errorTable({&study, 1}, fmt::format("Rates, against h = {:g}", study.reference.step)),
      paths(study.runs[1].motion, 0, 2, "Figure 7: elevation, paths of the centres for h = 0.01"),
      paths(study.runs[1].motion, 0, 1, "Figure 8: plan"),
      errorPlot({&study, 1}, "Errors over the step size")};
  return outcome;
}

}  // namespace stickslip
