#include "solvers/certificate_moments.hpp"

#include <algorithm>
#include <cmath>

#include "solvers/certificate_sections.hpp"
#include "stickslip/elementary.hpp"

namespace stickslip {
namespace certificate {
namespace {

Friction partOf(const FrictionSection& section, const ImpulseVector& x) {
  Friction out{};
  std::copy_n(x.begin() + section.first_row, section.rows, out.begin());
  return out;
}

Friction wayFrom(const Friction& a, const Friction& b) {
  Friction out;
  for (std::size_t k = 0; k < a.size(); ++k) out[k] = b[k] - a[k];
  return out;
}

// The nearest point for a given p_n, and half of the derivative of its squared distance by p_n.
double placeFriction(const FrictionSections& sections, double n, const ImpulseVector& x,
                     ImpulseVector& y) {
  double slope = n - x[0];
  y[0] = n;
  for (int g = 0; g < sections.count; ++g) {
    const FrictionSection& section = sections.list[static_cast<std::size_t>(g)];
    const Friction part = partOf(section, x);
    const Friction nearest = section.nearest(section.grows_with_load ? n : 1, part);
    std::copy_n(nearest.begin(), section.rows, y.begin() + section.first_row);
    if (section.grows_with_load) slope -= section.power(wayFrom(part, nearest));
  }
  return slope;
}

ImpulseVector rowOf(const FrictionSection& section, const Friction& x) {
  ImpulseVector row{};
  std::copy_n(x.begin(), section.rows, row.begin() + section.first_row);
  return row;
}

// Corners that are given need not span all rows: velocities across their span feel no friction. A
// face may have more corners than it needs.
void addLoadsOfGiven(const FrictionSection& section, const ImpulseVector& u, double closed,
                     ImpulseVector& edge, LoadDirections& out) {
  std::array<Friction, kFrictionRows> span{}, face{};
  std::size_t rank = 0, sides = 0;
  double most = 0, sliding = 0;
  for (int k = 0; k < section.cornerCount(); ++k) {
    addIndependent(section.corner(k), span, rank);
    for (const double part : section.corner(k)) most = std::max(most, std::abs(part));
  }
  const Friction velocity = partOf(section, u);
  for (std::size_t i = 0; i < rank; ++i) {
    double along = 0;
    for (std::size_t k = 0; k < velocity.size(); ++k) along += span[i][k] * velocity[k];
    sliding = math::hypot(sliding, along);
  }
  if (sliding <= closed) {
    for (std::size_t i = 0; i < rank; ++i) out.add(rowOf(section, span[i]));
    return;
  }
  const Friction strongest = section.strongest(velocity);
  if (section.grows_with_load)
    std::copy_n(strongest.begin(), section.rows, edge.begin() + section.first_row);
  const double power = section.power(velocity);
  for (int k = 0; k < section.cornerCount(); ++k) {
    const Friction corner = section.corner(k), side = wayFrom(strongest, corner);
    double taken = 0;
    for (std::size_t i = 0; i < corner.size(); ++i) taken -= corner[i] * velocity[i];
    if (taken >= power - most * closed && addIndependent(side, face, sides))
      out.add(rowOf(section, side));
  }
}

// A section that sticks leaves all of its rows free. One that slides belongs to the normal, but for
// what corners that take as much power as the strongest one are apart from it.
void addSectionLoads(const FrictionSection& section, const ImpulseVector& u, double closed,
                     ImpulseVector& edge, LoadDirections& out) {
  if (section.given != nullptr) return addLoadsOfGiven(section, u, closed, edge, out);
  const auto first = static_cast<std::size_t>(section.first_row);
  Friction sliding = partOf(section, u);
  double most = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    if (!(section.half_axes[k] > 0)) sliding[k] = 0;
    most = std::max(most, section.half_axes[k]);
  }
  if (math::hypot(sliding[0], sliding[1], sliding[2]) <= closed) {
    for (std::size_t k = 0; k < static_cast<std::size_t>(section.rows); ++k)
      if (section.half_axes[k] > 0) {
        ImpulseVector row{};
        row[first + k] = 1;
        out.add(row);
      }
    return;
  }
  const Friction strongest = section.strongest(sliding);
  if (section.grows_with_load)
    std::copy_n(strongest.begin(), section.rows, edge.begin() + section.first_row);
  const double power = section.power(sliding);
  for (int k = 0; k < section.cornerCount(); ++k) {
    const Friction corner = section.corner(k);
    double taken = 0, apart = 0;
    ImpulseVector row{};
    for (std::size_t i = 0; i < static_cast<std::size_t>(section.rows); ++i) {
      taken -= corner[i] * sliding[i];
      row[first + i] = corner[i] - strongest[i];
      apart = std::max(apart, std::abs(row[first + i]));
    }
    if (taken >= power - most * closed && apart > 0) out.add(row);
  }
}

}  // namespace

// The squared distance is convex in p_n: its slope is zero where the sign changes, by the secant
// within a bracket, or half of it where that is slow.
ImpulseVector projectOnSections(const ImpulseSet& set, const ImpulseVector& x) {
  const FrictionSections sections = sectionsOf(set);
  ImpulseVector y{};
  double low = std::max(x[0], 0.0), at_low = placeFriction(sections, low, x, y);
  if (at_low >= 0) return y;
  double high = low - at_low, at_high = placeFriction(sections, high, x, y);
  for (int pass = 0; pass < 300 && at_high > 0; ++pass) {
    double n = low - at_low * (high - low) / (at_high - at_low);
    if (pass % 3 == 2) n = low + (high - low) / 2;
    if (!(n > low && n < high)) {
      placeFriction(sections, -at_low < at_high ? low : high, x, y);
      break;
    }
    const double slope = placeFriction(sections, n, x, y);
    (slope < 0 ? low : high) = n;
    (slope < 0 ? at_low : at_high) = slope;
    if (slope == 0) break;
  }
  return y;
}

double sectionsPower(const ImpulseSet& set, const ImpulseVector& u) {
  const FrictionSections sections = sectionsOf(set);
  double sum = 0;
  for (int g = 0; g < sections.count; ++g) {
    const FrictionSection& section = sections.list[static_cast<std::size_t>(g)];
    if (section.grows_with_load) sum += section.power(partOf(section, u));
  }
  return sum;
}

LoadDirections sectionLoads(const ImpulseSet& set, const ImpulseVector& u, double closed) {
  const FrictionSections sections = sectionsOf(set);
  const bool is_open = std::abs(u[0]) > closed;
  LoadDirections out;
  ImpulseVector edge{1};
  for (int g = 0; g < sections.count; ++g) {
    const FrictionSection& section = sections.list[static_cast<std::size_t>(g)];
    if (!(section.grows_with_load && is_open)) addSectionLoads(section, u, closed, edge, out);
  }
  if (!is_open) out.add(edge);
  return out;
}

}  // namespace certificate

ScaledSet scaledSet(const ImpulseSet& set, const ImpulseVector& mobility) {
  ScaledSet out{set};
  const int spin = set.linearRows(), rolling = spin + set.spinRows();
  const auto lengthOf = [&](int begin, int end) {
    double mean = 0;
    for (int k = begin; k < end; ++k) mean += mobility[static_cast<std::size_t>(k)] / (end - begin);
    const double length = std::sqrt(mobility[0] / mean);
    if (!(length > 0 && std::isfinite(length))) return 1.0;
    for (int k = begin; k < end; ++k) out.length[static_cast<std::size_t>(k)] = length;
    return length;
  };
  if (set.spinRows() > 0) out.set.torsion /= lengthOf(spin, rolling);
  if (set.rollingRows() > 0) out.set.rolling /= lengthOf(rolling, set.dimension());
  return out;
}

}  // namespace stickslip
