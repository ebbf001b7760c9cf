// [AP97] section 4: a ball that bounces with 0 < e < 1 collides infinitely often before it rests,
// at
//
//   t_rest = sqrt(2 H / g) (1 + e) / (1 - e),
//
// and no method that goes from collision to collision gets past that time. If collisions below a
// speed c do not bounce, there are as many of them as v_k = e^k sqrt(2 g H) >= c, and one more:
// their number grows with log(1/c), and the time of rest tends to t_rest.
#include <fmt/format.h>

#include <cmath>
#include <cstdint>

#include "convergence/trajectory.hpp"
#include "papers/experiments.hpp"

namespace stickslip {
namespace {

constexpr double kHeight = 1, kRestitution = 0.5;
// A step changes the velocity by this part of the cut-off: what rests must not be taken for what
// collides.
constexpr double kShareOfCutOff = 0.05;
// 0 would leave it to the scheme.
constexpr double kNoCutOff = 1e-30;
constexpr double kLongestStep = 1e-3;

double restTime() {
  return std::sqrt(2 * kHeight / kGravity) * (1 + kRestitution) / (1 - kRestitution);
}

struct Bounces {
  std::int64_t collisions = 0;
  double rest = 0;  ///< time of the last
};

// By hand: the collisions that bounce, and the one that does not.
Bounces bouncesByHand(double cut_off) {
  double speed = std::sqrt(2 * kGravity * kHeight), time = speed / kGravity;
  std::int64_t count = 1;
  for (; speed >= cut_off; speed *= kRestitution, ++count)
    time += 2 * kRestitution * speed / kGravity;
  return {count, time};
}

struct Seen {
  Bounces bounces;
  FinishedMotion finished;
};

double stepFor(double cut_off) {
  return std::min(kLongestStep, kShareOfCutOff * cut_off / kGravity);
}

Seen bouncesSeen(double cut_off, double step) {
  Seen out;
  out.finished =
      runAndKeep(paperScene("bouncing-ball", {fmt::format("method.rest_speed={:.17g}", cut_off),
                                              fmt::format("time.step={:.17g}", step)}));
  const Trajectory& motion = out.finished.motion;
  out.bounces.collisions = out.finished.summary.collisions;
  std::size_t last = motion.count() - 1;
  while (last > 0 && std::abs(motion.velocity(last - 1, 0)) <= 1e-12) --last;
  out.bounces.rest = motion.times[last];
  return out;
}

// Without a cut-off the ball never rests: the shorter the steps, the more collisions there are.
Table withoutCutOff(const Effort& effort, Outcome& outcome, Checks& checks) {
  Table table{
      "Without a cut-off: collisions within 1.6 s", {"h [s]", "collisions", "comes to rest"}, {}};
  std::int64_t before = 0;
  for (const double step : effort.quick ? std::vector{1e-2, 1e-3} : std::vector{1e-2, 1e-3, 1e-4}) {
    const Seen seen = bouncesSeen(kNoCutOff, step);
    const bool rests = seen.bounces.rest < seen.finished.motion.times.back();
    outcome.rows.push_back({{"rest_speed", 0},
                            {"h", step},
                            {"collisions", seen.bounces.collisions},
                            {"rest_time", rests ? Json(seen.bounces.rest) : Json()}});
    table.rows.push_back({fmt::format("{:g}", step), fmt::format("{}", seen.bounces.collisions),
                          rests ? "yes" : "no"});
    checks.expect(!rests, fmt::format("without a cut-off it rests at {:.4f} s (h = {:g})",
                                      seen.bounces.rest, step));
    checks.expect(
        seen.bounces.collisions > before,
        fmt::format("without a cut-off {} collisions for h = {:g}", seen.bounces.collisions, step));
    before = seen.bounces.collisions;
  }
  return table;
}

}  // namespace

Outcome reproduceBouncingBall(const Effort& effort) {
  Outcome outcome;
  Checks checks;
  Table table{fmt::format("Collisions until rest; without a cut-off infinitely many until {:.4f} s",
                          restTime()),
              {"cut-off [m/s]", "h [s]", "collisions", "by hand", "rest at [s]", "by hand"},
              {}};
  Plot heights{"Height of the ball", {"t [s]"}, {"y [m]"}, {}, false};
  std::vector<double> cut_offs = {1, 0.1, 0.01};
  if (!effort.quick) cut_offs.insert(cut_offs.end(), {1e-3, 1e-4});
  for (const double cut_off : cut_offs) {
    sayProgress(fmt::format("bouncing-ball: cut-off {:g} m/s", cut_off));
    const double step = stepFor(cut_off);
    const Seen seen = bouncesSeen(cut_off, step);
    const Bounces expected = bouncesByHand(cut_off);
    outcome.rows.push_back({{"rest_speed", cut_off},
                            {"h", step},
                            {"collisions", seen.bounces.collisions},
                            {"collisions_expected", expected.collisions},
                            {"rest_time", seen.bounces.rest},
                            {"rest_time_expected", expected.rest}});
    table.rows.push_back(
        {fmt::format("{:g}", cut_off), fmt::format("{:.2g}", step),
         fmt::format("{}", seen.bounces.collisions), fmt::format("{}", expected.collisions),
         fmt::format("{:.4f}", seen.bounces.rest), fmt::format("{:.4f}", expected.rest)});
    const std::string where = fmt::format("cut-off {:g}: ", cut_off);
    checks.expect(seen.finished.summary.certified(), where + "a step is not certified");
    checks.expect(seen.bounces.collisions == expected.collisions,
                  where + fmt::format("{} collisions, {} expected", seen.bounces.collisions,
                                      expected.collisions));
    // Every bounce may be late by a few steps.
    checks.expect(std::abs(seen.bounces.rest - expected.rest) <=
                      4 * step * static_cast<double>(expected.collisions),
                  where + fmt::format("rests at {:.4f} s, {:.4f} expected", seen.bounces.rest,
                                      expected.rest));
    if (cut_off >= 0.1)
      heights.series.push_back({fmt::format("cut-off {:g} m/s", cut_off),
                                seen.finished.motion.times, seen.finished.motion.positionsOf(0),
                                false, false});
  }
  const Table without = withoutCutOff(effort, outcome, checks);
  checks.decide(
      outcome, Verdict::agrees_in_kind,
      fmt::format("With a cut-off the ball rests after a finite number of collisions, as many as "
                  "by hand. Each thousandth of the cut-off adds ten: without one they never end, "
                  "and pile up at {:.4f} s.",
                  restTime()));
  outcome.parameters = {{"scene", "scenes/papers/bouncing-ball.json"},
                        {"chosen", "all: height 1 m, restitution 0.5"},
                        {"scheme", "anitescu-potra: [AP97]'s loop"}};
  outcome.blocks = {table, without, heights};
  return outcome;
}

}  // namespace stickslip
