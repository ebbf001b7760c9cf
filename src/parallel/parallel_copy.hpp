// Copies of long vectors, and zeros in them, by all threads: one of them has not the bandwidth of
// the machine.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "parallel/parallel_for.hpp"

namespace stickslip {

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
  to.resize(static_cast<std::size_t>(count));
  parallelFor(count, kNumbersAtOnce,
              [&](int begin, int end) { std::fill(to.begin() + begin, to.begin() + end, 0.0); });
}

}  // namespace stickslip
