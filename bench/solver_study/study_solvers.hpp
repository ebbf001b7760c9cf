// Everything that can solve a model problem: the solvers of this library and those of Siconos where
// it is installed, all measured in the same way: cold, CPU time, residual by our certificate.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "solver_study/study_problems.hpp"

namespace stickslip::study {

/// One solve; plain data.
struct Measurement {
  bool is_solved = false;  ///< by the solver's own test
  double residual = 0;     ///< by the certificate
  double fclib_error = 0;  ///< by the certificate
  double iterations = 0;   ///< as the solver counts them
  double seconds = 0;      ///< CPU time, best of `repeats`
  int repeats = 0;
};

struct StudySolver {
  std::string name;
  bool is_peer = false;
  Law law = Law::coulomb;
  std::function<bool(const AnyProblem&)> accepts;
  /// To be called in a process of its own.
  std::function<Measurement(const AnyProblem&, double tolerance, int repeats)> measure;
};

/// Of this library, by solverNames().
std::vector<StudySolver> ownSolvers();
/// Of Siconos; empty where it was not found.
std::vector<StudySolver> siconosSolvers();

}  // namespace stickslip::study
