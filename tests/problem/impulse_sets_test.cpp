// Sets that contacts share, against a plain list of them.
#include "stickslip/impulse_sets.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "support/random.hpp"

namespace stickslip {
namespace {

void expectSame(const ImpulseSets& sets, const std::vector<ImpulseSet>& list) {
  ASSERT_EQ(sets.size(), list.size());
  std::size_t i = 0;
  for (const ImpulseSet& set : sets) EXPECT_EQ(set, list[i++]);
}

TEST(ImpulseSets, AreAListOfSets) {
  testing::Random random(1);
  ImpulseSets sets;
  std::vector<ImpulseSet> list;
  for (int k = 0; k < 500; ++k) {
    const int what = random.integer(0, 9);
    const std::size_t i = random.integer(0, 1 + k);
    if (list.empty() || what < 5) {
      const ImpulseSet set{ImpulseSet::Kind::planar, 0.1 * random.integer(0, 12)};
      sets.push_back(set);
      list.push_back(set);
    } else if (what < 7) {
      sets.own(i % list.size()).mu = list[i % list.size()].mu = random.uniform();
    } else if (what < 8) {
      std::vector<char> marked(list.size(), 0);
      marked[i % list.size()] = marked[0] = 1;
      sets.drop(marked);
      std::size_t place = 0;
      std::erase_if(list, [&](const ImpulseSet&) { return marked[place++] != 0; });
    } else if (what < 9) {
      sets.push_back(sets[i % list.size()]);
      list.push_back(ImpulseSet(list[i % list.size()]));
    } else if (list.size() > 100) {
      sets.shrink(list.size() - 50);
      list.resize(list.size() - 50);
    }
    expectSame(sets, list);
  }
}

TEST(ImpulseSets, HaveTheirKindsFromATable) {
  const std::vector<ImpulseSet> kinds{{ImpulseSet::Kind::planar, 0.5}, {}};
  ImpulseSets sets{kinds[1], kinds[1], kinds[0], kinds[0]};
  sets.own(0).mu = 2;
  sets.start(kinds, 3);
  for (std::size_t i = 0; i < 3; ++i) sets.setKind(i, i == 1 ? 1 : 0);
  expectSame(sets, {kinds[0], kinds[1], kinds[0]});
  sets.own(2).mu = 0.25;
  EXPECT_EQ(sets[0].mu, 0.5);
  EXPECT_EQ(sets[2].mu, 0.25);
  sets.changeAll([](ImpulseSet& set) { set.mu *= 2; });
  EXPECT_EQ(sets[0].mu, 1.0);
  EXPECT_EQ(sets[2].mu, 0.5);
}

}  // namespace
}  // namespace stickslip
