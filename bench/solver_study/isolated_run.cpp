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
#include <vector>

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

[[noreturn]] void child(int pipe_end, double limit_seconds, std::span<const std::byte> result,
                        const std::function<void()>& measure) {
  silence();
  limitCpu(limit_seconds);
  measure();
  const auto written = write(pipe_end, result.data(), result.size());
  _exit(written == static_cast<ssize_t>(result.size()) ? 0 : 1);
}

}  // namespace

double cpuSeconds() {
  // Of the thread: where CPU time is limited, the clock of the process counts in ticks.
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

BestTime bestOf(int most, const std::function<void()>& prepare,
                const std::function<void()>& solve) {
  BestTime best{std::numeric_limits<double>::infinity(), 0};
  const double start = cpuSeconds();
  do {
    prepare();
    const double before = cpuSeconds();
    solve();
    best.seconds = std::min(best.seconds, cpuSeconds() - before);
    ++best.repeats;
  } while (best.repeats < most && cpuSeconds() - start < kEnough);
  return best;
}

Ending runIsolated(double limit_seconds, std::span<std::byte> result,
                   const std::function<void()>& measure) {
  int ends[2];
  if (pipe(ends) != 0) throw std::runtime_error("no pipe for a measurement");
  const pid_t process = fork();
  if (process < 0) throw std::runtime_error("no process for a measurement");
  if (process == 0) {
    close(ends[0]);
    child(ends[1], limit_seconds, result, measure);
  }
  close(ends[1]);
  std::vector<std::byte> received(result.size());
  const auto count = read(ends[0], received.data(), received.size());
  close(ends[0]);
  int status = 0;
  waitpid(process, &status, 0);
  if (count == static_cast<ssize_t>(received.size())) {
    std::copy(received.begin(), received.end(), result.begin());
    return Ending::complete;
  }
  const bool out_of_time =
      WIFSIGNALED(status) && (WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGKILL);
  return out_of_time ? Ending::time_limit : Ending::crashed;
}

}  // namespace stickslip::study
