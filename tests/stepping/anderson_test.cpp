// Anderson's mixing on fixed points that are known.
#include "stepping/anderson.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support/random.hpp"

namespace stickslip {
namespace {

// For x = A x + c in n unknowns, n differences tell all about A, even if plain iteration diverges.
TEST(AndersonMixing, SolvesLinearFixedPointsInAsManyStepsAsThereAreUnknowns) {
  testing::Random random(511);
  constexpr std::size_t n = 5;
  const std::vector<double> A = random.vector(n * n), c = random.vector(n);
  std::vector<double> x(n, 0.0), r(n);
  const auto residual = [&] {
    double worst = 0;
    for (std::size_t i = 0; i < n; ++i) {
      r[i] = c[i] - x[i];
      for (std::size_t j = 0; j < n; ++j) r[i] += A[i * n + j] * x[j];
      worst = std::max(worst, std::abs(r[i]));
    }
    return worst;
  };
  AndersonMixing mixing;
  mixing.restart(n);
  for (std::size_t step = 0; step < n; ++step) {
    EXPECT_GT(residual(), 1e-6) << "not yet";
    mixing.advance(x, r);
  }
  residual();
  mixing.advance(x, r);
  EXPECT_LT(residual(), 1e-9);
}

TEST(AndersonMixing, EndsTheHoppingOfASteepMap) {
  std::vector<double> x{0.3}, r(1);
  AndersonMixing mixing;
  mixing.restart(1);
  for (int step = 0; step < 12; ++step) {
    r[0] = 3 * std::cos(x[0]) - x[0];
    mixing.advance(x, r);
  }
  EXPECT_NEAR(x[0], 3 * std::cos(x[0]), 1e-10);
}

// A residual that does not change, as at a solution, leaves the point finite.
TEST(AndersonMixing, TakesRepeatedPoints) {
  std::vector<double> x{1, 2}, r{0, 0};
  AndersonMixing mixing;
  mixing.restart(2);
  for (int step = 0; step < 20; ++step) mixing.advance(x, r);
  EXPECT_EQ(x, (std::vector<double>{1, 2}));
}

}  // namespace
}  // namespace stickslip
