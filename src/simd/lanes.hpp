// Four numbers at once, whatever the machine has: one vector of four, or two of two. Every lane
// sees the same operations in the same order.
#pragma once

#include <cmath>
#include <limits>

#include "simd/vectors.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace stickslip {
inline namespace STICKSLIP_INSTRUCTION_SET {

constexpr int kParts = kLanes / kWidth;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

using Bits = decltype(Vector{} < Vector{});

struct Mask {
  Bits part[kParts];
};

struct Lanes {
  Vector part[kParts];

  Lanes() = default;
  // A difference keeps the sign of zero.
  [[gnu::always_inline]] explicit Lanes(double x) {
    for (Vector& v : part) v = x - Vector{};
  }
  [[gnu::always_inline]] static Lanes load(const double* from) { return loadNumbers<Lanes>(from); }
  [[gnu::always_inline]] void store(double* to) const { storeNumbers(*this, to); }
  [[gnu::always_inline]] double operator[](int lane) const {
    return part[lane / kWidth][lane % kWidth];
  }
};

template <class Result = Lanes, class Operation>
[[gnu::always_inline]] inline Result byParts(Operation operation) {
  Result out;
  for (int k = 0; k < kParts; ++k) out.part[k] = operation(k);
  return out;
}

[[gnu::always_inline]] inline Lanes operator+(const Lanes& a, const Lanes& b) {
  return byParts([&](int k) { return a.part[k] + b.part[k]; });
}
[[gnu::always_inline]] inline Lanes operator-(const Lanes& a, const Lanes& b) {
  return byParts([&](int k) { return a.part[k] - b.part[k]; });
}
[[gnu::always_inline]] inline Lanes operator*(const Lanes& a, const Lanes& b) {
  return byParts([&](int k) { return a.part[k] * b.part[k]; });
}
[[gnu::always_inline]] inline Lanes operator*(const Lanes& a, double b) {
  return byParts([&](int k) { return a.part[k] * b; });
}
[[gnu::always_inline]] inline Lanes operator/(const Lanes& a, const Lanes& b) {
  return byParts([&](int k) { return a.part[k] / b.part[k]; });
}
[[gnu::always_inline]] inline Vector squareRootOf(Vector x) {
#if !defined(__x86_64__)
  return Vector{std::sqrt(x[0]), std::sqrt(x[1])};
#elif STICKSLIP_VECTOR_BYTES == 32
  return _mm256_sqrt_pd(x);
#else
  return _mm_sqrt_pd(x);
#endif
}
[[gnu::always_inline]] inline Lanes squareRoot(const Lanes& a) {
  return byParts([&](int k) { return squareRootOf(a.part[k]); });
}
[[gnu::always_inline]] inline Mask operator<(const Lanes& a, const Lanes& b) {
  return byParts<Mask>([&](int k) { return a.part[k] < b.part[k]; });
}
[[gnu::always_inline]] inline Mask operator<=(const Lanes& a, const Lanes& b) {
  return byParts<Mask>([&](int k) { return a.part[k] <= b.part[k]; });
}
[[gnu::always_inline]] inline Mask operator&(const Mask& a, const Mask& b) {
  return byParts<Mask>([&](int k) { return a.part[k] & b.part[k]; });
}
[[gnu::always_inline]] inline Mask operator~(const Mask& a) {
  return byParts<Mask>([&](int k) { return ~a.part[k]; });
}
[[gnu::always_inline]] inline bool any(const Mask& a) {
  Bits all = a.part[0];
  for (int k = 1; k < kParts; ++k) all |= a.part[k];
  bool found = false;
  for (int k = 0; k < kWidth; ++k) found |= all[k] != 0;
  return found;
}
/// a where the mask is set, else b.
[[gnu::always_inline]] inline Lanes select(const Mask& mask, const Lanes& a, const Lanes& b) {
  return byParts([&](int k) { return mask.part[k] ? a.part[k] : b.part[k]; });
}
[[gnu::always_inline]] inline Lanes larger(const Lanes& a, const Lanes& b) {
  return select(b < a, a, b);
}
[[gnu::always_inline]] inline Lanes magnitude(const Lanes& a) {
  return larger(a, Lanes(0.0) - a);
}

/// The largest of the four, if one is above 0.
[[gnu::always_inline]] inline double largestLane(const Lanes& a) {
  double largest = 0;
  for (int lane = 0; lane < kLanes; ++lane) largest = largest < a[lane] ? a[lane] : largest;
  return largest;
}
[[gnu::always_inline]] inline double sumOfLanes(const Lanes& a) {
  return (a[0] + a[2]) + (a[1] + a[3]);
}

// What depends on the width of vectors: pairs of numbers within them.
//
// firstOfPairs, secondOfPairs: the first or the second numbers of the pairs of a and b in turn.
// pairsAt: w[slot[0]] and the number after it, for wide vectors w[slot[2]] and the one after it
// too. pairsOf: the numbers `first` and `first` + 1 at place[0], then those at place[2].
// storePairs: back to where pairsAt has them from.

[[gnu::always_inline]] inline Pair firstOfPairs(Pair a, Pair b) {
  return __builtin_shufflevector(a, b, 0, 2);
}
[[gnu::always_inline]] inline Pair secondOfPairs(Pair a, Pair b) {
  return __builtin_shufflevector(a, b, 1, 3);
}

#if STICKSLIP_VECTOR_BYTES == 32

[[gnu::always_inline]] inline Vector firstOfPairs(Vector a, Vector b) {
  return __builtin_shufflevector(a, b, 0, 4, 2, 6);
}
[[gnu::always_inline]] inline Vector secondOfPairs(Vector a, Vector b) {
  return __builtin_shufflevector(a, b, 1, 5, 3, 7);
}
[[gnu::always_inline]] inline Lanes join(Pair low, Pair high) {
  Lanes out;
  out.part[0] = __builtin_shufflevector(low, high, 0, 1, 2, 3);
  return out;
}
[[gnu::always_inline]] inline Pair lowPair(const Lanes& x) {
  return __builtin_shufflevector(x.part[0], x.part[0], 0, 1);
}
[[gnu::always_inline]] inline Pair highPair(const Lanes& x) {
  return __builtin_shufflevector(x.part[0], x.part[0], 2, 3);
}
[[gnu::always_inline]] inline Lanes lowPairs(const Lanes& a, const Lanes& b) {
  Lanes out;
  out.part[0] = __builtin_shufflevector(a.part[0], b.part[0], 0, 1, 4, 5);
  return out;
}
[[gnu::always_inline]] inline Lanes highPairs(const Lanes& a, const Lanes& b) {
  Lanes out;
  out.part[0] = __builtin_shufflevector(a.part[0], b.part[0], 2, 3, 6, 7);
  return out;
}
// By intrinsics, which take the second pair from memory.
[[gnu::always_inline]] inline Vector pairsFrom(const double* first, const double* second) {
  return _mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_loadu_pd(first)), _mm_loadu_pd(second), 1);
}
[[gnu::always_inline]] inline Vector pairsAt(const double* w, const int* slot) {
  return pairsFrom(w + slot[0], w + slot[2]);
}
[[gnu::always_inline]] inline Vector pairsOf(const double* const* place, int first) {
  return pairsFrom(place[0] + first, place[2] + first);
}
[[gnu::always_inline]] inline void storePairs(Vector pairs, const int* slot, double* w) {
  if (slot[0] != kNoSlot) _mm_storeu_pd(w + slot[0], _mm256_castpd256_pd128(pairs));
  if (slot[2] != kNoSlot) _mm_storeu_pd(w + slot[2], _mm256_extractf128_pd(pairs, 1));
}

#else

[[gnu::always_inline]] inline Lanes join(Pair low, Pair high) {
  Lanes out;
  out.part[0] = low;
  out.part[1] = high;
  return out;
}
[[gnu::always_inline]] inline Pair lowPair(const Lanes& x) {
  return x.part[0];
}
[[gnu::always_inline]] inline Pair highPair(const Lanes& x) {
  return x.part[1];
}
[[gnu::always_inline]] inline Lanes lowPairs(const Lanes& a, const Lanes& b) {
  return join(a.part[0], b.part[0]);
}
[[gnu::always_inline]] inline Lanes highPairs(const Lanes& a, const Lanes& b) {
  return join(a.part[1], b.part[1]);
}
[[gnu::always_inline]] inline Vector pairsAt(const double* w, const int* slot) {
  return loadNumbers<Pair>(w + slot[0]);
}
[[gnu::always_inline]] inline Vector pairsOf(const double* const* place, int first) {
  return loadNumbers<Pair>(place[0] + first);
}
[[gnu::always_inline]] inline void storePairs(Pair pair, const int* slot, double* w) {
  if (slot[0] != kNoSlot) storeNumbers(pair, w + slot[0]);
}

#endif

/// x[i][j] changes places with x[j][i].
[[gnu::always_inline]] inline void transpose(Lanes (&x)[kLanes]) {
  const auto firsts = [](const Lanes& a, const Lanes& b) __attribute__((always_inline)) {
    return byParts([&](int k) { return firstOfPairs(a.part[k], b.part[k]); });
  };
  const auto seconds = [](const Lanes& a, const Lanes& b) __attribute__((always_inline)) {
    return byParts([&](int k) { return secondOfPairs(a.part[k], b.part[k]); });
  };
  const Lanes ab_first = firsts(x[0], x[1]), ab_second = seconds(x[0], x[1]);
  const Lanes cd_first = firsts(x[2], x[3]), cd_second = seconds(x[2], x[3]);
  x[0] = lowPairs(ab_first, cd_first);
  x[1] = lowPairs(ab_second, cd_second);
  x[2] = highPairs(ab_first, cd_first);
  x[3] = highPairs(ab_second, cd_second);
}

/// `count` pairs of numbers of each of four slots become 2 * count Lanes.
[[gnu::always_inline]] inline void loadSlots(const double* w, const int* slot, int count,
                                             Lanes* out) {
  for (int pair = 0; pair < count; ++pair)
    for (int k = 0; k < kParts; ++k) {
      const Vector even = pairsAt(w + 2 * pair, slot + k * kWidth);
      const Vector odd = pairsAt(w + 2 * pair, slot + k * kWidth + 1);
      out[2 * pair].part[k] = firstOfPairs(even, odd);
      out[2 * pair + 1].part[k] = secondOfPairs(even, odd);
    }
}

/// And back. Nothing is written to kNoSlot.
[[gnu::always_inline]] inline void storeSlots(const Lanes* in, const int* slot, int count,
                                              double* w) {
  for (int pair = 0; pair < count; ++pair)
    for (int k = 0; k < kParts; ++k) {
      const Vector first = in[2 * pair].part[k], second = in[2 * pair + 1].part[k];
      storePairs(firstOfPairs(first, second), slot + k * kWidth, w + 2 * pair);
      storePairs(secondOfPairs(first, second), slot + k * kWidth + 1, w + 2 * pair);
    }
}

/// The first C numbers at each of four places become C Lanes.
template <int C>
[[gnu::always_inline]] inline void loadPlaces(const double* const* place, Lanes* out) {
  for (int k = 0; k < kParts; ++k)
    for (int pair = 0; 2 * pair < C; ++pair) {
      // Where C is odd, the last pair begins one place earlier.
      const int first = 2 * pair + 1 < C ? 2 * pair : C - 2;
      const Vector even = pairsOf(place + k * kWidth, first);
      const Vector odd = pairsOf(place + k * kWidth + 1, first);
      out[first].part[k] = firstOfPairs(even, odd);
      out[first + 1].part[k] = secondOfPairs(even, odd);
    }
}

/// Asks for the velocities of a packet of four that comes a little later. Packets follow each
/// other, which the processor sees, but it cannot know where their bodies are: of 10^5 bodies
/// sweeps take half as long again without.
template <class Packet>
[[gnu::always_inline]] inline void fetchAhead(const Packet* packet, const Packet* end,
                                              const double* w) {
  constexpr int kAhead = 4;
  if (end - packet <= kAhead) return;
  for (const auto& slots : packet[kAhead].slot)
    for (const int slot : slots) __builtin_prefetch(w + slot);
}

}  // namespace STICKSLIP_INSTRUCTION_SET
}  // namespace stickslip
