#include "solvers/sweeps/sweep_order.hpp"

#include <gtest/gtest.h>

#include <set>

#include "support/random.hpp"

namespace stickslip {
namespace {

using Pairs = std::vector<std::array<int, 2>>;
constexpr auto kOnePoint = SweepOrder::Patches::of_one_point;
constexpr auto kManyPoints = SweepOrder::Patches::of_many_points;

// Adds the bodies of a packet to a set. None is in the packet twice, unless it is alone.
void addBodies(const Pairs& pairs, const SweepOrder& order, int packet, std::vector<int>& seen,
               std::set<int>& bodies) {
  std::set<int> here;
  for (int lane = 0; lane < kLanes; ++lane) {
    const int contact = order.lanes()[kLanes * packet + lane];
    if (contact < 0) continue;
    ++seen[contact];
    for (const int body : pairs[contact]) {
      EXPECT_TRUE(body < 0 || here.insert(body).second) << packet;
    }
  }
  bodies.insert(here.begin(), here.end());
}

// Every packet and contact once, no body twice in a packet, nor in two chunks of a phase.
void expectProper(const Pairs& pairs, const SweepOrder& order) {
  std::vector<int> seen(pairs.size(), 0), packets(static_cast<std::size_t>(order.packetCount()), 0);
  int next_chunk = 0;
  for (const SweepOrder::Range& phase : order.phases()) {
    EXPECT_EQ(phase.first, next_chunk);
    next_chunk += phase.count;
    std::set<int> of_phase;
    for (int c = phase.first; c < phase.first + phase.count; ++c) {
      const SweepOrder::Range& chunk = order.chunks()[c];
      EXPECT_GT(chunk.count, 0);
      std::set<int> of_chunk;
      for (int k = chunk.first; k < chunk.first + chunk.count; ++k) {
        ++packets.at(static_cast<std::size_t>(k));
        addBodies(pairs, order, k, seen, of_chunk);
      }
      for (const int body : of_chunk) EXPECT_TRUE(of_phase.insert(body).second);
    }
  }
  EXPECT_EQ(next_chunk, static_cast<int>(order.chunks().size()));
  for (const int times : packets) EXPECT_EQ(times, 1);
  for (const int times : seen) EXPECT_EQ(times, 1);
}

TEST(SweepOrder, SeparatesContactsThatShareABody) {
  testing::Random random(1);
  SweepOrder order;
  for (int trial = 0; trial < 20; ++trial) {
    const int bodies = random.integer(2, 60);
    Pairs pairs;
    for (int k = random.integer(0, 4 * bodies); k > 0; --k) {
      const int a = random.integer(0, bodies - 1), b = random.integer(-1, bodies - 1);
      pairs.push_back({a, a == b ? -1 : b});
    }
    order.find(pairs, bodies, trial % 2 == 0 ? kOnePoint : kManyPoints);
    expectProper(pairs, order);
  }
}

// Of a long row most chunks are in a few phases; of contacts that are all over the place a colour
// is one.
TEST(SweepOrder, HasPhasesOfManyChunks) {
  testing::Random random(2);
  SweepOrder order;
  const int bodies = 20000;
  Pairs row, anywhere;
  for (int k = 0; k + 1 < bodies; ++k) {
    row.push_back({k, k + 1});
    const int a = random.integer(0, bodies - 1), b = random.integer(0, bodies - 1);
    anywhere.push_back({a, a == b ? -1 : b});
  }
  order.find(row, bodies, kOnePoint);
  expectProper(row, order);
  EXPECT_EQ(order.phases().size(), 2u);
  EXPECT_GE(order.chunks().size(), 19u);
  order.find(row, bodies, kManyPoints);
  expectProper(row, order);
  order.find(anywhere, bodies, kOnePoint);
  expectProper(anywhere, order);
  EXPECT_GE(order.chunks().size(), 3 * order.phases().size());
}

TEST(SweepOrder, TakesWhatOneBodyHasTooManyOfOneByOne) {
  Pairs pairs;
  for (int k = 1; k <= 100; ++k) pairs.push_back({0, k});
  SweepOrder order;
  order.find(pairs, 101, kOnePoint);
  expectProper(pairs, order);
  EXPECT_EQ(order.packetCount(), 100);
}

// A drum: one body in every region, none of which can be solved beside another.
TEST(SweepOrder, OfManyContactsThatShareOneBody) {
  Pairs pairs;
  for (int k = 1; k <= 10000; ++k) pairs.push_back({0, k});
  for (int k = 1; k < 10000; ++k) pairs.push_back({k, k + 1});
  SweepOrder order;
  order.find(pairs, 10001, kOnePoint);
  expectProper(pairs, order);
}

TEST(SweepOrder, OfNothing) {
  SweepOrder order;
  order.find({}, 3, kOnePoint);
  EXPECT_EQ(order.packetCount(), 0);
  EXPECT_TRUE(order.phases().empty());
}

}  // namespace
}  // namespace stickslip
