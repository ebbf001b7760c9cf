// Pairs that are kept while boxes move, against a comparison of all with all at every time.
#include "collision/broad/pair_cache.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "support/random.hpp"

namespace stickslip {
namespace {

using testing::Random;

std::vector<CandidatePair> overlapping(const std::vector<Bounds>& bounds,
                                       const std::vector<char>& movable) {
  std::vector<CandidatePair> pairs;
  for (std::size_t i = 0; i < bounds.size(); ++i)
    for (std::size_t j = i + 1; j < bounds.size(); ++j)
      if ((movable[i] || movable[j]) && overlap(bounds[i], bounds[j]))
        pairs.push_back({static_cast<int>(i), static_cast<int>(j)});
  return pairs;
}

/// Boxes that fly through each other over a half-space, some slowly, some fast.
struct FlyingBoxes {
  FlyingBoxes(Random& random, int count, bool planar) {
    const double infinity = std::numeric_limits<double>::infinity();
    bounds.push_back({{-infinity, -infinity, -infinity}, {infinity, infinity, -3}});
    velocity.push_back({});
    movable.push_back(0);
    const auto vector = [&](double most) {
      return Vec3{random.uniform(-most, most), random.uniform(-most, most),
                  planar ? 0 : random.uniform(-most, most)};
    };
    for (int i = 0; i < count; ++i) {
      const Vec3 center = vector(4), half{random.uniform(0.2, 0.6), random.uniform(0.2, 0.6),
                                          planar ? 0 : random.uniform(0.2, 0.6)};
      bounds.push_back({center - half, center + half});
      velocity.push_back(vector(i % 10 == 0 ? 0.3 : 0.02));
      movable.push_back(i % 7 != 0);
    }
    for (const Vec3& v : velocity) widening.push_back({v, 0.1});
    widening[0] = {{}, 0};
  }

  void move() {
    for (std::size_t i = 1; i < bounds.size(); ++i) {
      bounds[i].lower += velocity[i];
      bounds[i].upper += velocity[i];
    }
  }

  std::vector<Bounds> bounds;
  std::vector<Vec3> velocity;
  std::vector<char> movable;
  std::vector<Widening> widening;
};

void expectAllFound(PairCache& kept, const FlyingBoxes& boxes) {
  const PairList& list =
      kept.findPairs([&](std::size_t i) { return boxes.bounds[i]; }, boxes.movable, boxes.widening);
  const std::vector<CandidatePair> found(list.begin(), list.end());
  const auto before = [](CandidatePair p, CandidatePair q) {
    return p.a != q.a ? p.a < q.a : p.b < q.b;
  };
  EXPECT_TRUE(std::is_sorted(found.begin(), found.end(), before));
  std::vector<CandidatePair> close;
  for (const CandidatePair& pair : found)
    if (overlap(boxes.bounds[pair.a], boxes.bounds[pair.b])) close.push_back(pair);
  EXPECT_EQ(close, overlapping(boxes.bounds, boxes.movable));
}

TEST(PairCache, AllThatOverlapWhileBoxesMove) {
  Random random(1);
  for (const bool planar : {false, true}) {
    FlyingBoxes boxes(random, 120, planar);
    PairCache kept;
    for (int step = 0; step < 60; ++step, boxes.move()) expectAllFound(kept, boxes);
  }
}

TEST(PairCache, WhatFallsAsleepOrJumpsIsSeen) {
  Random random(2);
  FlyingBoxes boxes(random, 80, false);
  PairCache kept;
  for (int step = 0; step < 20; ++step) {
    expectAllFound(kept, boxes);
    boxes.movable[random.integer(1, 80)] ^= 1;
    if (step % 3 == 0) boxes.bounds[5] = boxes.bounds[6 + step];
  }
}

}  // namespace
}  // namespace stickslip
