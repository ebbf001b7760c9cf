// A run: many steps from an initial state, with the worst of all certificates.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "stickslip/stepper.hpp"

namespace stickslip {

/// How long a run is, and its steps.
struct TimeSettings {
  double step = 0;  ///< h [s], > 0
  double end = 0;   ///< the run goes from t = 0 to here [s], >= 0
  /// 0: all steps have the length `step`. > 0: `step` is the longest, and steps are chosen so that
  /// one of them and its two halves end within this distance of each other [length].
  double error = 0;

  /// True if `end` is a whole number of steps, up to the rounding of the two.
  bool isMultiple() const;
  /// Number of steps of equal length; the last one is shorter if `end` is no multiple of `step`.
  /// Throws InputError if that is no number, or more than 2^53.
  std::int64_t stepCount() const;
  /// Time after n steps, computed from n so that it does not drift.
  double timeAfter(std::int64_t n) const;
  /// Length of step n, counted from 1.
  double stepLength(std::int64_t n) const;
};

/// Everything that is said about a run as a whole.
struct RunSummary {
  std::int64_t steps = 0;  ///< steps done
  State final_state;
  double residual_max = 0;  ///< worst relative residual of any step
  double fclib_error_max = 0;
  double momentum_residual_max = 0;
  double joint_residual_max = 0;
  double penetration_max = 0;  ///< deepest overlap [length]
  double joint_drift_max = 0;
  double lift_max = 0;  ///< relaxed law: largest velocity at which it lifted what slides
  double geometry_residual_max = 0;  ///< velocities against the geometry that follows from them
  double energy_residual_max = 0;    ///< energy that contacts and joints should not put in
  double friction_residual_max = 0;  ///< coefficients of friction against sliding speeds
  std::int64_t friction_iterations_max = 0;  ///< most contact problems of a step until they agreed
  std::int64_t restitution_dropped_steps = 0;  ///< steps that gave up restitution
  std::int64_t drift_kept_steps = 0;      ///< steps that gave up closing overlaps and open joints
  int contacts_max = 0;                   ///< most contacts active in a step
  std::int64_t nonunique_steps = 0;       ///< steps whose impulses may not be unique
  std::int64_t iterations = 0;            ///< of the solver, in all
  StageSummary stages;                    ///< of the solver, in all
  std::int64_t outer_iterations_max = 0;  ///< fixed-point solvers: most convex problems of a step
  double contraction_max = 0;             ///< and the worst factor by which their changes shrank
  double energy_start = 0;                ///< kinetic plus potential
  double energy_end = 0;
  double energy_max_gain = 0;  ///< most energy that contacts and joints put in during a step

  // Steps chosen by their error:
  std::int64_t rejected_steps = 0;  ///< tried, and tried again with a shorter step
  std::int64_t coarse_steps = 0;    ///< as short as they get, and yet with a larger error
  double shortest_step = 0;         ///< of all steps [s]
  double longest_step = 0;

  // Schemes that watch what velocities can close, iterate for their geometry, or locate collisions:
  std::int64_t contact_rounds =
      0;  ///< contact problems solved again with contacts that had been missed
  std::int64_t missed_contact_steps = 0;  ///< steps in which contacts were missed all the same
  std::int64_t geometry_iterations_max = 0;
  double geometry_contraction_max = 0;
  std::int64_t collisions = 0;
  std::int64_t crowded_steps =
      0;  ///< steps with so many collisions that the last ones did not bounce
  std::int64_t limited_restitution_steps = 0;  ///< steps with impacts that would have gained energy

  std::int64_t uncertified_steps = 0;
  std::int64_t first_uncertified_step = -1;     ///< counted from 1; 0 is the impact at the start
  double first_uncertified_time = 0;            ///< where that step starts
  std::string_view first_uncertified_residual;  ///< the worst one of that step, by name,
  double first_uncertified_value = 0;           ///< and how large it is
  SolveStatus first_uncertified_solve = SolveStatus::solved;  ///< what the solver said there
  bool stopped = false;  ///< the state stopped being finite; the run ended early

  bool certified() const { return uncertified_steps == 0 && !stopped; }
};

/// Called with the initial state (step 0; `report` is that of the impact at the start, or null if
/// there was none) and after every step.
using StepObserver = std::function<void(std::int64_t step, const State& state,
                                        const Stepper& stepper, const StepReport* report)>;

/// What a run needs beside a model and a state.
struct RunSettings {
  TimeSettings time;
  /// Begin with a step of length zero, which makes the velocities agree with the contacts.
  bool impact_at_start = false;
};

/// Runs the model from `initial`. Goes on past uncertified steps, which the summary counts, and
/// ends early only when the state stops being finite.
RunSummary run(Stepper& stepper, State initial, const RunSettings& settings,
               const StepObserver& observer = {});

}  // namespace stickslip
