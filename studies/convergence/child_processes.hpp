// Independent jobs in processes of their own, several at a time. A job that crashes ends itself and
// nothing else. Results come back in the order of the jobs, whichever ends first.
//
// To be called while this process has no other thread: a child has none of them.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace stickslip {

struct ChildResult {
  bool finished = false;  ///< false if it threw or crashed
  std::string text;       ///< what the job returned, or what went wrong
  double seconds = 0;     ///< wall time
};

/// Runs in a child; what it returns is sent to the parent.
using ChildJob = std::function<std::string()>;
/// Called in the parent when job `index` ends; `done` have ended by then.
using ChildObserver = std::function<void(std::size_t index, std::size_t done, const ChildResult&)>;

std::vector<ChildResult> runInChildren(std::span<const ChildJob> jobs, int at_once,
                                       const ChildObserver& observer = {});

}  // namespace stickslip
