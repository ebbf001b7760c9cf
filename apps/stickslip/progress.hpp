// Progress of a long run on standard error: a bar on a terminal, a line now and then elsewhere.
#pragma once

#include <chrono>
#include <cstdint>

namespace stickslip::cli {

class Progress {
 public:
  explicit Progress(double end_time);
  ~Progress();

  /// To be called after every step; looks at the clock only now and then.
  void update(std::int64_t step, double time);

 private:
  void drawBar(double share);
  void printLine(std::int64_t step, double time);

  double end_;
  bool terminal_;
  bool bar_drawn_ = false;
  std::chrono::steady_clock::time_point last_;
};

}  // namespace stickslip::cli
