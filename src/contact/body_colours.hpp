// Colours for things that touch bodies, so that no two of one colour touch the same body: a colour
// can be worked on in any order, by several threads and several at once, with the same result.
//
// Greedy: the first colour that none of its bodies has. A body that touches more than there are
// colours leaves some without one.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <vector>

namespace stickslip {

class BodyColours {
 public:
  static constexpr int kColours = 64;

  void start(int bodies) { taken_.assign(static_cast<std::size_t>(bodies), 0); }
  /// The colour of the next thing, which touches these bodies (negative ones do not count);
  /// kColours if there is none left.
  int take(std::span<const int> bodies) {
    std::uint64_t taken = 0;
    for (const int body : bodies)
      if (body >= 0) taken |= taken_[static_cast<std::size_t>(body)];
    const int colour = std::countr_one(taken);
    if (colour == kColours) return kColours;
    for (const int body : bodies)
      if (body >= 0) taken_[static_cast<std::size_t>(body)] |= std::uint64_t{1} << colour;
    return colour;
  }
  /// Takes a colour from these bodies again.
  void release(std::span<const int> bodies, int colour) {
    for (const int body : bodies)
      if (body >= 0) taken_[static_cast<std::size_t>(body)] &= ~(std::uint64_t{1} << colour);
  }

 private:
  std::vector<std::uint64_t> taken_;  ///< of each body, a bit for each colour
};

}  // namespace stickslip
