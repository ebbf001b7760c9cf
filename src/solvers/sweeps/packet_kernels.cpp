#include "solvers/sweeps/packet_kernels.hpp"

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
#include "simd/lanes_narrow_body.hpp"
#include "solvers/sweeps/packet_fill_body.hpp"
#include "solvers/sweeps/packet_kernels_body.hpp"
#include "solvers/sweeps/round_kernels_body.hpp"
}  // namespace narrow

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#pragma GCC push_options
#pragma GCC target("avx2")
namespace wide {
#include "simd/lanes_wide_body.hpp"
#include "solvers/sweeps/packet_fill_body.hpp"
#include "solvers/sweeps/packet_kernels_body.hpp"
#include "solvers/sweeps/round_kernels_body.hpp"
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
