// A solver of one's own: projected Gauss-Seidel for Coulomb's law with circular cones, handed to a
// Stepper, and registered by name.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>

#include "stickslip/stickslip.hpp"

using namespace stickslip;

namespace {

// Contact by contact, p := P_K(p - rho u), v follows p; one round after the other. The normal
// impulse is cut at 0, the tangential one at mu times it: a fixed point satisfies Coulomb's law.
class ProjectedGaussSeidel final : public Solver {
 public:
  explicit ProjectedGaussSeidel(const Method& method)
      : tolerance_(method.tolerance), most_(method.budget > 0 ? method.budget : 10000) {}

  std::string_view name() const override { return "pgs"; }
  SolverTraits traits() const override { return traitsOfAll(); }
  static SolverTraits traitsOfAll() { return {.takes_relaxed = false}; }
  void setBudget(std::int64_t budget) override { most_ = budget; }

  SolveReport solve(const ContactProblem& problem, ContactSolution& solution) override {
    solution.v = problem.v_free;
    solution.p.assign(problem.b.size(), 0.0);
    solution.c.assign(problem.g.size(), 0.0);  // no joints: see main()
    for (std::int64_t round = 1; round <= most_; ++round) {
      double change = 0, size = 1e-300;
      for (int i = 0; i < problem.contactCount(); ++i) {
        change = std::max(change, relax(problem, i, solution));
        size = std::max(size, solution.p[problem.J.firstRow(i)]);
      }
      if (change <= 0.01 * tolerance_ * size) return {SolveStatus::solved, round};
    }
    return {SolveStatus::iteration_limit, most_};
  }

 private:
  // One contact; returns the largest change of its impulses.
  static double relax(const ContactProblem& problem, int i, ContactSolution& solution) {
    const int first = problem.J.firstRow(i), rows = problem.J.rowsOf(i);
    double u[3] = {}, trace = 0;
    for (int k = 0; k < rows; ++k) u[k] = problem.b[first + k];
    for (const BlockRows::Strip& strip : problem.J.stripsOf(i)) {
      const StripValues J = problem.J.values(i, strip);
      const ConstMatrixView M = problem.M.block(problem.M.blockOf(strip.first_column));
      for (int k = 0; k < rows; ++k)
        for (int j = 0; j < strip.columns; ++j) {
          u[k] += J(k, j) * solution.v[strip.first_column + j];
          trace += J(k, j) * J(k, j) / M(j, j);  // of bodies in their principal axes
        }
    }
    double p[3] = {}, *const old = &solution.p[first], change = 0;
    for (int k = 0; k < rows; ++k) p[k] = old[k] - u[k] / trace;
    p[0] = std::max(0.0, p[0]);
    const double friction = std::hypot(p[1], p[2]), most = problem.sets[i].mu * p[0];
    for (int k = 1; k < rows; ++k) p[k] *= friction > most ? most / friction : 1;
    for (const BlockRows::Strip& strip : problem.J.stripsOf(i)) {
      const StripValues J = problem.J.values(i, strip);
      const ConstMatrixView M = problem.M.block(problem.M.blockOf(strip.first_column));
      for (int k = 0; k < rows; ++k)
        for (int j = 0; j < strip.columns; ++j)
          solution.v[strip.first_column + j] += J(k, j) * (p[k] - old[k]) / M(j, j);
    }
    for (int k = 0; k < rows; ++k) change = std::max(change, std::abs(p[k] - old[k]));
    std::copy_n(p, rows, old);
    return change;
  }

  double tolerance_;
  std::int64_t most_;
};

// A box that is thrown over the floor; returns how far it got, or -1 if a step is not certified.
double distance(const std::shared_ptr<const BodySystem>& system, Stepper stepper) {
  State state = system->initialState();
  while (state.t < 1)
    if (const StepReport report = stepper.step(state, 1e-2); !report.certified) {
      std::puts(explain(report).c_str());
      return -1;
    }
  return system->bodyState(1, state).position.x;
}

}  // namespace

int main() {
  BodySystemData world{.gravity = {0, 0, -9.81}, .materials = {{.surface = {.friction = 0.5}}}};
  world.bodies = {{.name = "floor", .type = Body::Type::fixed, .shapes = {{HalfSpace{}}}},
                  {.name = "box",
                   .position = {0, 0, 0.1},
                   .velocity = {2, 0, 0},
                   .shapes = {{Box{{0.4, 0.4, 0.2}}}}}};
  const auto system = std::make_shared<BodySystem>(world);
  Method method{.scheme = "position", .cone = FrictionCone::circular, .tolerance = 1e-6};
  const double reference = distance(system, Stepper({system, method}));

  // Handed over ...
  const double handed = distance(
      system,
      Stepper({system, method}, {.solver = std::make_unique<ProjectedGaussSeidel>(method)}));
  // ... and by name, as scenes and the Method have it.
  registerSolver(
      {.name = "pgs", .traits = ProjectedGaussSeidel::traitsOfAll(), .make = [](const Method& m) {
         return std::make_unique<ProjectedGaussSeidel>(m);
       }});
  method.solver = "pgs";
  const double by_name = distance(system, Stepper({system, method}));

  std::printf("the box slides %.6f m; with a solver of our own %.6f m, by name %.6f m\n", reference,
              handed, by_name);
  return handed == by_name && std::abs(handed - reference) < 1e-4 ? 0 : 1;
}
