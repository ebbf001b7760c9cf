#include <algorithm>
#include <memory>

#include "solver_study/isolated_run.hpp"
#include "solver_study/study_solvers.hpp"
#include "stickslip/certificate.hpp"
#include "stickslip/input_error.hpp"
#include "stickslip/registry.hpp"
#include "stickslip/solver.hpp"

namespace stickslip::study {
namespace {

// Cones of a problem as a method names them.
FrictionCone coneOf(const AnyProblem& problem) {
  const bool polyhedral = std::visit(
      [](const auto& p) {
        return std::any_of(p.sets.begin(), p.sets.end(), [](const ImpulseSet& set) {
          return set.kind == ImpulseSet::Kind::polyhedral;
        });
      },
      problem);
  if (isPlanar(problem)) return FrictionCone::planar;
  return polyhedral ? FrictionCone::polyhedral : FrictionCone::circular;
}

Method methodFor(const std::string& solver, Law law, const AnyProblem& problem, double tolerance) {
  Method method;
  method.solver = solver;
  method.law = law;
  method.cone = coneOf(problem);
  method.tolerance = tolerance;
  return method;
}

bool accepts(const std::string& solver, Law law, const AnyProblem& problem) {
  try {
    checkMethod(methodFor(solver, law, problem, 1e-8));
    return true;
  } catch (const InputError&) {
    return false;
  }
}

Measurement summary(const SolveReport& report, const Certificate& certificate, BestTime time) {
  return {report.status == SolveStatus::solved,
          certificate.worstResidual(),
          certificate.fclib_error,
          static_cast<double>(report.iterations),
          time.seconds,
          time.repeats};
}

// Every repetition has a solver of its own, so that none starts warm.
Measurement measureOn(const ContactProblem& problem, const Method& method, int repeats) {
  std::unique_ptr<Solver> solver;
  ContactSolution solution;
  SolveReport report;
  const BestTime time = bestOf(
      repeats,
      [&] {
        solver = makeSolver(method);
        solver->reserve(problem.velocityCount(), problem.contactCount(),
                        method.cone == FrictionCone::planar ? 1 : 2, problem.G.rowCount());
      },
      [&] { report = solver->solve(problem, solution); });
  return summary(report, Certifier().certify(problem, solution), time);
}

Measurement measureOn(const LocalProblem& problem, const Method& method, int repeats) {
  std::unique_ptr<Solver> solver;
  std::vector<double> p;
  SolveReport report;
  const BestTime time = bestOf(
      repeats, [&] { solver = makeSolver(method); },
      [&] { report = solver->solveLocal(problem, p); });
  return summary(report, certifyLocal(problem, p), time);
}

// `convex` is about the relaxed law, `auto` about both; the others are compared on Coulomb's.
std::vector<Law> lawsOf(const std::string& solver) {
  if (solver == "convex") return {Law::relaxed};
  if (solver == "auto") return {Law::coulomb, Law::relaxed};
  return {Law::coulomb};
}

}  // namespace

std::vector<StudySolver> ownSolvers() {
  std::vector<StudySolver> solvers;
  for (const std::string_view view : solverNames()) {
    const std::string name(view);
    for (const Law law : lawsOf(name))
      solvers.push_back(
          {name, false, law, [=](const AnyProblem& problem) { return accepts(name, law, problem); },
           [=](const AnyProblem& problem, double tolerance, int repeats) {
             const Method method = methodFor(name, law, problem, tolerance);
             return std::visit([&](const auto& p) { return measureOn(p, method, repeats); },
                               problem);
           }});
  }
  return solvers;
}

}  // namespace stickslip::study
