#include "stepping/runs/run.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include "math/blocks/block_products.hpp"
#include "stickslip/input_error.hpp"
#include "stickslip/run.hpp"
#include "stickslip/simulation.hpp"

namespace stickslip {

double kineticEnergy(const System& system, const State& state) {
  BlockDiagonal M;
  M.resize(system.velocityBlocks(), system.massLike());
  system.massMatrix(state.t, state.q, M);
  return quadraticForm(M, state.u) / 2;
}

namespace {

// end / step this close to a whole number, relative and in steps, is meant to be one: both have
// been rounded.
constexpr double kWholeNumber = 1e-9;
constexpr double kPartOfAStep = 1e-3;
// Beyond this not every whole number is a double, and a count of steps would be a guess.
constexpr double kMostSteps = 9007199254740992.0;  // 2^53

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

RunProgress::RunProgress(const Stepper& stepper, State initial, const RunSettings& settings)
    : settings_(settings), control_(settings.time), state_(std::move(initial)), from_(state_.t) {
  summary_.energy_start = totalEnergy(stepper, state_);
}

void RunProgress::impact(Stepper& stepper) {
  take(0, state_.t, stepper.step(state_, 0.0), stepper);
}

bool RunProgress::stepTowards(Stepper& stepper, double until) {
  if (summary_.stopped || !(state_.t < until)) return false;
  if (settings_.time.error > 0)
    stepByError(stepper, until);
  else if (!stepEvenly(stepper, until))
    return false;
  return !summary_.stopped;
}

// Times follow from the number of the step, so that they do not drift. False if what is left until
// then is rounding.
bool RunProgress::stepEvenly(Stepper& stepper, double until) {
  const TimeSettings way{.step = settings_.time.step, .end = until - from_};
  const bool ends = std::isfinite(until);
  const std::int64_t n = even_steps_ + 1, last = ends ? way.stepCount() : n + 1;
  if (n > last) return false;
  const double h = n == last ? way.stepLength(n) : way.step, t = state_.t;
  take(summary_.steps + 1, t, stepper.step(state_, h), stepper);
  finish(n == last ? until : from_ + static_cast<double>(n) * way.step, h);
  even_steps_ = n;
  if (n == last && !way.isMultiple()) countFromHere();
  return true;
}

void RunProgress::stepByError(Stepper& stepper, double until) {
  const double t = state_.t;
  take(summary_.steps + 1, t, control_.advance(stepper, state_, until), stepper);
  const double h = control_.lastStep();
  // A remainder that is rounding is no step.
  const bool arrives = until - (t + h) <= kWholeNumber * h;
  finish(arrives ? until : t + h, h);
}

void RunProgress::take(std::int64_t step, double t, const StepReport& report,
                       const Stepper& stepper) {
  report_ = report;
  has_report_ = true;
  gather(step, t, stepper, report_, summary_);
  summary_.stopped = !report_.advanced;
}

void RunProgress::finish(double t, double h) {
  if (summary_.stopped) return;
  state_.t = t;
  ++summary_.steps;
  summary_.longest_step = std::max(summary_.longest_step, h);
  summary_.shortest_step = summary_.steps == 1 ? h : std::min(summary_.shortest_step, h);
}

void RunProgress::countFromHere() {
  from_ = state_.t;
  even_steps_ = 0;
}

void RunProgress::setState(State state) {
  state_ = std::move(state);
  summary_.stopped = false;
  control_.forgetOverlap();
  countFromHere();
}

RunSummary RunProgress::summary(Stepper& stepper) const {
  RunSummary summary = summary_;
  summary.rejected_steps = control_.rejected();
  summary.coarse_steps = control_.coarse();
  summary.energy_end = totalEnergy(stepper, state_);
  // Certificates of this scheme know overlaps at the start of a step only.
  if (stepper.schemeTraits().gaps_at_start)
    summary.penetration_max = std::max(summary.penetration_max, stepper.deepestOverlap(state_));
  summary.final_state = state_;
  return summary;
}

RunSummary run(Stepper& stepper, State initial, const RunSettings& settings,
               const StepObserver& observer) {
  RunProgress progress(stepper, std::move(initial), settings);
  const auto observe = [&] {
    if (observer) observer(progress.steps(), progress.state(), stepper, progress.report());
  };
  if (settings.impact_at_start) progress.impact(stepper);
  observe();
  while (progress.stepTowards(stepper, settings.time.end)) observe();
  return progress.summary(stepper);
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
