// Cost of one contact problem in space: solver `exact` on circular cones, `lemke` on octagons, and
// the certificate, by the number of contacts.
//
// Bodies in a grid touch their neighbours at random places; about as many contacts as two bodies
// each. Every solve starts cold.
#include <benchmark/benchmark.h>

#include <cmath>
#include <memory>
#include <random>

#include "stickslip/certificate.hpp"
#include "stickslip/solver.hpp"

namespace stickslip {
namespace {

constexpr int kProblems = 8;

ContactProblem randomProblem(std::mt19937_64& random, int contacts, ImpulseSet::Kind kind) {
  const auto uniform = [&] { return static_cast<double>(random() >> 11) * 0x1p-52 - 1; };
  const int bodies = std::max(1, contacts / 2);
  ContactProblem problem;
  const std::vector<int> sizes(static_cast<std::size_t>(bodies), 6);
  problem.M.resize(sizes);
  for (int body = 0; body < bodies; ++body)
    for (int k = 0; k < 6; ++k) problem.M.block(body)(k, k) = k < 3 ? 1 : 0.3;
  for (int k = 0; k < 6 * bodies; ++k) problem.v_free.push_back(uniform());
  problem.v_old = problem.v_free;
  for (int i = 0; i < contacts; ++i) {
    problem.J.addGroup(3);
    const int a = i % bodies, b = (a + 1 + i / bodies) % bodies;
    for (const int body : {a, b}) {
      const MatrixView strip = problem.J.addStrip(6 * body, 6);
      // Axis k of the frame, and its moment about the centre of the body.
      const double r[] = {uniform(), uniform(), uniform()}, sign = body == a ? 1 : -1;
      for (int k = 0; k < 3; ++k) {
        const int second = (k + 1) % 3, third = (k + 2) % 3;
        strip(k, k) = sign;
        strip(k, 3 + second) = sign * r[third];
        strip(k, 3 + third) = -sign * r[second];
      }
      if (a == b) break;
    }
    problem.sets.push_back({kind, 0.5, 0.5, kind == ImpulseSet::Kind::polyhedral ? 8 : 0});
    problem.gap.push_back(0);
    problem.b.insert(problem.b.end(), 3, 0.0);
  }
  problem.drive = problem.b;
  return problem;
}

// The solver forgets each problem before the next.
void solveCold(benchmark::State& bench, const Method& method, ImpulseSet::Kind kind) {
  std::mt19937_64 random(42);
  std::vector<ContactProblem> problems;
  for (int k = 0; k < kProblems; ++k)
    problems.push_back(randomProblem(random, static_cast<int>(bench.range(0)), kind));
  const std::unique_ptr<Solver> solver = makeSolver(method);
  Certifier certifier;
  ContactSolution solution;
  std::size_t next = 0;
  double worst = 0;
  for (auto _ : bench) {
    solver->restart();
    solver->solve(problems[next], solution);
    bench.PauseTiming();
    worst = std::max(worst, certifier.certify(problems[next], solution).worstResidual());
    next = (next + 1) % kProblems;
    bench.ResumeTiming();
  }
  bench.counters["residual"] = worst;
}

void exactSolver(benchmark::State& bench) {
  solveCold(bench, {.cone = FrictionCone::circular, .solver = "exact"}, ImpulseSet::Kind::elliptic);
}
BENCHMARK(exactSolver)->Arg(1)->Arg(4)->Arg(16)->Arg(64)->Arg(256)->Unit(benchmark::kMicrosecond);

void lemkeSolver(benchmark::State& bench) {
  solveCold(bench, {.cone = FrictionCone::polyhedral, .solver = "lemke"},
            ImpulseSet::Kind::polyhedral);
}
BENCHMARK(lemkeSolver)->Arg(1)->Arg(4)->Arg(16)->Arg(64)->Unit(benchmark::kMicrosecond);

void certifySpatial(benchmark::State& bench) {
  std::mt19937_64 random(42);
  const ContactProblem problem =
      randomProblem(random, static_cast<int>(bench.range(0)), ImpulseSet::Kind::elliptic);
  ContactSolution solution;
  makeSolver({.cone = FrictionCone::circular, .solver = "exact"})->solve(problem, solution);
  Certifier certifier;
  for (auto _ : bench) benchmark::DoNotOptimize(certifier.certify(problem, solution));
}
BENCHMARK(certifySpatial)
    ->Arg(1)
    ->Arg(4)
    ->Arg(16)
    ->Arg(64)
    ->Arg(256)
    ->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace stickslip
