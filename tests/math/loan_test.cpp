#include "math/loan.hpp"

#include <gtest/gtest.h>

namespace stickslip {
namespace {

TEST(Loan, TakesTurnsWithTheSameMemory) {
  std::vector<double> a, b;
  const double* of_a = nullptr;
  {
    const Loan loan(a, 1000);
    EXPECT_EQ(a.size(), 1000u);
    of_a = a.data();
  }
  EXPECT_EQ(a.capacity(), 0u);
  {
    const Loan loan(b, 900);
    EXPECT_EQ(b.size(), 900u);
    EXPECT_EQ(b.data(), of_a);
    // Which nobody has twice.
    const Loan other(a, 900);
    EXPECT_NE(a.data(), b.data());
  }
}

TEST(Loan, GivesTheSmallestThatIsLargeEnough) {
  std::vector<double> large, small, next;
  const double* of_small = nullptr;
  {
    const Loan first(large, 50000), second(small, 20000);
    of_small = small.data();
  }
  const Loan loan(next, 20000);
  EXPECT_EQ(next.data(), of_small);
}

// As a step does with the state that it makes.
TEST(Loan, KeepsWhatIsThereInTheEnd) {
  std::vector<double> mine(300, 1.0), next;
  const double* before = mine.data();
  {
    const Loan loan(next, 300);
    std::swap(mine, next);
  }
  EXPECT_NE(mine.data(), before);
  std::vector<double> other;
  const Loan loan(other, 300);
  EXPECT_EQ(other.data(), before);
}

}  // namespace
}  // namespace stickslip
