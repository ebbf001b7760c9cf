// Overlapping pairs, against a comparison of all with all.
#include "collision/broad/broad_phase.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "support/random.hpp"

namespace stickslip {
namespace {

using testing::Random;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

bool boxesMeet(const Bounds& a, const Bounds& b) {
  for (int i = 0; i < 3; ++i)
    if (a.lower[i] > b.upper[i] || b.lower[i] > a.upper[i]) return false;
  return true;
}

std::vector<CandidatePair> allPairs(const std::vector<Bounds>& bounds,
                                    const std::vector<char>& movable) {
  std::vector<CandidatePair> pairs;
  for (std::size_t i = 0; i < bounds.size(); ++i)
    for (std::size_t j = i + 1; j < bounds.size(); ++j)
      if ((movable[i] || movable[j]) && boxesMeet(bounds[i], bounds[j]))
        pairs.push_back({static_cast<int>(i), static_cast<int>(j)});
  return pairs;
}

std::vector<CandidatePair> found(BroadPhase& broad_phase, const std::vector<Bounds>& bounds,
                                 const std::vector<char>& movable) {
  PairList pairs;
  broad_phase.findPairs(bounds, movable, pairs);
  EXPECT_EQ(pairs.size(), std::distance(pairs.begin(), pairs.end()));
  return {pairs.begin(), pairs.end()};
}

// Returns the number of pairs.
std::size_t check(BroadPhase& broad_phase, const std::vector<Bounds>& bounds,
                  const std::vector<char>& movable) {
  const std::vector<CandidatePair> pairs = found(broad_phase, bounds, movable);
  EXPECT_EQ(pairs, allPairs(bounds, movable));
  return pairs.size();
}

std::size_t check(const std::vector<Bounds>& bounds) {
  BroadPhase broad_phase;
  return check(broad_phase, bounds, std::vector<char>(bounds.size(), 1));
}

Bounds boxAround(Vec3 centre, Vec3 half) {
  return {centre - half, centre + half};
}

Vec3 randomPoint(Random& random, double reach, bool planar) {
  const double x = random.uniform(-reach, reach), y = random.uniform(-reach, reach);
  return {x, y, planar ? 0 : random.uniform(-reach, reach)};
}

TEST(BroadPhase, SizesOverFourDecadesInPlaneAndSpace) {
  Random random(1);
  BroadPhase broad_phase;
  std::size_t count = 0;
  for (int round = 0; round < 40; ++round) {
    const bool planar = round % 2 == 0;
    std::vector<Bounds> bounds;
    std::vector<char> movable;
    for (int i = random.integer(1, 400); i > 0; --i) {
      const double size = std::pow(10, random.uniform(-4, 0));
      Vec3 half = size * randomPoint(random, 1, planar);
      half = {std::abs(half.x), std::abs(half.y), std::abs(half.z)};
      bounds.push_back(boxAround(randomPoint(random, 1, planar), half));
      movable.push_back(random.integer(0, 2) > 0);
    }
    count += check(broad_phase, bounds, movable);
  }
  EXPECT_GT(count, 10000u);
}

TEST(BroadPhase, UnitsAndOriginDoNotMatter) {
  Random random(2);
  for (const double unit : {1e-30, 1.0, 1e30})
    for (const double away : {0.0, 1e6}) {
      std::vector<Bounds> bounds;
      for (int i = 0; i < 300; ++i) {
        const Vec3 centre = unit * (randomPoint(random, 3, false) + Vec3{away, -away, away});
        const double half = unit * random.uniform(0.01, 1);
        bounds.push_back(boxAround(centre, {half, half, half}));
      }
      EXPECT_GT(check(bounds), 100u);
    }
}

TEST(BroadPhase, AllTheSameBox) {
  const std::vector<Bounds> boxes(100, boxAround({1, 2, 3}, {1, 1, 1}));
  EXPECT_EQ(check(boxes), 4950u);
}

TEST(BroadPhase, PointsOnTopOfEachOtherAndApart) {
  std::vector<Bounds> points;
  for (int i = 0; i < 100; ++i) points.push_back(boxAround({1.0 * (i % 10), 0, 0}, {}));
  EXPECT_EQ(check(points), 450u);
  EXPECT_EQ(check({points.begin(), points.begin() + 1}), 0u);
  EXPECT_EQ(check({}), 0u);
}

TEST(BroadPhase, BoxesInALineTouch) {
  std::vector<Bounds> boxes;
  for (int i = 0; i < 500; ++i) boxes.push_back({{1.0 * i, 0, 0}, {1.0 * i + 1, 1, 1}});
  EXPECT_EQ(check(boxes), 499u);
}

TEST(BroadPhase, ThinLongBoxesCross) {
  std::vector<Bounds> boxes;
  for (int i = 0; i < 40; ++i) {
    boxes.push_back({{0, 1.0 * i, 0}, {40, i + 1e-3, 0}});
    boxes.push_back({{1.0 * i, 0, 0}, {i + 1e-3, 40, 0}});
  }
  EXPECT_EQ(check(boxes), 1600u);
}

TEST(BroadPhase, UnboundedBoxesMeetWhatTheyOverlap) {
  Random random(3);
  std::vector<Bounds> boxes;
  for (int i = 0; i < 100; ++i)
    boxes.push_back(boxAround(randomPoint(random, 1, false), {0.1, 0.1, 0.1}));
  boxes.insert(boxes.begin() + 30,
               Bounds{{-kInfinity, -kInfinity, -kInfinity}, {kInfinity, kInfinity, 0}});
  boxes.push_back({{-kInfinity, 0.5, -kInfinity}, {kInfinity, kInfinity, kInfinity}});
  boxes.push_back({{-1e308, -1e308, -1e308}, {1e308, 1e308, 1e308}});
  EXPECT_GT(check(boxes), 150u);
}

TEST(BroadPhase, FarOutliersDoNotOverflow) {
  Random random(4);
  std::vector<Bounds> boxes;
  for (int i = 0; i < 200; ++i)
    boxes.push_back(boxAround(randomPoint(random, 1, false), {0.1, 0.1, 0.1}));
  for (const double far : {1e12, 1e40, 1e200})
    for (const double size : {1e-300, 1e-3, 1e150})
      boxes.push_back(boxAround({far, -far, 0}, {size, size, size}));
  boxes.push_back(boxAround({}, {1e-310, 0, 0}));
  EXPECT_GT(check(boxes), 100u);
}

TEST(BroadPhase, ImmovablePairsAreLeftOut) {
  BroadPhase broad_phase;
  const std::vector<Bounds> boxes(3, boxAround({}, {1, 1, 1}));
  EXPECT_EQ(found(broad_phase, boxes, {0, 1, 0}), (std::vector<CandidatePair>{{0, 1}, {1, 2}}));
}

TEST(PairList, RunsJoinToTheWhole) {
  Random random(5);
  std::vector<Bounds> boxes;
  for (int i = 0; i < 150; ++i)
    boxes.push_back(boxAround(randomPoint(random, 1, false), {0.15, 0.15, 0.15}));
  BroadPhase broad_phase;
  PairList pairs;
  broad_phase.findPairs(boxes, std::vector<char>(boxes.size(), 1), pairs);
  const std::vector<CandidatePair> all = allPairs(boxes, std::vector<char>(boxes.size(), 1));
  ASSERT_GT(all.size(), 200u);
  for (const int grain : {1, 7, 100}) {
    std::vector<CandidatePair> joined;
    for (int begin = 0; begin < pairs.size(); begin += grain)
      pairs.visitRuns(begin, std::min(begin + grain, pairs.size()),
                      [&](int a, std::span<const int> others) {
                        for (const int b : others) joined.push_back({a, b});
                      });
    EXPECT_EQ(joined, all);
  }
}

}  // namespace
}  // namespace stickslip
