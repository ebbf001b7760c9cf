// Accuracy against time: every solver on every model problem at several tolerances, as CSV rows
//
//   problem, parameter, value, rows, contacts, law, solver, tolerance, status, residual,
//   fclib_error, iterations, seconds, repeats
//
// A solve starts cold; seconds are CPU time, the best of a few; residual and fclib_error are our
// certificate's, for peers too; status is the solver's own word, or time_limit or crashed. A solver
// that ran out of time at a tolerance is not asked for a smaller one, and not again in a family
// after three such problems. A quick study has fewer tolerances, and peers on the files of FCLIB
// only.
#pragma once

#include <iosfwd>
#include <map>
#include <utility>

#include "solver_study/study_solvers.hpp"

namespace stickslip::study {

class ProblemStudy {
 public:
  /// Writes the head of the table.
  ProblemStudy(Extent extent, std::ostream& out);
  void run(const StudyProblem& description);

 private:
  bool isAsked(const StudySolver& solver, const StudyProblem& description,
               const AnyProblem& problem);
  bool curve(const StudyProblem& description, const AnyProblem& problem, const StudySolver& solver);

  Extent extent_;
  std::vector<double> tolerances_;
  double limit_seconds_;
  std::ostream& out_;
  std::vector<StudySolver> solvers_;
  std::map<std::pair<std::string, std::string>, int> timeouts_;  ///< by family and solver
};

}  // namespace stickslip::study
