// The solvers' form of the contact law against the certificate's.
#include "cones/cone.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "certificate/impulse_law.hpp"
#include "cones/cone_layout.hpp"
#include "support/random.hpp"

namespace stickslip {
namespace {

using testing::Random;

struct Pair {
  Cone cone;
  ImpulseSet set;
};

Cone itemOf(Cone::Kind kind, int rows) {
  Cone cone;
  cone.kind = kind;
  cone.rows = rows;
  return cone;
}

std::vector<Pair> allKinds() {
  std::vector<Pair> pairs;
  pairs.push_back({itemOf(Cone::Kind::lorentz, 1), {}});
  pairs.push_back({itemOf(Cone::Kind::lorentz, 2), {ImpulseSet::Kind::planar, 1}});
  pairs.push_back({itemOf(Cone::Kind::lorentz, 3), {ImpulseSet::Kind::elliptic, 1, 1}});
  for (const int directions : {4, 6, 8, 16}) {
    pairs.push_back(
        {itemOf(Cone::Kind::polygon, 3), {ImpulseSet::Kind::polyhedral, 1, 1, directions}});
    pairs.back().cone.directions = directions;
  }
  pairs.push_back({itemOf(Cone::Kind::interval, 1), {}});
  pairs.back().set.kind = ImpulseSet::Kind::interval;
  pairs.back().set.lower = pairs.back().cone.lower = -0.4;
  pairs.back().set.upper = pairs.back().cone.upper = 0.7;
  return pairs;
}

TEST(ContactLaw, IsTheCertificatesLaw) {
  Random random(1);
  for (const Pair& pair : allKinds())
    for (const Law law : {Law::coulomb, Law::relaxed})
      for (int trial = 0; trial < 400; ++trial) {
        const std::size_t n = std::size_t(pair.cone.rows);
        const std::vector<double> p = random.vector(n), u = random.vector(n);
        std::vector<double> map(n);
        naturalMap(pair.cone, law, p, u, map);
        ImpulseVector impulse{}, velocity{};
        double square = 0;
        for (std::size_t k = 0; k < n; ++k) {
          impulse[k] = p[k];
          velocity[k] = u[k];
          square += map[k] * map[k];
        }
        EXPECT_NEAR(std::sqrt(square), naturalMap(pair.set, law, impulse, velocity, 1), 1e-13);
      }
}

// x = P(x) + (x - P(x)) with both parts in their cones and normal to each other.
TEST(ContactLaw, ProjectsOnConesOfAnyDimension) {
  Random random(2);
  for (int rows = 1; rows <= kMostRows; ++rows)
    for (int trial = 0; trial < 400; ++trial) {
      const std::vector<double> x = random.vector(std::size_t(rows));
      std::vector<double> y = x;
      project(itemOf(Cone::Kind::lorentz, rows), y);
      double side = 0, rest_side = 0, product = 0;
      for (std::size_t k = 0; k < y.size(); ++k) {
        const double rest = x[k] - y[k];
        product += y[k] * rest;
        if (k > 0) {
          side += y[k] * y[k];
          rest_side += rest * rest;
        }
      }
      EXPECT_LE(std::sqrt(side), y[0] + 1e-15);
      EXPECT_LE(std::sqrt(rest_side), -(x[0] - y[0]) + 1e-15);
      EXPECT_NEAR(product, 0, 1e-15);
    }
}

TEST(ContactLaw, FrictionWithoutTangentsIsNone) {
  // Coefficients that a set has no use for may be anything.
  for (const ImpulseSet::Kind kind : {ImpulseSet::Kind::frictionless, ImpulseSet::Kind::interval}) {
    const ImpulseSet set{
        .kind = kind, .mu = 0.5, .mu_2 = 1, .torsion = 1, .rolling = 1, .load_independent = true};
    const SetLayout layout = layoutOf(set);
    EXPECT_EQ(layout.count, 1);
    EXPECT_EQ(layout.parts[0].cone.rows, 1);
  }
}

TEST(ContactLaw, JointsTakeAnyImpulse) {
  const Cone joint = itemOf(Cone::Kind::joint, 1);
  std::vector<double> map(1);
  naturalMap(joint, Law::coulomb, std::vector{-5.0}, std::vector{0.25}, map);
  EXPECT_EQ(map[0], 0.25);
}

}  // namespace
}  // namespace stickslip
