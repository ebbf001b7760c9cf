// What all schemes do alike when they make a ContactProblem from a system: mass and free motion,
// rows and impulse sets of the contacts within reach, rows of the joints. Where these are taken,
// and what b and g become beyond the rheonomic terms, is the scheme's business.
//
//   builder.reserve(system, problem);                              // once
//   builder.freeMotion(system, here, here, state.u, h, problem);   // each step: M, v_old, v_free,
//   builder.contacts(system, here, reach, h, problem);             // J, b, sets, ids, gaps,
//   builder.joints(system, here, problem);                         // G, g
//
// after which the scheme adds to b and g what it wants positions and bounces to be.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <vector>

#include "stickslip/contact_problem.hpp"
#include "stickslip/method.hpp"
#include "stickslip/system.hpp"

namespace stickslip {

class MemoryReader;
class MemoryWriter;
class Sleepers;

/// What a contact or a joint gives up in a step that has no solution with it, or gains energy by
/// it; each includes the one before.
enum class Concession : char {
  nothing,
  restitution,  ///< e = 0
  drift,        ///< an overlap, or an open joint, is not taken back
};

/// A time and positions: where something of a system is taken.
struct Configuration {
  double t = 0;
  std::span<const double> q;
};

/// Makes room for as many contacts as `system` says it may have.
void reserveContactRows(const System& system, BlockRows& rows);

/// Makes the parts of a ContactProblem that all schemes have alike.
class ProblemBuilder {
 public:
  explicit ProblemBuilder(const Method& method);
  ~ProblemBuilder();
  ProblemBuilder(const ProblemBuilder&) = delete;
  ProblemBuilder& operator=(const ProblemBuilder&) = delete;

  /// Makes room in itself and in `problem` for what `system` can ask for. Until the next call all
  /// that follows is about this system and this problem: masses that never change are made once.
  void reserve(const System& system, ContactProblem& problem);
  /// Holds what sleeps, and asks for no contacts of it. The Stepper's, before the first step.
  void leaveOut(Sleepers& sleepers) { sleepers_ = &sleepers; }
  /// Generalized forces that act beside those of the system, read at each freeMotion(). The
  /// Stepper's, before a step.
  void addForces(const std::vector<double>& forces) { added_forces_ = &forces; }
  /// Reach of what sleeps, as if it were awake (Sleepers::widenReach).
  void widenReach(double factor, double h, std::span<double> way) const;

  /// M at `mass`; v_old = u; v_free = u + h M^-1 k with the forces k at `force` and u, and those
  /// that are added.
  void freeMotion(const System& system, Configuration mass, Configuration force,
                  std::span<const double> u, double h, ContactProblem& problem);
  /// J, drive, sets, ids and gaps of all contacts at `place` whose gap can close within `reach`;
  /// b is the rheonomic term, and for motors that close a distance what they aim at.
  void contacts(const System& system, Configuration place, const Reach& reach, double h,
                ContactProblem& problem);
  /// Appends what the system says of contacts at `place` to `out`, without a problem.
  void look(const System& system, Configuration place, Reach reach, ContactSet& out) const;
  /// The same once more for some velocity blocks (System::contactsOf).
  void lookOf(std::span<const char> blocks, const System& system, Configuration place, Reach reach,
              ContactSet& out) const;
  /// Wakes what sleeps and is touched by a contact. True if anything woke: the problem then has to
  /// be set up again. The Stepper calls it after Scheme::formulate(); a scheme that sets up a
  /// problem within the step calls it then.
  bool wakeTouched(const ContactProblem& problem) const;
  /// Takes the contacts that are marked out of `problem`, and out of contactData().
  void dropContacts(std::span<const char> marked, ContactProblem& problem);
  /// G, gaps and rheonomic terms of all joints at `place`; g is the rheonomic term.
  void joints(const System& system, Configuration place, ContactProblem& problem);

  /// Turns row k of joint `group` into that of a spring and damper with the impulse
  /// -h (stiffness stretch + resistance gamma), gamma the row's velocity at the end of the step;
  /// `stretch` is what the spring would have if that were 0. Without either it has no effect.
  void makeSpring(int group, int k, double stretch, double resistance, double h,
                  ContactProblem& problem);
  /// True if contacts() found prestressed elements: the scheme then owes each a prestress().
  bool anyPrestressed() const;
  /// Gives the row of prestressed element i, in place of its velocity, the mean velocity at which
  /// its displacement would go from 0 to where it is after the time `lead`: b = w_hat + x/lead, x
  /// the displacement that it would have by then if the row stood still. The element's force is
  /// then Sgn of that displacement. No effect without a lead.
  void prestress(int i, double x, double lead, double h, ContactProblem& problem);
  /// Lets rigid joints that concede it stay as open as they are: their g becomes the rheonomic
  /// term. False if that changes nothing.
  bool keepDrift(std::span<const Concession> joints, ContactProblem& problem) const;
  /// G M^-1 G' of row k of joint `group`, after freeMotion().
  double mobility(const BlockRows& rows, int group, int k);
  /// x := M^-1 x, after freeMotion().
  void divideByMass(std::span<double> x) const;

  /// What the system said about the contacts and joints of the last calls; rows have moved on into
  /// the problem.
  std::span<const Contact> contactData() const { return contacts_.contacts; }
  const ContactParameters& parametersOf(int contact) const {
    return contacts_.parametersOf(contacts_.contacts[contact]);
  }
  const JointSet& jointData() const { return joints_; }

  /// What the system said about the contacts of the last step, which Stepper::contacts() goes by.
  /// All else is made anew in the next one.
  void saveMemory(MemoryWriter& to) const;
  void restoreMemory(MemoryReader& from);

 private:
  void masses(const System& system, Configuration place, ContactProblem& problem);
  ImpulseSet impulseSet(const ContactParameters& contact, int rows, double h) const;
  void describeKinds(double h, ContactProblem& problem);
  int& kindOf(int parameters, int rows) { return kind_of_[parameters][rows]; }
  void describe(int i, double h, ContactProblem& problem);

  Law law_;
  bool polyhedral_;
  int directions_;
  bool integral_lift_;

  ContactSet contacts_;  ///< rows and drives are in the problem, and here only while they are made
  JointSet joints_;      ///< likewise
  std::vector<ImpulseSet> kinds_;
  /// One more than the kind of contacts with these parameters and so many rows; 0 if there are
  /// none.
  std::vector<std::array<int, 1 + ImpulseSet::kMostRows>> kind_of_;
  struct Masses;
  std::unique_ptr<Masses> mass_;
  bool has_constant_mass_ = false;  ///< since the last reserve(): it need not be made again
  Sleepers* sleepers_ = nullptr;
  const std::vector<double>* added_forces_ = nullptr;
};

}  // namespace stickslip
