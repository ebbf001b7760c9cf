// Runs a measurement in a process of its own, with a limit on its CPU time: solvers that do not
// end, and peers that abort, cost one row of a study and not the study.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <type_traits>

namespace stickslip::study {

enum class Ending { complete, time_limit, crashed };

/// Calls `measure` in another process, and copies `result` from there to here; unless the ending is
/// complete, `result` stays as it is.
Ending runIsolated(double limit_seconds, std::span<std::byte> result,
                   const std::function<void()>& measure);

template <class Plain>
Ending runIsolated(double limit_seconds, Plain& result, const std::function<Plain()>& measure) {
  static_assert(std::is_trivially_copyable_v<Plain>, "it comes through a pipe");
  return runIsolated(limit_seconds, std::as_writable_bytes(std::span(&result, 1)),
                     [&] { result = measure(); });
}

/// CPU time of this thread [s].
double cpuSeconds();

struct BestTime {
  double seconds = 0;
  int repeats = 0;
};

/// Calls `prepare` and `solve` in turn until some time has gone by, at least once and at most
/// `most` times, and returns the shortest time of a solve.
BestTime bestOf(int most, const std::function<void()>& prepare, const std::function<void()>& solve);

}  // namespace stickslip::study
