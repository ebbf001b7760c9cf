// Contacts sorted by colours (contact/body_colours.hpp), taken in their order. Those without one
// are left over, and are solved one after the other.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "contact/body_colours.hpp"

namespace stickslip {

class Colouring {
 public:
  static constexpr int kColours = BodyColours::kColours;

  /// Two bodies of each contact, -1 for those that do not move.
  void find(std::span<const std::array<int, 2>> bodies, int body_count);

  /// Colours in use.
  int count() const { return static_cast<int>(first_.size()) - 2; }
  /// Contacts of a colour, ascending.
  std::span<const int> members(int colour) const { return part(colour); }
  /// Contacts without one.
  std::span<const int> leftOver() const { return part(count()); }

 private:
  std::span<const int> part(int k) const;

  BodyColours colours_;
  std::vector<unsigned char> colour_of_;
  std::vector<int> first_{0, 0};
  std::vector<int> members_;
};

}  // namespace stickslip
