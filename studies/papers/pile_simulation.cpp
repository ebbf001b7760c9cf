#include "papers/pile_simulation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "papers/timed_solve.hpp"
#include "stickslip/scheme.hpp"

namespace stickslip {
namespace {

constexpr double kDiskRadius = 3;
constexpr std::array kPileSolvers{"lemke", "fixed-point-1", "fixed-point-2", "one-step"};
constexpr std::array kPaperNames{"LCP0", "LCP1", "LCP2", "LCP3"};
constexpr std::size_t kLcp0 = 0, kLcp3 = 3;

// A pile's motion with one of the four, whose problems others solve as well.
struct PileMotion {
  std::vector<double> times;
  std::vector<double> contacts;
  std::array<std::vector<double>, kPileSolvers.size()> milliseconds;
  std::array<int, kPileSolvers.size()> unsolved{};
  std::vector<std::vector<double>> positions;  ///< before each step, and at the end
  bool finite = true;
};

PileMotion movePile(int bottom, double mu, int steps, std::size_t leader,
                    std::span<const std::size_t> solvers) {
  const Scene scene = pileScene(bottom, mu);
  const System& system = *scene.model.system;
  const double h = scene.run.time.step;
  const auto scheme = makeScheme(scene.model.method);
  ContactProblem problem;
  scheme->reserve(system, problem);
  State state = scene.initial;
  PileMotion out;
  out.positions.push_back(state.q);
  for (int step = 1; step <= steps && out.finite; ++step) {
    scheme->formulate(system, state, h, problem);
    out.times.push_back(state.t);
    out.contacts.push_back(problem.contactCount());
    for (const std::size_t k : solvers) {
      const TimedSolve solve = coldSolve(kPileSolvers[k], problem);
      out.milliseconds[k].push_back(1e3 * solve.seconds);
      out.unsolved[k] += solve.certified ? 0 : 1;
      if (k == leader) scheme->advance(system, h, solve.solution.v, state);
    }
    out.finite = isFinite(state);
    out.positions.push_back(state.q);
  }
  return out;
}

Plot contactPlot(const std::string& figure, const PileMotion& motion) {
  return {figure + ": contacts of each step",
          {"t [s]"},
          {"contacts"},
          {{"", motion.times, motion.contacts}}};
}

Plot timePlot(const std::string& figure, const PileMotion& motion,
              std::span<const std::size_t> solvers) {
  Plot plot{
      figure + ": milliseconds of each solve, from a cold start", {"t [s]"}, {"ms", true}, {}};
  for (const std::size_t k : solvers)
    plot.series.push_back({kPaperNames[k], motion.times, motion.milliseconds[k]});
  return plot;
}

Picture pilePicture(const std::string& figure, int bottom, const PileMotion& motion) {
  const double width = 2 * kDiskRadius * bottom;
  Picture picture{figure + ": the pile at the start and later",
                  -1.2 * width,
                  2.2 * width - kDiskRadius,
                  -0.02 * width,
                  0.95 * width,
                  {}};
  const std::size_t last = motion.positions.size() - 1;
  for (const std::size_t step : {std::size_t{0}, last / 2, last}) {
    const double t = step < last ? motion.times[step] : motion.times[last - 1] + 0.05;
    PictureFrame frame{fmt::format("t = {:g} s", t), {}, {}};
    const std::vector<double>& q = motion.positions[step];
    for (std::size_t body = 0; 3 * body < q.size(); ++body)
      frame.circles.push_back({q[3 * body], q[3 * body + 1], kDiskRadius, 0});
    frame.outlines.push_back({{picture.x_low, picture.x_high}, {0, 0}, false, 1});
    picture.frames.push_back(frame);
  }
  return picture;
}

}  // namespace

Scene pileScene(int bottom, double mu, double inertia) {
  std::vector<std::string> overrides{fmt::format("system.instances.0.grid.count=[{0},{0}]", bottom),
                                     fmt::format("system.materials.default.friction={}", mu)};
  if (inertia != kDiskInertia)
    overrides.push_back(fmt::format("system.instances.0.body.inertia={}", inertia));
  return paperScene("cannonball", overrides);
}

void addPileFigures(const Effort& effort, Checks& checks, Outcome& outcome) {
  const std::string figure_2 = "Figure 2, 21 disks, mu 0.05",
                    figure_3 = "Figure 3, 136 disks, mu 0.2";
  sayProgress("cannonball: " + figure_2);
  const std::array<std::size_t, 4> all{0, 1, 2, 3};
  const PileMotion small = movePile(6, 0.05, effort.quick ? 10 : 100, kLcp0, all);
  checks.expect(small.unsolved[kLcp0] == 0,
                figure_2 + fmt::format(": LCP0 fails in {} steps", small.unsolved[kLcp0]));
  outcome.blocks.push_back(contactPlot(figure_2, small));
  outcome.blocks.push_back(timePlot(figure_2, small, all));
  outcome.blocks.push_back(pilePicture(figure_2, 6, small));
  if (effort.quick) return;
  sayProgress("cannonball: " + figure_3);
  const std::array<std::size_t, 1> alone{kLcp3};
  const PileMotion large = movePile(16, 0.2, 100, kLcp3, alone);
  checks.expect(large.finite, figure_3 + ": LCP3 breaks down");
  outcome.blocks.push_back(contactPlot(figure_3, large));
  outcome.blocks.push_back(timePlot(figure_3, large, alone));
  outcome.blocks.push_back(pilePicture(figure_3, 16, large));
}

}  // namespace stickslip
