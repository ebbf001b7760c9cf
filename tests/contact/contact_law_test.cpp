// The solvers' form of the contact law against the certificate's.
#include "contact/contact_law.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "solvers/certificate_law.hpp"
#include "support/random.hpp"

namespace stickslip {
namespace {

using testing::Random;

struct Pair {
  ContactItem item;
  ImpulseSet set;
};

ContactItem itemOf(ContactItem::Kind kind, int rows) {
  ContactItem item;
  item.kind = kind;
  item.rows = rows;
  return item;
}

std::vector<Pair> allKinds() {
  std::vector<Pair> pairs;
  pairs.push_back({itemOf(ContactItem::Kind::cone, 1), {}});
  pairs.push_back({itemOf(ContactItem::Kind::cone, 2), {ImpulseSet::Kind::planar, 1}});
  pairs.push_back({itemOf(ContactItem::Kind::cone, 3), {ImpulseSet::Kind::elliptic, 1, 1}});
  for (const int directions : {4, 6, 8, 16}) {
    pairs.push_back(
        {itemOf(ContactItem::Kind::polygon, 3), {ImpulseSet::Kind::polyhedral, 1, 1, directions}});
    pairs.back().item.directions = directions;
  }
  pairs.push_back({itemOf(ContactItem::Kind::interval, 1), {}});
  pairs.back().set.kind = ImpulseSet::Kind::interval;
  pairs.back().set.lower = pairs.back().item.lower = -0.4;
  pairs.back().set.upper = pairs.back().item.upper = 0.7;
  return pairs;
}

TEST(ContactLaw, IsTheCertificatesLaw) {
  Random random(1);
  for (const Pair& pair : allKinds())
    for (const Law law : {Law::coulomb, Law::relaxed})
      for (int trial = 0; trial < 400; ++trial) {
        const std::size_t n = std::size_t(pair.item.rows);
        const std::vector<double> pi = random.vector(n), omega = random.vector(n);
        std::vector<double> map(n);
        naturalMap(pair.item, law, pi, omega, map);
        ImpulseVector p{}, u{};
        double square = 0;
        for (std::size_t k = 0; k < n; ++k) {
          p[k] = pi[k];
          u[k] = omega[k];
          square += map[k] * map[k];
        }
        EXPECT_NEAR(std::sqrt(square), naturalMap(pair.set, law, p, u, 1), 1e-13);
      }
}

// x = P(x) + (x - P(x)) with both parts in their cones and normal to each other.
TEST(ContactLaw, ProjectsOnConesOfAnyDimension) {
  Random random(2);
  for (int rows = 1; rows <= kMostRows; ++rows)
    for (int trial = 0; trial < 400; ++trial) {
      const std::vector<double> x = random.vector(std::size_t(rows));
      std::vector<double> y = x;
      projectOnItem(itemOf(ContactItem::Kind::cone, rows), y);
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

TEST(ContactLaw, JointsTakeAnyImpulse) {
  const ContactItem joint = itemOf(ContactItem::Kind::joint, 1);
  std::vector<double> map(1);
  naturalMap(joint, Law::coulomb, std::vector{-5.0}, std::vector{0.25}, map);
  EXPECT_EQ(map[0], 0.25);
}

}  // namespace
}  // namespace stickslip
