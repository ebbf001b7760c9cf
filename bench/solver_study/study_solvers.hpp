// Everything that can solve a model problem: the solvers of this library and those of Siconos where
// it is installed, all measured in the same way: cold, CPU time, residual by our certificate.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "solver_study/isolated_run.hpp"
#include "solver_study/study_problems.hpp"

namespace stickslip::study {

struct StudySolver {
  std::string name;
  Law law = Law::coulomb;
  std::function<bool(const AnyProblem&)> accepts;
  /// To be called in a process of its own.
  std::function<Measurement(const AnyProblem&, double tolerance)> measure;
};

/// Of this library, by solverNames().
std::vector<StudySolver> ownSolvers();
/// Of Siconos; empty where it was not found.
std::vector<StudySolver> siconosSolvers();

}  // namespace stickslip::study
