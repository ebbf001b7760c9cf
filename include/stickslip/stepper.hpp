// One step of one model: formulate, solve, certify, conclude, advance. The whole step is on one
// page, in src/stepping/stepper.cpp.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "stickslip/certificate.hpp"
#include "stickslip/contact_problem.hpp"
#include "stickslip/contact_view.hpp"
#include "stickslip/method.hpp"
#include "stickslip/scheme.hpp"
#include "stickslip/solver.hpp"
#include "stickslip/state.hpp"
#include "stickslip/step_workspace.hpp"
#include "stickslip/system.hpp"

namespace stickslip {

/// What does not change during a run.
struct Model {
  std::shared_ptr<const System> system;
  Method method;
};

/// What became of a step.
struct StepReport {
  Certificate certificate;  ///< of all contact problems of the step together
  SolveReport solve;        ///< likewise
  SchemeReport scheme;
  int stages = 0;  ///< contact problems that the step is made of
  // What was given up at contacts and joints because no solution with it could be found, or because
  // it would have gained energy:
  bool restitution_dropped = false;  ///< e = 0 at some contacts
  bool drift_kept = false;           ///< some overlaps or open joints were not taken back
  bool certified = false;            ///< the certificate holds to the method's tolerance
  bool advanced = false;  ///< false if the new state would not be finite; the state is then kept
  // For explain():
  double tolerance = 0;     ///< of the method
  std::string_view solver;  ///< its name, of which the Stepper has the memory

  /// Adds a stage of the step, or a whole step that follows.
  void add(const SolveReport& stage_solve, const Certificate& stage_certificate);
  void add(const StepReport& later);
};

/// What became of a step, in one or two sentences: of one that is not certified what is wrong, by
/// how much, and what stopped the solver.
std::string explain(const StepReport& report);

/// A solver and a scheme of one's own, instead of those that the Method names; null: these. Their
/// traits are what they say themselves, and Stepper::model() has their names.
struct StepperOptions {
  std::unique_ptr<Scheme> scheme{};
  std::unique_ptr<Solver> solver{};
};

class Concessions;
class EnergyAccount;
class FrictionIteration;
class MemoryReader;
class MemoryWriter;
class RestingIslands;

/// Steps a model. After the first steps it allocates nothing.
class Stepper {
 public:
  /// Throws InputError if parts of the method do not go together or do not fit the system.
  explicit Stepper(Model model, StepperOptions options = {});
  ~Stepper();
  Stepper(Stepper&&) noexcept;
  Stepper& operator=(Stepper&&) noexcept;

  /// Advances `state` by h >= 0; h = 0 resolves impacts and moves nothing ([GS05] section 6).
  /// Throws InputError, and changes nothing, if inputs (inputs.hpp) cannot be used. What a system,
  /// scheme or solver of a program's own throws comes out of it as it is: the state stays, the step
  /// before has no contacts to be seen any more, and the next step is one like any other.
  StepReport step(State& state, double h);

  /// Generalized forces, one for each velocity, that are added to those of the system in every
  /// step: 0 at first, held until they are changed; their size stays. Of bodies they are force and
  /// torque in the axes of the velocities; BodySystem::inputs() is easier to use. Made when they
  /// are first asked for.
  const std::shared_ptr<std::vector<double>>& inputForces();

  /// Wakes everything that sleeps (Method::sleep_time): after bodies were moved from outside.
  void wake();
  /// Velocity blocks asleep.
  int asleepCount() const;

  /// The deepest overlap of unilateral contacts at `state`, or 0.
  double deepestOverlap(const State& state);

  /// What outlives a step, as bytes: a Stepper of the same model that restores them makes the steps
  /// that this one would, bit for bit, and shows the same last step. The state is the caller's.
  std::vector<std::byte> save() const;
  /// Throws InputError if the bytes are damaged, not complete, from another version, or of a model
  /// with other sizes or another method; nothing changes then.
  void restore(std::span<const std::byte> saved);
  /// The same as a part of something larger (memory_stream.hpp), in which a model may not change.
  /// Where that throws, the Stepper is to be restored again.
  void saveMemory(MemoryWriter& to) const;
  void restoreMemory(MemoryReader& from);

  /// The contacts of the last step (of its last contact problem, if it has several), in the order
  /// of problem(). Valid until the next step; not for two threads at the same time.
  std::span<const ContactView> contacts() const;

  const Model& model() const { return model_; }
  const SchemeTraits& schemeTraits() const { return scheme_traits_; }
  const SolverTraits& solverTraits() const { return solver_traits_; }
  /// The (last) contact problem of the last step and its solution: contacts, gaps, impulses.
  const ContactProblem& problem() const { return problem_; }
  const ContactSolution& solution() const { return solution_; }

 private:
  void checkInputs() const;
  StepReport makeStep(State& state, double h);
  void forgetStep();
  void formulate(const State& state, double h);
  SolveReport solve();
  SolveReport solveStage(Certificate& certificate);
  void solveAgain(SolveReport& report, Certificate& certificate);
  bool takeEnergyBack(SolveReport& report, Certificate& certificate);
  void returnRestitution(double work_with, SolveReport& report, Certificate& certificate);
  bool advance(double h, State& state);

  Model model_;
  SolverTraits solver_traits_;
  SchemeTraits scheme_traits_;
  std::unique_ptr<Scheme> scheme_;
  std::unique_ptr<Solver> solver_;
  std::unique_ptr<FrictionIteration> friction_;
  std::unique_ptr<Concessions> concessions_;
  std::unique_ptr<EnergyAccount> energy_;
  std::unique_ptr<RestingIslands> resting_;            ///< null if nothing may sleep
  std::shared_ptr<std::vector<double>> input_forces_;  ///< null until they are asked for
  Certifier certifier_;
  ContactProblem problem_;
  ContactSolution solution_;
  StepWorkspace workspace_;  ///< of the certifier, advance() and deepestOverlap()
  ContactSet overlaps_;      ///< for deepestOverlap()
  mutable std::vector<ContactView> views_;
  mutable bool views_are_new_ = false;  ///< they are those of the last step
};

}  // namespace stickslip
