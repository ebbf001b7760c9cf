// Copies of long vectors by all threads: one of them has not the bandwidth of the machine.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "parallel/parallel_for.hpp"

namespace stickslip {

/// to := from, which is no part of it.
inline void copyByAll(std::span<const double> from, std::vector<double>& to) {
  constexpr int kNumbersAtOnce = 1 << 13;
  to.resize(from.size());
  parallelFor(static_cast<int>(from.size()), kNumbersAtOnce, [&](int begin, int end) {
    std::copy_n(from.data() + begin, end - begin, to.data() + begin);
  });
}

}  // namespace stickslip
