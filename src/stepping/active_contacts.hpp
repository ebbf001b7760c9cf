// Which contacts a step takes part of: those that velocities can close within it.
//
// At first these are contacts with a gap of at most the margin, [A06] (5.2), or if there is none
// the ones of the two velocities at hand, old and free, one after the other; three quarters of the
// old one in any direction, since contacts turn it; and motions that are prescribed. Impulses make
// bodies faster than that. Once a step is solved with the contacts watched so far, a contact is
// missed if the new velocities v close it,
//
//   gap + h (n.v + w_hat) < -h a,    a = sum over its two bodies of |n|_M^-1 a_body,
//
// where a_body, a velocity in the kinetic norm, is what a body may be off: kByForces of what forces
// make of it within the step, and kByMotion of its motion. Norms are those of the diagonal of M. No
// contact is missed where no velocity carries further than what was watched, up to a_body, and,
// with a margin, no surface further than half of that beyond (System::farthestMove): one pass over
// the velocities. Only bodies that are faster are looked at closer, each with the contacts of its
// own. What is hit by them is taken to go on with the whole velocity, and to hit what is next: over
// one body at first, and twice as many in each further round, so that a blow through a row of n
// bodies takes some log2 n rounds. What is watched never shrinks within a step.
//
// A row takes the two sides of a contact for planes, and corners that pass each other would hit
// these planes. Contacts that a prescribed motion would clearly close by their rows are therefore
// followed along the motion to be expected (System::meetsAhead), and taken out where their sides do
// not meet; the bodies that had them are looked at closer afterwards. Contacts that are found
// missing are followed likewise. Where all others will go is not known at the start of a step:
// among spheres that fall into a box, leaving out what free motion passes took rounds in half of
// the steps, and made overlaps three times as deep.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "stickslip/contact_problem.hpp"
#include "stickslip/problem_builder.hpp"
#include "stickslip/system.hpp"

namespace stickslip {

class ActiveContacts {
 public:
  /// If `margin` > 0, what is watched at first are contacts with a gap of at most that, whatever
  /// velocities are.
  explicit ActiveContacts(double margin) : margin_(margin) {}

  void reserve(const System& system);
  void startStep(double h);
  /// What to watch; valid until the next call. The problem has its free motion.
  Reach reach(const ProblemBuilder& builder, const ContactProblem& problem);
  /// Takes contacts out of the problem, which was set up with reach(), that the expected motion
  /// would close but whose sides pass each other.
  void dropPassing(const System& system, Configuration place, ProblemBuilder& builder,
                   ContactProblem& problem);
  /// True if v closes contacts at `place` that are not in the problem, which was set up with
  /// reach(): it has to be set up again, with what reach() is now.
  bool misses(const System& system, Configuration place, std::span<const double> v,
              const ProblemBuilder& builder, const ContactProblem& problem);

 private:
  void setWay(int block, const ContactProblem& problem);
  bool isByMargin() const { return margin_ > 0 && h_ > 0; }
  /// Gap that is watched whatever velocities are.
  double watchedGap() const { return isByMargin() ? margin_ : 0; }
  bool markFast(const System& system, std::span<const double> v, const ContactProblem& problem);
  bool maySeemToClose(int contact, std::span<const double> v, const ContactProblem& problem) const;
  bool isFast(const System& system, int block, std::span<const double> v,
              const ContactProblem& problem);
  bool follow(const System& system, Configuration place, const ProblemBuilder& builder,
              const ContactProblem& problem);
  double closingSpeed(int i, std::span<const double> v, const ContactProblem& problem) const;
  bool isKnown(std::uint64_t contact, const ContactProblem& problem);
  void hit(int i, double speed, const ContactProblem& problem);
  bool goOn(const ContactProblem& problem);
  void widen(int block, const ContactProblem& problem);

  double margin_;
  double h_ = 0;
  int hops_ = 1;               ///< bodies over which the next round follows a blow
  bool is_wider_ = false;      ///< than the velocities at hand
  std::vector<char> passing_;  ///< one a contact: candidates, then those to be taken out
  std::vector<char> passed_;   ///< one a block: it had such contacts
  std::vector<double> way_;    ///< as last watched, or looked at
  std::vector<double> more_;   ///< what was added to it in this step

  /// Velocities of the last solution, and of what they hit: what the next problem of the step goes
  /// by in dropPassing().
  std::vector<double> predicted_;

  // While missed contacts are looked for:
  std::vector<double> further_;  ///< than what is watched: way; with a margin only
  std::vector<double> change_;   ///< of the predicted velocities, by what hits
  std::vector<char> fast_;       ///< one for each velocity block: whose contacts are looked for
  std::vector<char> hit_;        ///< likewise: who is in the way
  ContactSet found_;
  bool is_known_sorted_ = false;      ///< contacts of the problem, once asked for,
  std::vector<std::uint64_t> known_;  ///< which are here unless the problem has them in order
};

}  // namespace stickslip
