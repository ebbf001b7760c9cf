// Particle and bar of [A06] section 10.1: the schemes against steps of a particle written out by
// hand, and against what a jam implies for both of them.
#include "papers/scheme_difference.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "papers/experiments.hpp"

namespace stickslip {
namespace {

constexpr double kMu = 0.3, kGravity = 9.81;

struct Particle {
  double y = 0, vx = 3, vy = 0;
};

// [A06] (5.3) for a particle of mass 1: the velocity next to the free one with y/h + vy >= mu |vx|.
void stepByProjection(Particle& p, double h) {
  const double free = p.vy - h * kGravity, missing = kMu * std::abs(p.vx) - p.y / h - free;
  p.vy = free;
  if (missing > 0) {
    const double stick = -p.y / h - free;  // the impulse that would end at vx = 0
    if (std::abs(p.vx) <= kMu * stick) {
      p.vx = 0;
      p.vy = free + stick;
    } else {
      const double impulse = missing / (1 + kMu * kMu);
      p.vx -= std::copysign(kMu * impulse, p.vx);
      p.vy += impulse;
    }
  }
  p.y += h * p.vy;
}

// Coulomb's law with y/h + vy >= 0.
void stepByCoulomb(Particle& p, double h) {
  p.vy -= h * kGravity;
  const double impulse = std::max(0.0, -p.y / h - p.vy);
  p.vy += impulse;
  p.vx -= std::copysign(std::min(std::abs(p.vx), kMu * impulse), p.vx);
  p.y += h * p.vy;
}

double differenceByHand(double start, int k) {
  const double h = std::ldexp(0.1, -k);
  Particle qp{start}, lcp{start};
  double squares = 0;
  for (long step = 0; step < std::lround(1.5 / h); ++step) {
    stepByProjection(qp, h);
    stepByCoulomb(lcp, h);
    squares += (qp.y - lcp.y) * (qp.y - lcp.y);
  }
  return std::ldexp(std::sqrt(squares), -k);
}

double particleHeight(const Trajectory& motion, std::size_t step) {
  return motion.position(step, 1);
}

TEST(SchemeDifference, IsThatOfAParticleSteppedByHand) {
  for (const double start : {3.0, 0.0}) {
    const std::array<std::string, 1> overrides = {"initial.q.y=" + std::to_string(start)};
    const std::vector<SchemePair> pairs = runStepSequence("particle", overrides, 8);
    for (std::size_t k = 0; k < pairs.size(); ++k) {
      const double expected = differenceByHand(start, static_cast<int>(k));
      EXPECT_NEAR(scaledDifference(pairs[k], particleHeight, k), expected, 1e-5 * expected)
          << "start " << start << ", k " << k;
    }
  }
}

TEST(SchemeDifference, IsCloseWithinAFactorOfThree) {
  EXPECT_TRUE(isClose(2.9, 1));
  EXPECT_TRUE(isClose(1, 2.9));
  EXPECT_FALSE(isClose(3.1, 1));
  EXPECT_FALSE(isClose(1, 3.1));
}

// In the sense of the paradox a jam solves both contact problems; in the other sense one scheme
// slides and the other lifts.
TEST(SchemeDifference, BothSchemesJamAlikeInPainlevesParadox) {
  const std::string contact = "system.bodies.bar.position=[0, 0.9510575162951536]";
  const double h = 1e-4;
  const std::array<std::string, 2> paradox = {contact, "time.end=1e-4"};
  const SchemePair jam = runBothSchemes("bar", paradox, h);
  for (std::size_t k = 0; k < 3; ++k)
    EXPECT_NEAR(jam.qp.motion.velocity(1, k), jam.lcp.motion.velocity(1, k), 1e-6) << k;
  const double jammed_tip = jam.lcp.motion.velocity(1, 0) +
                            std::sin(jam.lcp.motion.position(0, 2)) * jam.lcp.motion.velocity(1, 2);
  EXPECT_NEAR(jammed_tip, 0, 1e-5);

  const std::array<std::string, 3> away = {contact, "time.end=1e-4",
                                           "system.bodies.bar.velocity=[3, 0]"};
  const SchemePair slide = runBothSchemes("bar", away, h);
  EXPECT_GT(std::abs(slide.qp.motion.velocity(1, 2) - slide.lcp.motion.velocity(1, 2)), 1);
}

TEST(SchemeDifference, ExperimentsHaveTheRowsOfThePaper) {
  for (const auto run : {reproduceParticle, reproduceBar}) {
    const Outcome outcome = run({true});
    EXPECT_EQ(outcome.verdict, run == reproduceParticle ? Verdict::agrees : Verdict::open)
        << outcome.why;
    ASSERT_EQ(outcome.rows.size(), 8u);
    for (const Json& row : outcome.rows)
      EXPECT_TRUE(isClose(row.at("difference"), row.at("paper"))) << row.dump();
  }
}

// Of the bar only where it slides: in the sense of the paradox it jams, and what the paper did is
// open.
TEST(SchemeDifference, LastsWhereContactIsInitial) {
  const Outcome particle = reproduceParticleContact({true}), bar = reproduceBarContact({true});
  EXPECT_EQ(particle.verdict, Verdict::agrees_in_kind) << particle.why;
  EXPECT_EQ(bar.verdict, Verdict::open) << bar.why;
  for (const Outcome* outcome : {&particle, &bar}) {
    const double limit = outcome->parameters.at("limit");
    EXPECT_NEAR(outcome->rows.back().at("largest").get<double>(), limit, 0.02 * limit);
  }
  EXPECT_LE(bar.rows.back().at("largest_jam").get<double>(), 2e-3);
}

}  // namespace
}  // namespace stickslip
