#include "solvers/sweep_colours.hpp"

#include <algorithm>

namespace stickslip {

void SweepColours::start(int bodies) {
  bodies_.start(bodies);
  units_.clear();
  next_own_ = kColours;
}

void SweepColours::add(SweepUnit unit, std::span<const int> bodies) {
  unit.colour = bodies_.take(bodies);
  if (unit.colour == kColours) unit.colour = next_own_++;
  units_.push_back(unit);
}

void SweepColours::finish() {
  colours_.assign(static_cast<std::size_t>(next_own_), {});
  for (const SweepUnit& unit : units_)
    ++colours_[static_cast<std::size_t>(unit.colour)].of(unit.by).end;
  std::array<int, kSweepClasses> next{};
  for (SweepColour& colour : colours_)
    for (std::size_t k = 0; k < kSweepClasses; ++k) {
      SweepRange& range = colour.ranges()[k];
      next[k] += range.end;
      range.first = range.end = next[k] - range.end;
    }
  for (std::size_t k = 0; k < kSweepClasses; ++k)
    sorted_[k].resize(static_cast<std::size_t>(next[k]));
  for (const SweepUnit& unit : units_) {
    SweepRange& range = colours_[static_cast<std::size_t>(unit.colour)].of(unit.by);
    sorted_[static_cast<std::size_t>(unit.by)][static_cast<std::size_t>(range.end++)] = unit;
  }
  std::erase_if(colours_, [](const SweepColour& colour) { return colour.isEmpty(); });
}

bool SweepColour::isEmpty() const {
  return std::all_of(ranges_.begin(), ranges_.end(),
                     [](const SweepRange& range) { return range.count() == 0; });
}

}  // namespace stickslip
