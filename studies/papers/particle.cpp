// [A06] examples 1-2, Table 10.1, Figures 10.1-10.2: a particle falls on a floor with friction, or
// slides on it from the start, by the optimization-based scheme and by the LCP-based one.
//
// The optimization-based scheme keeps a sliding particle at the height h mu |v_t|, so that after a
// fall the two differ by O(h). In contact from the start its first step has gap 0 and asks for
// v_n >= mu |v_t|: whatever h is, it throws the particle up with
//
//   v_n = mu v_0 / (1 + mu^2),   to the height  v_n^2 / (2 g),
//
// which is the difference that does not disappear.
#include <fmt/format.h>

#include <array>
#include <cmath>

#include "convergence/convergence.hpp"
#include "papers/experiments.hpp"
#include "papers/scheme_difference.hpp"

namespace stickslip {
namespace {

constexpr std::array<double, 8> kTable101 = {5.6314784e-2, 1.7416198e-2, 6.7389905e-3,
                                             2.1011170e-3, 7.6112319e-4, 2.6647317e-4,
                                             9.2498029e-5, 3.2649217e-5};
constexpr double kParticleFriction = 0.3, kParticleSpeed = 3;
constexpr double kParticleFigureStep = 0.001;  // of Figure 10.2
// The largest height beside its limit, of which it is off by order h.
constexpr double kParticleLimitTolerance = 0.02;

double height(const Trajectory& motion, std::size_t step) {
  return motion.position(step, 1);
}

// How high the optimization-based scheme throws what slides from the start, as h goes to 0.
double thrownParticleHeight() {
  const double speed =
      kParticleFriction * kParticleSpeed / (1 + kParticleFriction * kParticleFriction);
  return speed * speed / (2 * kGravity);
}

Plot pathPlot(const SchemePair& pair, std::string caption) {
  Plot plot{std::move(caption), {"x"}, {"y"}, {}, true};
  plot.series = {
      {"QP (5.3)", pair.qp.motion.positionsOf(0), pair.qp.motion.positionsOf(1), false, false},
      {"LCP", pair.lcp.motion.positionsOf(0), pair.lcp.motion.positionsOf(1), false, true}};
  return plot;
}

Json parametersOf(double start) {
  return {{"scene", "scenes/papers/particle.json"},
          {"given", fmt::format("y = {:g}, horizontal speed 3, mu 0.3, mass 1, steps", start)},
          {"chosen", "gravity 9.81, end 1.5 s, active set (5.2): gaps up to 2"},
          {"schemes", "anitescu (QP) and anitescu-hart-0 (LCP)"}};
}

}  // namespace

Outcome reproduceParticle(const Effort&) {
  const std::vector<SchemePair> pairs =
      runStepSequence("particle", {}, static_cast<int>(kTable101.size()));
  Outcome outcome;
  outcome.parameters = parametersOf(3);
  Checks checks;
  compareWithTable(pairs, height, kTable101,
                   "Table 10.1: ||y_QP - y_LCP|| / 2^k, no contact at the start", outcome, checks);
  checks.decide(outcome, Verdict::agrees,
                besideTable("Table 10.1", outcome) + ": in the limit the schemes agree.");
  outcome.blocks.push_back(pathPlot(pairs.back(), "Figure 10.1: path of the particle"));
  return outcome;
}

Outcome reproduceParticleContact(const Effort&) {
  const std::array<std::string, 1> start = {"initial.q.y=0"};
  const std::vector<SchemePair> pairs =
      runStepSequence("particle", start, static_cast<int>(kTable101.size()));
  Outcome outcome;
  outcome.parameters = parametersOf(0);
  outcome.parameters["limit"] = thrownParticleHeight();
  Checks checks;
  Table table{fmt::format("In contact from the start: the largest difference tends to {:.5f}",
                          thrownParticleHeight()),
              {"k", "h [s]", "difference", "largest", "largest/limit"},
              {}};
  std::vector<double> steps, off;
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    const double largest = largestDifference(pairs[k], height);
    const double difference = scaledDifference(pairs[k], height, k);
    steps.push_back(pairs[k].step);
    off.push_back(std::abs(largest - thrownParticleHeight()));
    outcome.rows.push_back({{"k", k},
                            {"h", steps[k]},
                            {"difference", difference},
                            {"largest", largest},
                            {"paper", Json()}});
    table.rows.push_back({fmt::format("{}", k), fmt::format("{:g}", steps[k]),
                          fmt::format("{:.3e}", difference), fmt::format("{:.5f}", largest),
                          fmt::format("{:.3f}", largest / thrownParticleHeight())});
  }
  expectCertified(pairs, checks);
  const double rate = fittedRate(steps, off);
  checks.expect(off.back() <= kParticleLimitTolerance * thrownParticleHeight() && rate > 0.7,
                fmt::format("the largest difference is {:.2e} away from its limit {:.5f} and comes "
                            "closer with order {:.2f}",
                            off.back(), thrownParticleHeight(), rate));
  checks.decide(outcome, Verdict::agrees_in_kind,
                fmt::format("The difference stays: the QP throws the particle {:.4f} high, "
                            "(mu v)^2 / (2 g (1 + mu^2)^2) in the limit, and the LCP does not.",
                            thrownParticleHeight()));
  outcome.blocks = {table,
                    heightPlot(runBothSchemes("particle", start, kParticleFigureStep), height,
                               "Figure 10.2: height by both schemes, h = 0.001", "y")};
  return outcome;
}

}  // namespace stickslip
