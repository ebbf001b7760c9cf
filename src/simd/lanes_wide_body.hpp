// Lanes of vectors of four numbers, where the machine has AVX2. No include guard, no includes but
// the rest of the lanes, on purpose.

using Vector = double __attribute__((vector_size(32)));
[[gnu::always_inline]] inline Vector squareRootOf(Vector x) {
  return _mm256_sqrt_pd(x);
}
// w[slot[0]] and the number after it, w[slot[2]] and the number after it.
[[gnu::always_inline]] inline Vector pairsAt(const double* w, const int* slot) {
  return _mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_loadu_pd(w + slot[0])),
                              _mm_loadu_pd(w + slot[2]), 1);
}
// The numbers `first` and `first` + 1 at place[0], then those at place[2].
[[gnu::always_inline]] inline Vector pairsOf(const double* const* place, int first) {
  return _mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_loadu_pd(place[0] + first)),
                              _mm_loadu_pd(place[2] + first), 1);
}
[[gnu::always_inline]] inline void storePairs(Vector pairs, const int* slot, double* w) {
  if (slot[0] != kNoSlot) _mm_storeu_pd(w + slot[0], _mm256_castpd256_pd128(pairs));
  if (slot[2] != kNoSlot) _mm_storeu_pd(w + slot[2], _mm256_extractf128_pd(pairs, 1));
}
[[gnu::always_inline]] inline Vector firstOfPairs(Vector a, Vector b) {
  return _mm256_unpacklo_pd(a, b);
}
[[gnu::always_inline]] inline Vector secondOfPairs(Vector a, Vector b) {
  return _mm256_unpackhi_pd(a, b);
}

#include "simd/lanes_body.hpp"
