// [GS05] section 4, Table I, Figures 4-6: the woodpecker toy hammers down its pole. From the start
// of Table I the motion is to settle in a limit cycle, of which the figures show the angles and
// angular velocities of bird and sleeve over time and in the phase plane.
//
// The text gives no numbers of the cycle but one: the start of Table I, printed to four digits,
// which is a point of it. The cycle found here must come back to it: where phi_S falls through its
// value of Table I, the other five numbers are to be those of the table, to the share of their
// range that is printed or lost by steps of finite length. Beside that the cycle must repeat
// itself, and must not depend on the step.
#include <fmt/format.h>

#include <array>
#include <cmath>

#include "papers/experiments.hpp"
#include "papers/limit_cycle.hpp"

namespace stickslip {
namespace {

constexpr double kSettled = 1.5;    // the cycle is measured from here on [s]
constexpr double kShownTime = 0.5;  // shown in the figures from the start [s]
constexpr double kFigureInterval = 2e-4, kCycleInterval = 5e-5;  // between points [s]
// Shares of a quantity's range: of cycles from each other, of the cycle from Table I, and of cycles
// with longer steps.
constexpr double kRepeats = 0.01, kMeetsTable = 0.02, kIndependent = 0.03;
constexpr double kFineStep = 1e-5;

constexpr std::array<const char*, 6> kQuantityNames = {"y", "phi_M",   "phi_S",
                                                       "v", "omega_M", "omega_S"};

FinishedMotion hammer(double step, double end) {
  sayProgress(fmt::format("woodpecker: h = {:g}, {:g} s", step, end));
  return runAndKeep(paperScene("woodpecker", {fmt::format("time.step={:.17g}", step),
                                              fmt::format("time.end={:.17g}", end)}));
}

// Quantity k of kQuantityNames.
double quantity(const Trajectory& motion, std::size_t step, std::size_t k) {
  return k < 3 ? motion.position(step, k) : motion.velocity(step, k - 3);
}

// Which steps a figure shows.
struct Span {
  double from, to, interval;
};

// Quantity y over x; x = kQuantityNames.size() is the time.
Series thinned(const Trajectory& motion, const Span& span, std::size_t x, std::size_t y,
               std::string name) {
  Series series{std::move(name), {}, {}, false, false};
  double next = span.from;
  for (std::size_t step = 0; step < motion.count(); ++step) {
    const double t = motion.times[step];
    if (t < next || t > span.to) continue;
    next = t + span.interval;
    series.x.push_back(x == kQuantityNames.size() ? t : quantity(motion, step, x));
    series.y.push_back(quantity(motion, step, y));
  }
  return series;
}

Plot history(const Trajectory& motion, std::size_t k, std::string caption, std::string label) {
  Plot plot{std::move(caption), {"t [s]"}, {std::move(label)}, {}, false};
  plot.series = {thinned(motion, {0, kShownTime, kFigureInterval}, kQuantityNames.size(), k, "")};
  return plot;
}

// The last cycle, and the start.
Plot phasePlane(const Trajectory& motion, double period, std::size_t angle, std::string caption,
                std::string label) {
  Plot plot{std::move(caption), {label + " [rad]"}, {"d/dt " + label + " [rad/s]"}, {}, false};
  const double end = motion.times.back();
  plot.series = {
      thinned(motion, {end - period, end, kCycleInterval}, angle, angle + 3, "limit cycle"),
      {"start of Table I",
       {quantity(motion, 0, angle)},
       {quantity(motion, 0, angle + 3)},
       true,
       false}};
  return plot;
}

Json rowOf(const LimitCycle& cycle, double step) {
  Json row = {{"h", step}, {"period", cycle.period}, {"drop", cycle.drop}};
  for (std::size_t k = 1; k < kQuantityNames.size(); ++k)
    row[kQuantityNames[k]] = {cycle.ranges[k].least, cycle.ranges[k].most};
  row["spread"] = cycle.spread;
  return row;
}

Table cycleTable(std::span<const LimitCycle> cycles, std::span<const double> steps) {
  Table table{
      "The limit cycle: ranges of angles [rad] and velocities",
      {"h [s]", "period [s]", "drop [mm]", "phi_M", "phi_S", "v [m/s]", "omega_M", "omega_S"},
      {}};
  for (std::size_t i = 0; i < cycles.size(); ++i) {
    std::vector<std::string> row = {fmt::format("{:g}", steps[i]),
                                    fmt::format("{:.5f}", cycles[i].period),
                                    fmt::format("{:.3f}", 1e3 * cycles[i].drop)};
    for (std::size_t k = 1; k < kQuantityNames.size(); ++k)
      row.push_back(
          fmt::format("{:.4g} to {:.4g}", cycles[i].ranges[k].least, cycles[i].ranges[k].most));
    table.rows.push_back(std::move(row));
  }
  return table;
}

// Where the cycle passes the start of Table I.
Table returnTable(const LimitCycle& cycle, const Trajectory& motion, Checks& checks) {
  Table table{"Where phi_S falls through its value of Table I",
              {"", "Table I", "cycle", "off by, of the range"},
              {}};
  for (std::size_t k = 1; k < kQuantityNames.size(); ++k) {
    const double start = quantity(motion, 0, k);
    const double off = std::abs(cycle.section[k] - start) / cycle.ranges[k].width();
    table.rows.push_back({kQuantityNames[k], fmt::format("{:.4f}", start),
                          fmt::format("{:.4f}", cycle.section[k]), fmt::format("{:.4f}", off)});
    checks.expect(off <= kMeetsTable, fmt::format("the cycle passes Table I with {} = {:.4f}, not "
                                                  "{:.4f}",
                                                  kQuantityNames[k], cycle.section[k], start));
  }
  return table;
}

// How far two cycles differ, as the largest share of a range.
double apart(const LimitCycle& a, const LimitCycle& b) {
  double most = std::max(std::abs(a.period / b.period - 1), std::abs(a.drop / b.drop - 1));
  for (std::size_t k = 1; k < kQuantityNames.size(); ++k)
    most = std::max({most, std::abs(a.ranges[k].least - b.ranges[k].least) / b.ranges[k].width(),
                     std::abs(a.ranges[k].most - b.ranges[k].most) / b.ranges[k].width()});
  return most;
}

}  // namespace

Outcome reproduceWoodpecker(const Effort& effort) {
  const std::array<double, 2> steps = {effort.quick ? 4 * kFineStep : kFineStep, 8 * kFineStep};
  const double end = effort.quick ? 2.0 : 3.0;
  std::vector<LimitCycle> cycles;
  const FinishedMotion fine = hammer(steps[0], end);
  const FinishedMotion coarse = hammer(steps[1], end);
  Outcome outcome;
  Checks checks;
  for (const FinishedMotion* run : {&fine, &coarse}) {
    const std::size_t i = cycles.size();
    cycles.push_back(measureCycle(run->motion, kSettled, 2));
    outcome.rows.push_back(rowOf(cycles[i], steps[i]));
    checks.expect(run->summary.certified(),
                  fmt::format("h = {:g}: steps are not certified", steps[i]));
  }
  // Only of the finer one: impacts are placed to a step, so that cycles of longer steps scatter
  // more.
  checks.expect(
      cycles[0].count >= 2 && cycles[0].spread <= kRepeats,
      fmt::format("{} cycles differ by {:.3f} of their ranges", cycles[0].count, cycles[0].spread));
  const Table returns = returnTable(cycles[0], fine.motion, checks);
  checks.expect(apart(cycles[1], cycles[0]) <= kIndependent,
                fmt::format("cycles of h = {:g} and {:g} differ by {:.3f}", steps[0], steps[1],
                            apart(cycles[1], cycles[0])));
  checks.decide(outcome, Verdict::agrees,
                fmt::format("A limit cycle of {:.4f} s in which the bird drops by {:.2f} mm; it "
                            "passes through the start of Table I, the numbers that the text has of "
                            "Figures 4-6.",
                            cycles[0].period, 1e3 * cycles[0].drop));
  outcome.parameters = {{"scene", "scenes/woodpecker.json"},
                        {"given", "all of Table I"},
                        {"chosen", "steps, and 1.5 s to settle"},
                        {"scheme", "glocker-studer: midpoint rule (17) and LCP (33)"}};
  outcome.blocks = {
      cycleTable(cycles, steps),
      returns,
      history(fine.motion, 2, "Figure 4: angle of the woodpecker", "phi_S [rad]"),
      history(fine.motion, 5, "Figure 4: its angular velocity", "omega_S [rad/s]"),
      history(fine.motion, 1, "Figure 5: angle of the sleeve", "phi_M [rad]"),
      history(fine.motion, 4, "Figure 5: its angular velocity", "omega_M [rad/s]"),
      phasePlane(fine.motion, cycles[0].period, 2, "Figure 6: limit cycle of the woodpecker",
                 "phi_S"),
      phasePlane(fine.motion, cycles[0].period, 1, "Figure 6: limit cycle of the sleeve", "phi_M")};
  return outcome;
}

}  // namespace stickslip
