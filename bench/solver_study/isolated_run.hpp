// Runs a measurement in a process of its own, with a limit on its CPU time: solvers that do not
// end, and peers that abort, cost one row of a study and not the study.
#pragma once

#include <functional>
#include <string>

namespace stickslip::study {

/// What a measurement found; plain data, since it comes through a pipe.
struct Measurement {
  enum class Outcome { none, solved, unsolved, time_limit, crashed };
  Outcome outcome = Outcome::none;
  double residual = 0;     ///< by the certificate
  double fclib_error = 0;  ///< by the certificate
  double iterations = 0;   ///< as the solver counts them
  double seconds = 0;      ///< CPU time of one solve, best of `repeats`
  int repeats = 0;
};

/// "solved", "unsolved" (by the solver's own test), "time_limit", "crashed".
std::string toString(Measurement::Outcome outcome);

/// CPU time of this thread [s].
double cpuSeconds();

/// Calls `solve` until some time has gone by, at least once and at most `most` times, and
/// returns the shortest time and the number of calls.
Measurement bestOf(int most, const std::function<void()>& solve);

Measurement runIsolated(double limit_seconds, const std::function<Measurement()>& measure);

}  // namespace stickslip::study
