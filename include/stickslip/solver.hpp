// Interface of the contact solvers. A solver gets a ContactProblem and returns the best solution
// that it found, with its own account of how it went; the certificate then decides.
//
// A solver of a user's own is handed to a Stepper (StepperOptions), or registered by name
// (registry.hpp): examples/own_solver.cpp.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "stickslip/contact_problem.hpp"
#include "stickslip/local_problem.hpp"
#include "stickslip/method.hpp"
#include "stickslip/solve_stages.hpp"
#include "stickslip/solve_status.hpp"
#include "stickslip/traits.hpp"

namespace stickslip {

class MemoryReader;
class MemoryWriter;

/// How a solve went, in the solver's own words.
struct SolveReport {
  SolveStatus status = SolveStatus::solved;
  std::int64_t iterations = 0;
  /// Solver `auto`: the one whose solution this is, or "local sweeps" if it needed none.
  std::string_view solved_by = {};
  // Of fixed-point iterations [AH04], for the island that took most of them: convex problems solved
  // one after the other, and the mean factor by which their changes shrank, 0 if it was not seen.
  std::int64_t outer_iterations = 0;
  double contraction = 0;
  /// Contact problems that were solved until coefficients of friction agreed with the speeds; 0 if
  /// they are constant.
  std::int64_t friction_iterations = 0;
  /// Which stages solved how many islands, and what they took.
  StageSummary stages = {};

  /// Makes this the report of two solves of one step.
  void add(const SolveReport& later);
  /// Adds what a solve took whose solution is not kept.
  void addCost(const SolveReport& discarded);
};

/// Solves contact problems, one after the other.
class Solver {
 public:
  virtual ~Solver() = default;
  virtual std::string_view name() const = 0;
  /// Unless overridden, what the registry says of this name, or the defaults if it knows none.
  virtual SolverTraits traits() const;
  /// Sizes the workspaces for problems of up to these sizes; `tangents` counts the rows of
  /// a contact beside its normal.
  virtual void reserve(int /*velocities*/, int /*contacts*/, int /*tangents*/, int /*joint_rows*/) {
  }
  /// Fills `solution` whatever the status, with finite numbers if the problem's are and M is
  /// positive definite.
  virtual SolveReport solve(const ContactProblem& problem, ContactSolution& solution) = 0;
  /// The same for a problem without bodies: fills the impulses. Unless overridden, solve() gets the
  /// problem with W = J M^-1 J', which takes a dense factor of W.
  virtual SolveReport solveLocal(const LocalProblem& problem, std::vector<double>& p);
  /// Most iterations of the solves that follow, as in Method.
  virtual void setBudget(std::int64_t /*budget*/) {}
  /// Forgets earlier solves: the next one starts as the first did.
  virtual void restart() {}
  /// What it remembers of earlier solves, as far as it reaches results; and makes it so again
  /// (memory_stream.hpp). Unless overridden nothing is saved, and restoring is a restart().
  virtual void saveMemory(MemoryWriter& /*to*/) const {}
  virtual void restoreMemory(MemoryReader& /*from*/) { restart(); }
  /// The solves that follow add what their stages do to `trace`, until this is null. They allocate
  /// then, and solve islands one after the other; results are the same.
  virtual void setTrace(StageTrace* trace) { static_cast<void>(trace); }
};

/// The solver that `method` names. Throws InputError, with the names that are known, for another.
std::unique_ptr<Solver> makeSolver(const Method& method);

}  // namespace stickslip
