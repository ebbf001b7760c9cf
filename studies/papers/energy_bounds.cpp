#include "papers/energy_bounds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "math/blocks/block_products.hpp"
#include "papers/timed_solve.hpp"
#include "scene/instances.hpp"
#include "stickslip/elementary.hpp"
#include "stickslip/scheme.hpp"

namespace stickslip {
namespace {

constexpr double kFastest = 2, kFastestTurn = 5;  // [m/s], [rad/s]
// Springs from the origin to every disk, and drag on all bodies.
constexpr double kStiffness = 20, kDrag = 0.5, kTurnDrag = 0.001;
constexpr int kDisks = 6;

// Nothing pushes or pulls but forces: normal offsets are not negative, others zero.
bool isPassive(const ContactProblem& problem) {
  for (int i = 0; i < problem.contactCount(); ++i) {
    const std::size_t row = problem.J.firstRow(i);
    if (problem.b[row] < 0) return false;
    for (int k = 1; k < problem.J.rowsOf(i); ++k)
      if (problem.b[row + k] != 0) return false;
  }
  return std::all_of(problem.g.begin(), problem.g.end(), [](double g) { return g == 0; });
}

// |M^-1/2 k| of gravity.
double forceOfGravity(const ThrownBodies& thrown) {
  double mass = 0;
  for (int b = 0; b < thrown.M.blockCount(); ++b) mass += thrown.M.block(b)(0, 0);
  return kGravity * std::sqrt(mass);
}

}  // namespace

double ThrownBodies::twiceKinetic(std::span<const double> u) const {
  return quadraticForm(M, u);
}

ThrownBodies throwBodies(std::string_view name, std::int64_t seed, const ThrowRange& most,
                         std::vector<std::string> overrides) {
  RandomNumbers random(7, seed);
  overrides.push_back(fmt::format("system.instances.0.seed={}", 2 * seed + 1));
  overrides.push_back(fmt::format("system.instances.1.seed={}", 2 * seed + 2));
  overrides.push_back(
      fmt::format("system.materials.default.friction={:.3f}", random.uniform(0, most.friction)));
  overrides.push_back(fmt::format("system.materials.default.restitution={:.3f}",
                                  random.uniform(0, 1) * most.restitution));
  ThrownBodies out{paperScene(name, overrides), {}, 0};
  const System& system = *out.scene.model.system;
  const int dimension = system.tangentCount() + 1, block = dimension == 2 ? 3 : 6;
  std::vector<double>& u = out.scene.initial.u;
  for (std::size_t k = 0; k < u.size(); ++k) {
    const bool linear = static_cast<int>(k) % block < dimension;
    u[k] = random.uniform(-1, 1) * (linear ? kFastest : kFastestTurn);
  }
  out.M.resize(system.velocityBlocks());
  system.massMatrix(0, out.scene.initial.q, out.M);
  out.twice_kinetic = out.twiceKinetic(u);
  return out;
}

std::vector<std::string> springsAndDrag() {
  std::string springs = "system.springs=[";
  for (int k = 0; k < kDisks; ++k)
    springs += fmt::format(
        "{}{{\"bodies\":[\"floor\",\"disk{}\"],\"rest_length\":0,\"stiffness\":{},\"implicit\":"
        "false}}",
        k == 0 ? "" : ",", k, kStiffness);
  std::string drag = "system.drag=[";
  for (const char* body : {"box", "disk"})
    drag += fmt::format("{}{{\"body\":\"{}{{i}}\",\"linear\":{},\"angular\":{}}}",
                        body[0] == 'b' ? "" : ",", body, kDrag, kTurnDrag);
  return {springs + "]", drag + "]"};
}

void checkContactProblems(const ThrownBodies& thrown, EnergyBound& bound) {
  const Scene& scene = thrown.scene;
  const System& system = *scene.model.system;
  const auto scheme = makeScheme(scene.model.method);
  const auto solver = makeSolver(scene.model.method);
  Certifier certifier;
  ContactProblem problem;
  ContactSolution solution;
  scheme->reserve(system, problem);
  State state = scene.initial;
  ++bound.scenes;
  for (std::int64_t n = 1; n <= scene.run.time.stepCount(); ++n) {
    const double h = scene.run.time.step;
    scheme->formulate(system, state, h, problem);
    for (StageEnd end = StageEnd::repeat; end != StageEnd::done;) {
      solver->solve(problem, solution);
      const Certificate c = certifier.certify(problem, solution);
      const bool loaded =
          std::any_of(solution.p.begin(), solution.p.end(), [](double p) { return p != 0; });
      if (loaded && isPassive(problem) && c.lawHolds(kCertified))
        bound.check(c.kinetic_energy_end, c.kinetic_energy_free, c.kinetic_energy_free);
      else if (loaded)
        ++bound.left_out;
      end = scheme->conclude(system, solution, problem);
    }
    scheme->advance(system, h, solution.v, state);
  }
}

void checkBoundedForces(const ThrownBodies& thrown, EnergyBound& bound) {
  const double c = 2 * forceOfGravity(thrown);
  Stepper stepper(thrown.scene.model);
  ++bound.scenes;
  run(stepper, thrown.scene.initial, thrown.scene.run,
      [&](std::int64_t step, const State& state, const Stepper&, const StepReport*) {
        const double limit = std::sqrt(thrown.twice_kinetic) + c * state.t + 1;
        if (step > 0) bound.check(std::sqrt(thrown.twiceKinetic(state.u)), limit, limit);
      });
}

void checkGrowingForces(const ThrownBodies& thrown, EnergyBound& bound) {
  double least_mass = std::numeric_limits<double>::infinity(), drag = 0, spring = 0;
  for (int b = 0; b < thrown.M.blockCount(); ++b) {
    const double m = thrown.M.block(b)(0, 0), inertia = thrown.M.block(b)(2, 2);
    least_mass = std::min({least_mass, m, inertia});
    drag = std::max({drag, kDrag / m, kTurnDrag / inertia});
    spring = std::max(spring, kStiffness / std::sqrt(m));
  }
  const double c = 2 * std::max({forceOfGravity(thrown), drag, spring, 1 / std::sqrt(least_mass)});
  const double start = thrown.twice_kinetic + dot(thrown.scene.initial.q, thrown.scene.initial.q);
  Stepper stepper(thrown.scene.model);
  ++bound.scenes;
  run(stepper, thrown.scene.initial, thrown.scene.run,
      [&](std::int64_t step, const State& state, const Stepper&, const StepReport*) {
        const double limit = (start + 2 * c * state.t) * math::exp(2 * c * state.t);
        if (step > 0) bound.check(thrown.twiceKinetic(state.u), limit, limit);
      });
}

double checkDissipation(const ThrownBodies& thrown, EnergyBound& bound) {
  const System& system = *thrown.scene.model.system;
  const double kinetic = thrown.twice_kinetic / 2;
  const auto energy = [&](const State& state) {
    return thrown.twiceKinetic(state.u) / 2 + system.potentialEnergy(state.t, state.q);
  };
  double lowest = energy(thrown.scene.initial);
  State last = thrown.scene.initial;
  std::vector<double> change(last.u.size());
  double gain = 0;
  Stepper stepper(thrown.scene.model);
  ++bound.scenes;
  run(stepper, thrown.scene.initial, thrown.scene.run,
      [&](std::int64_t step, const State& state, const Stepper& at, const StepReport* report) {
        if (step == 0) return;
        for (std::size_t k = 0; k < change.size(); ++k) change[k] = state.u[k] - last.u[k];
        if (report->certified && isPassive(at.problem()))
          bound.check(energy(state), energy(last) - thrown.twiceKinetic(change) / 2, kinetic);
        else
          ++bound.left_out;
        lowest = std::min(lowest, energy(state));
        gain = std::max(gain, (energy(state) - lowest) / kinetic);
        last = state;
      });
  return gain;
}

}  // namespace stickslip
