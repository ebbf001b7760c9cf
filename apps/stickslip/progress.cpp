#include "progress.hpp"

#include <fmt/core.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <string>

namespace stickslip::cli {
namespace {

using namespace std::chrono_literals;

constexpr long kStepsBetweenLooks = 256;
constexpr auto kBarInterval = 200ms;
constexpr auto kLineInterval = 5s;
constexpr int kBarWidth = 40;

}  // namespace

Progress::Progress(long total_steps)
    : total_(total_steps),
      terminal_(isatty(STDERR_FILENO) == 1),
      last_(std::chrono::steady_clock::now()) {}

Progress::~Progress() {
  if (bar_drawn_) fmt::print(stderr, "\r\033[K");
}

void Progress::update(long step) {
  if (step == 0 || step % kStepsBetweenLooks != 0) return;
  const auto now = std::chrono::steady_clock::now();
  if (now - last_ < (terminal_ ? kBarInterval : std::chrono::milliseconds(kLineInterval))) return;
  last_ = now;
  if (terminal_)
    drawBar(step);
  else
    printLine(step);
}

void Progress::drawBar(long step) {
  const int filled = static_cast<int>(kBarWidth * step / total_);
  fmt::print(stderr, "\r[{:<{}}] {:3d} %", std::string(static_cast<std::size_t>(filled), '#'),
             kBarWidth, 100 * step / total_);
  std::fflush(stderr);
  bar_drawn_ = true;
}

void Progress::printLine(long step) {
  spdlog::info("step {} of {} ({} %)", step, total_, 100 * step / total_);
}

}  // namespace stickslip::cli
