// Copies of long vectors, and zeros in them, by all threads: one of them has not the bandwidth of
// the machine.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <span>
#include <vector>

#include "base/parallel_for.hpp"

namespace stickslip {

// Are all numbers finite? By all threads, several numbers at once.

inline bool allFinite(std::span<const double> values) {
  constexpr int kNumbersAtOnce = 1 << 14;
  std::atomic<bool> finite = true;
  parallelFor(static_cast<int>(values.size()), kNumbersAtOnce, [&](int begin, int end) {
    // Zero times a number that is not finite is not a number, and stays so in a sum.
    std::array<double, 4> sums{};
    int k = begin;
    for (; k + 4 <= end; k += 4)
      for (std::size_t lane = 0; lane < 4; ++lane) sums[lane] += 0 * values[k + lane];
    for (; k < end; ++k) sums[0] += 0 * values[k];
    if (!(sums[0] + sums[1] + sums[2] + sums[3] == 0))
      finite.store(false, std::memory_order_relaxed);
  });
  return finite.load(std::memory_order_relaxed);
}

constexpr int kNumbersAtOnce = 1 << 13;

/// to := from, which is no part of it.
inline void copyByAll(std::span<const double> from, std::vector<double>& to) {
  to.resize(from.size());
  parallelFor(static_cast<int>(from.size()), kNumbersAtOnce, [&](int begin, int end) {
    std::copy_n(from.data() + begin, end - begin, to.data() + begin);
  });
}

/// So many zeros.
inline void zeroByAll(int count, std::vector<double>& to) {
  to.resize(count);
  parallelFor(count, kNumbersAtOnce,
              [&](int begin, int end) { std::fill(to.begin() + begin, to.begin() + end, 0.0); });
}

}  // namespace stickslip
