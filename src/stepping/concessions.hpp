// What a step gives up where its contact problem has no solution that can be found.
//
// With J'p + G'c = 0 for impulses p in the cones (a jam), p.u + c.(G v) = p.b + c.g whatever v is,
// and there is no solution if that is negative (docs/theory.md, steps without a solution). It can
// be if a scheme has put restitution into b, or overlaps and open joints that are to be taken back.
// Without both, [AP97] Theorem 2.2 and [AH04] (Delta >= 0) promise a solution, unless moving bodies
// squeeze something rigid.
//
// So where the solvers have failed, the islands at fault give up restitution first and then what
// would be taken back. A jam with overlaps lasts: its next steps begin without what was given up,
// and all of it is asked for again after 1, 3, 7 and then every 15 steps.
//
// The same is given up where a solution gains energy (energy_account.hpp), in that step only, by
// the islands that gain it. Newton's rule does where friction or other contacts turn a velocity
// round that e is not for. With e = 0 there is no gain, by [AP97] Theorem 2.3, and between the two
// contacts have part of their e: as long as they stay as they are (stick, slide, open), v is v_0 +
// s (v_1 - v_0) for s e, and the work a quadratic function of s, whose root is taken. Drift gains
// where it is larger than what the step before took for it, as when a joint turns by a large angle
// in a step.
#pragma once

#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "problem/islands.hpp"
#include "stickslip/certificate.hpp"
#include "stickslip/scheme.hpp"

namespace stickslip {

class Concessions {
 public:
  void reserve(int velocities, int contacts, int joint_rows);

  /// A step begins.
  void startStep();
  /// The scheme has set up a problem: what was given up before is given up in it, too.
  void apply(Scheme& scheme, ContactProblem& problem);
  /// Gives up more at the islands with a contact whose residual is above `tolerance`, or all if it
  /// is not a contact's. False if there is nothing left to give up.
  bool extend(std::span<const double> contact_residuals, double tolerance, Scheme& scheme,
              ContactProblem& problem);
  /// Gives up more at the islands in which contacts and joints put energy in by `solution`. False
  /// if there is nothing left to give up.
  bool takeEnergyBack(const ContactSolution& solution, Scheme& scheme, ContactProblem& problem);
  /// After that: the part of restitution with which no energy would be gained nor lost, given what
  /// contacts and joints did with it and do without it; 0 if it was not restitution that was given
  /// up. Exact unless contacts open, close, stick or slide instead.
  double neutralPart(double work_with, double work_without, const ContactSolution& without,
                     const ContactProblem& problem);
  /// Gives this part of it back.
  void returnPart(double part, ContactProblem& problem) const;
  /// The step is over.
  void endStep();

  bool restitutionDropped() const { return restitution_dropped_; }
  bool driftKept() const { return drift_kept_; }

  /// Between steps: what the next ones begin without, and for how long.
  template <class Memory, class Self>
  static void parts(Memory& memory, Self& self) {
    memory(self.given_);
    memory.choice(self.joints_, Concession::drift);
    memory(self.pause_, self.wait_);
    if constexpr (!std::is_const_v<Self>)
      memory.expect(self.pause_ >= 0 && self.wait_ >= 0, "a number of steps is less than 0");
  }

 private:
  struct Given {
    std::uint64_t contact;
    Concession what;

    template <class Memory, class Self>
    static void parts(Memory& memory, Self& given) {
      memory(given.contact);
      memory.choice(given.what, Concession::drift);
    }
  };

  Concession givenAt(std::uint64_t contact) const;
  void findFaults(std::span<const double> contact_residuals, double tolerance,
                  const ContactProblem& problem);
  bool raise(Concession to, Scheme& scheme, ContactProblem& problem);
  bool giveUpMore(Scheme& scheme, ContactProblem& problem);
  void blame(int island);
  bool findGains(const ContactSolution& solution, const ContactProblem& problem);
  void remember(const ContactProblem& problem);

  std::vector<Concession> contacts_;    ///< of the problem at hand
  std::vector<Concession> joints_;      ///< one per joint; joints are the same at every step
  std::vector<Concession> joints_now_;  ///< as far as they are given up already
  std::vector<Given> given_;            ///< ascending ids
  bool restitution_dropped_ = false;
  bool drift_kept_ = false;
  // Where restitution was given up because of its energy, and nothing since:
  bool may_return_ = false;
  std::vector<double> b_with_;
  std::vector<double> b_without_;
  std::vector<double> v_with_;
  bool asks_for_all_ = true;
  bool jams_ = false;  ///< overlaps and open joints were kept for want of a solution
  int pause_ = 0;      ///< steps between two attempts at all that is wanted
  int wait_ = 0;       ///< steps until the next one

  Islands islands_;
  std::vector<char> contact_at_fault_;
  std::vector<char> joint_at_fault_;
};

}  // namespace stickslip
