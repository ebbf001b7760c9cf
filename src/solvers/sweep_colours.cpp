#include "solvers/sweep_colours.hpp"

namespace stickslip {

void SweepColours::start(int bodies) {
  used_.assign(static_cast<std::size_t>(bodies), 0);
  units_.clear();
  next_own_ = kColours;
}

void SweepColours::add(SweepUnit unit, std::span<const int> bodies) {
  std::uint64_t taken = 0;
  for (const int body : bodies) taken |= used_[static_cast<std::size_t>(body)];
  unit.colour = std::countr_one(taken);
  if (unit.colour == kColours)
    unit.colour = next_own_++;
  else
    for (const int body : bodies)
      used_[static_cast<std::size_t>(body)] |= std::uint64_t{1} << unit.colour;
  units_.push_back(unit);
}

void SweepColours::finish() {
  colours_.assign(static_cast<std::size_t>(next_own_), {});
  for (const SweepUnit& unit : units_) {
    SweepColour& colour = colours_[static_cast<std::size_t>(unit.colour)];
    ++(unit.quick ? colour.end_quick : colour.end_other);
  }
  int quick = 0, other = 0;
  for (SweepColour& colour : colours_) {
    quick += colour.end_quick;
    other += colour.end_other;
    colour.first_quick = colour.end_quick = quick - colour.end_quick;
    colour.first_other = colour.end_other = other - colour.end_other;
  }
  quick_.resize(static_cast<std::size_t>(quick));
  other_.resize(static_cast<std::size_t>(other));
  for (const SweepUnit& unit : units_) {
    SweepColour& colour = colours_[static_cast<std::size_t>(unit.colour)];
    if (unit.quick)
      quick_[static_cast<std::size_t>(colour.end_quick++)] = unit;
    else
      other_[static_cast<std::size_t>(colour.end_other++)] = unit;
  }
  std::erase_if(colours_, [](const SweepColour& colour) {
    return colour.first_quick == colour.end_quick && colour.first_other == colour.end_other;
  });
}

}  // namespace stickslip
