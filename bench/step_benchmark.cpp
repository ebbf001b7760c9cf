// Cost of a step and of its parts, on the scenes of the repository.
//
// The woodpecker runs through its limit cycle again and again, so that the mean covers free flight,
// sliding and sticking in their natural proportions.
#include <benchmark/benchmark.h>

#include <string>

#include "stickslip/certificate.hpp"
#include "stickslip/io/scene.hpp"

namespace stickslip {
namespace {

Scene sceneNamed(const std::string& name) {
  return loadScene(std::string(STICKSLIP_SCENES) + "/" + name + ".json");
}

void stepScene(benchmark::State& bench, const std::string& name) {
  const Scene scene = sceneNamed(name);
  Stepper stepper(scene.model);
  State state = scene.initial;
  double worst = 0;
  for (auto _ : bench) {
    const StepReport report = stepper.step(state, scene.run.time.step);
    worst = std::max(worst, report.certificate.worstResidual());
    // The toy climbs down for ever; starting over keeps the numbers of a usual run.
    if (state.t >= scene.run.time.end) state = scene.initial;
  }
  bench.counters["residual"] = worst;
}
BENCHMARK_CAPTURE(stepScene, woodpecker, "woodpecker");
BENCHMARK_CAPTURE(stepScene, sliding_block, "sliding-block");
BENCHMARK_CAPTURE(stepScene, bouncing_ball, "bouncing-ball");
BENCHMARK_CAPTURE(stepScene, coupled_carts, "coupled-carts");

// The parts of a step at the first step of the woodpecker, where one contact slides.
struct FirstStep {
  Scene scene = sceneNamed("woodpecker");
  std::unique_ptr<Scheme> scheme = makeScheme(scene.model.method);
  std::unique_ptr<Solver> solver = makeSolver(scene.model.method);
  ContactProblem problem;
  ContactSolution solution;

  FirstStep() {
    formulate();
    solver->solve(problem, solution);
  }
  void formulate() {
    scheme->formulate(*scene.model.system, scene.initial, scene.run.time.step, problem);
  }
};

void formulate(benchmark::State& bench) {
  FirstStep step;
  for (auto _ : bench) step.formulate();
}
BENCHMARK(formulate);

void solve(benchmark::State& bench) {
  FirstStep step;
  for (auto _ : bench) benchmark::DoNotOptimize(step.solver->solve(step.problem, step.solution));
}
BENCHMARK(solve);

void certify(benchmark::State& bench) {
  FirstStep step;
  Certifier certifier;
  for (auto _ : bench) benchmark::DoNotOptimize(certifier.certify(step.problem, step.solution));
}
BENCHMARK(certify);

}  // namespace
}  // namespace stickslip
