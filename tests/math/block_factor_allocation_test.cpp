// Counts heap allocations of the block factorization: none once the largest pattern has been seen.
#include <gtest/gtest.h>

#include "support/block_systems.hpp"
#include "support/counting_allocator.hpp"

namespace stickslip {
namespace {

using testing::BlockPattern;
using testing::Random;

TEST(Allocation, FactorizingAllocatesNothingOnceWarm) {
  Random random(41);
  // In space, large enough to be dissected; then smaller ones.
  BlockPattern large{"large", std::vector<int>(512, 6), {}};
  for (int i = 0; i < 512; ++i) {
    if (i % 8 > 0) large.couplings.emplace_back(i, i - 1);
    if (i / 8 % 8 > 0) large.couplings.emplace_back(i, i - 8);
    if (i >= 64) large.couplings.emplace_back(i, i - 64);
  }
  const BlockPattern patterns[] = {large, testing::gridPattern(14, 3),
                                   testing::chainPattern(50, 6)};
  BlockFactor K;
  std::vector<double> x(512 * 6), y = x;
  const auto solveAll = [&] {
    for (const BlockPattern& pattern : patterns) {
      K.analyze(pattern.sizes, pattern.couplings);
      K.clear();
      for (int b = 0; b < int(pattern.sizes.size()); ++b)
        for (int i = 0; i < pattern.sizes[b]; ++i) K.block(K.entry(b, b))(i, i) = 4;
      const std::span<double> rows(x.data(), std::size_t(K.size()));
      std::fill(rows.begin(), rows.end(), 1.0);
      EXPECT_TRUE(K.factorCholesky());
      K.solve(rows);
      EXPECT_TRUE(K.factorLu());
      K.solve(rows);
      EXPECT_EQ(rows.front(), 1.0 / 16);
      K.multiply(rows, std::span(y).first(rows.size()));
      EXPECT_EQ(y.front(), 0.25);
    }
  };
  solveAll();
  const long before = testing::allocationCount();
  solveAll();
  EXPECT_EQ(testing::allocationCount() - before, 0);
}

}  // namespace
}  // namespace stickslip
