// Directions of friction that a user gives: the corners of a set D of friction impulses
// ([ST00] 3.1).
//
// Friction is in mu p_n D, D = conv{d_1 ... d_m}. A direction has two tangential components and, if
// friction can give moments, one of spin about the normal and two of rolling about the tangents,
// which are lengths. Directions must be balanced: some of them with positive weights, all of them
// among these, add up to zero. Then zero is inside D, or inside of D as a part of the space that
// the directions span, and a contact that does not slide along that space feels no friction in it.
// [ST00] asks for pairs d and -d, which are balanced, as is every regular polygon ([A06] 4.1).
#pragma once

#include <array>
#include <memory>
#include <span>
#include <vector>

namespace stickslip {

class MemoryReader;
class MemoryWriter;

/// Corners of a friction polygon that a user gives.
class FrictionDirections : public std::enable_shared_from_this<FrictionDirections> {
 public:
  /// Those that scenes may give, and two of spin more (withSpin).
  static constexpr int kMostGiven = 64, kMost = kMostGiven + 2;
  static constexpr std::size_t kMostComponents = 5;
  using Pointer = std::shared_ptr<const FrictionDirections>;
  /// Two tangents, spin, rolling about the two tangents.
  using Direction = std::array<double, kMostComponents>;

  /// Throws InputError if there are less than two or more than kMost, one of them is zero or not
  /// finite, or they are not balanced.
  static Pointer make(std::span<const Direction> given);
  /// The same surface seen from below: normal and second tangent are turned round, and impulses
  /// are those on the other side.
  Pointer mirrored() const;
  /// These, which do not spin, and two more of pure spin.
  Pointer withSpin() const;

  /// As bytes, and the same directions again, to the bit (memory_stream.hpp).
  void saveMemory(MemoryWriter& to) const;
  static Pointer restored(MemoryReader& from);

  int count() const { return count_; }
  bool spins() const { return spin_reach_ > 0; }
  bool rolls() const { return rolling_reach_ > 0; }
  /// Components of a direction: 2, and those of spin and rolling if there are any.
  int rows() const { return 2 + (spins() ? 1 : 0) + (rolls() ? 2 : 0); }
  /// Direction k without units: tangents divided by tangentReach(), and so on.
  std::span<const double> operator[](int k) const {
    return std::span(entries_).subspan(k * rows(), rows());
  }
  /// How far the directions reach along the tangents, 1 if they do not; the largest spin [length];
  /// how far they reach in rolling [length].
  double tangentReach() const { return tangent_reach_; }
  double spinReach() const { return spin_reach_; }
  double rollingReach() const { return rolling_reach_; }
  /// Orthonormal vectors that span the directions without units.
  std::span<const Direction> span() const { return span_; }

 private:
  FrictionDirections() = default;
  Direction component(int k) const;
  static std::shared_ptr<FrictionDirections> normalized(std::span<const Direction> given);
  void findSpan();

  int count_ = 0;
  double tangent_reach_ = 1;
  double spin_reach_ = 0;
  double rolling_reach_ = 0;
  std::vector<double> entries_;  ///< count() x rows()
  std::vector<Direction> span_;
};

}  // namespace stickslip
