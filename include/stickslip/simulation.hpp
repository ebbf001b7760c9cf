// A simulation: a run that goes on as far as one asks, and can be looked at and changed between
// steps. run() of run.hpp is one that goes to its end; both have the same steps and the same bits.
//
//   Simulation simulation(model, system->initialState(), {{.step = 1e-3}});
//   while (simulation.stepTowards(2.0)) draw(simulation.stepper().contacts());
//   if (!simulation.summary().certified()) ...
//
// What it is can be saved at any time between steps, and restored in another Simulation, in
// another program:
//
//   const std::vector<std::byte> saved = simulation.save();
//   Simulation other(model, initial, settings);
//   other.restore(saved);                       // goes on as the first one would, bit for bit
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

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

  /// Everything that the steps to come depend on, and all that can be seen of those so far: state,
  /// count of steps, reports, what solver and scheme remember, who sleeps. The model is not in it.
  std::vector<std::byte> save() const;
  /// Goes on from there. For a simulation of the same model and the same steps; where it is, and
  /// until when it runs, does not matter. Throws InputError if the bytes are damaged, not complete,
  /// from another version, or of a model with other sizes, another method or other steps; nothing
  /// changes then.
  void restore(std::span<const std::byte> saved);

  /// About the last step or the impact at the start; null before.
  const StepReport* report() const;
  /// About all steps so far.
  RunSummary summary() const;
  /// What the summary says of that, for less: it looks for overlaps and energy as well.
  bool certified() const;
  /// False if the last step would have led to a state that is not finite: it was not made.
  bool isFinite() const;

  const RunSettings& settings() const;
  const Stepper& stepper() const;
  Stepper& stepper();

 private:
  void saveMemory(MemoryWriter& to) const;
  void restoreMemory(MemoryReader& from);

  std::unique_ptr<Stepper> stepper_;
  std::unique_ptr<RunProgress> progress_;
};

/// u' M u / 2.
double kineticEnergy(const System& system, const State& state);

}  // namespace stickslip
