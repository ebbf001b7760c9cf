#include "convergence/child_processes.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <stdexcept>

namespace stickslip {
namespace {

constexpr int kThrew = 3;

void writeAll(int descriptor, const std::string& text) {
  for (std::size_t sent = 0; sent < text.size();) {
    const ssize_t n = write(descriptor, text.data() + sent, text.size() - sent);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) _exit(kThrew);
    sent += static_cast<std::size_t>(n);
  }
}

[[noreturn]] void runChild(const ChildJob& job, int descriptor) {
  int code = 0;
  std::string text;
  try {
    text = job();
  } catch (const std::exception& error) {
    text = error.what();
    code = kThrew;
  }
  std::fflush(nullptr);
  writeAll(descriptor, text);
  // Not exit(): what the parent registered for its own end is not this process's to do.
  _exit(code);
}

struct Child {
  std::size_t job;
  pid_t process;
  int descriptor;
  std::chrono::steady_clock::time_point start;
  std::string text;
};

Child startChild(const ChildJob& job, std::size_t index) {
  std::array<int, 2> pipe_ends{};
  if (pipe(pipe_ends.data()) != 0)
    throw std::runtime_error(fmt::format("no pipe to a child process: {}", std::strerror(errno)));
  std::fflush(nullptr);  // or the child would print what is buffered again
  const pid_t parent = getpid();
  const pid_t process = fork();
  if (process < 0)
    throw std::runtime_error(fmt::format("no child process: {}", std::strerror(errno)));
  if (process == 0) {
    // Ends with its parent, however that ends; which may have happened already.
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(kThrew);
    close(pipe_ends[0]);
    runChild(job, pipe_ends[1]);
  }
  close(pipe_ends[1]);
  return {index, process, pipe_ends[0], std::chrono::steady_clock::now(), {}};
}

// Waits for the process, whose pipe has ended.
ChildResult finish(const Child& child) {
  close(child.descriptor);
  int status = 0;
  while (waitpid(child.process, &status, 0) < 0 && errno == EINTR) {
  }
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - child.start;
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return {true, child.text, wall.count()};
  if (WIFEXITED(status) && WEXITSTATUS(status) == kThrew) return {false, child.text, wall.count()};
  return {false,
          WIFSIGNALED(status) ? fmt::format("the process was ended by signal {} ({})",
                                            WTERMSIG(status), strsignal(WTERMSIG(status)))
                              : fmt::format("the process ended with {}", WEXITSTATUS(status)),
          wall.count()};
}

// Reads what there is; false at the end of the pipe.
bool readSome(Child& child) {
  std::array<char, 65536> buffer;
  const ssize_t n = read(child.descriptor, buffer.data(), buffer.size());
  if (n < 0 && errno == EINTR) return true;
  if (n <= 0) return false;
  child.text.append(buffer.data(), static_cast<std::size_t>(n));
  return true;
}

}  // namespace

std::vector<ChildResult> runInChildren(std::span<const ChildJob> jobs, int at_once,
                                       const ChildObserver& observer) {
  std::vector<ChildResult> results(jobs.size());
  std::vector<Child> running;
  std::size_t next = 0, done = 0;
  while (done < jobs.size()) {
    for (; next < jobs.size() && static_cast<int>(running.size()) < at_once; ++next)
      running.push_back(startChild(jobs[next], next));
    std::vector<pollfd> waits;
    waits.reserve(running.size());
    for (const Child& child : running) waits.push_back({child.descriptor, POLLIN, 0});
    if (poll(waits.data(), waits.size(), -1) < 0) continue;
    for (std::size_t k = waits.size(); k-- > 0;) {
      if (waits[k].revents == 0 || readSome(running[k])) continue;
      const std::size_t job = running[k].job;
      results[job] = finish(running[k]);
      running.erase(running.begin() + static_cast<std::ptrdiff_t>(k));
      ++done;
      if (observer) observer(job, done, results[job]);
    }
  }
  return results;
}

}  // namespace stickslip
