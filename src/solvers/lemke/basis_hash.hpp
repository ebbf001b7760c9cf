// A random-looking number for each variable of an LCP; a basis has the exclusive or of its
// variables', so that a basis seen before is known at the price of one operation a pivot.
#pragma once

#include <cstdint>

namespace stickslip {

constexpr std::uint64_t basisHash(int variable) {
  std::uint64_t x = static_cast<std::uint64_t>(variable + 1) * 0x9e3779b97f4a7c15ULL;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

}  // namespace stickslip
