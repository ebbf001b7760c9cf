// How much a test does: all of it in plain builds. Sanitizers look for other mistakes than a wrong
// digit, and slow everything down by five: there a part of the same work has to do.
#pragma once

#include <algorithm>

namespace stickslip::testing {

inline constexpr bool kSanitized = STICKSLIP_SANITIZED;

/// Number of random problems to try.
constexpr int trials(int full) {
  return kSanitized ? std::max(1, full / 5) : full;
}

}  // namespace stickslip::testing
