#include "base/ordered_chunks.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "base/parallel_array.hpp"
#include "support/effort.hpp"
#include "support/random.hpp"

namespace stickslip {
namespace {

using Things = std::vector<std::vector<int>>;  // of each chunk

// Leaves one thread behind, as every test expects.
class OrderedChunksTest : public ::testing::TestWithParam<int> {
 protected:
  void SetUp() override { setThreadCount(GetParam()); }
  void TearDown() override { setThreadCount(1); }
};

void prepare(const Things& things, int count, OrderedChunks& out) {
  std::vector<int> places(things.size());
  std::iota(places.rbegin(), places.rend(), 0);
  out.start(places, count);
  for (std::size_t k = 0; k < things.size(); ++k) out.touch(static_cast<int>(k), things[k]);
  out.finish();
}

// A map that does not commute, of everything that a chunk touches.
void mix(const std::vector<int>& things, int chunk, std::vector<double>& values) {
  double sum = chunk;
  for (const int t : things)
    if (t >= 0) sum += values[t];
  for (const int t : things)
    if (t >= 0) values[t] = std::sin(sum + 2 * values[t]);
}

TEST_P(OrderedChunksTest, HaveTheResultOfOneThread) {
  testing::Random random(7);
  OrderedChunks chunks;
  for (int trial = 0; trial < testing::trials(300); ++trial) {
    const int count = random.integer(1, 40), rounds = random.integer(0, 12);
    Things things(at(random.integer(0, 30)));
    for (auto& of_chunk : things)
      for (int k = random.integer(0, 3); k > 0; --k)
        of_chunk.push_back(random.integer(-1, count - 1));
    prepare(things, count, chunks);
    ASSERT_EQ(chunks.count(), static_cast<int>(things.size()));
    std::vector<double> values(at(count), 0.0), expected = values;
    chunks.run(rounds, [&](int chunk) { mix(things[chunk], chunk, values); });
    for (int round = 0; round < rounds; ++round)
      for (std::size_t k = 0; k < things.size(); ++k) mix(things[k], static_cast<int>(k), expected);
    EXPECT_EQ(values, expected) << trial;
  }
}

TEST_P(OrderedChunksTest, RunInPlaceWithinALoop) {
  std::vector<OrderedChunks> chunks(4);
  for (OrderedChunks& each : chunks) prepare({{0}, {0, 1}, {1}}, 2, each);
  std::vector<std::vector<int>> done(chunks.size());
  parallelFor(static_cast<int>(chunks.size()), 1,
              [&](int k, int) { chunks[k].run(3, [&](int chunk) { done[k].push_back(chunk); }); });
  for (const std::vector<int>& each : done)
    EXPECT_EQ(each, (std::vector<int>{0, 1, 2, 0, 1, 2, 0, 1, 2}));
}

INSTANTIATE_TEST_SUITE_P(Threads, OrderedChunksTest, ::testing::Values(1, 2, 4, 8));

// Each waits for the last one that touched the same, in the round before for the last of all.
TEST(OrderedChunks, WaitForThoseThatTouchTheSame) {
  OrderedChunks chunks;
  prepare({{0, 1}, {2}, {1, -1}, {1, 2}, {5}}, 6, chunks);
  const auto waits = [&](int chunk) {
    const std::span<const int> others = chunks.waitsFor(chunk);
    return std::vector<int>(others.begin(), others.end());
  };
  EXPECT_EQ(waits(0), std::vector<int>{3});
  EXPECT_EQ(waits(1), std::vector<int>{3});
  EXPECT_EQ(waits(2), std::vector<int>{0});
  EXPECT_EQ(waits(3), (std::vector<int>{1, 2}));
  EXPECT_TRUE(waits(4).empty());
}

TEST(AllFinite, SeesOneThatIsNot) {
  for (const int count : {0, 1, 3, 4, 5, 40000}) {
    std::vector<double> values(at(count), 1e308);
    EXPECT_TRUE(allFinite(values));
    for (const int place : {0, count / 2, count - 1}) {
      if (count == 0) continue;
      for (const double bad : {std::numeric_limits<double>::infinity(),
                               -std::numeric_limits<double>::infinity(), std::nan("")}) {
        std::vector<double> changed = values;
        changed[place] = bad;
        EXPECT_FALSE(allFinite(changed)) << count << " " << place;
      }
    }
  }
}

}  // namespace
}  // namespace stickslip
