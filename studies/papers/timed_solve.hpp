// One contact problem, one solver, one clock: for experiments that compare solvers.
#pragma once

#include <cstdint>
#include <string>

#include "stickslip/certificate.hpp"
#include "stickslip/io/scene.hpp"
#include "stickslip/solver.hpp"

namespace stickslip {

struct TimedSolve {
  SolveReport report;
  ContactSolution solution;
  Certificate certificate;
  double seconds = 0;  ///< processor time of the solve alone
  bool certified = false;
};

/// Residual up to which experiments call a solution one.
inline constexpr double kCertified = 1e-8;

/// Solves with what `solver` is and remembers.
TimedSolve timedSolve(Solver& solver, const ContactProblem& problem);
/// A solver of this name that knows nothing of earlier problems; `budget` as in Method.
TimedSolve coldSolve(const std::string& solver, const ContactProblem& problem,
                     std::int64_t budget = 0);

/// The contact problem of the scene's first step.
ContactProblem firstProblem(const Scene& scene);

}  // namespace stickslip
