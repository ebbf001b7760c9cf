// Rows that are written in parts, or lose groups, against rows that are built one by one.
#include <gtest/gtest.h>

#include <algorithm>

#include "stickslip/block_matrix.hpp"
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
      EXPECT_TRUE(std::equal(a.values(i, s).data, a.values(i, s).data + a.rowsOf(i) * s.columns,
                             b.values(i, t).data));
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

}  // namespace
}  // namespace stickslip
