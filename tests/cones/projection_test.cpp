#include "cones/cone.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "support/random.hpp"

namespace stickslip {
namespace {

using testing::Random;

std::vector<Cone> allItems() {
  std::vector<Cone> cones;
  for (int rows = 1; rows <= kMostRows; ++rows) {
    cones.push_back({});
    cones.back().rows = rows;
  }
  for (const int directions : {4, 6, 8, 14, 64}) {
    cones.push_back({.kind = Cone::Kind::polygon, .rows = 3, .directions = directions});
  }
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  for (const double upper : {0.4, kInfinity})
    cones.push_back({.kind = Cone::Kind::interval, .rows = 1, .lower = -0.3, .upper = upper});
  cones.push_back({.kind = Cone::Kind::joint, .rows = 1});
  using Shapes = std::array<FrictionShape, kMostSections>;
  for (const Shapes& shapes :
       {Shapes{{{1, 0}, {1, 0}}}, Shapes{{{2, 0}, {2, 0}}}, Shapes{{{3, 0}, {2, 0}}},
        Shapes{{{3, 6}, {}}}, Shapes{{{2, 8}, {2, 8}}}, Shapes{{{3, 8}, {2, 8}}}}) {
    cones.push_back({.kind = Cone::Kind::sections,
                     .rows = 1 + shapes[0].rows + shapes[1].rows,
                     .shapes = shapes});
  }
  for (const int directions : {0, 6})
    cones.push_back({.kind = Cone::Kind::load_independent,
                     .rows = 2,
                     .radius = 0.5,
                     .shapes = {{{2, directions}, {}}}});
  return cones;
}

using Rows = std::array<double, kMostRows>;

Rows projected(const Cone& cone, Rows x) {
  project(cone, std::span(x).first(cone.rows));
  return x;
}

// Against the projections of the contact law, which for polygons look at all faces and edges.
TEST(ItemProjection, AgreesWithTheContactLaw) {
  Random random(1);
  for (const Cone& cone : allItems())
    for (int trial = 0; trial < 200; ++trial) {
      Rows x{}, y{};
      for (double& value : x) value = random.uniform();
      std::array<double, kMostRows * kMostRows> D;
      projectWithDerivative(cone, x.data(), y.data(), D.data());
      const Rows expected = projected(cone, x);
      for (std::size_t k = 0; k < static_cast<std::size_t>(cone.rows); ++k)
        EXPECT_NEAR(y[k], expected[k], 1e-12) << cone.rows << " " << cone.directions;
    }
}

TEST(ItemProjection, DerivativeIsThatOfFiniteDifferences) {
  Random random(2);
  const double h = 1e-6;
  for (const Cone& cone : allItems()) {
    const std::size_t rows = cone.rows;
    int kinks = 0;
    for (int trial = 0; trial < 100; ++trial) {
      Rows x{}, y{};
      for (std::size_t k = 0; k < rows; ++k) x[k] = random.uniform();
      std::array<double, kMostRows * kMostRows> D;
      projectWithDerivative(cone, x.data(), y.data(), D.data());
      double worst = 0;
      for (std::size_t j = 0; j < rows; ++j) {
        Rows ahead = x, behind = x;
        ahead[j] += h;
        behind[j] -= h;
        const Rows a = projected(cone, ahead), b = projected(cone, behind);
        for (std::size_t i = 0; i < rows; ++i)
          worst = std::max(worst, std::abs((a[i] - b[i]) / (2 * h) - D[i * rows + j]));
      }
      if (worst > 1e-4) ++kinks;
    }
    EXPECT_LE(kinks, 1) << cone.rows << " " << cone.directions;
  }
}

}  // namespace
}  // namespace stickslip
