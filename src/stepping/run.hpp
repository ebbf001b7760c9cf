// Steps whose length follows from their error.
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

  double lastStep() const { return last_; }
  std::int64_t rejected() const { return rejected_; }
  std::int64_t coarse() const { return coarse_; }

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

}  // namespace stickslip
