// Are all numbers finite? By all threads, several numbers at once.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <span>

#include "parallel/parallel_for.hpp"

namespace stickslip {

inline bool allFinite(std::span<const double> values) {
  constexpr int kNumbersAtOnce = 1 << 14;
  std::atomic<bool> finite = true;
  parallelFor(static_cast<int>(values.size()), kNumbersAtOnce, [&](int begin, int end) {
    // Zero times a number that is not finite is not a number, and stays so in a sum.
    std::array<double, 4> sums{};
    int k = begin;
    for (; k + 4 <= end; k += 4)
      for (std::size_t lane = 0; lane < 4; ++lane)
        sums[lane] += 0 * values[static_cast<std::size_t>(k) + lane];
    for (; k < end; ++k) sums[0] += 0 * values[static_cast<std::size_t>(k)];
    if (!(sums[0] + sums[1] + sums[2] + sums[3] == 0))
      finite.store(false, std::memory_order_relaxed);
  });
  return finite.load(std::memory_order_relaxed);
}

}  // namespace stickslip
