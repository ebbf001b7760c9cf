// A run under way, and steps whose length follows from their error.
//
// A step of length h is done once in full and once in two halves, from the same state. Where the
// two ends are no farther apart than `error` (System::distance), and the halves have added no more
// than that to the deepest overlap, they are kept; otherwise a shorter step is tried. Overlaps have
// to be asked for: a scheme that finds them in its next step only misses an impact near the end of
// this one with either length. The next length is h times kSafety sqrt(error / distance), within
// kLeast..kMost: the difference is of order h^2 in smooth motion; at an impact, which the two place
// differently in time, it is of order h, and steps close in on it until it is small enough.
//
// No step is shorter than kShortest of the longest; one that is and still has a larger error is
// kept and counted.
#pragma once

#include <cstdint>

#include "stickslip/run.hpp"

namespace stickslip {

class StepControl {
 public:
  /// The longest step and the error are those of `time`.
  explicit StepControl(const TimeSettings& time)
      : error_(time.error), longest_(time.step), next_(time.step) {}

  /// Advances `state` by a step of its own choice, but not beyond the time `end`.
  StepReport advance(Stepper& stepper, State& state, double end);

  /// The next state does not follow from the last one.
  void forgetOverlap() { overlap_ = -1; }

  double lastStep() const { return last_; }
  std::int64_t rejected() const { return rejected_; }
  std::int64_t coarse() const { return coarse_; }

  template <class Memory, class Self>
  static void parts(Memory& memory, Self& self) {
    memory(self.next_, self.last_, self.rejected_, self.coarse_, self.overlap_);
  }

 private:
  double lengthFrom(double t, double end) const;

  double error_;
  double longest_;
  double next_;
  double last_ = 0;
  std::int64_t rejected_ = 0;
  std::int64_t coarse_ = 0;
  double overlap_ = -1;  ///< where the last step ended; -1: not known yet
  State full_;
  State halves_;
};

/// Where a run is and what became of its steps so far. The Stepper is another's, and always the
/// same.
class RunProgress {
 public:
  RunProgress(const Stepper& stepper, State initial, const RunSettings& settings);

  /// A step of length zero.
  void impact(Stepper& stepper);
  /// As Simulation::stepTowards.
  bool stepTowards(Stepper& stepper, double until);
  void setState(State state);

  const RunSettings& settings() const { return settings_; }
  const State& state() const { return state_; }
  const StepReport* report() const { return has_report_ ? &report_ : nullptr; }
  std::int64_t steps() const { return summary_.steps; }
  bool stopped() const { return summary_.stopped; }
  bool certified() const { return summary_.certified(); }
  RunSummary summary(Stepper& stepper) const;

  template <class Memory, class Self>
  static void parts(Memory& memory, Self& self) {
    memory(self.control_, self.state_, self.from_, self.even_steps_, self.has_report_, self.report_,
           self.summary_);
  }

 private:
  bool stepEvenly(Stepper& stepper, double until);
  void stepByError(Stepper& stepper, double until);
  void take(std::int64_t step, double t, const StepReport& report, const Stepper& stepper);
  void finish(double t, double h);
  void countFromHere();

  RunSettings settings_;
  StepControl control_;
  State state_;
  double from_;  ///< steps of equal length are counted from this time on
  std::int64_t even_steps_ = 0;
  StepReport report_;
  bool has_report_ = false;
  RunSummary summary_;
};

}  // namespace stickslip
