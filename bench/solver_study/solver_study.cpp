// Accuracy against time: every solver on every model problem at several tolerances, as CSV rows
//
//   problem, parameter, value, rows, contacts, law, solver, tolerance, status, residual,
//   fclib_error, iterations, seconds, repeats
//
// A solve starts cold; seconds are CPU time, the best of a few; residual and fclib_error are our
// certificate's, for peers too; status is the solver's own word. A solver that ran out of time at a
// tolerance is not asked for a smaller one, and not again in a family after three such problems.
//
// Usage: solver_study quick|full PROBLEMS.csv [FCLIB_FOLDER] [FAMILY...]
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iostream>
#include <map>
#include <span>

#include "solver_study/study_solvers.hpp"

namespace stickslip::study {
namespace {

constexpr int kMostTimeouts = 3;
constexpr double kStateTolerance = 1e-9;

struct Settings {
  Extent extent = Extent::quick;
  std::vector<double> tolerances;
  double limit_seconds = 0;
  std::vector<std::string> families;  ///< empty: all
};

Settings settingsOf(Extent extent) {
  if (extent == Extent::quick) return {extent, {1e-4, 1e-8}, 1, {}};
  return {extent, {1e-2, 1e-4, 1e-6, 1e-8, 1e-10}, 10, {}};
}

void writeRow(std::ostream& out, const StudyProblem& description, const AnyProblem& problem,
              const StudySolver& solver, double tolerance, const Measurement& m) {
  char numbers[200];
  std::snprintf(numbers, sizeof numbers, "%g,%s,%.3e,%.3e,%.0f,%.4e,%d", tolerance,
                toString(m.outcome).c_str(), m.residual, m.fclib_error, m.iterations, m.seconds,
                m.repeats);
  out << description.family << ',' << description.parameter << ',' << description.value << ','
      << rowsOf(problem) << ',' << contactsOf(problem) << ','
      << (solver.law == Law::coulomb ? "coulomb" : "relaxed") << ',' << solver.name << ','
      << numbers << std::endl;
}

class Study {
 public:
  Study(Settings settings, std::ostream& out) : settings_(std::move(settings)), out_(out) {
    for (const auto& list : {ownSolvers(), siconosSolvers()})
      solvers_.insert(solvers_.end(), list.begin(), list.end());
    out_ << "problem,parameter,value,rows,contacts,law,solver,tolerance,status,residual,"
            "fclib_error,iterations,seconds,repeats\n";
  }

  void run(const StudyProblem& description) {
    AnyProblem problem = description.make();
    for (const StudySolver& solver : solvers_) {
      lawOf(problem) = solver.law;
      int& timeouts = timeouts_[{description.family, solver.name}];
      if (solver.accepts(problem) && timeouts < kMostTimeouts &&
          !curve(description, problem, solver))
        ++timeouts;
    }
  }

 private:
  // False if the solver ran out of time.
  bool curve(const StudyProblem& description, const AnyProblem& problem,
             const StudySolver& solver) {
    const std::vector<double> one{kStateTolerance};
    for (const double tolerance : description.one_tolerance ? one : settings_.tolerances) {
      const Measurement m =
          runIsolated(settings_.limit_seconds, [&] { return solver.measure(problem, tolerance); });
      writeRow(out_, description, problem, solver, tolerance, m);
      if (m.outcome == Measurement::Outcome::time_limit) return false;
    }
    return true;
  }

  Settings settings_;
  std::ostream& out_;
  std::vector<StudySolver> solvers_;
  std::map<std::pair<std::string, std::string>, int> timeouts_;
};

bool isWanted(const std::vector<std::string>& families, const std::string& family) {
  if (families.empty()) return true;
  for (const std::string& wanted : families)
    if (family.rfind(wanted, 0) == 0) return true;
  return false;
}

int main(std::span<char*> arguments) {
  const bool known = arguments.size() >= 3 && (std::strcmp(arguments[1], "quick") == 0 ||
                                               std::strcmp(arguments[1], "full") == 0);
  if (!known) {
    std::cerr << "Usage: solver_study quick|full PROBLEMS.csv [FCLIB_FOLDER] [FAMILY...]\n";
    return 2;
  }
  Settings settings =
      settingsOf(std::strcmp(arguments[1], "full") == 0 ? Extent::full : Extent::quick);
  for (std::size_t k = 4; k < arguments.size(); ++k) settings.families.emplace_back(arguments[k]);
  const std::filesystem::path fclib = arguments.size() > 3 ? arguments[3] : "";
  std::ofstream out(arguments[2]);
  if (!out) {
    std::cerr << "solver_study: cannot write " << arguments[2] << '\n';
    return 1;
  }
  Study study(settings, out);
  for (const StudyProblem& problem : studyProblems(settings.extent, fclib))
    if (isWanted(settings.families, problem.family)) {
      std::cerr << problem.family << ' ' << problem.parameter << ' ' << problem.value << '\n';
      study.run(problem);
    }
  return 0;
}

}  // namespace
}  // namespace stickslip::study

int main(int count, char** arguments) {
  return stickslip::study::main({arguments, static_cast<std::size_t>(count)});
}
