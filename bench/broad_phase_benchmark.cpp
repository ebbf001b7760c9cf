// The broad phase on dense piles of spheres that move a little between calls.
#include <benchmark/benchmark.h>

#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include "collision/broad/broad_phase.hpp"

namespace stickslip {
namespace {

struct Pile {
  std::vector<Vec3> centres;
  std::vector<double> radii;
};

double uniform(std::mt19937_64& engine) {
  return static_cast<double>(engine() >> 11) * 0x1p-53;
}

// Radii between 1 and `ratio`, with the same total volume per octave, in a cube that they fill to
// 60 per cent of its volume.
Pile makePile(std::int64_t count, double ratio) {
  std::mt19937_64 engine(1);
  Pile pile;
  double volume = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    const double u = uniform(engine);
    const double radius = std::cbrt(1 / (u + (1 - u) / (ratio * ratio * ratio)));
    pile.radii.push_back(radius);
    volume += 4.18879 * radius * radius * radius;
  }
  const double side = std::cbrt(volume / 0.6);
  for (std::int64_t i = 0; i < count; ++i) {
    const double x = uniform(engine), y = uniform(engine), z = uniform(engine);
    pile.centres.push_back(side * Vec3{x, y, z});
  }
  return pile;
}

void placeBounds(const Pile& pile, std::int64_t frame, std::vector<Bounds>& bounds) {
  const double shift = 0.01 * static_cast<double>(frame % 100);
  for (std::size_t i = 0; i < bounds.size(); ++i) {
    const double r = 1.02 * pile.radii[i], way = i % 2 == 0 ? shift : -shift;
    const Vec3 centre = pile.centres[i] + Vec3{way, 0, 0};
    bounds[i] = {centre - Vec3{r, r, r}, centre + Vec3{r, r, r}};
  }
}

void BM_BroadPhase(benchmark::State& state) {
  const Pile pile = makePile(state.range(0), static_cast<double>(state.range(1)));
  std::vector<Bounds> bounds(pile.radii.size());
  const std::vector<char> movable(bounds.size(), 1);
  BroadPhase broad_phase;
  PairList pairs;
  std::int64_t frame = 0;
  for (auto _ : state) {
    placeBounds(pile, frame++, bounds);
    broad_phase.findPairs(bounds, movable, pairs);
    benchmark::DoNotOptimize(pairs);
  }
  const auto spheres = static_cast<double>(bounds.size()),
             found = static_cast<double>(pairs.size());
  using benchmark::Counter;
  const auto per_call = Counter::kIsIterationInvariantRate | Counter::kInvert;
  state.counters["time_per_sphere"] = Counter(spheres, per_call);
  state.counters["time_per_pair"] = Counter(found, per_call);
  state.counters["pairs_per_sphere"] = found / spheres;
}
BENCHMARK(BM_BroadPhase)
    ->ArgNames({"spheres", "ratio"})
    ->ArgsProduct({{1000, 10000, 100000}, {3, 30}})
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace stickslip
