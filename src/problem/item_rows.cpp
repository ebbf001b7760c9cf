#include "problem/item_rows.hpp"

#include <algorithm>

namespace stickslip {

void ItemRows::clear() {
  cones_.clear();
  strips_.clear();
  values_.clear();
}

void ItemRows::startItem(int rows) {
  cones_.push_back({rows, strips_.size(), strips_.size()});
}

std::span<double> ItemRows::addStrip(int slot, int columns) {
  Item& cone = cones_.back();
  strips_.push_back({slot, columns, values_.size()});
  cone.end_strip = strips_.size();
  const auto size = static_cast<std::size_t>(cone.rows * columns);
  values_.resize(values_.size() + size);
  return std::span(values_).last(size);
}

void ItemRows::velocity(int cone, std::span<const double> w, std::span<double> u) const {
  const Item& it = cones_[cone];
  std::fill(u.begin(), u.end(), 0.0);
  for (std::size_t s = it.first_strip; s < it.end_strip; ++s) {
    const Strip& strip = strips_[s];
    const double* a = values_.data() + strip.first_value;
    const double* x = w.data() + strip.slot;
    for (double& sum : u)
      for (int k = 0; k < strip.columns; ++k) sum += *a++ * x[k];
  }
}

void ItemRows::push(int cone, std::span<const double> p, std::span<double> w) const {
  const Item& it = cones_[cone];
  for (std::size_t s = it.first_strip; s < it.end_strip; ++s) {
    const Strip& strip = strips_[s];
    const double* a = values_.data() + strip.first_value;
    double* x = w.data() + strip.slot;
    for (const double impulse : p)
      for (int k = 0; k < strip.columns; ++k) x[k] += *a++ * impulse;
  }
}

}  // namespace stickslip
