// Islands of a contact problem: what connects them, and that nothing is lost on the way.
#include <gtest/gtest.h>

#include "problem/island_extraction.hpp"
#include "support/contact_problems.hpp"

namespace stickslip {
namespace {

// Blocks of sizes 1, 2, 1, 3, 1; the rows name the blocks that they touch.
ContactProblem withConnections(const std::vector<std::vector<int>>& contacts,
                               const std::vector<std::vector<int>>& joints) {
  const int sizes[] = {1, 2, 1, 3, 1}, first[] = {0, 1, 3, 4, 7};
  ContactProblem problem;
  problem.M.resize(sizes);
  for (int b = 0; b < 5; ++b)
    for (int k = 0; k < sizes[b]; ++k) problem.M.block(b)(k, k) = 1 + b;
  for (int k = 0; k < 8; ++k) problem.v_free.push_back(0.5 * k);
  double value = 0;
  const auto add = [&](BlockRows& rows, const std::vector<int>& blocks) {
    rows.addGroup(1);
    for (const int b : blocks)
      for (double& x : rows.addStrip(first[b], sizes[b]).row(0)) x = value += 1;
  };
  for (const auto& blocks : contacts) {
    add(problem.J, blocks);
    problem.sets.push_back({});
    problem.b.push_back(value);
    problem.contact_id.push_back(std::uint64_t(value));
  }
  for (const auto& blocks : joints) {
    add(problem.G, blocks);
    problem.g.push_back(value);
    problem.compliance.push_back(0.25 * value);
  }
  return problem;
}

TEST(Islands, FollowContactsAndJoints) {
  const ContactProblem problem = withConnections({{2}, {0}, {4}}, {{0, 3}});
  Islands islands;
  islands.find(problem);
  ASSERT_EQ(islands.count(), 3);
  EXPECT_FALSE(islands.isWhole());
  const auto list = [](std::span<const int> members) {
    return std::vector<int>(members.begin(), members.end());
  };
  EXPECT_EQ(list(islands.blocks(0)), (std::vector<int>{2}));
  EXPECT_EQ(list(islands.contacts(0)), (std::vector<int>{0}));
  EXPECT_EQ(list(islands.blocks(1)), (std::vector<int>{0, 3}));
  EXPECT_EQ(list(islands.contacts(1)), (std::vector<int>{1}));
  EXPECT_EQ(list(islands.joints(1)), (std::vector<int>{0}));
  EXPECT_EQ(list(islands.blocks(2)), (std::vector<int>{4}));
  EXPECT_TRUE(islands.joints(2).empty());
}

TEST(Islands, OneForAllIsTheWhole) {
  Islands islands;
  islands.find(withConnections({{0, 1}, {2, 3}, {1, 4}}, {{3, 4}}));
  EXPECT_EQ(islands.count(), 1);
  EXPECT_TRUE(islands.isWhole());
  islands.find(withConnections({}, {}));
  EXPECT_EQ(islands.count(), 0);
}

TEST(Islands, AContactOfNothingIsInNone) {
  Islands islands;
  islands.find(withConnections({{}, {1}}, {}));
  ASSERT_EQ(islands.count(), 1);
  EXPECT_FALSE(islands.isWhole());
  EXPECT_EQ(islands.contacts(0)[0], 1);
  ASSERT_EQ(islands.unmovedContacts().size(), 1u);
  EXPECT_EQ(islands.unmovedContacts()[0], 0);
}

TEST(Islands, PartsHoldTheirShareAndGoBack) {
  const ContactProblem problem = withConnections({{1, 3}, {2}, {3}}, {{2, 4}, {1}});
  Islands islands;
  islands.find(problem);
  ASSERT_EQ(islands.count(), 2);
  ExtractedIsland island;
  ContactSolution whole{problem.v_free, std::vector<double>(3, -1), std::vector<double>(2, -1)};
  for (int i = 0; i < 2; ++i) {
    island.extract(problem, islands, i);
    const ContactProblem& part = island.problem();
    ContactSolution solution{part.v_free, {}, {}};
    for (double& v : solution.v) v *= 10;
    for (int k = 0; k < part.contactCount(); ++k) {
      // Row of J times v_free, b and id: as in the whole.
      const int contact = islands.contacts(i)[k];
      const int n = part.velocityCount();
      const auto row = testing::denseRow(part.J, k, n);
      const auto original = testing::denseRow(problem.J, contact, 8);
      double sum = 0, expected = 0;
      for (std::size_t c = 0; c < row.size(); ++c) sum += row[c] * part.v_free[c];
      for (std::size_t c = 0; c < 8; ++c) expected += original[c] * problem.v_free[c];
      EXPECT_EQ(sum, expected);
      EXPECT_EQ(part.b[k], problem.b[contact]);
      EXPECT_EQ(part.contact_id[k], problem.contact_id[contact]);
      solution.p.push_back(contact);
    }
    for (std::size_t k = 0; k < part.g.size(); ++k) {
      EXPECT_EQ(part.compliance[k], 0.25 * part.g[k]);
      solution.c.push_back(part.g[k]);
    }
    ExtractedIsland::insert(problem, islands, i, solution, whole);
  }
  EXPECT_EQ(whole.p, (std::vector<double>{0, 1, 2}));
  EXPECT_EQ(whole.c, problem.g);
  for (std::size_t k = 1; k < 8; ++k) EXPECT_EQ(whole.v[k], 10 * problem.v_free[k]);
  EXPECT_EQ(whole.v[0], problem.v_free[0]);
}

}  // namespace
}  // namespace stickslip
