// Cost of Lemke's method on contact LCPs ([GS05] (33)) of several sizes.
//
// Every size is a set of random planar problems (support/lcp_problems.hpp); the residual that was
// reached stands beside the time.
#include <benchmark/benchmark.h>

#include "support/lcp_problems.hpp"

namespace stickslip {
namespace {

constexpr int kLcpProblems = 64;

void lemke(benchmark::State& bench) {
  const int contacts = static_cast<int>(bench.range(0)) / 3;
  testing::Random random(42);
  std::vector<testing::DenseLcp> problems;
  for (int k = 0; k < kLcpProblems; ++k)
    problems.push_back(testing::randomContactLcp(random, contacts));
  DenseLemke solver;
  std::vector<double> z(static_cast<std::size_t>(3 * contacts));
  std::size_t next = 0;
  double worst = 0, pivots = 0;
  for (auto _ : bench) {
    const LcpReport report = solver.solve(problems[next].view(), z);
    next = (next + 1) % kLcpProblems;
    worst = std::max(worst, report.residual);
    pivots += static_cast<double>(report.pivots);
  }
  bench.counters["residual"] = worst;
  bench.counters["pivots"] = pivots / static_cast<double>(bench.iterations());
}
BENCHMARK(lemke)->Arg(3)->Arg(6)->Arg(9)->Arg(12)->Arg(21)->Arg(36)->Arg(60)->Arg(120);

}  // namespace
}  // namespace stickslip
