#include "solved_contacts.hpp"

#include <algorithm>
#include <chrono>
#include <functional>
#include <memory>
#include <span>

#include "stickslip/input_error.hpp"
#include "stickslip/io/fclib.hpp"
#include "stickslip/io/problem_dump.hpp"

namespace stickslip::cli {
namespace {

using Kind = ImpulseSet::Kind;

// How often a solver may be asked for more, by how much more than needed, and where rounding ends
// it.
constexpr int kMostAttempts = 3;
constexpr double kSafety = 0.1;
constexpr double kSmallestTolerance = 1e-15;

bool anyOf(const ImpulseSets& sets, Kind kind) {
  return std::any_of(sets.begin(), sets.end(),
                     [&](const ImpulseSet& set) { return set.kind == kind; });
}

FrictionCone coneOf(const ImpulseSets& sets) {
  if (anyOf(sets, Kind::elliptic)) return FrictionCone::circular;
  return anyOf(sets, Kind::polyhedral) ? FrictionCone::polyhedral : FrictionCone::planar;
}

// `own` is the method that a dumped problem was solved with.
Method methodFor(const ImpulseSets& sets, const SolveRequest& request, const Method* own) {
  Method method = own ? *own : Method{};
  method.cone = coneOf(sets);
  if (!request.solver.empty() && request.solver != method.solver) {
    method.solver = request.solver;
    method.budget = 0;
  }
  if (!request.law.empty() && request.law != nameOf(method.law)) {
    method.law = named<Law>(request.law, "law");
    if (request.solver.empty()) method.solver = Method{}.solver;
  }
  if (request.tolerance > 0) method.tolerance = request.tolerance;
  if (request.budget > 0) method.budget = request.budget;
  try {
    checkMethod(method);
  } catch (const InputError& error) {
    throw InputError(request.file + ": " + error.what());
  }
  return method;
}

template <class Action>
double secondsOf(const Action& action) {
  const auto start = std::chrono::steady_clock::now();
  action();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// The certificate decides in both directions. FCLIB's problems have to be solved by the measure of
// that library, too.
SolveStatus judge(const SolvedContacts& solved, SolveStatus claimed, double tolerance) {
  const bool by_fclib =
      solved.kind == ProblemKind::dump || solved.certificate.fclib_error <= tolerance;
  if (solved.certificate.holds(tolerance) && by_fclib) return SolveStatus::solved;
  return claimed == SolveStatus::solved ? SolveStatus::inaccurate : claimed;
}

// Solves by `solve`, which gets a solver and fills certificate and solution. A solver works to the
// certificate's residual; where FCLIB's error is larger, which the units of a problem decide, it is
// asked for more.
void solveToBothMeasures(const Method& method, bool trace, SolvedContacts& out,
                         const std::function<SolveReport(Solver&)>& solve) {
  Method asked = method;
  for (int attempt = 0; attempt < kMostAttempts; ++attempt) {
    const std::unique_ptr<Solver> solver = makeSolver(asked);
    if (trace) solver->setTrace(&out.trace);
    const SolveReport report = solve(*solver);
    out.iterations += report.iterations;
    out.stages.add(report.stages);
    out.status = judge(out, report.status, method.tolerance);
    if (out.status == SolveStatus::solved || !out.certificate.holds(method.tolerance)) return;
    asked.tolerance *= kSafety * method.tolerance / out.certificate.fclib_error;
    if (method.budget > 0) asked.budget = method.budget - out.iterations;
    if (asked.tolerance < kSmallestTolerance || (method.budget > 0 && asked.budget <= 0)) return;
  }
}

SolvedContacts solveLocal(LocalProblem problem, const SolveRequest& request) {
  const Method method = methodFor(problem.sets, request, nullptr);
  problem.law = method.law;
  SolvedContacts out{.kind = ProblemKind::fclib_local,
                     .contacts = problem.contactCount(),
                     .size = problem.W.rows,
                     .solver = method.solver,
                     .budget = method.budget};
  solveToBothMeasures(method, request.trace, out, [&](Solver& solver) {
    SolveReport report;
    std::vector<double> r;
    out.seconds += secondsOf([&] { report = solver.solveLocal(problem, r); });
    out.certificate = certifyLocal(problem, r);
    out.solution = storedSolution(problem, r);
    return report;
  });
  return out;
}

SolvedContacts solveWithBodies(ProblemKind kind, ContactProblem problem,
                               const SolveRequest& request, const Method* own) {
  const Method method = methodFor(problem.sets, request, own);
  problem.law = method.law;
  SolvedContacts out{.kind = kind,
                     .velocities = problem.velocityCount(),
                     .contacts = problem.contactCount(),
                     .size = problem.J.rowCount(),
                     .joint_rows = problem.G.rowCount(),
                     .solver = method.solver,
                     .budget = method.budget};
  solveToBothMeasures(method, request.trace, out, [&](Solver& solver) {
    SolveReport report;
    ContactSolution solution;
    out.seconds += secondsOf([&] { report = solver.solve(problem, solution); });
    out.certificate = Certifier().certify(problem, solution);
    out.solution = storedSolution(problem, solution);
    return report;
  });
  return out;
}

}  // namespace

SolvedContacts solveContactFile(const SolveRequest& request) {
  switch (const ProblemKind kind = problemKindOf(request.file)) {
    case ProblemKind::fclib_local:
      return solveLocal(readFclibLocal(request.file), request);
    case ProblemKind::fclib_global:
      return solveWithBodies(kind, readFclibGlobal(request.file), request, nullptr);
    default: {
      const ProblemDump dump = readProblemDump(request.file);
      return solveWithBodies(kind, dump.problem, request, &dump.method);
    }
  }
}

}  // namespace stickslip::cli
