// Packets against the solve of a single contact, and one vector width against the other.
#include "solvers/sweeps/packet_kernels.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "cones/single_contact.hpp"
#include "support/effort.hpp"
#include "support/random.hpp"

namespace stickslip {
namespace {

using testing::Random;

// Four contacts between eight bodies, the first of which may be fixed.
template <int C>
struct RandomPacket {
  static constexpr int kRows = ContactPacket<C>::kRows;
  static constexpr int kSlot = C == 3 ? 4 : 8;
  std::vector<double> strips, scales, b, p, w;
  std::array<LaneSource, kLanes> sources;

  explicit RandomPacket(Random& random) {
    strips = random.vector(2 * kLanes * kRows * C);
    scales = random.vector(2 * kLanes * C, 0.3, 3);
    b = random.vector(kLanes * kRows);
    p.assign(kLanes * kRows, 0.0);
    w = random.vector((1 + 2 * kLanes) * 8);
    std::fill_n(w.begin(), 8, 0.0);
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      LaneSource& source = sources[lane];
      source.rows = random.integer(0, 5) == 0 ? 1 : kRows;
      source.b = b.data() + lane * kRows;
      source.p = p.data() + lane * kRows;
      for (double& factor : source.factor) factor = random.integer(0, 5) == 0 ? 0 : 0.6;
      for (std::size_t side = random.integer(0, 3) == 0 ? 1 : 0; side < 2; ++side) {
        source.slot[side] = static_cast<int>(8 + (2 * lane + side) * kSlot);
        source.strip[side] = strips.data() + (2 * lane + side) * kRows * C;
        source.scale[side] = scales.data() + (2 * lane + side) * C;
        source.along = source.strip[side];
        source.share[side] = (side == 0 ? -1 : 1) * source.scale[side][0];
      }
    }
    if (random.integer(0, 3) == 0) sources[3] = {};
  }
};

// Row i of A for velocity k of the two bodies.
template <int C>
double entry(const ContactPacket<C>& packet, int i, int k, int lane) {
  constexpr int kLinear = ContactPacket<C>::kLinear;
  const int side = k / C, column = k % C;
  return column < kLinear ? packet.share[side][lane] * packet.along[i][column][lane]
                          : packet.about[side][i][column - kLinear][lane];
}

template <int C>
void expectSingleContacts(std::uint64_t seed) {
  constexpr int kRows = ContactPacket<C>::kRows;
  Random random(seed);
  const PacketKernels<ContactPacket<C>>& kernels =
      machineKernels<PacketKernels<ContactPacket<C>>>();
  int sliding = 0, sticking = 0;
  for (int trial = 0; trial < testing::trials(400); ++trial) {
    RandomPacket<C> random_packet(random);
    ContactPacket<C> packet;
    PacketTurn turn;
    kernels.fill(random_packet.sources.data(), packet, &turn);
    std::vector<double> w = random_packet.w;
    kernels.sweepCoulomb(&packet, 1, w.data());
    for (int lane = 0; lane < kLanes; ++lane) {
      if (random_packet.sources[lane].rows == 0) continue;
      // The block and velocities of the packet's own rows.
      std::array<double, 9> block{};
      std::array<double, 3> q{}, p{};
      for (int i = 0; i < kRows; ++i) {
        q[i] = packet.b[i][lane];
        for (int k = 0; k < 2 * C; ++k) {
          const int slot = packet.slot[k / C][lane];
          q[i] += entry(packet, i, k, lane) * random_packet.w[slot + k % C];
          for (int j = 0; j < kRows; ++j)
            block[i * kRows + j] += entry(packet, i, k, lane) * entry(packet, j, k, lane);
        }
      }
      SingleContact single;
      single.prepare({block.data(), kRows, kRows});
      single.solve(std::span<const double>(q).first(kRows), std::span(p).first(kRows));
      double square = 0;
      for (int i = 0; i < kRows; ++i) EXPECT_NEAR(packet.p[i][lane], p[i], 1e-7 * (1 + p[0]));
      // Where the sliding direction is hard to find the law is what counts.
      std::array<double, 3> u = q, map{};
      for (int i = 0; i < kRows; ++i) {
        p[i] = packet.p[i][lane];
        for (int j = 0; j < kRows; ++j) u[i] += block[i * kRows + j] * packet.p[j][lane];
      }
      Cone cone;
      cone.rows = kRows;
      naturalMap(cone, Law::coulomb, std::span<const double>(p).first(kRows),
                 std::span<const double>(u).first(kRows), std::span(map).first(kRows));
      for (const double error : map) EXPECT_NEAR(error, 0, 1e-11);
      for (int i = 1; i < kRows; ++i) square += p[i] * p[i];
      (std::sqrt(square) < 0.999 * p[0] ? sticking : sliding) += p[0] > 0 ? 1 : 0;
    }
  }
  EXPECT_GT(sticking, 20);
  EXPECT_GT(sliding, 20);
}

TEST(PacketKernels, SolveCoulombsLawAtOneContact) {
  expectSingleContacts<3>(1);
  expectSingleContacts<6>(2);
}

template <int C>
void expectSameBits(std::uint64_t seed) {
  Random random(seed);
  for (int trial = 0; trial < testing::trials(200); ++trial) {
    const RandomPacket<C> start(random);
    std::vector<double> first_w;
    ContactPacket<C> first{};
    for (const InstructionSet set : instructionSets()) {
      const auto& kernels = kernelsFor<PacketKernels<ContactPacket<C>>>(set);
      ContactPacket<C> packet{};
      std::vector<double> w = start.w;
      PacketTurn turn;
      kernels.fill(start.sources.data(), packet, &turn);
      kernels.push(&packet, 1, w.data());
      for (int k = 0; k < 3; ++k)
        (trial % 2 == 0 ? kernels.sweepCoulomb : kernels.sweepRelaxed)(&packet, 1, w.data());
      if (first_w.empty()) {
        first_w = w;
        first = packet;
      }
      EXPECT_EQ(w, first_w);
      EXPECT_EQ(std::memcmp(packet.p, first.p, sizeof packet.p), 0);
    }
  }
}

TEST(PacketKernels, SameBitsForAllVectorWidths) {
  expectSameBits<3>(3);
  expectSameBits<6>(4);
}

}  // namespace
}  // namespace stickslip
