#include "sweeps/colouring.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <set>

#include "support/random.hpp"

namespace stickslip {
namespace {

using Pairs = std::vector<std::array<int, 2>>;

// Every contact once, ascending in its colour, and no body twice in a colour.
void expectProper(const Pairs& pairs, const Colouring& colouring) {
  std::vector<int> seen(pairs.size(), 0);
  for (int colour = 0; colour < colouring.count(); ++colour) {
    std::set<int> bodies;
    int last = -1;
    for (const int contact : colouring.members(colour)) {
      EXPECT_LT(last, contact);
      last = contact;
      ++seen[static_cast<std::size_t>(contact)];
      for (const int body : pairs[static_cast<std::size_t>(contact)]) {
        EXPECT_TRUE(body < 0 || bodies.insert(body).second);
      }
    }
    EXPECT_FALSE(colouring.members(colour).empty());
  }
  for (const int contact : colouring.leftOver()) ++seen[static_cast<std::size_t>(contact)];
  for (const int times : seen) EXPECT_EQ(times, 1);
}

TEST(Colouring, SeparatesContactsThatShareABody) {
  testing::Random random(1);
  Colouring colouring;
  for (int trial = 0; trial < 20; ++trial) {
    const int bodies = random.integer(2, 60);
    Pairs pairs;
    for (int k = random.integer(0, 4 * bodies); k > 0; --k) {
      const int a = random.integer(0, bodies - 1), b = random.integer(-1, bodies - 1);
      pairs.push_back({a, a == b ? -1 : b});
    }
    colouring.find(pairs, bodies);
    expectProper(pairs, colouring);
  }
}

TEST(Colouring, LeavesOverWhatOneBodyHasTooManyOf) {
  Pairs pairs;
  for (int k = 1; k <= 100; ++k) pairs.push_back({0, k});
  Colouring colouring;
  colouring.find(pairs, 101);
  expectProper(pairs, colouring);
  EXPECT_EQ(colouring.count(), Colouring::kColours);
  EXPECT_EQ(colouring.leftOver().size(), 100u - Colouring::kColours);
}

TEST(Colouring, OfNothing) {
  Colouring colouring;
  colouring.find({}, 3);
  EXPECT_EQ(colouring.count(), 0);
  EXPECT_TRUE(colouring.leftOver().empty());
}

}  // namespace
}  // namespace stickslip
