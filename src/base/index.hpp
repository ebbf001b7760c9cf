// Counts and indices are int here; containers want std::size_t.
#pragma once

#include <cstddef>

namespace stickslip {

constexpr std::size_t at(int i) {
  return static_cast<std::size_t>(i);
}

}  // namespace stickslip
