// Nearest points of friction sets by what defines them, and their derivatives.
#include "cones/friction_shape.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "cones/cone.hpp"
#include "support/random.hpp"

namespace stickslip {
namespace {

using testing::Random;

std::vector<FrictionShape> allShapes() {
  std::vector<FrictionShape> shapes{{1, 0}, {2, 0}, {3, 0}};
  for (const int directions : {4, 6, 8, 14}) {
    shapes.push_back({2, directions});
    shapes.push_back({3, directions});
  }
  return shapes;
}

std::span<const double> rowsOf(const FrictionShape& shape, const FrictionVector& x) {
  return std::span(x).first(shape.rows);
}

// The largest x.y over D.
double support(const FrictionShape& shape, FrictionVector y) {
  for (double& value : y) value = -value;
  return frictionPower(shape, rowsOf(shape, y));
}

FrictionVector randomVector(Random& random, const FrictionShape& shape) {
  FrictionVector y{};
  for (std::size_t k = 0; k < static_cast<std::size_t>(shape.rows); ++k) y[k] = random.uniform();
  return y;
}

// P is next to y exactly if P is in n D and no point of n D is farther along y - P.
TEST(FrictionShape, NearestPointsAreNearest) {
  Random random(1);
  for (const FrictionShape& shape : allShapes())
    for (int trial = 0; trial < 300; ++trial) {
      const FrictionVector y = randomVector(random, shape);
      const double n = random.uniform(0.01, 1);
      const NearestFriction near = nearestFriction(shape, n, rowsOf(shape, y));
      FrictionVector rest{};
      double along = 0;
      for (std::size_t k = 0; k < 3; ++k) {
        rest[k] = y[k] - near.point[k];
        along += rest[k] * near.point[k];
      }
      EXPECT_NEAR(n * support(shape, rest), along, 1e-13) << shape.rows << " " << shape.directions;
      for (int probe = 0; probe < 20; ++probe) {
        const FrictionVector d = randomVector(random, shape);
        const double reach = d[0] * near.point[0] + d[1] * near.point[1] + d[2] * near.point[2];
        ASSERT_LE(reach, n * support(shape, d) + 1e-13);
      }
    }
}

TEST(FrictionShape, DerivativesAreThoseOfFiniteDifferences) {
  Random random(2);
  const double h = 1e-6;
  for (const FrictionShape& shape : allShapes()) {
    int kinks = 0;
    for (int trial = 0; trial < 200; ++trial) {
      const FrictionVector y = randomVector(random, shape);
      const double n = random.uniform(0.1, 0.8);
      const NearestFriction near = nearestFriction(shape, n, rowsOf(shape, y));
      const auto slope = [&](double d_n, std::size_t row) {
        FrictionVector a = y, b = y;
        if (d_n == 0) a[row] += h, b[row] -= h;
        const NearestFriction ahead = nearestFriction(shape, n + d_n, rowsOf(shape, a));
        const NearestFriction behind = nearestFriction(shape, n - d_n, rowsOf(shape, b));
        FrictionVector out;
        for (std::size_t k = 0; k < 3; ++k) out[k] = (ahead.point[k] - behind.point[k]) / (2 * h);
        return out;
      };
      double worst = 0;
      for (std::size_t i = 0; i < static_cast<std::size_t>(shape.rows); ++i) {
        worst = std::max(worst, std::abs(slope(h, 0)[i] - near.growth[i]));
        for (std::size_t j = 0; j < static_cast<std::size_t>(shape.rows); ++j)
          worst = std::max(worst, std::abs(slope(0, j)[i] - near.share * near.along[i][j]));
      }
      if (worst > 1e-4) ++kinks;
    }
    EXPECT_LE(kinks, 1) << shape.rows << " " << shape.directions;
  }
}

// For a cone K: y in K, x - y in its polar, and both at right angles.
TEST(FrictionShape, ProjectionOnSectionsIsNearest) {
  Random random(3);
  for (const FrictionShape& first : allShapes())
    for (const FrictionShape& second :
         {FrictionShape{}, FrictionShape{1, 0}, FrictionShape{2, 0}, FrictionShape{2, 6}}) {
      Cone cone;
      cone.kind = Cone::Kind::sections;
      cone.shapes = {first, second};
      cone.rows = 1 + first.rows + second.rows;
      const std::size_t rows = cone.rows;
      for (int trial = 0; trial < 100; ++trial) {
        const std::vector<double> x = random.vector(rows);
        std::vector<double> y = x, rest(rows);
        project(cone, y);
        double product = 0;
        for (std::size_t k = 0; k < rows; ++k) {
          rest[k] = x[k] - y[k];
          product += rest[k] * y[k];
        }
        EXPECT_NEAR(product, 0, 1e-13);
        // The polar cone: rest_n + support of the friction parts <= 0.
        const auto opposite = [](std::vector<double> v) {
          for (double& value : v) value = -value;
          return v;
        };
        const std::vector<double> against = opposite(rest);
        EXPECT_LE(rest[0] + slipOf(cone, Law::coulomb, against), 1e-13);
        // In K: nothing of it is beyond n times the support in any direction.
        std::vector<double> again = y;
        project(cone, again);
        for (std::size_t k = 0; k < rows; ++k) EXPECT_NEAR(again[k], y[k], 1e-13);
        EXPECT_GE(y[0], 0);
      }
    }
}

}  // namespace
}  // namespace stickslip
