// The order in which things are swept: by colours (contact/body_colours.hpp). What has none is a
// colour of its own.
#pragma once

#include <span>
#include <vector>

#include "contact/body_colours.hpp"

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
  static constexpr int kColours = BodyColours::kColours;

  void start(int bodies);
  void add(SweepUnit unit, std::span<const int> bodies);
  /// Sorts by colours; the order within a colour stays.
  void finish();

  std::span<const SweepColour> colours() const { return colours_; }
  std::span<const SweepUnit> quickUnits() const { return quick_; }
  std::span<const SweepUnit> otherUnits() const { return other_; }

 private:
  int next_own_ = kColours;
  BodyColours bodies_;
  std::vector<SweepUnit> units_;
  std::vector<SweepUnit> quick_;
  std::vector<SweepUnit> other_;
  std::vector<SweepColour> colours_;
};

}  // namespace stickslip
