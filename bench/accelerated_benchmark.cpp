// The inner loop of solver `accelerated`: time of a sweep per contact by the number of spheres and
// of threads, and the bandwidth it uses beside that of a triad a = b + s c measured in the same
// run.
//
// Spheres in a cubic grid, three contacts each, normals a little off the axes. Bytes of a sweep are
// what has to go through the memory once: packets of contacts read and their impulses
// written, two vectors of velocities read and written. Gathers from bodies are not counted.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <ctime>
#include <memory>
#include <vector>

#include "base/parallel_for.hpp"
#include "math/blocks/block_products.hpp"
#include "math/dense/cholesky.hpp"
#include "solvers/sweeps/accelerated/accelerated_island.hpp"
#include "stickslip/certificate.hpp"
#include "stickslip/solver.hpp"
#include "stickslip/threads.hpp"
#include "support/random.hpp"

namespace stickslip {
namespace {

using testing::Random;

constexpr double kGravityStep = 0.0981;

// Rows of spheres of radius 1/2 at a contact with a normal near this direction; their mass is 1,
// their moment 0.1.
BallRows randomBalls(Random& random, std::size_t direction) {
  BallRows balls;
  auto &n = balls.normal, &t = balls.tangent;
  const auto normalize = [](std::array<double, 3>& x) {
    const double length = std::hypot(x[0], x[1], x[2]);
    for (double& component : x) component /= length;
  };
  for (double& x : n) x = random.uniform(-0.2, 0.2);
  n[direction] = 1;
  normalize(n);
  std::array<double, 3> across{};
  across[(direction + 1) % 3] = 1;
  for (std::size_t k = 0; k < 3; ++k) {
    const std::size_t next = (k + 1) % 3, last = (k + 2) % 3;
    t[k] = n[next] * across[last] - n[last] * across[next];
  }
  normalize(t);
  balls.lever = {-0.5, -0.5};
  return balls;
}

// Each sphere touches those before it along the axes, or the wall.
ContactProblem gridOfSpheres(int side) {
  Random random(1);
  ContactProblem problem;
  problem.law = Law::relaxed;
  const int bodies = side * side * side;
  problem.M.resize(std::vector<int>(static_cast<std::size_t>(bodies), 6));
  for (int body = 0; body < bodies; ++body)
    for (int k = 0; k < 6; ++k) {
      problem.M.block(body)(k, k) = k < 3 ? 1 : 0.1;
      problem.v_free.push_back(0.01 * random.uniform() - (k == 2 ? kGravityStep : 0));
    }
  problem.v_old = problem.v_free;
  const int step[] = {1, side, side * side};
  for (int body = 0; body < bodies; ++body)
    for (int direction = 0; direction < 3; ++direction) {
      const bool at_wall = body / step[direction] % side == 0;
      problem.J.addBalls(randomBalls(random, static_cast<std::size_t>(direction)),
                         {at_wall ? BlockRows::kNoBall : 6 * (body - step[direction]), 6 * body});
      problem.sets.push_back({ImpulseSet::Kind::elliptic, 0.5, 0.5});
      problem.gap.push_back(0);
      problem.contact_id.push_back(static_cast<std::uint64_t>(3 * body + direction));
      problem.b.insert(problem.b.end(), 3, 0.0);
    }
  problem.drive = problem.b;
  return problem;
}

// With one thread its own time, whatever else the machine does.
double seconds() {
  if (threadCount() > 1)
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

// Bytes per second of a = b + s c on arrays that no cache holds, the best of several.
double triadBandwidth() {
  constexpr int kSize = 1 << 23;
  std::vector<double> a(kSize), b(kSize, 1.0), c(kSize, 2.0);
  double best = 0;
  for (int pass = 0; pass < 8; ++pass) {
    const double start = seconds();
    parallelFor(kSize, 1 << 16, [&](int begin, int end) {
      for (std::size_t k = begin; k < static_cast<std::size_t>(end); ++k) a[k] = b[k] + 3 * c[k];
    });
    best = std::max(best, 3 * sizeof(double) * kSize / (seconds() - start));
    benchmark::DoNotOptimize(a.data());
  }
  return best;
}

double bytesOfSweep(const AcceleratedIsland& island) {
  return static_cast<double>(island.ballCount()) * (sizeof(BallRecordPacket) / 4 + 48.0) +
         static_cast<double>(island.velocityCount()) * 4 * sizeof(double);
}

// The island of a whole problem.
class WholeIsland {
 public:
  explicit WholeIsland(const ContactProblem& problem) : L_(problem.M) {
    factorizeCholesky(L_);
    inverse_ = L_;
    for (int b = 0; b < L_.blockCount(); ++b) {
      blocks_.push_back(b);
      for (int k = 0; k < 6; ++k) inverse_.block(b)(k, k) = 1 / L_.block(b)(k, k);
      block_of_column_.insert(block_of_column_.end(), 6, b);
    }
    masses_.start(problem.M);
    for (int i = 0; i < problem.contactCount(); ++i) contacts_.push_back(i);
    std::vector<double> q(problem.b.size()), y(problem.v_free.size());
    multiply(problem.J, problem.v_free, q);
    island.build({problem, L_, inverse_, masses_, block_of_column_, q, {}, y, kGravityStep},
                 contacts_, {}, blocks_);
    island.startAtZero();
  }
  AcceleratedIsland island;

 private:
  BlockDiagonal L_;
  BlockDiagonal inverse_;
  MassFactor masses_;
  std::vector<int> blocks_;
  std::vector<int> block_of_column_;
  std::vector<int> contacts_;
};

void acceleratedSweep(benchmark::State& bench) {
  setThreadCount(static_cast<int>(bench.range(1)));
  const ContactProblem problem = gridOfSpheres(static_cast<int>(bench.range(0)));
  WholeIsland whole(problem);
  double fastest = 1e9;
  for (auto _ : bench) {
    const double start = seconds();
    benchmark::DoNotOptimize(whole.island.sweep(0.5));
    fastest = std::min(fastest, seconds() - start);
  }
  const double triad = triadBandwidth(), bandwidth = bytesOfSweep(whole.island) / fastest;
  setThreadCount(1);
  bench.counters["contacts"] = whole.island.ballCount();
  bench.counters["ns_per_contact"] = 1e9 * fastest / whole.island.ballCount();
  bench.counters["GB_per_s"] = bandwidth / 1e9;
  bench.counters["triad_GB_per_s"] = triad / 1e9;
  bench.counters["share"] = bandwidth / triad;
}
BENCHMARK(acceleratedSweep)
    ->ArgNames({"side", "threads"})
    ->ArgsProduct({{10, 22, 46}, {1, 2}})
    ->MinTime(0.3)
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

// A whole solve to 1e-4, cold.
void acceleratedSolve(benchmark::State& bench) {
  setThreadCount(static_cast<int>(bench.range(1)));
  const ContactProblem problem = gridOfSpheres(static_cast<int>(bench.range(0)));
  const auto solver = makeSolver({.law = Law::relaxed, .solver = "accelerated", .tolerance = 1e-4});
  ContactSolution solution;
  std::int64_t iterations = 0;
  for (auto _ : bench) {
    solver->restart();
    iterations = solver->solve(problem, solution).iterations;
  }
  setThreadCount(1);
  bench.counters["iterations"] = static_cast<double>(iterations);
  bench.counters["residual"] = Certifier().residuals(problem, solution).worstResidual();
}
BENCHMARK(acceleratedSolve)
    ->ArgNames({"side", "threads"})
    ->ArgsProduct({{10, 22}, {1, 2}})
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace stickslip
