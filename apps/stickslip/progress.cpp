#include "progress.hpp"

#include <fmt/core.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <cstdint>
#include <string>

namespace stickslip::cli {
namespace {

using namespace std::chrono_literals;

constexpr std::int64_t kStepsBetweenLooks = 256;
constexpr auto kBarInterval = 200ms;
constexpr auto kLineInterval = 5s;
constexpr int kBarWidth = 40;

}  // namespace

Progress::Progress(double end_time)
    : end_(end_time),
      terminal_(isatty(STDERR_FILENO) == 1),
      last_(std::chrono::steady_clock::now()) {}

Progress::~Progress() {
  if (bar_drawn_) fmt::print(stderr, "\r\033[K");
}

void Progress::update(std::int64_t step, double time) {
  if (step == 0 || step % kStepsBetweenLooks != 0) return;
  const auto now = std::chrono::steady_clock::now();
  if (now - last_ < (terminal_ ? kBarInterval : std::chrono::milliseconds(kLineInterval))) return;
  last_ = now;
  if (terminal_)
    drawBar(time / end_);
  else
    printLine(step, time);
}

void Progress::drawBar(double share) {
  const int filled = static_cast<int>(kBarWidth * share);
  fmt::print(stderr, "\r[{:<{}}] {:3.0f} %", std::string(static_cast<std::size_t>(filled), '#'),
             kBarWidth, 100 * share);
  std::fflush(stderr);
  bar_drawn_ = true;
}

void Progress::printLine(std::int64_t step, double time) {
  spdlog::info("step {}, t = {:g} of {:g} ({:.0f} %)", step, time, end_, 100 * time / end_);
}

}  // namespace stickslip::cli
