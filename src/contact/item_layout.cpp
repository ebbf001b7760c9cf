#include "contact/item_layout.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

namespace stickslip {
namespace {

using Kind = ImpulseSet::Kind;

// How far a regular polygon reaches along the first or second axis.
double reachOfPolygon(int directions, std::size_t axis) {
  double reach = 0;
  for (int k = 0; k < directions; ++k)
    reach = std::max(reach, std::abs(polygonCorner(directions, k)[axis]));
  return reach;
}

// Half axes of the set along the tangents. Without friction along one axis a polygon is a segment
// along the other.
std::array<double, 2> tangentFactors(const ImpulseSet& set) {
  std::array<double, 2> out{set.tangents() > 0 ? set.mu : 0, set.tangents() > 1 ? set.mu_2 : 0};
  if (set.kind != Kind::polyhedral || set.given || (set.mu > 0 && set.mu_2 > 0)) return out;
  for (std::size_t axis = 0; axis < 2; ++axis) out[axis] *= reachOfPolygon(set.directions, axis);
  return out;
}

void keep(ItemLayout& layout, int row, double factor) {
  if (!(factor > 0)) return;
  const auto k = static_cast<std::size_t>(layout.item.rows++);
  layout.kept[k] = row;
  layout.factor[k] = factor;
}

// A set of so many rows with friction. A polygon of one row is an interval, and the hull of two
// intervals a square on its corner.
FrictionShape shapeOf(const ImpulseSet& set, int rows, bool spins) {
  FrictionShape shape{rows};
  if (set.kind == Kind::polyhedral && rows > 1)
    shape.directions = rows == 2 && spins ? 4 : set.directions;
  return shape;
}

FrictionShape hullOf(const ImpulseSet& set, int rows) {
  assert(rows == set.given->rows());
  return {rows, set.given->count(), set.given.get()};
}

// Tangents in a set of their own. One row is an interval.
ItemLayout fixedFriction(const ImpulseSet& set) {
  ItemLayout out;
  const std::array<double, 2> factors = tangentFactors(set);
  const double radius = std::max(factors[0], factors[1]);
  for (int k = 0; k < 2; ++k) keep(out, 1 + k, factors[static_cast<std::size_t>(k)] / radius);
  out.item.kind = out.item.rows == 1 ? ContactItem::Kind::interval : ContactItem::Kind::fixed;
  out.item.lower = -radius;
  out.item.upper = radius;
  out.item.radius = radius;
  out.item.shapes[0] = set.given ? hullOf(set, out.item.rows) : shapeOf(set, out.item.rows, false);
  return out;
}

// One section is a cone or a polygon, unless it is a bipyramid or a hull.
void chooseKind(ContactItem& item) {
  if (item.shapes[0].rows == 0) std::swap(item.shapes[0], item.shapes[1]);
  const FrictionShape& only = item.shapes[0];
  if (item.shapes[1].rows > 0 || only.given != nullptr || (only.directions > 0 && only.rows == 3)) {
    item.kind = ContactItem::Kind::sections;
    return;
  }
  if (only.directions == 0) return;
  item.kind = ContactItem::Kind::polygon;
  item.directions = only.directions;
}

}  // namespace

SetLayout layoutOf(const ImpulseSet& set) {
  SetLayout out;
  ItemLayout& main = out.parts[0];
  keep(main, 0, 1);
  if (set.kind == Kind::interval) {
    main.item.kind = ContactItem::Kind::interval;
    main.item.lower = set.lower;
    main.item.upper = set.upper;
    return out;
  }
  if (!set.load_independent)
    for (int k = 0; k < set.tangents(); ++k)
      keep(main, 1 + k, tangentFactors(set)[static_cast<std::size_t>(k)]);
  const int spin = set.linearRows(), rolling = spin + set.spinRows();
  if (set.spinRows() > 0) keep(main, spin, set.torsion);
  const bool hull = set.given && !set.load_independent;
  if (!hull) main.item.shapes[0] = shapeOf(set, main.item.rows - 1, set.spinRows() > 0);
  for (int k = 0; k < set.rollingRows(); ++k) keep(main, rolling + k, set.rolling);
  if (hull) main.item.shapes[0] = hullOf(set, set.given->rows());
  if (set.rollsApart()) main.item.shapes[1] = shapeOf(set, set.rollingRows(), false);
  chooseKind(main.item);
  if (set.load_independent && (set.mu > 0 || (set.tangents() > 1 && set.mu_2 > 0)))
    out.parts[static_cast<std::size_t>(out.count++)] = fixedFriction(set);
  return out;
}

}  // namespace stickslip
