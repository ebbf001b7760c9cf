// Contacts in colours: two of one colour share no body, so that a colour may be solved in any
// order, by several threads and four at once, with the same result.
//
// Greedy, in the order of the contacts: the first colour that both bodies have free. A body with
// more contacts than there are colours leaves some over, which are solved one after the other.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace stickslip {

class Colouring {
 public:
  static constexpr int kColours = 64;

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

  std::vector<std::uint64_t> taken_;  ///< colours of each body, by bits
  std::vector<unsigned char> colour_of_;
  std::vector<int> first_{0, 0};
  std::vector<int> members_;
};

}  // namespace stickslip
