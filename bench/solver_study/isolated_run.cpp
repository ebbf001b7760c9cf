#include "solver_study/isolated_run.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <ctime>
#include <limits>
#include <stdexcept>

namespace stickslip::study {
namespace {

constexpr double kEnough = 0.3;

// Peers print; what they say is not part of the study.
void silence() {
  const int nowhere = open("/dev/null", O_WRONLY);
  dup2(nowhere, STDOUT_FILENO);
  dup2(nowhere, STDERR_FILENO);
}

void limitCpu(double seconds) {
  const auto whole = static_cast<rlim_t>(std::ceil(seconds));
  const rlimit limit{whole, whole + 1};
  setrlimit(RLIMIT_CPU, &limit);
  const rlimit no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
}

[[noreturn]] void child(int pipe_end, double limit_seconds,
                        const std::function<Measurement()>& measure) {
  silence();
  limitCpu(limit_seconds);
  const Measurement result = measure();
  const bool written = write(pipe_end, &result, sizeof result) == sizeof result;
  _exit(written ? 0 : 1);
}

}  // namespace

std::string toString(Measurement::Outcome outcome) {
  switch (outcome) {
    case Measurement::Outcome::solved:
      return "solved";
    case Measurement::Outcome::unsolved:
      return "unsolved";
    case Measurement::Outcome::time_limit:
      return "time_limit";
    case Measurement::Outcome::crashed:
      return "crashed";
    default:
      return "none";
  }
}

double cpuSeconds() {
  // Of the thread: where CPU time is limited, the clock of the process counts in ticks.
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

Measurement bestOf(int most, const std::function<void()>& solve) {
  Measurement result;
  result.seconds = std::numeric_limits<double>::infinity();
  const double start = cpuSeconds();
  do {
    const double before = cpuSeconds();
    solve();
    result.seconds = std::min(result.seconds, cpuSeconds() - before);
    ++result.repeats;
  } while (result.repeats < most && cpuSeconds() - start < kEnough);
  return result;
}

Measurement runIsolated(double limit_seconds, const std::function<Measurement()>& measure) {
  int ends[2];
  if (pipe(ends) != 0) throw std::runtime_error("no pipe for a measurement");
  const pid_t process = fork();
  if (process < 0) throw std::runtime_error("no process for a measurement");
  if (process == 0) {
    close(ends[0]);
    child(ends[1], limit_seconds, measure);
  }
  close(ends[1]);
  Measurement result;
  const bool complete = read(ends[0], &result, sizeof result) == sizeof result;
  close(ends[0]);
  int status = 0;
  waitpid(process, &status, 0);
  if (complete) return result;
  const bool out_of_time =
      WIFSIGNALED(status) && (WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGKILL);
  result = {};
  result.outcome = out_of_time ? Measurement::Outcome::time_limit : Measurement::Outcome::crashed;
  result.residual = result.fclib_error = std::numeric_limits<double>::infinity();
  result.seconds = out_of_time ? limit_seconds : 0;
  return result;
}

}  // namespace stickslip::study
