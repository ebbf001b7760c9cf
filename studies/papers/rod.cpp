// [ST00] Figures 4-6: a rod with rounded ends falls on a table while it spins. The curves of
// vertical and angular velocity for several h lie on each other, without chattering, and converge
// with order one.
//
// Chattering is a velocity that jumps to and fro in successive steps; it would show as a variation
// that grows as h shrinks.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "convergence/step_study.hpp"
#include "papers/experiments.hpp"
#include "stickslip/elementary.hpp"

namespace stickslip {
namespace {

constexpr double kFinerReference = 16;

Scene rodScene(double step) {
  return paperScene("rod", {fmt::format("time.step={:.17g}", step)});
}

// Pairs of successive changes of opposite sign, both larger than free flight makes in five steps.
std::int64_t reversals(const Trajectory& motion, std::size_t coordinate, double step) {
  std::int64_t count = 0;
  double before = 0;
  for (std::size_t k = 1; k < motion.count(); ++k) {
    const double change = motion.velocity(k, coordinate) - motion.velocity(k - 1, coordinate);
    if (change * before < 0 && std::min(std::abs(change), std::abs(before)) > 5 * kGravity * step)
      ++count;
    before = change;
  }
  return count;
}

Plot velocityPlot(const StepStudy& study, std::size_t coordinate, std::string caption,
                  std::string label) {
  Plot plot{std::move(caption), {"t [s]"}, {std::move(label)}, {}, false};
  for (const StudyRun& run : study.runs)
    plot.series.push_back({fmt::format("h = {:g}", run.step), run.motion.times,
                           run.motion.velocitiesOf(coordinate), false, false});
  return plot;
}

Outline capsuleAt(double x, double y, double angle) {
  constexpr double kHalf = 0.45, kRadius = 0.05;
  constexpr int kPoints = 8;
  Outline outline;
  for (int k = 0; k <= 2 * kPoints + 1; ++k) {
    const int side = k <= kPoints ? 1 : -1;
    const double turn = angle + M_PI * (k <= kPoints ? k : k - 1) / kPoints - M_PI / 2;
    outline.x.push_back(x + side * kHalf * math::cos(angle) + kRadius * math::cos(turn));
    outline.y.push_back(y + side * kHalf * math::sin(angle) + kRadius * math::sin(turn));
  }
  return outline;
}

// Figure 4: where the rod is now and then.
Picture fallingRod(const StudyRun& run) {
  PictureFrame frame;
  const std::size_t stride = std::max<std::size_t>(1, static_cast<std::size_t>(0.05 / run.step));
  for (std::size_t k = 0; k < run.motion.count(); k += stride) {
    frame.outlines.push_back(
        capsuleAt(run.motion.position(k, 0), run.motion.position(k, 1), run.motion.position(k, 2)));
    frame.outlines.back().tone = k == 0 ? 3 : 0;
  }
  frame.outlines.push_back({{-3, 3}, {0, 0}, false, 0});
  return {
      fmt::format("Figure 4: falling and spinning rod every 0.05 s, h = {:g} (the start in green)",
                  run.step),
      -1.2,
      1.8,
      -0.1,
      1.5,
      {frame}};
}

}  // namespace

Outcome reproduceRod(const Effort& effort) {
  std::vector<double> steps = {0.02, 0.01, 0.005, 0.0025, 0.00125};
  if (effort.quick) steps.resize(4);
  sayProgress(fmt::format("rod: {} step sizes", steps.size()));
  const StepStudy study = studySteps(rodScene, steps, steps.back() / kFinerReference);

  Outcome outcome;
  outcome.rows = rowsOf(study);
  Checks checks;
  double least = study.rows.front().variation, most = least;
  std::int64_t most_reversals = 0;
  for (std::size_t k = 0; k < steps.size(); ++k) {
    const std::int64_t count =
        reversals(study.runs[k].motion, 1, steps[k]) + reversals(study.runs[k].motion, 2, steps[k]);
    outcome.rows[k]["reversals"] = count;
    most_reversals = std::max(most_reversals, count);
    least = std::min(least, study.rows[k].variation);
    most = std::max(most, study.rows[k].variation);
  }
  checks.expect(study.uncertifiedSteps() == 0, "steps are not certified");
  checks.expect(study.velocity_rate > 0.7 && study.position_rate > 0.7,
                fmt::format("errors fall with orders {:.2f} and {:.2f}", study.velocity_rate,
                            study.position_rate));
  checks.expect(most_reversals <= 2,
                fmt::format("velocities jump to and fro {} times", most_reversals));
  checks.expect(most <= 1.1 * least, fmt::format("variations from {:.2f} to {:.2f}", least, most));
  checks.decide(
      outcome, Verdict::agrees_in_kind,
      fmt::format("The curves lie on each other; no chattering (variation {:.2f} to {:.2f} for "
                  "all h); errors fall with orders {:.2f} (velocity) and {:.2f} (position).",
                  least, most, study.velocity_rate, study.position_rate));
  outcome.parameters = {
      {"scene", "scenes/papers/rod.json"},
      {"chosen",
       "all: mass 1, length 1 with ends of radius 0.05, inertia 0.09, mu 0.6, from "
       "height 1 at 30 degrees with 4 rad/s"},
      {"scheme", "stewart-trinkle: [ST00] (3) with geometry at the end of the step"},
      {"reference", fmt::format("h = {:g}", study.reference.step)}};
  outcome.blocks = {
      errorTable(
          {&study, 1},
          fmt::format("Errors against h = {:g}: velocity in the mean over time, position at most",
                      study.reference.step)),
      fallingRod(study.runs[1]),
      velocityPlot(study, 1, "Figure 5: vertical velocity for different h",
                   "vertical velocity [m/s]"),
      velocityPlot(study, 2, "Figure 6: angular velocity for different h",
                   "angular velocity [rad/s]"),
      errorPlot({&study, 1}, "Errors over the step size")};
  return outcome;
}

}  // namespace stickslip
