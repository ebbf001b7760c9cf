// [AP97] section 6: Lemke's method ends with a basis, and mostly the same basis solves the next
// step, for the price of one linear system. How often, and what does that save?
//
// Every contact problem of a run is solved twice by Lemke's method on the sparse form of
// (2.13): cold, and from the basis of the step before, found by the ids of contacts. If that basis
// has a negative slack the path goes on from there. Steps in which the cold start has nothing to
// do, because no contact is loaded, do not count.
//
// The paper says that changes are relatively rare in many simulations, and gives no number; no
// limit is made up for it here. What can be tested: that old bases save pivots, and that over one
// and the same motion the part of the steps that change the basis falls with the step. Runs in
// which most steps change it are named.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <ctime>
#include <functional>
#include <limits>

#include "papers/experiments.hpp"
#include "solvers/lemke/basis_memory.hpp"
#include "solvers/lemke/sparse_friction_lcp.hpp"
#include "solvers/lemke/sparse_lemke.hpp"

namespace stickslip {
namespace {

constexpr std::string_view kFallingPile = "pile of 21 disks falling apart, mu 0.05";

struct RunOfSteps {
  std::string_view name;
  std::string_view scene;
  std::vector<std::string> overrides;
};

// Of one solver: what it took for all steps.
struct Cost {
  std::int64_t pivots = 0;
  double seconds = 0;
  std::int64_t failures = 0;
};

struct Reuse {
  std::int64_t steps = 0;      ///< in which something is loaded
  std::int64_t reused = 0;     ///< of these: solved by the old basis as it was
  std::int64_t recontact = 0;  ///< of these: with other contacts than the step before
  int contacts = 0;            ///< most at a time
  Cost warm, cold;
  std::vector<double> times, warm_pivots, cold_pivots;  ///< sums up to a time

  double share() const {
    return static_cast<double>(reused) / static_cast<double>(std::max(std::int64_t{1}, steps));
  }
  /// Seconds cold, of those warm; the clock's own step at least.
  double speedup() const { return cold.seconds / std::max(warm.seconds, 1.0 / CLOCKS_PER_SEC); }
};

// Solves the problems of a run both ways.
class TwoWays {
 public:
  void take(double t, const ContactProblem& problem) {
    lcp_.build(FrictionVariables::Form::cone, problem);
    memory_.nextStep();
    memory_.recall(problem.contact_id, lcp_.variables(), basis_);
    const SparseLemke::Report cold = timed(cold_, {}, reuse_.cold);
    const SparseLemke::Report warm = timed(warm_, basis_, reuse_.warm);
    if (warm.status == SolveStatus::solved)
      memory_.store(problem.contact_id, lcp_.variables(), warm_.basis());
    const bool same_contacts = problem.contact_id == last_contacts_;
    last_contacts_ = problem.contact_id;
    reuse_.contacts = std::max(reuse_.contacts, problem.contactCount());
    if (cold.pivots == 0) return;
    ++reuse_.steps;
    reuse_.reused += warm.basis_reused ? 1 : 0;
    reuse_.recontact += same_contacts ? 0 : 1;
    reuse_.times.push_back(t);
    reuse_.warm_pivots.push_back(static_cast<double>(reuse_.warm.pivots));
    reuse_.cold_pivots.push_back(static_cast<double>(reuse_.cold.pivots));
  }
  const Reuse& result() const { return reuse_; }

 private:
  SparseLemke::Report timed(SparseLemke& lemke, std::span<const int> basis, Cost& sum) {
    const std::clock_t start = std::clock();
    const SparseLemke::Report report = lemke.solve(lcp_.lcp(), 0, basis);
    sum.seconds += static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    sum.pivots += report.pivots;
    sum.failures += report.status == SolveStatus::solved ? 0 : 1;
    return report;
  }

  SparseFrictionLcp lcp_;
  SparseLemke warm_, cold_;
  BasisMemory memory_;
  std::vector<int> basis_;
  std::vector<std::uint64_t> last_contacts_;
  Reuse reuse_;
};

Reuse follow(const Scene& scene) {
  TwoWays two_ways;
  Stepper stepper(scene.model);
  run(stepper, scene.initial, scene.run,
      [&](std::int64_t, const State& state, const Stepper& at, const StepReport* report) {
        if (report && at.problem().contactCount() > 0) two_ways.take(state.t, at.problem());
      });
  return two_ways.result();
}

std::vector<std::string> timed(const char* step, const char* end) {
  return {fmt::format("time.step={}", step), fmt::format("time.end={}", end)};
}

std::vector<std::string> pile(int bottom, double mu, const char* step, const char* end) {
  std::vector<std::string> out = timed(step, end);
  out.push_back("method.preset=anitescu-hart-0");
  out.push_back(fmt::format("system.instances.0.grid.count=[{0},{0}]", bottom));
  out.push_back(fmt::format("system.materials.default.friction={}", mu));
  return out;
}

std::vector<RunOfSteps> quickRuns() {
  return {{"block on an incline", "incline", timed("0.01", "3")},
          {"woodpecker", "basis-woodpecker", timed("1e-4", "0.1")},
          {"disks bouncing in a box", "basis-disks", timed("0.002", "0.3")},
          {kFallingPile, "cannonball", pile(6, 0.05, "0.02", "1")},
          {kFallingPile, "cannonball", pile(6, 0.05, "0.005", "1")}};
}

std::vector<RunOfSteps> allRuns() {
  std::vector<RunOfSteps> out{
      {"block on an incline", "incline", timed("0.001", "3")},
      {"woodpecker", "basis-woodpecker", timed("1e-4", "0.6")},
      {"disks bouncing in a box", "basis-disks", timed("0.002", "1.6")},
      {"pile of 21 disks, mu 0.8", "cannonball", pile(6, 0.8, "0.01", "1")},
      {"pile of 136 disks falling apart, mu 0.05", "cannonball", pile(16, 0.05, "0.01", "0.4")}};
  for (const char* step : {"0.02", "0.01", "0.005", "0.0025"})
    out.push_back({kFallingPile, "cannonball", pile(6, 0.05, step, "2")});
  return out;
}

Json reuseRow(const RunOfSteps& one, double h, const Reuse& reuse) {
  return {{"run", one.name},
          {"h", h},
          {"contacts_max", reuse.contacts},
          {"steps", reuse.steps},
          {"reused", reuse.reused},
          {"share", reuse.share()},
          {"contacts_changed", reuse.recontact},
          {"pivots_cold", reuse.cold.pivots},
          {"pivots_warm", reuse.warm.pivots},
          {"failures_cold", reuse.cold.failures},
          {"speedup", reuse.speedup()}};
}

std::vector<std::string> cellsOf(const RunOfSteps& one, double h, const Reuse& reuse) {
  const double steps = static_cast<double>(std::max(std::int64_t{1}, reuse.steps));
  return {std::string(one.name),
          fmt::format("{:g}", h),
          fmt::format("{}", reuse.contacts),
          fmt::format("{}", reuse.steps),
          fmt::format("{:.1f} %", 100 * reuse.share()),
          fmt::format("{:.1f} %", 100 * static_cast<double>(reuse.recontact) / steps),
          fmt::format("{:.2f}", static_cast<double>(reuse.cold.pivots) / steps),
          fmt::format("{:.2f}", static_cast<double>(reuse.warm.pivots) / steps),
          fmt::format("{:.1f}", reuse.speedup())};
}

void checkReuse(Checks& checks, const RunOfSteps& one, const Reuse& reuse) {
  checks.expect(reuse.warm.failures == 0,
                fmt::format("{}: {} warm starts fail", one.name, reuse.warm.failures));
  checks.expect(reuse.warm.pivots < reuse.cold.pivots,
                fmt::format("{}: the old basis saves no pivots", one.name));
}

// Over all runs.
struct Totals {
  double least_share = 1, most_share = 0;
  double least_speedup = std::numeric_limits<double>::infinity(), most_speedup = 0;
  std::string mostly_changed;           ///< runs in which most steps change the basis
  std::vector<double> refined_changes;  ///< part of the steps with a change, falling pile

  void add(const RunOfSteps& one, const Reuse& reuse) {
    least_share = std::min(least_share, reuse.share());
    most_share = std::max(most_share, reuse.share());
    least_speedup = std::min(least_speedup, reuse.speedup());
    most_speedup = std::max(most_speedup, reuse.speedup());
    if (reuse.share() < 0.5)
      mostly_changed += fmt::format("{}{}", mostly_changed.empty() ? "" : "; ", one.name);
    if (one.name == kFallingPile) refined_changes.push_back(1 - reuse.share());
  }
  bool changesFall() const {
    return std::adjacent_find(refined_changes.begin(), refined_changes.end(),
                              std::less_equal<>()) == refined_changes.end();
  }
  std::string summary() const {
    return fmt::format(
        "Old bases save pivots in every run, and with smaller steps of one motion fewer of them "
        "change the basis: {:.1f} % with the largest, {:.1f} % with the smallest. The old basis "
        "solves {:.0f} % to {:.1f} % of the steps. Changes are not rare everywhere, most steps "
        "have "
        "one in: {}. Cold solves take {:.1f} to {:.1f} times as long.",
        100 * refined_changes.front(), 100 * refined_changes.back(), 100 * least_share,
        100 * most_share, mostly_changed.empty() ? "none of the runs" : mostly_changed,
        least_speedup, most_speedup);
  }
};

}  // namespace

Outcome reproduceBasisReuse(const Effort& effort) {
  Outcome outcome;
  Checks checks;
  Totals totals;
  Table table{"How often the basis of the step before solves a step, and what that saves",
              {"run", "h [s]", "contacts", "steps", "old basis solves", "contacts changed",
               "pivots a step, cold", "warm", "time cold / warm"},
              {}};
  Plot plot{fmt::format("{}: pivots of all steps until t", kFallingPile),
            {"t [s]"},
            {"pivots", true},
            {}};
  for (const RunOfSteps& one : effort.quick ? quickRuns() : allRuns()) {
    const Scene scene = paperScene(one.scene, one.overrides);
    const double h = scene.run.time.step;
    sayProgress(fmt::format("basis-reuse: {}, h {:g}", one.name, h));
    const Reuse reuse = follow(scene);
    checkReuse(checks, one, reuse);
    totals.add(one, reuse);
    outcome.rows.push_back(reuseRow(one, h, reuse));
    table.rows.push_back(cellsOf(one, h, reuse));
    // The last run stays: the finest steps.
    if (one.name == kFallingPile)
      plot.series = {{fmt::format("cold, h {:g}", h), reuse.times, reuse.cold_pivots},
                     {fmt::format("warm, h {:g}", h), reuse.times, reuse.warm_pivots}};
  }
  checks.expect(totals.changesFall(),
                std::string(kFallingPile) + ": smaller steps do not make changes of basis rarer");
  checks.decide(outcome, Verdict::agrees_in_kind, totals.summary());
  outcome.parameters = {
      {"scenes", "scenes/papers: incline, basis-woodpecker, basis-disks, cannonball"},
      {"chosen", "all: the paper names no experiment and gives no number for how rare"},
      {"solver",
       "Lemke's method on the sparse form of [AP97] (2.13), cold and warm on the same "
       "problems; time without building them"}};
  outcome.blocks = {table, plot};
  return outcome;
}

}  // namespace stickslip
