// Against pivoting in circles: a covering vector without ties, and a guard that notices a basis
// that returns.
//
// A basis is known by a hash, the exclusive or of a random-looking number for each of its
// variables, so that an exchange costs one operation. It is compared with one earlier basis, which
// is remembered anew after 1, 2, 4, ... exchanges (R. P. Brent, BIT 20 (1980)): a cycle of any
// length is found within three times the exchanges up to its end.
#pragma once

#include <cmath>
#include <cstdint>

namespace stickslip {

/// Entry i of a generic covering vector: in [1, 2), all different, for every attempt in another way
/// (multiples of the golden ratio, and of its like for the next dimension, modulo one).
inline double genericCover(int i, int attempt) {
  const double x = 0.6180339887498949 * (i + 1) + 0.7548776662466927 * attempt;
  return 1.0 + (x - std::floor(x));
}

class CycleGuard {
 public:
  void start() { *this = {}; }
  void exchange(int entering, int leaving) { hash_ ^= hashOf(entering) ^ hashOf(leaving); }
  /// To be asked once after every exchange.
  bool hasReturned() {
    if (hash_ == remembered_) return true;
    if (++exchanges_ == remembered_for_) {
      remembered_ = hash_;
      remembered_for_ *= 2;
      exchanges_ = 0;
    }
    return false;
  }

 private:
  static constexpr std::uint64_t hashOf(int variable) {
    std::uint64_t x = static_cast<std::uint64_t>(variable + 1) * 0x9e3779b97f4a7c15ULL;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
    return x ^ (x >> 31);
  }

  std::uint64_t hash_ = 0;  ///< relative to the first basis
  std::uint64_t remembered_ = 0;
  std::int64_t exchanges_ = 0;       ///< since that basis was remembered
  std::int64_t remembered_for_ = 1;  ///< exchanges until another one is
};

}  // namespace stickslip
