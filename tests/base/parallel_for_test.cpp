#include "base/parallel_for.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <thread>
#include <vector>

#include "stickslip/threads.hpp"
#include "support/effort.hpp"

namespace stickslip {
namespace {

// Leaves one thread behind, as every test expects.
class ParallelFor : public ::testing::TestWithParam<int> {
 protected:
  void SetUp() override { setThreadCount(GetParam()); }
  void TearDown() override { setThreadCount(1); }
};

TEST_P(ParallelFor, TakesEveryIndexOnce) {
  for (const int count : {0, 1, 7, 64, 65, 1000}) {
    std::vector<int> taken(static_cast<std::size_t>(count), 0);
    parallelFor(count, 64, [&](int begin, int end) {
      EXPECT_EQ(begin % 64, 0);
      EXPECT_LE(end - begin, 64);
      for (int k = begin; k < end; ++k) ++taken[k];
    });
    for (const int times : taken) EXPECT_EQ(times, 1);
  }
}

TEST_P(ParallelFor, SumsByChunksHaveTheSameBits) {
  const auto sum = [] {
    std::vector<double> parts(static_cast<std::size_t>(chunkCount(10000, 100)), 0.0);
    parallelFor(10000, 100, [&](int begin, int end) {
      for (int k = begin; k < end; ++k) parts[begin / 100] += std::sin(k);
    });
    double total = 0;
    for (const double part : parts) total += part;
    return total;
  };
  const double on_these = sum();
  setThreadCount(1);
  EXPECT_EQ(on_these, sum());
}

TEST_P(ParallelFor, ManyShortLoopsFollowEachOther) {
  const int loops = testing::trials(10000);
  std::vector<long> counts(256, 0);
  for (int n = 0; n < loops; ++n)
    parallelFor(256, 16, [&](int begin, int end) {
      for (int k = begin; k < end; ++k) ++counts[k];
    });
  for (const long count : counts) EXPECT_EQ(count, loops);
}

TEST_P(ParallelFor, LoopsWithinLoopsRunInPlace) {
  std::vector<int> taken(40 * 40, 0);
  parallelFor(40, 1, [&](int begin, int end) {
    for (int i = begin; i < end; ++i)
      parallelFor(40, 4, [&](int first, int last) {
        for (int k = first; k < last; ++k) ++taken[40 * i + k];
      });
  });
  for (const int times : taken) EXPECT_EQ(times, 1);
}

TEST_P(ParallelFor, SeveralCallersAtOnce) {
  std::vector<std::thread> callers;
  std::atomic<long> total = 0;
  for (int c = 0; c < 3; ++c)
    callers.emplace_back([&] {
      for (int n = 0; n < 200; ++n)
        parallelFor(100, 10, [&](int begin, int end) { total += end - begin; });
    });
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(total, 3 * 200 * 100);
}

INSTANTIATE_TEST_SUITE_P(Threads, ParallelFor, ::testing::Values(1, 2, 3, 8));

TEST(Threads, ZeroTakesThoseOfTheMachine) {
  setThreadCount(0);
  EXPECT_GE(threadCount(), 1);
  EXPECT_EQ(threadCount(), std::max(1, static_cast<int>(std::thread::hardware_concurrency())));
  setThreadCount(1);
  EXPECT_EQ(threadCount(), 1);
}

}  // namespace
}  // namespace stickslip
