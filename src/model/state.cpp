#include "stickslip/state.hpp"

#include <bit>
#include <cmath>

#include "parallel/all_finite.hpp"

namespace stickslip {
namespace {

// FNV-1a over the bytes of each double, least significant first, so that the byte order of the
// machine does not matter.
std::uint64_t mix(std::uint64_t hash, double value) {
  const auto bits = std::bit_cast<std::uint64_t>(value);
  for (int shift = 0; shift < 64; shift += 8) {
    hash ^= (bits >> shift) & 0xff;
    hash *= 0x100000001b3ULL;
  }
  return hash;
}

}  // namespace

bool isFinite(const State& state) {
  return std::isfinite(state.t) && allFinite(state.q) && allFinite(state.u);
}

std::uint64_t fingerprint(const State& state) {
  std::uint64_t hash = mix(0xcbf29ce484222325ULL, state.t);
  for (const double x : state.q) hash = mix(hash, x);
  for (const double x : state.u) hash = mix(hash, x);
  return hash;
}

}  // namespace stickslip
