// Rows that are written in parts, or lose groups, against rows that are built one by one.
#include <gtest/gtest.h>

#include <algorithm>

#include "stickslip/block_rows.hpp"
#include "support/random.hpp"

namespace stickslip {
namespace {

using testing::Random;

struct GroupData {
  int rows = 0;
  std::vector<int> columns;                 ///< of each strip
  std::vector<std::vector<double>> values;  ///< of each strip
};

std::vector<GroupData> randomGroups(Random& random, int count) {
  std::vector<GroupData> groups(static_cast<std::size_t>(count));
  for (GroupData& group : groups) {
    group.rows = random.integer(1, 4);
    for (int k = random.integer(0, 3); k > 0; --k) {
      group.columns.push_back(random.integer(1, 6));
      group.values.push_back(
          random.vector(static_cast<std::size_t>(group.rows * group.columns.back())));
    }
  }
  return groups;
}

void append(const GroupData& group, BlockRows& rows) {
  rows.addGroup(group.rows);
  for (std::size_t k = 0; k < group.columns.size(); ++k) {
    const MatrixView strip = rows.addStrip(7 * static_cast<int>(k), group.columns[k]);
    std::copy(group.values[k].begin(), group.values[k].end(), strip.data);
  }
}

void expectSame(const BlockRows& a, const BlockRows& b) {
  ASSERT_EQ(a.groupCount(), b.groupCount());
  EXPECT_EQ(a.rowCount(), b.rowCount());
  for (int i = 0; i < a.groupCount(); ++i) {
    EXPECT_EQ(a.firstRow(i), b.firstRow(i));
    EXPECT_EQ(a.rowsOf(i), b.rowsOf(i));
    ASSERT_EQ(a.stripsOf(i).size(), b.stripsOf(i).size());
    for (std::size_t k = 0; k < a.stripsOf(i).size(); ++k) {
      const BlockRows::Strip &s = a.stripsOf(i)[k], &t = b.stripsOf(i)[k];
      EXPECT_EQ(s.first_column, t.first_column);
      ASSERT_EQ(s.columns, t.columns);
      const StripValues x = a.values(i, s), y = b.values(i, t);
      for (int row = 0; row < a.rowsOf(i); ++row)
        EXPECT_TRUE(std::ranges::equal(x.row(row), y.row(row)));
    }
  }
}

TEST(BlockRows, WritersInAnyOrderWriteWhatIsAddedOneByOne) {
  Random random(1);
  BlockRows written;
  for (int round = 0; round < 20; ++round) {
    const std::vector<GroupData> groups = randomGroups(random, 30);
    BlockRows added;
    for (const GroupData& group : groups) append(group, added);
    // The first ten one by one; the others in two parts, the last of them first.
    written.clear();
    std::vector<BlockRows::Extent> starts;
    BlockRows::Extent extent, more;
    for (std::size_t i = 0; i < groups.size(); ++i) {
      starts.push_back(extent);
      BlockRows::Extent one{1, groups[i].rows, groups[i].columns.size(), 0};
      for (const std::vector<double>& v : groups[i].values) one.values += v.size();
      extent = extent + one;
      if (i < 10)
        append(groups[i], written);
      else
        more = more + one;
    }
    written.extend(more);
    for (const std::size_t first : {std::size_t{20}, std::size_t{10}}) {
      BlockRows::Writer writer = written.writerAt(starts[first]);
      for (std::size_t i = first; i < first + 10; ++i) {
        writer.addGroup(groups[i].rows);
        for (std::size_t k = 0; k < groups[i].columns.size(); ++k)
          std::copy(groups[i].values[k].begin(), groups[i].values[k].end(),
                    writer.addStrip(7 * static_cast<int>(k), groups[i].columns[k]));
      }
    }
    expectSame(written, added);
  }
}

TEST(BlockRows, DroppingGroupsLeavesTheOthers) {
  Random random(2);
  for (int round = 0; round < 20; ++round) {
    const std::vector<GroupData> groups = randomGroups(random, 25);
    BlockRows all, wanted;
    std::vector<char> marked;
    for (const GroupData& group : groups) {
      marked.push_back(static_cast<char>(random.integer(0, 1)));
      append(group, all);
      if (!marked.back()) append(group, wanted);
    }
    all.dropGroups(marked);
    expectSame(all, wanted);
    // What is added then is zero at first, whatever was there before.
    all.addGroup(2);
    const MatrixView strip = all.addStrip(0, 6);
    EXPECT_TRUE(std::all_of(strip.data, strip.data + 12, [](double x) { return x == 0; }));
  }
}

BallRows randomBalls(Random& random) {
  const auto vector = [&] {
    return std::array{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
  };
  return {vector(), vector(), {random.uniform(-1, 1), random.uniform(-1, 1)}};
}

// Directions n, t and o = n x t at `lever` from the middle of a ball: each pushes it along s d, and
// turns it about lever n x d.
void expectBall(const BallRows& balls, int ball, const StripValues& values) {
  const auto &n = balls.normal, &t = balls.tangent;
  const auto cross = [](const auto& a, const auto& b) {
    return std::array{a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2],
                      a[0] * b[1] - a[1] * b[0]};
  };
  const std::array<std::array<double, 3>, 3> along{n, t, cross(n, t)};
  const double lever = balls.lever[ball];
  ASSERT_EQ(values.view().rows, 3);
  ASSERT_EQ(values.view().columns, 6);
  for (int k = 0; k < 3; ++k) {
    const std::size_t j = k;
    for (int row = 0; row < 3; ++row)
      EXPECT_EQ(values(row, k), (ball == 0 ? -1 : 1) * along[row][j]);
    EXPECT_EQ(values(0, 3 + k), 0);
    EXPECT_EQ(values(1, 3 + k), lever * along[2][j]);
    EXPECT_EQ(values(2, 3 + k), -lever * along[1][j]);
  }
}

TEST(BlockRows, BallsAreThreeRowsOverEachOfThem) {
  Random random(3);
  for (int round = 0; round < 20; ++round) {
    const BallRows balls = randomBalls(random);
    for (const std::array<int, 2> columns :
         {std::array{12, 6}, {12, BlockRows::kNoBall}, {BlockRows::kNoBall, 6}}) {
      BlockRows rows;
      rows.addBalls(balls, columns);
      ASSERT_EQ(rows.rowCount(), 3);
      EXPECT_TRUE(rows.isOfBalls(0));
      int present = 0;
      for (const BlockRows::Strip& strip : rows.stripsOf(0)) {
        const int ball = BlockRows::ballOf(strip);
        EXPECT_EQ(strip.first_column, columns[ball]);
        expectBall(balls, ball, rows.values(0, strip));
        ++present;
      }
      EXPECT_EQ(present,
                columns[0] != BlockRows::kNoBall && columns[1] != BlockRows::kNoBall ? 2 : 1);
    }
  }
}

TEST(BlockRows, BallsAndOthersLoseGroupsAlike) {
  Random random(4);
  for (int round = 0; round < 20; ++round) {
    const std::vector<GroupData> groups = randomGroups(random, 25);
    BlockRows all, wanted;
    std::vector<char> marked;
    for (const GroupData& group : groups) {
      const BallRows balls = randomBalls(random);
      const bool is_ball = random.integer(0, 1) == 0;
      const std::array<int, 2> columns{random.integer(0, 1) * 7 - 1, 12};
      marked.push_back(static_cast<char>(random.integer(0, 1)));
      for (BlockRows* rows : {&all, &wanted}) {
        if (rows == &wanted && marked.back()) continue;
        is_ball ? rows->addBalls(balls, columns) : append(group, *rows);
      }
    }
    all.dropGroups(marked);
    expectSame(all, wanted);
    const int before = all.groupCount();
    all.addBalls(randomBalls(random), {0, 6});
    all.dropGroup();
    EXPECT_EQ(all.groupCount(), before);
    expectSame(all, wanted);
  }
}

}  // namespace
}  // namespace stickslip
