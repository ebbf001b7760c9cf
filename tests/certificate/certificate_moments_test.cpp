// The certificate's law of contacts with moments and with load-independent friction, against what
// defines it.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "certificate/impulse_law.hpp"
#include "support/random.hpp"

namespace stickslip {
namespace {

using testing::Random;
using Kind = ImpulseSet::Kind;

struct Section {
  std::size_t first;
  std::vector<double> half_axes;
  bool grows;
};

// Written out once more, from contact_problem.hpp.
std::vector<Section> sectionsOf(const ImpulseSet& set) {
  std::vector<Section> out;
  std::vector<double> tangents{set.mu};
  if (set.tangents() == 2) tangents.push_back(set.mu_2);
  std::size_t row = 1 + tangents.size();
  if (set.torsion > 0 && set.tangents() == 2) {
    if (set.load_independent)
      out.push_back({row, {set.torsion}, true});
    else
      tangents.push_back(set.torsion);
    ++row;
  }
  out.push_back({1, tangents, !set.load_independent});
  if (set.rolling > 0)
    out.push_back(
        {row, std::vector<double>(static_cast<std::size_t>(set.tangents()), set.rolling), true});
  return out;
}

// The largest d.x over the section.
double support(const ImpulseSet& set, const Section& section, const ImpulseVector& d) {
  const auto& h = section.half_axes;
  if (set.kind != Kind::polyhedral || h.size() == 1) {
    double square = 0;
    for (std::size_t k = 0; k < h.size(); ++k) square += std::pow(h[k] * d[section.first + k], 2);
    return std::sqrt(square);
  }
  double most = 0;
  for (int k = 0; k < set.directions; ++k) {
    const double angle = 2 * std::numbers::pi * k / set.directions;
    most = std::max(most, h[0] * std::cos(angle) * d[section.first] +
                              h[1] * std::sin(angle) * d[section.first + 1]);
  }
  return h.size() == 3 ? std::max(most, h[2] * std::abs(d[section.first + 2])) : most;
}

ImpulseSet randomSet(Random& random) {
  ImpulseSet set;
  const int kind = random.integer(0, 2);
  set.kind = kind == 0 ? Kind::planar : kind == 1 ? Kind::elliptic : Kind::polyhedral;
  set.mu = random.uniform(0.1, 2);
  set.mu_2 = random.uniform(0.1, 2);
  set.directions = 2 * random.integer(2, 5);
  set.torsion = random.integer(0, 1) * random.uniform(0.1, 2);
  set.rolling = random.integer(0, 1) * random.uniform(0.1, 2);
  set.load_independent = random.integer(0, 2) == 0;
  return set;
}

double partProduct(const Section& section, const ImpulseVector& a, const ImpulseVector& b) {
  double sum = 0;
  for (std::size_t k = 0; k < section.half_axes.size(); ++k)
    sum += a[section.first + k] * b[section.first + k];
  return sum;
}

TEST(CertificateMoments, NearestPointsAreNearest) {
  Random random(1);
  for (int trial = 0; trial < 3000; ++trial) {
    const ImpulseSet set = randomSet(random);
    ImpulseVector x{}, rest{};
    for (int k = 0; k < set.dimension(); ++k) x[k] = random.uniform();
    const ImpulseVector y = projectOnSet(set, x);
    for (std::size_t k = 0; k < x.size(); ++k) rest[k] = x[k] - y[k];
    ASSERT_GE(y[0], 0);
    double polar = rest[0], along = rest[0] * y[0];
    for (const Section& section : sectionsOf(set)) {
      const double most = support(set, section, rest), taken = partProduct(section, rest, y);
      // On the set where it is pushed to, as far as that goes.
      ASSERT_NEAR((section.grows ? y[0] : 1) * most, taken, 1e-12) << trial;
      if (section.grows) polar += most, along += taken;
      for (int probe = 0; probe < 10; ++probe) {
        ImpulseVector d{};
        for (double& value : d) value = random.uniform();
        ASSERT_LE(partProduct(section, d, y),
                  (section.grows ? y[0] : 1) * support(set, section, d) + 1e-12)
            << trial;
      }
    }
    ASSERT_LE(polar, 1e-12) << trial;
    ASSERT_NEAR(along, 0, 1e-12) << trial;
  }
}

// The power that friction takes from a velocity, with the least normal velocity that goes with it.
TEST(CertificateMoments, CorrectedVelocityIsInTheDualCone) {
  Random random(2);
  for (int trial = 0; trial < 500; ++trial) {
    const ImpulseSet set = randomSet(random);
    ImpulseVector u{}, against{};
    for (int k = 1; k < set.dimension(); ++k) u[k] = random.uniform();
    for (std::size_t k = 0; k < u.size(); ++k) against[k] = -u[k];
    double power = 0;
    for (const Section& section : sectionsOf(set))
      if (section.grows) power += support(set, section, against);
    EXPECT_NEAR(correctedVelocity(set, Law::coulomb, u)[0], power, 1e-13);
    EXPECT_EQ(correctedVelocity(set, Law::relaxed, u)[0], 0);
  }
}

TEST(CertificateMoments, LoadsOfSectionsThatStickAndSlide) {
  ImpulseSet set;
  set.kind = Kind::elliptic;
  set.mu = set.mu_2 = 0.5;
  set.torsion = 0.1;
  set.rolling = 0.2;
  EXPECT_EQ(loadDirections(set, {}, 1e-9).count, 6);
  EXPECT_EQ(loadDirections(set, {1}, 1e-9).count, 0);
  // Sliding along the first tangent, no rolling: the edge, and two rows of rolling.
  const LoadDirections sliding = loadDirections(set, {0, 1}, 1e-9);
  ASSERT_EQ(sliding.count, 3);
  EXPECT_NEAR(sliding.rows[2][1], -0.5, 1e-15);
  EXPECT_EQ(sliding.rows[2][0], 1);
  EXPECT_EQ(loadDirections(set, {0, 0, 0, 1, 1, 0}, 1e-9).count, 1);
  set.load_independent = true;
  // Open: the tangents alone, as long as they stick.
  EXPECT_EQ(loadDirections(set, {1}, 1e-9).count, 2);
  EXPECT_EQ(loadDirections(set, {1, 1}, 1e-9).count, 0);
}

// Moments count by lengths that make them as mobile as the normal.
TEST(CertificateMoments, LengthsFollowFromMobility) {
  ImpulseSet set;
  set.kind = Kind::elliptic;
  set.torsion = 0.1;
  set.rolling = 0.3;
  const ScaledSet scaled = scaledSet(set, {4, 1, 1, 100, 8, 24});
  EXPECT_DOUBLE_EQ(scaled.length[3], 0.2);
  EXPECT_DOUBLE_EQ(scaled.length[4], 0.5);
  EXPECT_DOUBLE_EQ(scaled.set.torsion, 0.5);
  EXPECT_DOUBLE_EQ(scaled.set.rolling, 0.6);
  EXPECT_EQ(scaled.length[1], 1);
}

}  // namespace
}  // namespace stickslip
