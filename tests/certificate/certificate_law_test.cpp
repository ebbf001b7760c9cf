// Nearest points and natural maps of all impulse sets against what defines them.
#include "certificate/impulse_law.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "support/random.hpp"

namespace stickslip {
namespace {

using testing::Random;
using Kind = ImpulseSet::Kind;

double product(const ImpulseVector& a, const ImpulseVector& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

ImpulseVector minus(const ImpulseVector& a, const ImpulseVector& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}

// Rays that span the cone: its corners, or very many of them.
std::vector<ImpulseVector> raysOf(const ImpulseSet& set) {
  if (set.kind == Kind::frictionless) return {{1, 0, 0}};
  if (set.kind == Kind::planar) return {{1, set.mu, 0}, {1, -set.mu, 0}};
  const int count = set.kind == Kind::polyhedral ? set.directions : 5000;
  std::vector<ImpulseVector> rays;
  for (int k = 0; k < count; ++k) {
    const double angle = 2 * std::numbers::pi * k / count;
    rays.push_back({1, set.mu * std::cos(angle), set.mu_2 * std::sin(angle)});
  }
  return rays;
}

// Whether y is in the cone, by inequalities.
double outside(const ImpulseSet& set, const ImpulseVector& y) {
  switch (set.kind) {
    case Kind::planar:
      return std::abs(y[1]) - set.mu * y[0];
    case Kind::elliptic:
      // On a degenerate axis only zero is inside.
      return std::max(
          std::hypot(set.mu > 0 ? y[1] / set.mu : 0, set.mu_2 > 0 ? y[2] / set.mu_2 : 0) - y[0],
          (set.mu > 0 ? 0 : std::abs(y[1])) + (set.mu_2 > 0 ? 0 : std::abs(y[2])));
    case Kind::polyhedral: {
      double worst = -y[0];
      const auto rays = raysOf(set);
      for (std::size_t k = 0; k < rays.size(); ++k) {
        const ImpulseVector& a = rays[k];
        const ImpulseVector& b = rays[(k + 1) % rays.size()];
        // Outward normal of the side from a to b, in the plane y_n = 1.
        const double n_1 = b[2] - a[2], n_2 = a[1] - b[1];
        worst = std::max(worst, n_1 * (y[1] - y[0] * a[1]) + n_2 * (y[2] - y[0] * a[2]));
      }
      return worst;
    }
    default:
      return -y[0];
  }
}

// y is the point of the cone K next to x exactly if y is in K, x - y makes no acute angle with any
// ray of K, and (x - y).y = 0.
void expectNearest(const ImpulseSet& set, const ImpulseVector& x, double tolerance) {
  const ImpulseVector y = projectOnSet(set, x), rest = minus(x, y);
  const double size = std::sqrt(product(x, x));
  EXPECT_LE(outside(set, y), tolerance * size);
  EXPECT_NEAR(product(rest, y), 0, tolerance * size * size);
  for (const ImpulseVector& ray : raysOf(set))
    ASSERT_LE(product(rest, ray), tolerance * size * (1 + set.mu + set.mu_2));
}

ImpulseVector randomPoint(Random& random, Kind kind) {
  ImpulseVector x{random.uniform(), random.uniform(), random.uniform()};
  if (kind == Kind::planar || kind == Kind::frictionless) x[2] = 0;
  if (kind == Kind::frictionless) x[1] = 0;
  const double size = std::pow(10.0, random.uniform(-6, 6));
  for (double& part : x) part *= size;
  return x;
}

TEST(CertificateLaw, FindsTheNearestPointOfEveryCone) {
  Random random(11);
  for (int trial = 0; trial < 400; ++trial)
    for (const Kind kind : {Kind::frictionless, Kind::planar, Kind::elliptic, Kind::polyhedral}) {
      ImpulseSet set;
      set.kind = kind;
      set.mu = kind == Kind::frictionless ? 0 : std::pow(10.0, random.uniform(-3, 1));
      set.mu_2 = kind == Kind::frictionless || kind == Kind::planar ? 0
                 : trial % 2 == 0                                   ? set.mu
                                  : std::pow(10.0, random.uniform(-3, 1));
      set.directions = kind == Kind::polyhedral ? 2 * random.integer(2, 32) : 0;
      expectNearest(set, randomPoint(random, kind), 1e-12);
    }
}

TEST(CertificateLaw, CopesWithTangentsWithoutFriction) {
  Random random(12);
  for (int trial = 0; trial < 200; ++trial)
    for (const Kind kind : {Kind::elliptic, Kind::polyhedral}) {
      ImpulseSet set;
      set.kind = kind;
      set.directions = 8;
      (trial % 2 == 0 ? set.mu : set.mu_2) = trial % 3 == 0 ? 0 : random.uniform(0.1, 2);
      const ImpulseVector x = randomPoint(random, kind), y = projectOnSet(set, x);
      const ImpulseVector rest = minus(x, y);
      const double size = std::sqrt(product(x, x));
      if (set.mu == 0) {
        EXPECT_EQ(y[1], 0);
      }
      if (set.mu_2 == 0) {
        EXPECT_EQ(y[2], 0);
      }
      EXPECT_NEAR(product(rest, y), 0, 1e-13 * size * size);
      for (const ImpulseVector& ray : raysOf(set)) EXPECT_LE(product(rest, ray), 1e-13 * size * 3);
    }
}

// Against the nearest of very many points of the surface.
TEST(CertificateLaw, EllipticConeAgreesWithASearch) {
  Random random(13);
  for (int trial = 0; trial < 50; ++trial) {
    ImpulseSet set;
    set.kind = Kind::elliptic;
    set.mu = random.uniform(0.1, 2);
    set.mu_2 = random.uniform(0.1, 2);
    const ImpulseVector x{random.uniform(), random.uniform(), random.uniform()};
    const ImpulseVector y = projectOnSet(set, x), rest = minus(x, y);
    double least = product(x, x);
    for (const ImpulseVector& ray : raysOf(set)) {
      const double along = std::max(0.0, product(x, ray) / product(ray, ray));
      const ImpulseVector apart = minus(x, {along * ray[0], along * ray[1], along * ray[2]});
      least = std::min(least, product(apart, apart));
    }
    if (outside(set, x) <= 0) least = 0;
    EXPECT_NEAR(product(rest, rest), least, 1e-6);
  }
}

TEST(CertificateLaw, ClipsIntervals) {
  ImpulseSet set;
  set.kind = Kind::interval;
  set.lower = -2;
  set.upper = 3;
  EXPECT_EQ(projectOnSet(set, {5, 0, 0})[0], 3);
  EXPECT_EQ(projectOnSet(set, {-5, 0, 0})[0], -2);
  EXPECT_EQ(projectOnSet(set, {1, 0, 0})[0], 1);
  // At a bound any velocity that pushes beyond it is right, and the other sign is not.
  EXPECT_EQ(naturalMap(set, Law::coulomb, {3, 0, 0}, {-7, 0, 0}, 0.5), 0);
  EXPECT_EQ(naturalMap(set, Law::coulomb, {-2, 0, 0}, {7, 0, 0}, 0.5), 0);
  EXPECT_EQ(naturalMap(set, Law::coulomb, {3, 0, 0}, {4, 0, 0}, 0.5), 2);
  EXPECT_EQ(naturalMap(set, Law::coulomb, {1, 0, 0}, {0, 0, 0}, 0.5), 0);
  set.upper = std::numeric_limits<double>::infinity();
  EXPECT_EQ(projectOnSet(set, {5, 0, 0})[0], 5);
}

// Sliding with friction against the motion is right; any other direction or amount is not.
TEST(CertificateLaw, AcceptsSlidingWithTheMostDissipation) {
  ImpulseSet set;
  set.kind = Kind::elliptic;
  set.mu = 0.5;
  set.mu_2 = 0.25;
  const ImpulseVector u{0, 3, -4};
  const double power = std::hypot(0.5 * 3, 0.25 * 4);
  const ImpulseVector p{2, -2 * 0.25 * 3 / power, 2 * 0.0625 * 4 / power};
  EXPECT_LE(naturalMap(set, Law::coulomb, p, u, 0.7), 1e-15);
  EXPECT_GT(naturalMap(set, Law::coulomb, {2, -2 * 0.5 * 0.6, 2 * 0.25 * 0.8}, u, 0.7), 1e-2);
  set.kind = Kind::polyhedral;
  set.directions = 4;  // corners (+-0.5, 0), (0, +-0.25): the first one takes 1.5, the other 1
  EXPECT_LE(naturalMap(set, Law::coulomb, {2, -1, 0}, u, 0.7), 1e-15);
  EXPECT_GT(naturalMap(set, Law::coulomb, {2, 0, 0.5}, u, 0.7), 1e-2);
}

TEST(CertificateLaw, CountsTheDirectionsThatCarryLoad) {
  ImpulseSet set;
  set.kind = Kind::elliptic;
  set.mu = set.mu_2 = 0.5;
  EXPECT_EQ(loadDirections(set, {1, 0, 0}, 1e-9).count, 0);
  EXPECT_EQ(loadDirections(set, {0, 0, 0}, 1e-9).count, 3);
  const LoadDirections sliding = loadDirections(set, {0, 3, 4}, 1e-9);
  ASSERT_EQ(sliding.count, 1);
  EXPECT_NEAR(sliding.rows[0][1], -0.3, 1e-15);
  EXPECT_NEAR(sliding.rows[0][2], -0.4, 1e-15);
  set.mu_2 = 0;
  EXPECT_EQ(loadDirections(set, {0, 0, 5}, 1e-9).count, 2);
  set.kind = Kind::polyhedral;
  set.mu_2 = 0.5;
  set.directions = 4;
  EXPECT_EQ(loadDirections(set, {0, 1, 0.5}, 1e-9).count, 1);
  EXPECT_EQ(loadDirections(set, {0, 1, 1}, 1e-9).count, 2) << "normal to a side of the square";
}

}  // namespace
}  // namespace stickslip
