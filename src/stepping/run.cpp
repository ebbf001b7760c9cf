#include "stickslip/run.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "math/block_products.hpp"

namespace stickslip {
namespace {

// end / step this close to a whole number, relative and in steps, is meant to be one: both have
// been rounded.
constexpr double kWholeNumber = 1e-9;
constexpr double kPartOfAStep = 1e-3;

double totalEnergy(const System& system, const State& state) {
  BlockDiagonal M;
  M.resize(system.velocityBlocks());
  system.massMatrix(state.t, state.q, M);
  std::vector<double> momentum(state.u.size());
  multiply(M, state.u, momentum);
  return system.potentialEnergy(state.t, state.q) + dot(state.u, momentum) / 2;
}

void gather(long step, double time, const Stepper& stepper, const StepReport& report,
            RunSummary& summary) {
  const Certificate& c = report.certificate;
  const auto raise = [](double& worst, double value) { worst = std::max(worst, value); };
  raise(summary.residual_max, c.worstResidual());
  raise(summary.fclib_error_max, c.fclib_error);
  raise(summary.momentum_residual_max, c.momentum_residual);
  raise(summary.joint_residual_max, c.joint_residual);
  raise(summary.penetration_max, -c.worst_gap);
  raise(summary.joint_drift_max, c.joint_drift);
  raise(summary.lift_max, c.lift);
  raise(summary.contraction_max, report.solve.contraction);
  summary.outer_iterations_max =
      std::max(summary.outer_iterations_max, report.solve.outer_iterations);
  raise(summary.friction_residual_max, c.friction_residual);
  summary.friction_iterations_max =
      std::max(summary.friction_iterations_max, report.solve.friction_iterations);
  summary.restitution_dropped_steps += report.scheme.restitution_dropped ? 1 : 0;
  summary.drift_kept_steps += report.scheme.drift_kept ? 1 : 0;
  raise(summary.energy_max_gain, c.contact_work);
  summary.contacts_max = std::max(summary.contacts_max, stepper.problem().contactCount());
  summary.nonunique_steps += c.impulses_unique ? 0 : 1;
  summary.iterations += report.solve.iterations;
  if (report.certified && report.advanced) return;
  if (summary.uncertified_steps++ == 0) {
    summary.first_uncertified_step = step;
    summary.first_uncertified_time = time;
  }
}

}  // namespace

bool TimeSettings::isMultiple() const {
  const double steps = end / step;
  return std::abs(steps - std::round(steps)) <=
         std::min(kWholeNumber * std::round(steps), kPartOfAStep);
}

long TimeSettings::stepCount() const {
  const double steps = end / step;
  return static_cast<long>(isMultiple() ? std::round(steps) : std::ceil(steps));
}

double TimeSettings::timeAfter(long n) const {
  return n >= stepCount() ? end : static_cast<double>(n) * step;
}

double TimeSettings::stepLength(long n) const {
  const bool shortened = n == stepCount() && !isMultiple();
  return shortened ? end - timeAfter(n - 1) : step;
}

RunSummary run(Stepper& stepper, const State& initial, const RunSettings& settings,
               const StepObserver& observer) {
  const System& system = *stepper.model().system;
  const long count = settings.time.stepCount();
  RunSummary summary;
  State state = initial;
  summary.energy_start = totalEnergy(system, state);

  StepReport report;
  const auto advance = [&](long step, double h) {
    const double t = state.t;
    report = stepper.step(state, h);
    gather(step, t, stepper, report, summary);
    summary.stopped = !report.advanced;
  };
  if (settings.impact_at_start) advance(0, 0.0);
  if (observer) observer(0, state, stepper, settings.impact_at_start ? &report : nullptr);
  for (long n = 1; n <= count && !summary.stopped; ++n) {
    advance(n, settings.time.stepLength(n));
    if (summary.stopped) break;
    state.t = settings.time.timeAfter(n);
    summary.steps = n;
    if (observer) observer(n, state, stepper, &report);
  }
  summary.energy_end = totalEnergy(system, state);
  summary.final_state = std::move(state);
  return summary;
}

}  // namespace stickslip
