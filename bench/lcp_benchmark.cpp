// Cost of Lemke's method on contact LCPs (002 (33)) of several sizes.
//
// Every size is a set of random planar problems, k contacts between bodies of three velocities, as
// many bodies as contacts; the residual that was reached stands beside the time.
#include <benchmark/benchmark.h>

#include <random>

#include "contact/friction_lcp.hpp"
#include "contact/reduced_problem.hpp"
#include "stickslip/lcp.hpp"

namespace stickslip {
namespace {

constexpr int kProblems = 64;

ContactProblem randomProblem(std::mt19937_64& random, int contacts) {
  const auto uniform = [&] { return static_cast<double>(random() >> 11) * 0x1p-52 - 1; };
  const int bodies = contacts;
  ContactProblem problem;
  const std::vector<int> sizes(static_cast<std::size_t>(bodies), 3);
  problem.M.resize(sizes);
  for (int body = 0; body < bodies; ++body)
    for (int k = 0; k < 3; ++k) problem.M.block(body)(k, k) = 1.5 + uniform();
  for (int k = 0; k < 3 * bodies; ++k) problem.v_free.push_back(uniform());
  for (int i = 0; i < contacts; ++i) {
    problem.J.addGroup(2);
    for (const int body : {i, (i + 1) % bodies}) {
      const MatrixView strip = problem.J.addStrip(3 * body, 3);
      for (int row = 0; row < 2; ++row)
        for (double& x : strip.row(row)) x = uniform();
      if (bodies == 1) break;
    }
    problem.sets.push_back({ImpulseSet::Kind::planar, 0.3});
    problem.b.insert(problem.b.end(), 2, 0.0);
  }
  return problem;
}

void lemke(benchmark::State& bench) {
  const int contacts = static_cast<int>(bench.range(0)) / 3;
  std::mt19937_64 random(42);
  std::vector<FrictionLcp> problems(kProblems);
  for (FrictionLcp& planar : problems) {
    const ContactProblem problem = randomProblem(random, contacts);
    ReducedProblem reduced;
    reduced.reduce(problem);
    planar.build(FrictionLcp::Form::relay, reduced.W(), reduced.q(), problem.J, problem.sets);
  }
  Lemke solver;
  std::vector<double> z(static_cast<std::size_t>(3 * contacts));
  std::size_t next = 0;
  double worst = 0, pivots = 0;
  for (auto _ : bench) {
    const LcpReport report = solver.solve(problems[next].lcp(), z);
    next = (next + 1) % kProblems;
    worst = std::max(worst, report.residual);
    pivots += static_cast<double>(report.pivots);
  }
  bench.counters["residual"] = worst;
  bench.counters["pivots"] = pivots / static_cast<double>(bench.iterations());
}
BENCHMARK(lemke)->Arg(3)->Arg(6)->Arg(9)->Arg(12)->Arg(21)->Arg(36)->Arg(60)->Arg(120);

}  // namespace
}  // namespace stickslip
