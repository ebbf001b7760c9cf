// How an impulse set of the contact problem becomes cones without units (cone.hpp).
//
// Rows are multiplied by factors that make the set a unit one: tangents by mu, spin by torsion,
// rolling by its length. Rows without friction fall away. Most sets are one cone; friction that
// does not depend on the load is a cone of its own beside that of the normal.
#pragma once

#include <array>
#include <cmath>
#include <span>

#include "cones/cone.hpp"

namespace stickslip {

/// A cone that is not placed yet: which rows of the contact it keeps, and their factors.
struct ConeLayout {
  Cone cone;
  std::array<int, kMostRows> kept{};
  std::array<double, kMostRows> factor{};

  std::span<const int> rows() const { return std::span(kept).first(cone.rows); }
};

struct SetLayout {
  int count = 1;
  std::array<ConeLayout, 2> parts;

  std::span<const ConeLayout> cones() const { return std::span(parts).first(count); }
};

/// Bounds and radius are those of impulses of the problem, and have their units.
SetLayout layoutOf(const ImpulseSet& set);

/// The lengths by which angular velocities of a contact become velocities that can be compared with
/// those of its normal: sqrt(W_nn / W_kk), for the spin, and one for all rows of rolling; 1 for the
/// others. W_kk(k) is the diagonal entry of row k of the contact.
template <class Diagonal>
std::array<double, kMostRows> rowLengths(const ImpulseSet& set, Diagonal W_kk) {
  std::array<double, kMostRows> out;
  out.fill(1);
  const int first = set.linearRows();
  const auto fill = [&](int begin, int end) {
    double mobility = 0;
    for (int k = begin; k < end; ++k) mobility += W_kk(k) / (end - begin);
    const double length = std::sqrt(W_kk(0) / mobility);
    if (!(length > 0 && std::isfinite(length))) return;
    for (int k = begin; k < end; ++k) out[k] = length;
  };
  if (set.spinRows() > 0) fill(first, first + 1);
  if (set.rollingRows() > 0) fill(first + set.spinRows(), set.dimension());
  return out;
}

}  // namespace stickslip
