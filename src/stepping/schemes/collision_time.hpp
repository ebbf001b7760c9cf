// When contacts collide on the way q (+) s v, s from 0 to the rest of a step ([AP97] section 4).
//
// A contact collides if it was open at s = 0 and closes. Two questions find it:
//
//   What is at the end of the rest, and approaches there? A contact whose id is new because bodies
//   now touch elsewhere counts as open, since it is a collision only if it acts like one:
//   it approaches faster than ClosingScale says.
//   What closed before that, though it may open again by then, or has opened already? Systems
//   follow their contacts on the way (System::firstClosing); what they do not follow is looked at
//   a few times (ContactLooks).
//
// A closed contact that approaches at s = 0 collides there: [AP97] wants "either no
// interpenetration, or an instantaneous decrease", and this is how velocities at the start of a run
// that do not fit the contacts are brought to fit.
//
// The time of the first question is found by Newton's method on the gap that its own rate would
// close first, within a bracket: nothing overlaps at its lower end, something does at its upper
// end. Every third guess halves the bracket, which also ends the search where gaps jump, as when
// ids change. The search ends where contacts touch and none overlaps, or else at the upper end of a
// bracket that is rounding. Open gaps are looked up with a margin, for the next guess only:
// which points of two bodies are contacts may depend on it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "stickslip/system.hpp"

namespace stickslip {

// When contacts close that a system does not follow on its way (System::contactsNotFollowed): those
// of generalized coordinates, and limits of joints.
//
// They are looked at a few times. One that overlaps at a look, and was not closed at the start,
// has closed before. One that approaches at a look and has opened again at the next one is looked
// at between the two, where the cubic through both gaps and rates has its minimum, if that is low.
// The time is then found by Newton's method within a bracket. What closes and opens again between
// two looks in another way is not seen.
class ContactLooks {
 public:
  void reserve(const System& system);
  Closing firstClosing(const System& system, const Way& way, const ClosingScale& scale);

 private:
  /// The contacts at one time of the way.
  struct Look {
    double s = 0;
    ContactSet set;
  };
  /// What a look says of the contacts that were open at the start.
  struct Verdict {
    bool has_closed = false;
    bool is_at = false;
    double crossing = 0;  ///< when the first gap would close at the rate it has
  };

  Verdict lookAt(const System& system, double s, Look& look);
  double touchingAt(const Look& look, int i) const;
  bool isFollowed(const Look& look, int i) const;
  double lowestBetween(const Look& from, const Look& to) const;
  double locate(const System& system, double open, double closed);

  Way way_;
  ClosingScale scale_;
  std::vector<std::uint64_t> closed_;  ///< ids at the start, sorted
  std::vector<double> reach_;
  std::vector<double> q_;
  Look from_, to_, between_;
};

class CollisionTime {
 public:
  void reserve(const System& system);

  /// Sets out from q at time t with the velocity v. What it is given must outlive the search.
  void setOut(double t, std::span<const double> q, std::span<const double> v,
              const ClosingScale& scale);
  /// Looks which contacts are closed at s = 0, after setOut().
  void start(const System& system);
  /// True if a contact that is closed at s = 0 approaches.
  bool collidesAtStart() const { return collides_at_start_; }
  /// True if the unilateral contact `id`, group i of `rows`, collides if its gap has this rate.
  bool collides(std::uint64_t id, const BlockRows& rows, int i, double rate) const;
  /// How fast the fastest contact approaches that has collided at s; 0 if there is none.
  double fastestAt(const System& system, double s) { return lookAt(system, s, 0).fastest; }
  /// The time s in (0, rest] of the first collision. At s = rest something has collided, with at
  /// most the speed `fastest`.
  double locate(const System& system, double rest, double fastest);
  /// The first contact that closes before `time`, whatever it does there; after setOut().
  Closing firstClosing(const System& system, double time);

 private:
  struct Look {
    bool overlaps = false;  ///< something that collides overlaps by more than it may
    bool touches = false;   ///< something that collides is within touching distance
    double fastest = 0;     ///< how fast these approach, at most
    double crossing = 0;    ///< when the first gap would close at the rate it has
  };
  /// With contacts up to `margin` farther away than touching.
  Look lookAt(const System& system, double s, double margin);

  double t_ = 0;
  std::span<const double> q_start_;
  std::span<const double> v_;
  ClosingScale scale_;
  bool collides_at_start_ = false;
  std::vector<std::uint64_t> closed_;  ///< ids of contacts closed at s = 0, sorted

  ContactSet contacts_;
  std::vector<double> q_;
  ContactLooks looks_;
};

}  // namespace stickslip
