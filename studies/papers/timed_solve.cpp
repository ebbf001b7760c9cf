#include "papers/timed_solve.hpp"

#include <cstdint>
#include <ctime>

#include "stickslip/scheme.hpp"

namespace stickslip {

TimedSolve timedSolve(Solver& solver, const ContactProblem& problem) {
  TimedSolve out;
  const std::clock_t start = std::clock();
  out.report = solver.solve(problem, out.solution);
  out.seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  out.certificate = Certifier().certify(problem, out.solution);
  out.certified = out.certificate.lawHolds(kCertified);
  return out;
}

TimedSolve coldSolve(const std::string& solver, const ContactProblem& problem,
                     std::int64_t budget) {
  Method method;
  method.solver = solver;
  method.budget = budget;
  method.tolerance = kCertified;
  return timedSolve(*makeSolver(method), problem);
}

ContactProblem firstProblem(const Scene& scene) {
  const auto scheme = makeScheme(scene.model.method);
  ContactProblem problem;
  scheme->reserve(*scene.model.system, problem);
  scheme->formulate(*scene.model.system, scene.initial, scene.run.time.step, problem);
  return problem;
}

}  // namespace stickslip
