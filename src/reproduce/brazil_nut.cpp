// 001 section 10.2 and 004 example 4: a large disk that starts at the bottom of a box with small
// ones rises to the top when the bottom is shaken, in 30 to 50 shakes. Both papers take one convex
// problem a step of 0.1 s, with gaps linearized: 001 the QP (5.3) without restitution, 004 its
// algorithm LCP3 with e = 0.5, which solves the same problem. Neither gives the width of the box,
// how the bottom moves, or where the disks start. Runs from other arrangements (seeds) show how far
// the number depends on that.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "reproduce/experiments.hpp"
#include "reproduce/shaken_disks.hpp"

namespace stickslip {
namespace {

struct NutExperiment {
  std::string_view scene;
  std::string_view paper;  ///< what it says about the number
  double fewest, most;     ///< the median of all runs is to be within
  std::string_view chosen;
  std::string_view given;
};

constexpr NutExperiment k201 = {
    "brazil-nut-201",
    "comparable with 30 to 50",
    30,
    50,
    "radii 5 and 1.5 as in 004, density 1, gravity 9.81, a box 60 wide, the bottom's way 5 sin at "
    "0.4 Hz, active set (5.2): gaps up to 3, start; and the runs end when the disk is at the top",
    "201 disks, h = 0.1 s, mu 0.5, no restitution, hard walls"};
constexpr NutExperiment k270 = {
    "brazil-nut-270",
    "about 50",
    35,
    70,
    "density 1, gravity 9.81, a box 60 wide, the bottom's way 4 sin at 0.5 Hz, active set: gaps up "
    "to 3, start; and the runs end when the disk is at the top",
    "one disk of radius 5 and 269 of radius 1.5, h = 0.1 s, mu 0.5, restitution 0.5, hard walls, a "
    "bottom that moves up and down"};

constexpr std::array<int, 3> kSeeds = {3, 13, 23};  // of the disks above; the scene has the first
constexpr int kMostShakes = 75;
constexpr int kQuickShakes = 2;
constexpr double kHalfWidth = 30, kPictureHeight = 60;
// Disks that overlap by more have passed through each other rather than shaken.
constexpr double kSmallRadius = 1.5, kDeepest = 0.5 * kSmallRadius;

ShakenDisks shakeArrangement(const NutExperiment& nut, int seed, int most_shakes) {
  sayProgress(fmt::format("{}: arrangement {}", nut.scene, seed));
  return shakeToTop(paperScene(nut.scene, {fmt::format("system.instances.2.seed={}", seed)}),
                    most_shakes);
}

Plot heightOverShakes(std::span<const ShakenDisks> runs) {
  Plot plot{
      "Height of the large disk's centre above the bottom", {"shakes"}, {"height"}, {}, false};
  for (std::size_t k = 0; k < runs.size(); ++k) {
    Series series{fmt::format("arrangement {}", kSeeds[k]), {}, {}, false, false};
    for (const ShakeEnd& end : runs[k].ends) {
      series.x.push_back(end.shake);
      series.y.push_back(end.height);
    }
    plot.series.push_back(series);
  }
  return plot;
}

Table shakeTable(std::span<const ShakenDisks> runs, std::string_view paper) {
  Table table{"Shakes until nothing lies above the large disk",
              {"arrangement", "shakes to top", "paper", "deepest overlap"},
              {}};
  for (std::size_t k = 0; k < runs.size(); ++k)
    table.rows.push_back(
        {fmt::format("{}", kSeeds[k]),
         runs[k].shakes_to_top ? fmt::format("{}", *runs[k].shakes_to_top) : "not reached",
         std::string(paper), fmt::format("{:.2f}", runs[k].deepest_overlap)});
  return table;
}

void expectSound(const ShakenDisks& run, Checks& checks) {
  checks.expect(run.uncertified_steps == 0,
                fmt::format("{} steps are not certified", run.uncertified_steps));
  checks.expect(run.deepest_overlap <= kDeepest,
                fmt::format("disks overlap by {:.2f}", run.deepest_overlap));
}

// Whether all runs get to the top, and in how many shakes the middle one does.
void judge(std::span<const ShakenDisks> runs, const NutExperiment& nut, Outcome& outcome) {
  Checks checks;
  std::vector<int> shakes;
  for (const ShakenDisks& run : runs) {
    expectSound(run, checks);
    checks.expect(run.shakes_to_top.has_value(),
                  fmt::format("not at the top after {} shakes", kMostShakes));
    shakes.push_back(run.shakes_to_top.value_or(kMostShakes));
  }
  std::sort(shakes.begin(), shakes.end());
  const int median = shakes[shakes.size() / 2];
  checks.expect(median >= nut.fewest && median <= nut.most,
                fmt::format("{} shakes, the paper has {}", median, nut.paper));
  checks.decide(outcome, fmt::format("The large disk reaches the top after {} to {} shakes, from "
                                     "{} arrangements; the paper: {}.",
                                     shakes.front(), shakes.back(), shakes.size(), nut.paper));
}

// A few shakes say nothing about the top, only that the steps are solved.
void judgeQuickly(const ShakenDisks& run, Outcome& outcome) {
  Checks checks;
  expectSound(run, checks);
  checks.decide(outcome, "");
  if (outcome.verdict != Verdict::agrees) return;
  outcome.verdict = Verdict::open;
  outcome.why = fmt::format(
      "{} shakes only: all steps are certified, but where the large disk gets "
      "to is not seen without the full run.",
      kQuickShakes);
}

Outcome reproduceNut(const NutExperiment& nut, const Effort& effort) {
  std::vector<ShakenDisks> runs;
  for (const int seed : kSeeds) {
    if (effort.quick && !runs.empty()) break;
    runs.push_back(shakeArrangement(nut, seed, effort.quick ? kQuickShakes : kMostShakes));
  }
  Outcome outcome;
  for (std::size_t k = 0; k < runs.size(); ++k) {
    const std::optional<int>& shakes = runs[k].shakes_to_top;
    outcome.rows.push_back({{"arrangement", kSeeds[k]},
                            {"shakes_to_top", shakes ? Json(*shakes) : Json()},
                            {"shakes", runs[k].ends.back().shake},
                            {"height", runs[k].ends.back().height},
                            {"deepest_overlap", runs[k].deepest_overlap},
                            {"paper", nut.paper}});
  }
  if (effort.quick)
    judgeQuickly(runs.front(), outcome);
  else
    judge(runs, nut, outcome);
  outcome.parameters = {{"scene", fmt::format("scenes/papers/{}.json", nut.scene)},
                        {"given", nut.given},
                        {"chosen", nut.chosen},
                        {"scheme", "anitescu: one convex problem a step"},
                        {"top", "nothing above within its width at the ends of three shakes"}};
  outcome.blocks = {shakeTable(runs, nut.paper),
                    fourFrames(runs.front(), kHalfWidth, kPictureHeight,
                               fmt::format("Four frames, arrangement {}", kSeeds.front())),
                    heightOverShakes(runs)};
  return outcome;
}

}  // namespace

Outcome reproduceBrazilNut201(const Effort& effort) {
  return reproduceNut(k201, effort);
}

Outcome reproduceBrazilNut270(const Effort& effort) {
  return reproduceNut(k270, effort);
}

}  // namespace stickslip
