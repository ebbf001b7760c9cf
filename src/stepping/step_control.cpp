#include "stepping/step_control.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace stickslip {
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
