// Orders of elimination and what they cost, against elimination carried out on a dense pattern.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "math/factor/front_tree.hpp"
#include "math/ordering/minimum_degree.hpp"
#include "math/ordering/nested_dissection.hpp"
#include "support/block_systems.hpp"

namespace stickslip {
namespace {

using testing::BlockPattern;
using testing::Random;

BlockGraph graphOf(const BlockPattern& pattern) {
  BlockGraph graph;
  graph.assign(pattern.sizes, pattern.couplings);
  return graph;
}

std::vector<int> minimumDegree(const BlockGraph& graph, std::vector<int> stages = {}) {
  stages.resize(std::size_t(graph.blockCount()), 0);
  std::vector<int> order;
  MinimumDegree().order(graph, stages, order);
  return order;
}

bool isPermutation(std::vector<int> order, int n) {
  std::vector<int> all(static_cast<std::size_t>(n));
  std::iota(all.begin(), all.end(), 0);
  std::sort(order.begin(), order.end());
  return order == all;
}

// Multiplications of a Cholesky factorization, by eliminating block after block.
double denseCost(const BlockGraph& graph, const std::vector<int>& order) {
  const int n = graph.blockCount();
  std::vector<std::vector<bool>> coupled(std::size_t(n), std::vector<bool>(std::size_t(n), false));
  for (int a = 0; a < n; ++a)
    for (const int b : graph.neighbours(a)) coupled[a][b] = true;
  double cost = 0;
  for (std::size_t k = 0; k < order.size(); ++k) {
    const auto& row = coupled[order[k]];
    double below = 0;
    for (std::size_t i = k + 1; i < order.size(); ++i) {
      const auto a = std::size_t(order[i]);
      if (!row[a]) continue;
      below += graph.sizeOf(order[i]);
      for (std::size_t j = k + 1; j < order.size(); ++j)
        if (j != i && row[order[j]]) coupled[a][order[j]] = true;
    }
    const double own = graph.sizeOf(order[k]);
    cost += own * own * own / 6 + own * own * below / 2 + own * below * below / 2;
  }
  return cost;
}

TEST(EliminationTree, CostIsThatOfEliminating) {
  Random random(21);
  for (const BlockPattern& pattern : testing::samplePatterns(random)) {
    const BlockGraph graph = graphOf(pattern);
    std::vector<int> order(pattern.sizes.size());
    std::iota(order.begin(), order.end(), 0);
    for (int round = 0; round < 3; ++round) {
      EliminationTree tree;
      tree.build(graph, order);
      EXPECT_NEAR(tree.cost(), denseCost(graph, order), 1e-9 * (1 + tree.cost())) << pattern.name;
      // A postorder costs the same, and parents come after their children.
      EXPECT_TRUE(isPermutation(tree.order(), graph.blockCount()));
      EXPECT_NEAR(denseCost(graph, tree.order()), tree.cost(), 1e-9 * (1 + tree.cost()));
      for (int j = 0; j < graph.blockCount(); ++j)
        EXPECT_TRUE(tree.parent(j) == -1 || tree.parent(j) > j);
      for (std::size_t k = order.size(); k > 1; --k)
        std::swap(order[k - 1], order[random.integer(0, int(k) - 1)]);
    }
  }
}

TEST(MinimumDegree, OrdersEveryPattern) {
  Random random(22);
  for (const BlockPattern& pattern : testing::samplePatterns(random)) {
    const BlockGraph graph = graphOf(pattern);
    const auto order = minimumDegree(graph);
    ASSERT_TRUE(isPermutation(order, graph.blockCount())) << pattern.name;
    std::vector<int> as_given(order.size());
    std::iota(as_given.begin(), as_given.end(), 0);
    EXPECT_LE(denseCost(graph, order), denseCost(graph, as_given) * (1 + 1e-12)) << pattern.name;
  }
}

// Without fill: every block is eliminated with at most one coupled block left.
TEST(MinimumDegree, ChainsAndArrowsFillNothing) {
  for (const BlockPattern& pattern : {testing::chainPattern(40, 6), testing::arrowPattern(40, 6)}) {
    const double one = 6.0 * 6 * 6 / 6, with_neighbour = one + 6 * 6 * 6;
    const BlockGraph graph = graphOf(pattern);
    EXPECT_DOUBLE_EQ(denseCost(graph, minimumDegree(graph)), 39 * with_neighbour + one);
  }
}

// On a grid of n x n, elimination row by row costs O(n^4); minimum degree must be far below.
TEST(MinimumDegree, GridsCostMuchLessThanRowByRow) {
  const BlockGraph graph = graphOf(testing::gridPattern(20, 1));
  std::vector<int> row_by_row(400);
  std::iota(row_by_row.begin(), row_by_row.end(), 0);
  EXPECT_LT(denseCost(graph, minimumDegree(graph)), 0.35 * denseCost(graph, row_by_row));
}

TEST(MinimumDegree, StagesAreKept) {
  Random random(23);
  for (int trial = 0; trial < 10; ++trial) {
    const BlockPattern pattern = testing::randomPattern(random, 60, 150);
    std::vector<int> stages;
    for (int b = 0; b < 60; ++b) stages.push_back(random.integer(0, 3));
    const auto order = minimumDegree(graphOf(pattern), stages);
    ASSERT_TRUE(isPermutation(order, 60));
    for (std::size_t k = 1; k < order.size(); ++k)
      EXPECT_LE(stages[order[k - 1]], stages[order[k]]);
  }
}

// Largest set of blocks that are connected without blocks of stage `stage` or above.
int largestPart(const BlockGraph& graph, const std::vector<int>& stages, int stage) {
  std::vector<bool> seen(stages.size(), false);
  int largest = 0;
  for (int start = 0; start < graph.blockCount(); ++start) {
    std::vector<int> part;
    const auto reach = [&](int b) {
      if (seen[b] || stages[b] >= stage) return;
      seen[b] = true;
      part.push_back(b);
    };
    reach(start);
    for (std::size_t k = 0; k < part.size(); ++k)
      for (const int b : graph.neighbours(part[k])) reach(b);
    largest = std::max(largest, int(part.size()));
  }
  return largest;
}

// The first separator of a square of 30 x 30 needs about 30 blocks, and what it separates is about
// half.
TEST(NestedDissection, SeparatorsSeparate) {
  const BlockGraph graph = graphOf(testing::gridPattern(30, 3));
  std::vector<int> stages;
  NestedDissection().stages(graph, stages);
  const int top = *std::max_element(stages.begin(), stages.end());
  ASSERT_GE(top, 2);
  EXPECT_LE(std::count(stages.begin(), stages.end(), top), 36);
  EXPECT_LE(largestPart(graph, stages, top), 0.65 * 900);
  EXPECT_LE(largestPart(graph, stages, 1), 150);
}

TEST(NestedDissection, TakesPartsThatAreNotConnected) {
  const BlockPattern pattern =
      testing::disconnected(testing::gridPattern(14, 3), testing::chainPattern(400, 2));
  const BlockGraph graph = graphOf(pattern);
  std::vector<int> stages;
  NestedDissection().stages(graph, stages);
  ASSERT_EQ(stages.size(), pattern.sizes.size());
  EXPECT_LE(largestPart(graph, stages, 1), 150);
  EXPECT_TRUE(isPermutation(minimumDegree(graph, stages), graph.blockCount()));
}

}  // namespace
}  // namespace stickslip
