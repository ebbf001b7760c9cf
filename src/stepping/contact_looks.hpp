// When contacts close that a system does not follow on its way (System::contactsNotFollowed): those
// of generalized coordinates, and limits of joints.
//
// They are looked at kLooks times. One that overlaps at a look, and was not closed at the start,
// has closed before. One that approaches at a look and has opened again at the next one is looked
// at between the two, where the cubic through both gaps and rates has its minimum, if that is low.
// The time is then found by Newton's method within a bracket. What closes and opens again between
// two looks in another way is not seen.
#pragma once

#include <cstdint>
#include <vector>

#include "stickslip/system.hpp"

namespace stickslip {

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

}  // namespace stickslip
