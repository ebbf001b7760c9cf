#include "support/limit_cycle.hpp"

#include <algorithm>
#include <limits>
#include <vector>

namespace stickslip::testing {
namespace {

// Extremes of one cycle, and their sums over cycles.
struct Extremes {
  CycleRange now{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
  CycleRange sum;

  void see(double x) {
    now.least = std::min(now.least, x);
    now.most = std::max(now.most, x);
  }
  void closeCycle(bool counts) {
    if (counts) {
      sum.least += now.least;
      sum.most += now.most;
    }
    now = {std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
  }
  CycleRange mean(int cycles) const { return {sum.least / cycles, sum.most / cycles}; }
};

}  // namespace

MeasuredCycle measureCycle(const Scene& scene, double after, double section) {
  std::vector<double> passage_time, passage_y;
  Extremes extremes[4];
  State last = scene.initial;
  const auto observe = [&](long, const State& state, const Stepper&, const StepReport*) {
    if (state.t > after && last.q[2] < section && state.q[2] >= section) {
      const double part = (section - last.q[2]) / (state.q[2] - last.q[2]);
      for (Extremes& e : extremes) e.closeCycle(!passage_time.empty());
      passage_time.push_back(last.t + part * (state.t - last.t));
      passage_y.push_back(last.q[0] + part * (state.q[0] - last.q[0]));
    }
    extremes[0].see(state.q[1]);
    extremes[1].see(state.q[2]);
    extremes[2].see(state.u[1]);
    extremes[3].see(state.u[2]);
    last = state;
  };
  Stepper stepper(scene.model);
  MeasuredCycle cycle;
  cycle.summary = run(stepper, scene.initial, scene.run, observe);
  cycle.cycles = static_cast<int>(passage_time.size()) - 1;
  if (cycle.cycles < 1) return cycle;
  cycle.period = (passage_time.back() - passage_time.front()) / cycle.cycles;
  cycle.drop = (passage_y.front() - passage_y.back()) / cycle.cycles;
  cycle.phi_M = extremes[0].mean(cycle.cycles);
  cycle.phi_S = extremes[1].mean(cycle.cycles);
  cycle.omega_M = extremes[2].mean(cycle.cycles);
  cycle.omega_S = extremes[3].mean(cycle.cycles);
  return cycle;
}

}  // namespace stickslip::testing
