#include "stepping/run.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include "math/blocks/block_products.hpp"
#include "stickslip/input_error.hpp"
#include "stickslip/run.hpp"

namespace stickslip {
namespace {

// end / step this close to a whole number, relative and in steps, is meant to be one: both have
// been rounded.
constexpr double kWholeNumber = 1e-9;
constexpr double kPartOfAStep = 1e-3;
// Beyond this not every whole number is a double, and a count of steps would be a guess.
constexpr double kMostSteps = 9007199254740992.0;  // 2^53

double kineticEnergy(const System& system, const State& state) {
  BlockDiagonal M;
  M.resize(system.velocityBlocks(), system.massLike());
  system.massMatrix(state.t, state.q, M);
  return quadraticForm(M, state.u) / 2;
}

// The masses of the last step, where they are those of the state, need not be made again.
double totalEnergy(const Stepper& stepper, const State& state) {
  const System& system = *stepper.model().system;
  const BlockDiagonal& M = stepper.problem().M;
  const bool are_known = system.massIsConstant() && M.size() == system.velocityCount();
  return system.potentialEnergy(state.t, state.q) +
         (are_known ? quadraticForm(M, state.u) / 2 : kineticEnergy(system, state));
}

void gather(std::int64_t step, double time, const Stepper& stepper, const StepReport& report,
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
  raise(summary.geometry_residual_max, c.geometry_residual);
  raise(summary.energy_residual_max, c.energy_residual);
  raise(summary.friction_residual_max, c.friction_residual);
  summary.friction_iterations_max =
      std::max(summary.friction_iterations_max, report.solve.friction_iterations);
  summary.restitution_dropped_steps += report.restitution_dropped ? 1 : 0;
  summary.drift_kept_steps += report.drift_kept ? 1 : 0;
  raise(summary.geometry_contraction_max, report.scheme.geometry_contraction);
  summary.geometry_iterations_max =
      std::max(summary.geometry_iterations_max, report.scheme.geometry_iterations);
  summary.contact_rounds += report.scheme.contact_rounds;
  summary.missed_contact_steps += report.scheme.contacts_missed ? 1 : 0;
  summary.collisions += report.scheme.collisions;
  summary.crowded_steps += report.scheme.collisions_cut ? 1 : 0;
  summary.limited_restitution_steps += report.scheme.restitution_limited ? 1 : 0;
  raise(summary.energy_max_gain, c.contact_work);
  summary.contacts_max = std::max(summary.contacts_max, stepper.problem().contactCount());
  summary.nonunique_steps += c.impulses_unique ? 0 : 1;
  summary.iterations += report.solve.iterations;
  summary.stages.add(report.solve.stages);
  if (report.certified && report.advanced) return;
  if (summary.uncertified_steps++ == 0) {
    summary.first_uncertified_step = step;
    summary.first_uncertified_time = time;
    summary.first_uncertified_solve = report.solve.status;
    summary.first_uncertified_residual = c.worstName();
    summary.first_uncertified_value = c.worstResidual();
  }
}

}  // namespace

bool TimeSettings::isMultiple() const {
  const double steps = end / step;
  return std::abs(steps - std::round(steps)) <=
         std::min(kWholeNumber * std::round(steps), kPartOfAStep);
}

std::int64_t TimeSettings::stepCount() const {
  const double steps = end / step;
  if (!(steps >= 0 && steps <= kMostSteps))
    throw InputError("time: end / step is not a number of steps from 0 to 2^53");
  return static_cast<std::int64_t>(isMultiple() ? std::round(steps) : std::ceil(steps));
}

double TimeSettings::timeAfter(std::int64_t n) const {
  return n >= stepCount() ? end : static_cast<double>(n) * step;
}

double TimeSettings::stepLength(std::int64_t n) const {
  const bool shortened = n == stepCount() && !isMultiple();
  return shortened ? end - timeAfter(n - 1) : step;
}

namespace {

// One run: steps of equal length, or of lengths that follow from their errors.
class Run {
 public:
  Run(Stepper& stepper, State initial, const RunSettings& settings, const StepObserver& observer)
      : stepper_(stepper), settings_(settings), observer_(observer), state_(std::move(initial)) {}

  RunSummary go() {
    summary_.energy_start = totalEnergy(stepper_, state_);
    const TimeSettings& time = settings_.time;
    if (settings_.impact_at_start) take(0, stepper_.step(state_, 0.0), state_.t);
    observe(0, settings_.impact_at_start);
    if (time.error > 0)
      stepByError(time);
    else
      stepEvenly(time);
    summary_.energy_end = totalEnergy(stepper_, state_);
    // Certificates of this scheme know overlaps at the start of a step only.
    if (stepper_.schemeTraits().gaps_at_start)
      summary_.penetration_max =
          std::max(summary_.penetration_max, stepper_.deepestOverlap(state_));
    summary_.final_state = std::move(state_);
    return std::move(summary_);
  }

 private:
  void stepEvenly(const TimeSettings& time) {
    for (std::int64_t n = 1; n <= time.stepCount() && !summary_.stopped; ++n) {
      const double t = state_.t;
      take(n, stepper_.step(state_, time.stepLength(n)), t);
      finish(n, time.timeAfter(n), time.stepLength(n));
    }
  }

  void stepByError(const TimeSettings& time) {
    StepControl control(time);
    for (std::int64_t n = 1; state_.t < time.end && !summary_.stopped; ++n) {
      const double t = state_.t;
      take(n, control.advance(stepper_, state_, time.end), t);
      const double h = control.lastStep();
      // A remainder that is rounding is no step.
      const bool last = time.end - (t + h) <= kWholeNumber * h;
      finish(n, last ? time.end : t + h, h);
    }
    summary_.rejected_steps = control.rejected();
    summary_.coarse_steps = control.coarse();
  }

  void take(std::int64_t step, const StepReport& report, double t) {
    report_ = report;
    gather(step, t, stepper_, report_, summary_);
    summary_.stopped = !report_.advanced;
  }

  void finish(std::int64_t step, double t, double h) {
    if (summary_.stopped) return;
    state_.t = t;
    summary_.steps = step;
    summary_.longest_step = std::max(summary_.longest_step, h);
    summary_.shortest_step = step == 1 ? h : std::min(summary_.shortest_step, h);
    observe(step, true);
  }

  void observe(std::int64_t step, bool reported) {
    if (observer_) observer_(step, state_, stepper_, reported ? &report_ : nullptr);
  }

  Stepper& stepper_;
  const RunSettings& settings_;
  const StepObserver& observer_;
  State state_;
  StepReport report_;
  RunSummary summary_;
};

}  // namespace

RunSummary run(Stepper& stepper, State initial, const RunSettings& settings,
               const StepObserver& observer) {
  return Run(stepper, std::move(initial), settings, observer).go();
}

namespace {

constexpr double kSafety = 0.9;
constexpr double kLeast = 0.2;
constexpr double kMost = 2;
constexpr double kShortest = 1e-6;

}  // namespace

// Two equal steps to the end rather than one and a remainder.
double StepControl::lengthFrom(double t, double end) const {
  const double rest = end - t;
  if (rest <= next_) return rest;
  return rest < 2 * next_ ? rest / 2 : next_;
}

StepReport StepControl::advance(Stepper& stepper, State& state, double end) {
  const System& system = *stepper.model().system;
  if (overlap_ < 0) overlap_ = stepper.deepestOverlap(state);
  for (;;) {
    const double h = lengthFrom(state.t, end);
    full_ = state;
    halves_ = state;
    const bool full_advanced = stepper.step(full_, h).advanced;
    StepReport report = stepper.step(halves_, h / 2);
    report.add(stepper.step(halves_, h / 2));

    const bool comparable = full_advanced && report.advanced;
    const double overlap = comparable ? stepper.deepestOverlap(halves_) : overlap_;
    const double distance =
        comparable ? std::max(system.distance(full_.q, halves_.q), overlap - overlap_) : INFINITY;
    const double factor =
        distance > 0 ? std::clamp(kSafety * std::sqrt(error_ / distance), kLeast, kMost) : kMost;
    const bool good = distance <= error_;
    const bool shortest = h <= kShortest * longest_;
    next_ = std::clamp(h * factor, kShortest * longest_, longest_);
    if (!good && !shortest) {
      ++rejected_;
      continue;
    }
    if (!good) ++coarse_;
    last_ = h;
    overlap_ = overlap;
    if (report.advanced) std::swap(state, halves_);
    return report;
  }
}

}  // namespace stickslip
