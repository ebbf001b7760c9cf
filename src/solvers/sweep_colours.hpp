// The order in which things are swept: colours, such that no two of one colour touch the same body.
// A colour can be swept by many threads, and what comes out depends on the colours alone.
//
// Greedy, in the order in which they are added: the first colour that none of its bodies has. A
// body that touches more than there are colours leaves some without one; each of these is a colour
// of its own.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <vector>

namespace stickslip {

/// What is swept: a contact as a whole, one of its items, or rows of a joint.
struct SweepUnit {
  int group = 0;  ///< of J or G
  int part = 0;   ///< of a contact: which item; of a joint: the first row
  bool joint = false;
  bool quick = false;  ///< taken by the kernels
  int colour = 0;
};

/// A colour: quick units and others, each as a range.
struct SweepColour {
  int first_quick = 0;
  int end_quick = 0;
  int first_other = 0;
  int end_other = 0;
};

class SweepColours {
 public:
  static constexpr int kColours = 64;

  void start(int bodies);
  void add(SweepUnit unit, std::span<const int> bodies);
  /// Sorts by colours; the order within a colour stays.
  void finish();

  std::span<const SweepColour> colours() const { return colours_; }
  std::span<const SweepUnit> quickUnits() const { return quick_; }
  std::span<const SweepUnit> otherUnits() const { return other_; }

 private:
  int next_own_ = kColours;
  std::vector<std::uint64_t> used_;  ///< of each body, a bit for each colour
  std::vector<SweepUnit> units_;
  std::vector<SweepUnit> quick_;
  std::vector<SweepUnit> other_;
  std::vector<SweepColour> colours_;
};

}  // namespace stickslip
