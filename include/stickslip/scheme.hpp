// Interface of the time discretizations: where the geometry is taken, which contacts are active,
// what b is, and how positions follow from the new velocity.
//
// A step solves one contact problem or several: formulate() sets up the first, and after each
// conclude() says whether there is another. advance() then moves the state.
//
// Every scheme has a ProblemBuilder, which makes the parts of a problem that all schemes have
// alike, and through which the Stepper keeps out what rests. A scheme of a user's own is handed to
// a Stepper (StepperOptions), or registered by name (registry.hpp): examples/own_scheme.cpp.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "stickslip/contact_problem.hpp"
#include "stickslip/method.hpp"
#include "stickslip/problem_builder.hpp"
#include "stickslip/state.hpp"
#include "stickslip/system.hpp"
#include "stickslip/traits.hpp"

namespace stickslip {

class MemoryReader;
class MemoryWriter;

/// What comes after a contact problem of a step.
enum class StageEnd {
  done,     ///< nothing: the step is complete
  repeat,   ///< the same stage with better geometry, which is now in the problem
  proceed,  ///< another stage of the step, which is now in the problem
};

/// What a scheme says about its step, beyond the contact problems in it.
struct SchemeReport {
  // Schemes that take the geometry at the end of the step, by iteration ([ST00] 3.4):
  std::int64_t geometry_iterations = 0;  ///< contact problems solved on the way
  double geometry_change = 0;            ///< last change of the velocity, relative
  double geometry_contraction = 0;       ///< mean factor from one change to the next; 0: not seen
  // Schemes that watch the contacts which velocities can close:
  std::int64_t contact_rounds =
      0;                         ///< problems solved again with contacts that new velocities close
  bool contacts_missed = false;  ///< after as many as a step may have, others would still close;
                                 ///< `velocity`: the search for closing contacts was given up
  // Schemes that locate collisions ([AP97] section 4):
  std::int64_t collisions = 0;
  bool collisions_cut = false;  ///< there were more than a step may have: the last did not bounce
  bool restitution_limited = false;  ///< less was given back, as energy would have been gained
  double restitution_work = 0;       ///< energy that decompression gave back

  /// Makes this the report of two steps: the worst of both, and the sum of what adds up.
  void add(const SchemeReport& later);
};

/// A time discretization: makes the contact problems of a step, and the state at its end.
class Scheme {
 public:
  explicit Scheme(const Method& method) : builder_(method) {}
  virtual ~Scheme() = default;
  Scheme(const Scheme&) = delete;
  Scheme& operator=(const Scheme&) = delete;

  virtual std::string_view name() const = 0;
  /// Unless overridden, what the registry says of this name, or the defaults if it knows none.
  virtual SchemeTraits traits() const;
  /// Sizes the workspaces and `problem` for what `system` can ask for. Steps that follow are of
  /// this system, and have their problems here.
  virtual void reserve(const System& system, ContactProblem& problem) = 0;
  /// Sets up the first contact problem of the step from `state` over the time h >= 0. With h = 0 it
  /// is a pure impact. Until advance() returns, `state` and what the problem says of velocities
  /// stay as they are: schemes do not keep copies.
  virtual void formulate(const System& system, const State& state, double h,
                         ContactProblem& problem) = 0;
  /// Gives up in the problem last set up what is said for each contact and each joint, after no
  /// solution was found. False if that changes nothing.
  virtual bool concede(std::span<const Concession> /*contacts*/,
                       std::span<const Concession> /*joints*/, ContactProblem& /*problem*/) {
    return false;
  }
  /// Takes the solution of the problem last set up, and sets up the next one if there is one.
  virtual StageEnd conclude(const System& /*system*/, const ContactSolution& /*solution*/,
                            ContactProblem& /*problem*/) {
    return StageEnd::done;
  }
  /// Moves `state`, which is a copy of the one at its start, to the end of that step, given the
  /// velocity v there.
  virtual void advance(const System& system, double h, std::span<const double> v, State& state) = 0;
  /// About the step that was last concluded.
  virtual SchemeReport report() const { return {}; }

  /// What it remembers of one step in the next, as far as it reaches results; and makes it so again
  /// (memory_stream.hpp). Asked for between steps. Nothing unless overridden.
  virtual void saveMemory(MemoryWriter& /*to*/) const {}
  virtual void restoreMemory(MemoryReader& /*from*/) {}

  /// What made the problem last set up.
  ProblemBuilder& builder() { return builder_; }
  const ProblemBuilder& builder() const { return builder_; }

 protected:
  ProblemBuilder builder_;
};

/// The scheme that `method` names, for the solver that it names or one with these traits. Throws
/// InputError, with the names that are known, for another.
std::unique_ptr<Scheme> makeScheme(const Method& method);
std::unique_ptr<Scheme> makeScheme(const Method& method, const SolverTraits& solver);

}  // namespace stickslip
