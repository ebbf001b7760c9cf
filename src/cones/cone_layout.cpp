#include "cones/cone_layout.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

namespace stickslip {
namespace {

using SetKind = ImpulseSet::Kind;

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
  if (set.kind != SetKind::polyhedral || set.given || (set.mu > 0 && set.mu_2 > 0)) return out;
  for (std::size_t axis = 0; axis < 2; ++axis) out[axis] *= reachOfPolygon(set.directions, axis);
  return out;
}

void keep(ConeLayout& layout, int row, double factor) {
  if (!(factor > 0)) return;
  const std::size_t k = layout.cone.rows++;
  layout.kept[k] = row;
  layout.factor[k] = factor;
}

// A set of so many rows with friction. A polygon of one row is an interval, and the hull of two
// intervals a square on its corner.
FrictionShape shapeOf(const ImpulseSet& set, int rows, bool spins) {
  FrictionShape shape{rows};
  if (set.kind == SetKind::polyhedral && rows > 1)
    shape.directions = rows == 2 && spins ? 4 : set.directions;
  return shape;
}

FrictionShape hullOf(const ImpulseSet& set, int rows) {
  assert(rows == set.given->rows());
  return {rows, set.given->count(), set.given.get()};
}

// Tangents in a set of their own. One row is an interval.
ConeLayout fixedFriction(const ImpulseSet& set) {
  ConeLayout out;
  const std::array<double, 2> factors = tangentFactors(set);
  const double radius = std::max(factors[0], factors[1]);
  for (int k = 0; k < 2; ++k) keep(out, 1 + k, factors[k] / radius);
  out.cone.kind = out.cone.rows == 1 ? Cone::Kind::interval : Cone::Kind::load_independent;
  out.cone.lower = -radius;
  out.cone.upper = radius;
  out.cone.radius = radius;
  out.cone.shapes[0] = set.given ? hullOf(set, out.cone.rows) : shapeOf(set, out.cone.rows, false);
  return out;
}

// One section is a cone or a polygon, unless it is a bipyramid or a hull.
void chooseKind(Cone& cone) {
  if (cone.shapes[0].rows == 0) std::swap(cone.shapes[0], cone.shapes[1]);
  const FrictionShape& only = cone.shapes[0];
  if (cone.shapes[1].rows > 0 || only.given != nullptr || (only.directions > 0 && only.rows == 3)) {
    cone.kind = Cone::Kind::sections;
    return;
  }
  if (only.directions == 0) return;
  cone.kind = Cone::Kind::polygon;
  cone.directions = only.directions;
}

}  // namespace

SetLayout layoutOf(const ImpulseSet& set) {
  SetLayout out;
  ConeLayout& main = out.parts[0];
  keep(main, 0, 1);
  if (set.kind == SetKind::interval) {
    main.cone.kind = Cone::Kind::interval;
    main.cone.lower = set.lower;
    main.cone.upper = set.upper;
    return out;
  }
  if (!set.load_independent)
    for (int k = 0; k < set.tangents(); ++k) keep(main, 1 + k, tangentFactors(set)[k]);
  const int spin = set.linearRows(), rolling = spin + set.spinRows();
  if (set.spinRows() > 0) keep(main, spin, set.torsion);
  const bool hull = set.given && !set.load_independent;
  if (!hull) main.cone.shapes[0] = shapeOf(set, main.cone.rows - 1, set.spinRows() > 0);
  for (int k = 0; k < set.rollingRows(); ++k) keep(main, rolling + k, set.rolling);
  if (hull) main.cone.shapes[0] = hullOf(set, set.given->rows());
  if (set.rollsApart()) main.cone.shapes[1] = shapeOf(set, set.rollingRows(), false);
  chooseKind(main.cone);
  const bool rubs = set.tangents() > 0 && (set.mu > 0 || (set.tangents() > 1 && set.mu_2 > 0));
  if (set.load_independent && rubs) out.parts[out.count++] = fixedFriction(set);
  return out;
}

}  // namespace stickslip
