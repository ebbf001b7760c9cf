#include "sweeps/packet_kernels.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace stickslip {
namespace {

namespace narrow {
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
#include "sweeps/lanes_body.hpp"
#include "sweeps/packet_fill_body.hpp"
#include "sweeps/packet_kernels_body.hpp"
#include "sweeps/round_kernels_body.hpp"
}  // namespace narrow

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#pragma GCC push_options
#pragma GCC target("avx2")
namespace wide {
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
#include "sweeps/lanes_body.hpp"
#include "sweeps/packet_fill_body.hpp"
#include "sweeps/packet_kernels_body.hpp"
#include "sweeps/round_kernels_body.hpp"
}  // namespace wide
#pragma GCC pop_options

template <class Packet>
constexpr PacketKernels<Packet> kAll[] = {narrow::kKernels<Packet>, wide::kKernels<Packet>};
std::size_t usable() {
  return __builtin_cpu_supports("avx2") ? 2 : 1;
}
#else
template <class Packet>
constexpr PacketKernels<Packet> kAll[] = {narrow::kKernels<Packet>};
std::size_t usable() {
  return 1;
}
#endif

}  // namespace

template <class Packet>
const PacketKernels<Packet>& packetKernels() {
  return kAll<Packet>[usable() - 1];
}

template <class Packet>
std::span<const PacketKernels<Packet>> allPacketKernels() {
  return {kAll<Packet>, usable()};
}

template const PacketKernels<PlanarPacket>& packetKernels<PlanarPacket>();
template const PacketKernels<SpatialPacket>& packetKernels<SpatialPacket>();
template const PacketKernels<BallPacket>& packetKernels<BallPacket>();
template std::span<const PacketKernels<PlanarPacket>> allPacketKernels<PlanarPacket>();
template std::span<const PacketKernels<SpatialPacket>> allPacketKernels<SpatialPacket>();
template std::span<const PacketKernels<BallPacket>> allPacketKernels<BallPacket>();

}  // namespace stickslip
