// A simulation: a run that goes on as far as one asks, and can be looked at and changed between
// steps. run() of run.hpp is one that goes to its end; both have the same steps and the same bits.
//
//   Simulation simulation(model, system->initialState(), {{.step = 1e-3}});
//   while (simulation.stepTowards(2.0)) draw(simulation.stepper().contacts());
//   if (!simulation.summary().certified()) ...
#pragma once

#include <cstdint>
#include <memory>

#include "stickslip/run.hpp"
#include "stickslip/stepper.hpp"

namespace stickslip {

class RunProgress;

/// Steps a model of its own from a state of its own.
class Simulation {
 public:
  /// Begins with an impact if the settings ask for it. Throws InputError as Stepper does, if the
  /// state does not fit the system or is not finite, or if the step is not > 0.
  Simulation(Model model, State initial, const RunSettings& settings, StepperOptions options = {});
  ~Simulation();
  Simulation(Simulation&&) noexcept;
  Simulation& operator=(Simulation&&) noexcept;

  /// One step of the settings' length, or by their error.
  void step();
  /// One step, which is shorter where it would lead beyond `until`. False if there is none: the
  /// state is there already, or stopped being finite.
  bool stepTowards(double until);

  const State& state() const;
  /// Steps done so far; the impact at the start is none.
  std::int64_t steps() const;
  /// Puts the system elsewhere: the next step starts there, and what sleeps wakes. Throws
  /// InputError if the state does not fit the system, or is not finite; nothing changes then.
  void setState(State state);

  /// About the last step or the impact at the start; null before.
  const StepReport* report() const;
  /// About all steps so far.
  RunSummary summary() const;
  /// False if the last step would have led to a state that is not finite: it was not made.
  bool isFinite() const;

  const RunSettings& settings() const;
  const Stepper& stepper() const;
  Stepper& stepper();

 private:
  std::unique_ptr<Stepper> stepper_;
  std::unique_ptr<RunProgress> progress_;
};

/// u' M u / 2.
double kineticEnergy(const System& system, const State& state);

}  // namespace stickslip
