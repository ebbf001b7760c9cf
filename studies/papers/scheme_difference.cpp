#include "papers/scheme_difference.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "convergence/convergence.hpp"

namespace stickslip {
namespace {

constexpr double kCoarsestStep = 0.1;
// How far a row may be from the paper's, and the fitted rate from that of the paper's column.
constexpr double kFactor = 3;
constexpr double kRateTolerance = 0.3;

FinishedMotion runPreset(std::string_view scene, std::span<const std::string> overrides,
                         double step, const char* preset) {
  std::vector<std::string> all(overrides.begin(), overrides.end());
  all.push_back(fmt::format("time.step={:.17g}", step));
  all.push_back(fmt::format("method.preset={}", preset));
  return runAndKeep(paperScene(scene, all));
}

Plot differencePlot(std::span<const double> steps, std::span<const double> ours,
                    std::span<const double> paper, std::string caption) {
  Plot plot{std::move(caption), {"h [s]", true}, {"difference", true}, {}, false};
  const std::vector<double> x(steps.begin(), steps.end());
  plot.series = {{"here", x, {ours.begin(), ours.end()}, false, false},
                 {"paper", x, {paper.begin(), paper.begin() + std::ssize(ours)}, true, false}};
  return plot;
}

}  // namespace

SchemePair runBothSchemes(std::string_view scene, std::span<const std::string> overrides,
                          double step) {
  return {step, runPreset(scene, overrides, step, "anitescu"),
          runPreset(scene, overrides, step, "anitescu-hart-0")};
}

std::vector<SchemePair> runStepSequence(std::string_view scene,
                                        std::span<const std::string> overrides, int count) {
  std::vector<SchemePair> pairs;
  for (int k = 0; k < count; ++k) {
    const double step = std::ldexp(kCoarsestStep, -k);
    sayProgress(fmt::format("{}: h = {:g}", scene, step));
    pairs.push_back(runBothSchemes(scene, overrides, step));
  }
  return pairs;
}

double scaledDifference(const SchemePair& pair, const Height& height, std::size_t k) {
  double squares = 0;
  for (std::size_t step = 0; step < pair.qp.motion.count(); ++step) {
    const double apart = height(pair.qp.motion, step) - height(pair.lcp.motion, step);
    squares += apart * apart;
  }
  return std::ldexp(std::sqrt(squares), -static_cast<int>(k));
}

double largestDifference(const SchemePair& pair, const Height& height) {
  double most = 0;
  for (std::size_t step = 0; step < pair.qp.motion.count(); ++step)
    most = std::max(most, std::abs(height(pair.qp.motion, step) - height(pair.lcp.motion, step)));
  return most;
}

std::vector<double> heightsOf(const Trajectory& motion, const Height& height) {
  std::vector<double> heights;
  for (std::size_t step = 0; step < motion.count(); ++step) heights.push_back(height(motion, step));
  return heights;
}

bool isClose(double ours, double paper) {
  return ours <= kFactor * paper && ours * kFactor >= paper;
}

void expectCertified(std::span<const SchemePair> pairs, Checks& checks) {
  for (const SchemePair& pair : pairs)
    checks.expect(pair.qp.summary.certified() && pair.lcp.summary.certified(),
                  fmt::format("h = {:g}: steps are not certified", pair.step));
}

std::string besideTable(std::string_view name, const Outcome& outcome) {
  const auto number = [&](const char* field) { return outcome.parameters.at(field).get<double>(); };
  return fmt::format(
      "The rows are {:.2f} to {:.2f} times those of {}, and fall with order {:.2f}, the paper's "
      "with {:.2f}",
      number("least_ratio"), number("most_ratio"), name, number("rate"), number("paper_rate"));
}

void compareWithTable(std::span<const SchemePair> pairs, const Height& height,
                      std::span<const double> paper, std::string caption, Outcome& outcome,
                      Checks& checks) {
  Table table{std::move(caption), {"k", "h [s]", "difference", "paper", "here/paper"}, {}};
  std::vector<double> steps, ours, ratios;
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    steps.push_back(pairs[k].step);
    ours.push_back(scaledDifference(pairs[k], height, k));
    ratios.push_back(ours[k] / paper[k]);
    outcome.rows.push_back(
        {{"k", k}, {"h", steps[k]}, {"difference", ours[k]}, {"paper", paper[k]}});
    table.rows.push_back({fmt::format("{}", k), fmt::format("{:g}", steps[k]),
                          fmt::format("{:.3e}", ours[k]), fmt::format("{:.3e}", paper[k]),
                          fmt::format("{:.2f}", ratios[k])});
    checks.expect(isClose(ours[k], paper[k]),
                  fmt::format("k = {}: {:.3e}, the paper has {:.3e}", k, ours[k], paper[k]));
  }
  const double rate = fittedRate(steps, ours),
               paper_rate = fittedRate(steps, paper.first(ours.size()));
  checks.expect(
      std::abs(rate - paper_rate) <= kRateTolerance,
      fmt::format("falls with order {:.2f}, the paper's column with {:.2f}", rate, paper_rate));
  expectCertified(pairs, checks);
  outcome.parameters["rate"] = rate;
  outcome.parameters["paper_rate"] = paper_rate;
  const auto [least, most] = std::minmax_element(ratios.begin(), ratios.end());
  outcome.parameters["least_ratio"] = *least;
  outcome.parameters["most_ratio"] = *most;
  outcome.blocks.push_back(table);
  outcome.blocks.push_back(
      differencePlot(steps, ours, paper, "The column over the step: here and in the paper"));
}

Plot heightPlot(const SchemePair& pair, const Height& height, std::string caption,
                std::string label) {
  Plot plot{std::move(caption), {"t [s]"}, {std::move(label)}, {}, false};
  plot.series = {
      {"QP (5.3)", pair.qp.motion.times, heightsOf(pair.qp.motion, height), false, false},
      {"LCP", pair.lcp.motion.times, heightsOf(pair.lcp.motion, height), false, true}};
  return plot;
}

}  // namespace stickslip
