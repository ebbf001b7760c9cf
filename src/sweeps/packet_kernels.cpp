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
#include "sweeps/lanes_body.hpp"
#include "sweeps/packet_kernels_body.hpp"
}  // namespace narrow

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#pragma GCC push_options
#pragma GCC target("avx2")
namespace wide {
using Vector = double __attribute__((vector_size(32)));
[[gnu::always_inline]] inline Vector squareRootOf(Vector x) {
  return _mm256_sqrt_pd(x);
}
#include "sweeps/lanes_body.hpp"
#include "sweeps/packet_kernels_body.hpp"
}  // namespace wide
#pragma GCC pop_options

template <int Columns>
constexpr PacketKernels<Columns> kAll[] = {narrow::kKernels<Columns>, wide::kKernels<Columns>};
std::size_t usable() {
  return __builtin_cpu_supports("avx2") ? 2 : 1;
}
#else
template <int Columns>
constexpr PacketKernels<Columns> kAll[] = {narrow::kKernels<Columns>};
std::size_t usable() {
  return 1;
}
#endif

}  // namespace

template <int Columns>
const PacketKernels<Columns>& packetKernels() {
  return kAll<Columns>[usable() - 1];
}

template <int Columns>
std::span<const PacketKernels<Columns>> allPacketKernels() {
  return {kAll<Columns>, usable()};
}

template const PacketKernels<3>& packetKernels<3>();
template const PacketKernels<6>& packetKernels<6>();
template std::span<const PacketKernels<3>> allPacketKernels<3>();
template std::span<const PacketKernels<6>> allPacketKernels<6>();

}  // namespace stickslip
