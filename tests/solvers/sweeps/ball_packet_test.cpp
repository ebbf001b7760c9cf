// Packets of balls against those of any bodies, and which contacts are for them.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

#include "solvers/sweeps/packet_kernels.hpp"
#include "solvers/sweeps/packet_sweeps.hpp"
#include "stickslip/vector.hpp"
#include "support/random.hpp"

namespace stickslip {
namespace {

using testing::Random;
using Strip = std::array<double, 18>;

// Rows of a ball at distance `radius` from the contact, in world axes.
Strip ballStrip(Vec3 normal, Vec3 tangent, double sign, double radius) {
  const std::array<Vec3, 3> axes{normal, tangent, cross(normal, tangent)};
  Strip out{};
  for (std::size_t row = 0; row < 3; ++row) {
    const Vec3 d = sign * axes[row], turn = cross(-sign * radius * normal, d);
    const std::array<double, 6> entries{d.x, d.y, d.z, turn.x, turn.y, turn.z};
    std::copy(entries.begin(), entries.end(), out.begin() + static_cast<std::ptrdiff_t>(6 * row));
  }
  for (std::size_t k = 3; k < 6; ++k) out[k] = 0;
  return out;
}

// Four contacts between eight balls, some of them with what is fixed.
struct RandomBalls {
  std::array<std::array<Strip, 2>, kLanes> strips;
  std::array<std::array<std::array<double, 6>, 2>, kLanes> scales;
  std::vector<double> b, p, w;
  std::array<std::array<double, 6>, kLanes> frames;  ///< normal, tangent
  std::array<LaneSource, kLanes> sources, ball_sources;

  explicit RandomBalls(Random& random) {
    b = random.vector(3 * kLanes);
    p = random.vector(3 * kLanes, 0, 0.2);
    w = random.vector((1 + 2 * kLanes) * 8);
    std::fill_n(w.begin(), 8, 0.0);
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      const Vec3 normal =
          normalized(Vec3{random.uniform(), random.uniform(), random.uniform(0.1, 1)});
      const Vec3 tangent = someTangent(normal);
      LaneSource& source = sources[lane];
      source.rows = 3;
      source.b = b.data() + 3 * lane;
      source.p = p.data() + 3 * lane;
      source.factor[0] = source.factor[1] = random.integer(0, 5) == 0 ? 0 : random.uniform(0.1, 1);
      for (std::size_t side = random.integer(0, 3) == 0 ? 1 : 0; side < 2; ++side) {
        Strip& strip = strips[lane][side];
        const double radius = random.uniform(0.2, 2);
        strip = ballStrip(normal, tangent, side == 0 ? -1 : 1, radius);
        auto& scale = scales[lane][side];
        scale.fill(random.uniform(0.3, 3));
        std::fill_n(scale.begin() + 3, 3, random.uniform(0.3, 3));
        source.slot[side] = static_cast<int>(8 * (1 + 2 * lane + side));
        source.along = source.strip[side] = strip.data();
        source.scale[side] = scale.data();
        // The strip of the last body gives the directions.
        source.share[side] = scale[0];
        source.share[0] = (side == 0 ? 1 : -1) * std::abs(source.share[0]);
        source.turn[side] = -radius * scale[3];
      }
      frames[lane] = {normal.x, normal.y, normal.z, tangent.x, tangent.y, tangent.z};
      ball_sources[lane] = source;
      ball_sources[lane].along = frames[lane].data();
      ball_sources[lane].share[0] = -std::abs(source.share[0]);
    }
    if (random.integer(0, 3) == 0) sources[3] = ball_sources[3] = {};
  }
};

TEST(BallPackets, DoWhatPacketsOfAnyBodiesDo) {
  Random random(1);
  int sliding = 0, sticking = 0, open = 0;
  for (int trial = 0; trial < 400; ++trial) {
    const RandomBalls start(random);
    const auto& general = machineKernels<PacketKernels<SpatialPacket>>();
    const auto& balls = machineKernels<PacketKernels<BallPacket>>();
    SpatialPacket expected;
    PacketTurn turn;
    BallPacket packet;
    general.fill(start.sources.data(), expected, &turn);
    balls.fill(start.ball_sources.data(), packet, nullptr);
    std::vector<double> w_expected = start.w, w = start.w;
    EXPECT_NEAR(balls.largestVelocity(&packet, 1, w.data()),
                general.largestVelocity(&expected, 1, w.data()), 1e-12);
    general.push(&expected, 1, w_expected.data());
    balls.push(&packet, 1, w.data());
    const bool coulomb = trial % 2 == 0;
    for (int k = 0; k < 3; ++k) {
      const double change =
          (coulomb ? balls.sweepCoulomb : balls.sweepRelaxed)(&packet, 1, w.data());
      const double expected_change =
          (coulomb ? general.sweepCoulomb : general.sweepRelaxed)(&expected, 1, w_expected.data());
      EXPECT_NEAR(change, expected_change, 1e-11);
    }
    for (std::size_t k = 0; k < w.size(); ++k) EXPECT_NEAR(w[k], w_expected[k], 1e-11);
    for (int lane = 0; lane < kLanes; ++lane) {
      const double x = expected.p[1][lane], y = expected.p[2][lane];
      const double c = turn.cosine[lane], s = turn.sine[lane];
      EXPECT_NEAR(packet.p[0][lane], expected.p[0][lane], 1e-11);
      EXPECT_NEAR(packet.p[1][lane], c * x + s * y, 1e-11);
      EXPECT_NEAR(packet.p[2][lane], c * y - s * x, 1e-11);
      const double tangential = std::hypot(packet.p[1][lane], packet.p[2][lane]);
      ++(packet.p[0][lane] == 0                   ? open
         : tangential < 0.999 * packet.p[0][lane] ? sticking
                                                  : sliding);
    }
  }
  EXPECT_GT(sliding, 20);
  EXPECT_GT(sticking, 20);
  EXPECT_GT(open, 20);
}

TEST(BallPackets, SameBitsForAllVectorWidths) {
  Random random(2);
  for (int trial = 0; trial < 100; ++trial) {
    const RandomBalls start(random);
    std::vector<double> first;
    for (const InstructionSet set : instructionSets()) {
      const auto& kernels = kernelsFor<PacketKernels<BallPacket>>(set);
      BallPacket packet;
      std::vector<double> w = start.w;
      kernels.fill(start.ball_sources.data(), packet, nullptr);
      kernels.push(&packet, 1, w.data());
      for (int k = 0; k < 3; ++k)
        (trial % 2 == 0 ? kernels.sweepCoulomb : kernels.sweepRelaxed)(&packet, 1, w.data());
      if (first.empty()) first = w;
      EXPECT_EQ(w, first);
    }
  }
}

// Two balls that touch.
PacketKind kindOfTwoBalls(double inertia_z = 0.4, double mu_2 = 0.5, double coupling = 0) {
  ContactProblem problem;
  const int blocks[] = {6, 6};
  problem.M.resize(blocks);
  for (int body = 0; body < 2; ++body)
    for (int k = 0; k < 6; ++k) problem.M.block(body)(k, k) = k < 3 ? 1 : k < 5 ? 0.4 : inertia_z;
  problem.M.block(1)(3, 4) = problem.M.block(1)(4, 3) = coupling;
  problem.J.addBalls({{1, 0, 0}, {0, 1, 0}, {-0.5, -0.5}}, {0, 6});
  problem.sets.push_back({ImpulseSet::Kind::elliptic, 0.5, mu_2});
  VelocitySlots slots;
  slots.build(problem.M);
  return packetKindOf(problem, slots, 0);
}

TEST(BallPackets, AreForBallsOnly) {
  EXPECT_EQ(kindOfTwoBalls(), PacketKind::balls);
  EXPECT_EQ(kindOfTwoBalls(0.41), PacketKind::spatial);
  EXPECT_EQ(kindOfTwoBalls(0.4, 0.6), PacketKind::spatial);
  EXPECT_EQ(kindOfTwoBalls(0.4, 0.5, 0.1), PacketKind::none);
}

}  // namespace
}  // namespace stickslip
