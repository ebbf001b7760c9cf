// Lanes of vectors of two numbers, which every machine has. No include guard, no includes but the
// rest of the lanes, on purpose.

using Vector = double __attribute__((vector_size(16)));
[[gnu::always_inline]] inline Vector squareRootOf(Vector x) {
#if defined(__x86_64__)
  return _mm_sqrt_pd(x);
#else
  return Vector{std::sqrt(x[0]), std::sqrt(x[1])};
#endif
}
// w[slot[0]] and the number after it.
[[gnu::always_inline]] inline Vector pairsAt(const double* w, const int* slot) {
  Vector out;
  std::memcpy(&out, w + slot[0], sizeof out);
  return out;
}
// The numbers `first` and `first` + 1 at place[0].
[[gnu::always_inline]] inline Vector pairsOf(const double* const* place, int first) {
  Vector out;
  std::memcpy(&out, place[0] + first, sizeof out);
  return out;
}
[[gnu::always_inline]] inline void storePairs(Vector pair, const int* slot, double* w) {
  if (slot[0] != kNoSlot) std::memcpy(w + slot[0], &pair, sizeof pair);
}
[[gnu::always_inline]] inline Vector firstOfPairs(Vector a, Vector b) {
  return Vector{a[0], b[0]};
}
[[gnu::always_inline]] inline Vector secondOfPairs(Vector a, Vector b) {
  return Vector{a[1], b[1]};
}

#include "simd/lanes_body.hpp"
