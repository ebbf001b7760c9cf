#include "solver_study/problem_study.hpp"

#include <cstdio>
#include <limits>
#include <ostream>

#include "solver_study/isolated_run.hpp"

namespace stickslip::study {
namespace {

constexpr int kMostTimeouts = 3;
constexpr double kOneTolerance = 1e-9;
constexpr int kSolveRepeats = 20, kFewRepeats = 3;

std::string labelOf(const StudySolver& solver) {
  return (solver.law == Law::coulomb ? "coulomb," : "relaxed,") + solver.name;
}

const char* statusOf(Ending ending, const Measurement& m) {
  if (ending == Ending::time_limit) return "time_limit";
  if (ending == Ending::crashed) return "crashed";
  return m.is_solved ? "solved" : "unsolved";
}

void writeRow(std::ostream& out, const StudyProblem& description, const AnyProblem& problem,
              const StudySolver& solver, double tolerance, Ending ending, const Measurement& m) {
  char numbers[200];
  std::snprintf(numbers, sizeof numbers, "%g,%s,%.3e,%.3e,%.0f,%.4e,%d", tolerance,
                statusOf(ending, m), m.residual, m.fclib_error, m.iterations, m.seconds, m.repeats);
  out << description.family << ',' << description.parameter << ',' << description.value << ','
      << rowsOf(problem) << ',' << contactsOf(problem) << ',' << labelOf(solver) << ',' << numbers
      << std::endl;
}

}  // namespace

ProblemStudy::ProblemStudy(Extent extent, std::ostream& out)
    : extent_(extent),
      tolerances_(extent == Extent::full ? std::vector<double>{1e-2, 1e-4, 1e-6, 1e-8, 1e-10}
                                         : std::vector<double>{1e-4, 1e-8}),
      limit_seconds_(extent == Extent::full ? 10 : 1),
      out_(out),
      solvers_(ownSolvers()) {
  const std::vector<StudySolver> peers = siconosSolvers();
  solvers_.insert(solvers_.end(), peers.begin(), peers.end());
  out_ << "problem,parameter,value,rows,contacts,law,solver,tolerance,status,residual,fclib_error,"
          "iterations,seconds,repeats\n";
}

void ProblemStudy::run(const StudyProblem& description) {
  AnyProblem problem = description.make();
  for (const StudySolver& solver : solvers_) {
    lawOf(problem) = solver.law;
    if (isAsked(solver, description, problem) && !curve(description, problem, solver))
      ++timeouts_[{description.family, labelOf(solver)}];
  }
}

bool ProblemStudy::isAsked(const StudySolver& solver, const StudyProblem& description,
                           const AnyProblem& problem) {
  const bool is_file = description.family.rfind("fclib", 0) == 0;
  return (extent_ == Extent::full || !solver.is_peer || is_file) &&
         timeouts_[{description.family, labelOf(solver)}] < kMostTimeouts &&
         solver.accepts(problem);
}

// False if the solver ran out of time.
bool ProblemStudy::curve(const StudyProblem& description, const AnyProblem& problem,
                         const StudySolver& solver) {
  const std::vector<double> one{kOneTolerance};
  const int repeats = extent_ == Extent::full ? kSolveRepeats : kFewRepeats;
  for (const double tolerance : description.one_tolerance ? one : tolerances_) {
    Measurement m;
    m.residual = m.fclib_error = std::numeric_limits<double>::infinity();
    m.seconds = limit_seconds_;
    const Ending ending = runIsolated<Measurement>(
        limit_seconds_, m, [&] { return solver.measure(problem, tolerance, repeats); });
    writeRow(out_, description, problem, solver, tolerance, ending, m);
    if (ending == Ending::time_limit) return false;
  }
  return true;
}

}  // namespace stickslip::study
