// The order in which things are swept: by colours (contact/body_colours.hpp). What has none is a
// colour of its own.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "contact/body_colours.hpp"

namespace stickslip {

/// Who sweeps it.
enum class SweepClass : char {
  record,  ///< gradient_kernels.hpp
  item,    ///< gradient_items.hpp
};
inline constexpr std::size_t kSweepClasses = 2;

/// What is swept: a contact as a whole, one of its items, or rows of a joint.
struct SweepUnit {
  int group = 0;  ///< of J or G
  int part = 0;   ///< of a contact: which item; of a joint: the first row
  bool joint = false;
  SweepClass by = SweepClass::item;
  int colour = 0;
};

struct SweepRange {
  int first = 0;
  int end = 0;

  int count() const { return end - first; }
};

/// A colour: a range of the units of each class.
class SweepColour {
 public:
  SweepRange& of(SweepClass by) { return ranges_[static_cast<std::size_t>(by)]; }
  const SweepRange& of(SweepClass by) const { return ranges_[static_cast<std::size_t>(by)]; }
  std::span<SweepRange> ranges() { return ranges_; }
  bool isEmpty() const;

 private:
  std::array<SweepRange, kSweepClasses> ranges_;
};

class SweepColours {
 public:
  static constexpr int kColours = BodyColours::kColours;

  void start(int bodies);
  void add(SweepUnit unit, std::span<const int> bodies);
  /// Sorts by colours; the order within a colour stays.
  void finish();

  std::span<const SweepColour> colours() const { return colours_; }
  std::span<const SweepUnit> units(SweepClass by) const {
    return sorted_[static_cast<std::size_t>(by)];
  }

 private:
  int next_own_ = kColours;
  BodyColours bodies_;
  std::vector<SweepUnit> units_;
  std::array<std::vector<SweepUnit>, kSweepClasses> sorted_;
  std::vector<SweepColour> colours_;
};

}  // namespace stickslip
