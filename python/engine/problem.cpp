// _engine.Problem: a contact problem, what follows from it, and solving it.
#include "problem.hpp"

#include <chrono>
#include <cmath>
#include <limits>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>

#include "reports.hpp"
#include "simulation.hpp"
#include "stickslip/certificate.hpp"
#include "stickslip/lcp.hpp"
#include "stickslip/problem_check.hpp"
#include "stickslip/problem_forms.hpp"
#include "stickslip/solver.hpp"
#include "stickslip/stepper.hpp"

namespace stickslip::python {

namespace {

template <class Problem>
std::shared_ptr<const Problem> checkedProblem(Problem&& problem) {
  checkProblem(problem);
  return std::make_shared<const Problem>(std::forward<Problem>(problem));
}

}  // namespace

PyProblem::PyProblem(ContactProblem problem) : problem_(checkedProblem(std::move(problem))) {}

PyProblem::PyProblem(LocalProblem problem) : problem_(checkedProblem(std::move(problem))) {}

const ContactProblem& PyProblem::global() const {
  if (lent_ != nullptr) return *lent_;
  if (isLocal()) throw InputError("this problem is local: it has W and q, and no bodies");
  const Global& own = std::get<Global>(problem_);
  if (!own) throw std::runtime_error("this problem has gone: there was no memory to keep it");
  return *own;
}

const LocalProblem& PyProblem::local() const {
  if (!isLocal()) throw InputError("this problem is not local: it has bodies, and no W and q");
  return *std::get<Local>(problem_);
}

const ImpulseSets& PyProblem::sets() const {
  return isLocal() ? local().sets : global().sets;
}

Law PyProblem::law() const {
  return isLocal() ? local().law : global().law;
}

std::variant<PyProblem::Global, PyProblem::Local> PyProblem::share() {
  if (lent_ != nullptr) {
    problem_ = std::make_shared<const ContactProblem>(*lent_);
    lent_ = nullptr;
  }
  if (!isLocal()) global();
  return problem_;
}

LentProblem::LentProblem(const ContactProblem& problem)
    : object_(nb::cast(PyProblem(&problem), nb::rv_policy::move)) {}

LentProblem::~LentProblem() {
  if (Py_REFCNT(object_.ptr()) == 1) return;
  PyProblem& kept = nb::cast<PyProblem&>(object_);
  try {
    kept.share();
  } catch (const std::bad_alloc&) {
    kept.lent_ = nullptr;
  }
}

ContactSolution solutionOf(const ContactProblem& problem, const Numbers& v, const Numbers& p,
                           const Numbers& c) {
  const auto list = [](const Numbers& numbers, std::size_t size, const char* what) {
    const std::span<const double> values = vectorOf(numbers, size, what);
    return std::vector<double>(values.begin(), values.end());
  };
  return {list(v, problem.v_free.size(), "v"), list(p, problem.b.size(), "p"),
          list(c, problem.g.size(), "c")};
}

namespace {

using Kind = ImpulseSet::Kind;

FrictionCone coneOf(const ImpulseSets& sets) {
  FrictionCone cone = FrictionCone::planar;
  for (const ImpulseSet& set : sets) {
    if (set.kind == Kind::elliptic) return FrictionCone::circular;
    if (set.kind == Kind::polyhedral) cone = FrictionCone::polyhedral;
  }
  return cone;
}

// What is asked of a solve.
struct Request {
  Method method;
  bool trace = false;
  bool fclib = false;  // FCLIB's error has to be within the tolerance as well
};

Request requestOf(const PyProblem& problem, const std::string& solver, const std::string& law,
                  double tolerance, std::int64_t budget, const std::string& initial_slip,
                  bool trace, bool fclib) {
  Method method;
  method.solver = solver;
  method.law = law.empty() ? problem.law() : named<Law>(law, "law");
  method.cone = coneOf(problem.sets());
  method.tolerance = tolerance;
  method.budget = budget;
  method.initial_slip = named<InitialSlip>(initial_slip, "initial_slip");
  checkMethod(method);
  return {method, trace, fclib};
}

// A solve of either kind of problem, and what became of it.
struct Outcome {
  ContactSolution solution;
  std::vector<double> u;
  Certificate certificate;
  SolveReport report;
  StageTrace trace;
  bool certified = false;
  double seconds = 0;
};

SolveReport solveOnce(Solver& solver, const ContactProblem& problem, Outcome& out) {
  return solver.solve(problem, out.solution);
}

SolveReport solveOnce(Solver& solver, const LocalProblem& problem, Outcome& out) {
  return solver.solveLocal(problem, out.solution.p);
}

void certifyOutcome(const ContactProblem& problem, Outcome& out) {
  out.certificate = Certifier().certify(problem, out.solution);
  out.u = contactVelocities(problem, out.solution.v);
}

void certifyOutcome(const LocalProblem& problem, Outcome& out) {
  out.certificate = certifyLocal(problem, out.solution.p);
  out.u = contactVelocities(problem, out.solution.p);
}

// How often a solver may be asked for more, by how much more than needed, and where rounding ends
// it.
constexpr int kMostAttempts = 3;
constexpr double kSafety = 0.1;
constexpr double kSmallestTolerance = 1e-15;

// As `stickslip solve` does it: a solver works to the certificate's residual; where FCLIB's error
// is larger, which the units of a problem decide, it is asked for more.
template <class Problem>
Outcome solveProblem(const Problem& problem, const Request& request) {
  Outcome out;
  const Method& method = request.method;
  Method asked = method;
  for (int attempt = 0; attempt < kMostAttempts; ++attempt) {
    const std::unique_ptr<Solver> solver = makeSolver(asked);
    if (request.trace) solver->setTrace(&out.trace);
    const auto start = std::chrono::steady_clock::now();
    const SolveReport report = solveOnce(*solver, problem, out);
    out.seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (attempt == 0)
      out.report = report;
    else
      out.report.add(report);
    out.report.status = report.status;
    certifyOutcome(problem, out);
    const bool holds = out.certificate.holds(method.tolerance);
    const double fclib_error = out.certificate.fclib_error;
    out.certified = holds && (!request.fclib || fclib_error <= method.tolerance);
    if (out.certified || !holds) break;
    asked.tolerance *= kSafety * method.tolerance / fclib_error;
    if (method.budget > 0) asked.budget = method.budget - out.report.iterations;
    if (!(asked.tolerance >= kSmallestTolerance) || (method.budget > 0 && asked.budget <= 0)) break;
  }
  // The certificate decides, in both directions.
  if (out.certified)
    out.report.status = SolveStatus::solved;
  else if (out.report.status == SolveStatus::solved)
    out.report.status = SolveStatus::inaccurate;
  return out;
}

template <class Problem>
Outcome solveWithLaw(const std::shared_ptr<const Problem>& problem, const Request& request) {
  if (problem->law == request.method.law) return solveProblem(*problem, request);
  Problem other = *problem;
  other.law = request.method.law;
  return solveProblem(other, request);
}

nb::list recordsOf(const StageTrace& trace) {
  nb::list list;
  for (const StageRecord& r : trace)
    list.append(nb::make_tuple(r.solver, r.stage, r.island, r.rows, r.iterations, r.before, r.after,
                               r.seconds, r.solved));
  return list;
}

std::string explanationOf(const Outcome& out, const Request& request) {
  if (!out.certificate.finite) return "Not certified: the solution is not finite.";
  StepReport report;
  report.certificate = out.certificate;
  report.solve = out.report;
  report.certified = out.certificate.holds(request.method.tolerance);
  report.advanced = true;
  report.tolerance = request.method.tolerance;
  report.solver = request.method.solver;
  std::string text = explain(report);
  if (report.certified && !out.certified)
    text += " Not so by FCLIB's error, which is larger than the tolerance.";
  return text;
}

nb::dict asDict(Outcome out, const Request& request) {
  nb::dict all;
  all["status"] = toString(out.report.status);
  all["certified"] = out.certified;
  all["certificate"] = out.certificate;
  all["iterations"] = out.report.iterations;
  all["solved_by"] = std::string(out.report.solved_by);
  all["stages"] = stagesOf(out.report.stages);
  all["trace"] = recordsOf(out.trace);
  all["seconds"] = out.seconds;
  all["explanation"] = explanationOf(out, request);
  all["v"] = arrayOf(std::move(out.solution.v));
  all["p"] = arrayOf(std::move(out.solution.p));
  all["c"] = arrayOf(std::move(out.solution.c));
  all["u"] = arrayOf(std::move(out.u));
  return all;
}

nb::dict solveWith(PyProblem& problem, const std::string& solver, const std::string& law,
                   double tolerance, std::int64_t budget, const std::string& initial_slip,
                   bool trace, bool fclib) {
  const Request request =
      requestOf(problem, solver, law, tolerance, budget, initial_slip, trace, fclib);
  const auto shared = problem.share();
  Outcome out;
  {
    const WithoutLock released;
    out = std::visit([&](const auto& p) { return solveWithLaw(p, request); }, shared);
  }
  return asDict(std::move(out), request);
}

// Certificate and contact velocities of a solution from elsewhere.
nb::tuple certifySolution(PyProblem& problem, const std::string& law, const Numbers& v,
                          const Numbers& p, const Numbers& c) {
  const Law wanted = law.empty() ? problem.law() : named<Law>(law, "law");
  Outcome out;
  if (problem.isLocal()) {
    const auto numbers = vectorOf(p, problem.local().q.size(), "p");
    out.solution.p.assign(numbers.begin(), numbers.end());
  } else {
    out.solution = solutionOf(problem.global(), v, p, c);
  }
  const auto shared = problem.share();
  {
    const WithoutLock released;
    std::visit(
        [&](const auto& of) {
          auto other = *of;
          other.law = wanted;
          certifyOutcome(other, out);
        },
        shared);
  }
  return nb::make_tuple(out.certificate, arrayOf(std::move(out.u)));
}

// Joints are eliminated with dense matrices; beyond so many numbers (1.6 GB) that is refused.
constexpr double kMostEntries = 2e8;

void expectToFit(const ContactProblem& problem, bool always) {
  if (!always && problem.G.rowCount() == 0) return;
  const double rows = problem.J.rowCount(), joints = problem.G.rowCount();
  const double width = problem.velocityCount() + joints;
  if ((rows + joints) * width > kMostEntries || rows * rows > kMostEntries)
    throw InputError("this problem is too large for the dense matrices that this takes");
}

nb::tuple solutionFrom(PyProblem& problem, const Numbers& p) {
  const ContactProblem& global = problem.global();
  const auto numbers = finite(vectorOf(p, global.b.size(), "p"), "p");
  expectToFit(global, false);
  const auto shared = std::get<PyProblem::Global>(problem.share());
  ContactSolution solution;
  {
    const WithoutLock released;
    solution = solutionWith(*shared, numbers);
  }
  return nb::make_tuple(arrayOf(std::move(solution.v)), arrayOf(std::move(solution.c)));
}

PyProblem withoutBodies(PyProblem& problem) {
  expectToFit(problem.global(), true);
  const auto shared = std::get<PyProblem::Global>(problem.share());
  const WithoutLock released;
  return PyProblem(localForm(*shared));
}

// The contact problem of the last step, with the constant coefficients of friction that fit its
// speeds.
PyProblem problemOfSimulation(PySimulation& simulation) {
  ContactProblem problem = std::as_const(simulation.look()).stepper().problem();
  problem.speed_friction.clear();
  return PyProblem(std::move(problem));
}

nb::tuple solutionOfSimulation(PySimulation& simulation) {
  const ContactSolution& solution = std::as_const(simulation.look()).stepper().solution();
  return nb::make_tuple(copyOf<double>(solution.v), copyOf<double>(solution.p),
                        copyOf<double>(solution.c));
}

nb::dict solveLinearProblem(const Numbers& M, const Numbers& q, std::int64_t pivot_limit) {
  const std::size_t n = q.size();
  const std::span<const double> rhs = finite(vectorOf(q, n, "q"), "q");
  if (M.ndim() != 2 || M.shape(0) != n || M.shape(1) != n || n > std::size_t{1} << 30)
    throw InputError("M: expected as many rows and columns as q has entries, " + std::to_string(n));
  for (std::size_t k = 0; k < n * n; ++k)
    if (!std::isfinite(M.data()[k]))
      throw InputError("M[" + std::to_string(k / n) + ", " + std::to_string(k % n) +
                       "]: expected a finite number");
  std::vector<double> z(n), ray;
  LcpReport report;
  {
    const WithoutLock released;
    DenseLemke lemke({.pivot_limit = pivot_limit});
    report = lemke.solve({{M.data(), static_cast<int>(n), static_cast<int>(n)}, rhs}, z);
    ray.assign(lemke.ray().begin(), lemke.ray().end());
  }
  nb::dict all;
  all["status"] = toString(report.status);
  all["residual"] = report.residual;
  all["pivots"] = report.pivots;
  all["infeasible"] = report.infeasible;
  all["z"] = arrayOf(std::move(z));
  all["ray"] = arrayOf(std::move(ray));
  return all;
}

}  // namespace

void bindProblems(nb::module_& module) {
  const auto floats = [](std::vector<double> values) { return arrayOf(std::move(values)); };
  nb::class_<PyProblem>(module, "Problem",
                        "A contact problem with bodies, or a local one, which nobody changes.")
      .def(
          "__init__",
          [](PyProblem* self, const nb::dict& parts) { new (self) PyProblem(problemOf(parts)); },
          nb::arg("parts"), nb::sig("def __init__(self, parts: dict[str, typing.Any]) -> None"))
      .def_prop_ro("is_local", &PyProblem::isLocal)
      .def_prop_ro("law", [](const PyProblem& p) { return std::string(nameOf(p.law())); })
      .def(
          "parts",
          [](PyProblem& p) {
            p.share();  // what is lent may be called back while Python makes the lists
            return partsOf(p);
          },
          nb::sig("def parts(self) -> dict[str, typing.Any]"))
      .def("solve", solveWith, nb::arg("solver"), nb::arg("law"), nb::arg("tolerance"),
           nb::arg("budget"), nb::arg("initial_slip"), nb::arg("trace"), nb::arg("fclib"),
           nb::sig("def solve(self, solver: str, law: str, tolerance: float, budget: int, "
                   "initial_slip: str, trace: bool, fclib: bool) -> dict[str, typing.Any]"))
      .def("certify", certifySolution, nb::arg("law"), nb::arg("v"), nb::arg("p"), nb::arg("c"),
           nb::sig("def certify(self, law: str, v: NDArray[numpy.float64], "
                   "p: NDArray[numpy.float64], c: NDArray[numpy.float64]) -> "
                   "tuple[Certificate, NDArray[numpy.float64]]"))
      .def("solution_with", solutionFrom, nb::arg("p"),
           nb::sig("def solution_with(self, p: NDArray[numpy.float64]) -> "
                   "tuple[NDArray[numpy.float64], NDArray[numpy.float64]]"))
      .def(
          "contact_velocities",
          [floats](const PyProblem& p, const Numbers& x) {
            if (p.isLocal())
              return floats(contactVelocities(p.local(), vectorOf(x, p.local().q.size(), "p")));
            return floats(
                contactVelocities(p.global(), vectorOf(x, p.global().v_free.size(), "v")));
          },
          nb::arg("x"),
          nb::sig("def contact_velocities(self, x: NDArray[numpy.float64]) -> "
                  "NDArray[numpy.float64]"))
      .def(
          "mass_times",
          [floats](const PyProblem& p, const Numbers& v) {
            return floats(massTimes(p.global().M, vectorOf(v, p.global().v_free.size(), "v")));
          },
          nb::arg("v"),
          nb::sig("def mass_times(self, v: NDArray[numpy.float64]) -> NDArray[numpy.float64]"))
      .def(
          "solve_mass",
          [floats](const PyProblem& p, const Numbers& f) {
            return floats(solveMass(p.global().M, vectorOf(f, p.global().v_free.size(), "f")));
          },
          nb::arg("f"),
          nb::sig("def solve_mass(self, f: NDArray[numpy.float64]) -> NDArray[numpy.float64]"))
      .def("local_form", withoutBodies);
  module.def("problem_of", problemOfSimulation, nb::arg("simulation"));
  module.def("solution_of", solutionOfSimulation, nb::arg("simulation"),
             nb::sig("def solution_of(simulation: Simulation) -> tuple[NDArray[numpy.float64], "
                     "NDArray[numpy.float64], NDArray[numpy.float64]]"));
  module.def("solve_lcp", solveLinearProblem, nb::arg("M"), nb::arg("q"), nb::arg("pivot_limit"),
             nb::sig("def solve_lcp(M: NDArray[numpy.float64], q: NDArray[numpy.float64], "
                     "pivot_limit: int) -> dict[str, typing.Any]"));
}

}  // namespace stickslip::python
