// Waiting for another thread that will be done in microseconds.
#pragma once

#include <thread>

namespace stickslip {

/// Tells the processor that this thread does nothing but look again.
inline void pauseShortly() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

/// Looks for a while, then gives the core away between looks: the other may want it.
class Spin {
 public:
  void once() {
    pauseShortly();
    if (++looks_ > kLooks) std::this_thread::yield();
  }

 private:
  static constexpr int kLooks = 200;
  int looks_ = 0;
};

}  // namespace stickslip
