// Islands against a search through the graph of contacts.
#include "contact/contact_islands.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "contact/reduced_problem.hpp"
#include "support/spatial_problems.hpp"

namespace stickslip {
namespace {

// Contacts that can be reached from `start`, by repeated steps between contacts whose bodies meet.
std::vector<int> reachable(const BlockRows& J, int start) {
  const auto shareABody = [&](int a, int b) {
    for (const BlockRows::Strip& s : J.stripsOf(a))
      for (const BlockRows::Strip& t : J.stripsOf(b))
        if (s.first_column == t.first_column) return true;
    return false;
  };
  std::vector<int> found{start};
  for (std::size_t next = 0; next < found.size(); ++next)
    for (int i = 0; i < J.groupCount(); ++i)
      if (std::find(found.begin(), found.end(), i) == found.end() && shareABody(found[next], i))
        found.push_back(i);
  std::sort(found.begin(), found.end());
  return found;
}

TEST(ContactIslands, AreTheConnectedParts) {
  testing::Random random(1);
  int most = 0;
  for (int trial = 0; trial < 100; ++trial) {
    const ContactProblem problem =
        testing::randomSpatialProblem(random, {.bodies = 12, .patches = random.integer(0, 12)});
    ReducedProblem reduced;
    reduced.reduce(problem);
    ContactIslands islands;
    islands.find(reduced.W(), problem.J);
    most = std::max(most, islands.count());
    std::size_t total = 0;
    int last_first = -1;
    for (int k = 0; k < islands.count(); ++k) {
      const auto contacts = islands.contacts(k);
      EXPECT_EQ(std::vector<int>(contacts.begin(), contacts.end()),
                reachable(problem.J, contacts[0]));
      EXPECT_GT(contacts[0], last_first);
      last_first = contacts[0];
      total += contacts.size();
    }
    EXPECT_EQ(total, std::size_t(problem.contactCount()));
  }
  EXPECT_GT(most, 3);
}

}  // namespace
}  // namespace stickslip
