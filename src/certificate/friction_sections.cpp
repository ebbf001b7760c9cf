#include "certificate/friction_sections.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

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
    const FrictionSection& section = sections.list[g];
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
  const std::size_t first = section.first_row;
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
    const FrictionSection& section = sections.list[g];
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
    const FrictionSection& section = sections.list[g];
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
    for (int k = begin; k < end; ++k) mean += mobility[k] / (end - begin);
    const double length = std::sqrt(mobility[0] / mean);
    if (!(length > 0 && std::isfinite(length))) return 1.0;
    for (int k = begin; k < end; ++k) out.length[k] = length;
    return length;
  };
  if (set.spinRows() > 0) out.set.torsion /= lengthOf(spin, rolling);
  if (set.rollingRows() > 0) out.set.rolling /= lengthOf(rolling, set.dimension());
  return out;
}

}  // namespace stickslip

namespace stickslip::certificate {

namespace {

double sectionDot(const Friction& a, const Friction& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

double wholeDotProduct(const Friction& a, const Friction& b) {
  return sectionDot(a, b) + a[3] * b[3] + a[4] * b[4];
}

Friction sectionDifference(const Friction& a, const Friction& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}

// a + t (b - a).
Friction between(const Friction& a, const Friction& b, double t) {
  return {a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1]), a[2] + t * (b[2] - a[2])};
}

Friction nearestOfSegment(const Friction& a, const Friction& b, const Friction& y) {
  const Friction side = sectionDifference(b, a);
  const double square = sectionDot(side, side);
  const double t = square > 0 ? sectionDot(sectionDifference(y, a), side) / square : 0;
  return between(a, b, std::clamp(t, 0.0, 1.0));
}

// The foot of y on the plane of a triangle if it is inside, else the nearest point of its sides.
Friction nearestOfTriangle(const Friction& a, const Friction& b, const Friction& c,
                           const Friction& y) {
  const Friction e = sectionDifference(b, a), f = sectionDifference(c, a),
                 d = sectionDifference(y, a);
  const double ee = sectionDot(e, e), ef = sectionDot(e, f), ff = sectionDot(f, f);
  const double de = sectionDot(d, e), df = sectionDot(d, f), determinant = ee * ff - ef * ef;
  const double s = (ff * de - ef * df) / determinant, t = (ee * df - ef * de) / determinant;
  if (s >= 0 && t >= 0 && s + t <= 1)
    return {a[0] + s * e[0] + t * f[0], a[1] + s * e[1] + t * f[1], a[2] + s * e[2] + t * f[2]};
  Friction best{};
  double least = std::numeric_limits<double>::infinity();
  for (const Friction& point :
       {nearestOfSegment(a, b, y), nearestOfSegment(b, c, y), nearestOfSegment(c, a, y)}) {
    const Friction apart = sectionDifference(y, point);
    if (sectionDot(apart, apart) >= least) continue;
    least = sectionDot(apart, apart);
    best = point;
  }
  return best;
}

// x_i = y_i a_i^2 / (a_i^2 + t), where t > 0 makes the norm of the x_i / a_i one. The inverse of
// that norm is nearly linear in t, and Newton's method on it comes from the left.
Friction nearestOfEllipsoid(const Friction& half_axes, double n, const Friction& y) {
  Friction a{};
  double inside = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    a[i] = n * half_axes[i];
    if (a[i] > 0) inside = math::hypot(inside, y[i] / a[i]);
  }
  double t = 0;
  for (int pass = 0; pass < 100 && inside > 1; ++pass) {
    double square = 0, slope = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      if (!(a[i] > 0)) continue;
      const double part = y[i] * a[i] / (a[i] * a[i] + t);
      square += part * part;
      slope += part * part / (a[i] * a[i] + t);
    }
    const double next = t + square / slope * (std::sqrt(square) - 1);
    if (!(next > t)) break;
    t = next;
  }
  Friction out{};
  for (std::size_t i = 0; i < 3; ++i)
    if (a[i] > 0) out[i] = inside > 1 ? y[i] * a[i] * a[i] / (a[i] * a[i] + t) : y[i];
  return out;
}

// The hull of +- the half axes `axis` and 2.
Friction nearestOfDiamond(const Friction& half_axes, std::size_t axis, double n,
                          const Friction& y) {
  Friction across{}, up{};
  across[axis] = std::copysign(n * half_axes[axis], y[axis]);
  up[2] = std::copysign(n * half_axes[2], y[2]);
  if (y[axis] / across[axis] + y[2] / up[2] > 1) return nearestOfSegment(across, up, y);
  Friction out{};
  out[axis] = y[axis];
  out[2] = y[2];
  return out;
}

// y, and the shortest way from there to the hull.
Friction nearestOfGiven(const FrictionSection& section, double n, const Friction& y) {
  std::array<Friction, FrictionDirections::kMost> points;
  for (int k = 0; k < section.directions; ++k) {
    const Friction corner = section.corner(k);
    Friction& point = points[k];
    for (std::size_t i = 0; i < corner.size(); ++i) point[i] = n * corner[i] - y[i];
  }
  const std::size_t count = section.directions;
  const Friction way = shortestOfHull(std::span(points).first(count));
  Friction out;
  for (std::size_t i = 0; i < y.size(); ++i) out[i] = y[i] + way[i];
  return out;
}

// Inside if y is on the inner side of every face; else the nearest point of all faces.
Friction nearestOfHull(const FrictionSection& section, double n, const Friction& y) {
  Friction nearest{};
  double least = sectionDot(y, y);
  bool inside = true;
  const auto scaled = [&](int k) {
    const Friction c = section.corner(k);
    return Friction{n * c[0], n * c[1], n * c[2]};
  };
  const auto consider = [&](const Friction& point) {
    const Friction apart = sectionDifference(y, point);
    if (sectionDot(apart, apart) >= least) return;
    least = sectionDot(apart, apart);
    nearest = point;
  };
  for (int k = 0; k < section.directions; ++k) {
    const Friction a = scaled(k), b = scaled((k + 1) % section.directions);
    const double turn = (b[0] - a[0]) * (y[1] - a[1]) - (b[1] - a[1]) * (y[0] - a[0]);
    const double whole = a[0] * b[1] - a[1] * b[0];
    if (section.rows < 3) {
      inside = inside && turn >= 0;
      consider(nearestOfSegment(a, b, y));
      continue;
    }
    const double height = n * section.half_axes[2];
    // On a face |x_3| / height + 1 - turn / whole = 1.
    inside = inside && std::abs(y[2]) * whole <= turn * height;
    for (const double top : {height, -height}) consider(nearestOfTriangle(a, b, {0, 0, top}, y));
  }
  return inside ? y : nearest;
}

// A polygon without friction along one axis is a segment along the other, and beside a third axis a
// hull of four corners; without any it is nothing.
void makeHull(FrictionSection& section, int directions) {
  section.directions = directions;
  if (section.half_axes[0] > 0 && section.half_axes[1] > 0) return;
  Friction reach{};
  for (int k = 0; k < directions; ++k)
    for (std::size_t i = 0; i < 2; ++i)
      reach[i] = std::max(reach[i], std::abs(section.corner(k)[i]));
  for (std::size_t i = 0; i < 2; ++i) section.half_axes[i] = reach[i];
  const bool is_diamond = section.rows == 3 && (reach[0] > 0 || reach[1] > 0);
  section.directions = is_diamond ? 4 : 0;
}

}  // namespace

Friction FrictionSection::corner(int k) const {
  if (given != nullptr) {
    Friction out{};
    for (std::size_t i = 0; i < (*given)[k].size(); ++i) out[i] = half_axes[i] * (*given)[k][i];
    return out;
  }
  if (k >= directions) return {0, 0, k == directions ? half_axes[2] : -half_axes[2]};
  const double angle = 2 * std::numbers::pi * k / directions;
  return {half_axes[0] * math::cos(angle), half_axes[1] * math::sin(angle), 0};
}

double FrictionSection::power(const Friction& u) const {
  if (directions == 0)
    return math::hypot(half_axes[0] * u[0], half_axes[1] * u[1], half_axes[2] * u[2]);
  double most = 0;
  for (int k = 0; k < cornerCount(); ++k) most = std::max(most, -wholeDotProduct(corner(k), u));
  return most;
}

Friction FrictionSection::strongest(const Friction& u) const {
  Friction best{};
  if (directions == 0) {
    const double size = power(u);
    for (std::size_t k = 0; k < 3 && size > 0; ++k)
      best[k] = -half_axes[k] * half_axes[k] * u[k] / size;
    return best;
  }
  double most = 0;
  for (int k = 0; k < cornerCount(); ++k) {
    const double taken = -wholeDotProduct(corner(k), u);
    if (taken <= most) continue;
    most = taken;
    best = corner(k);
  }
  return best;
}

Friction FrictionSection::nearest(double n, const Friction& y) const {
  if (!(n > 0)) return {};
  if (given != nullptr) return nearestOfGiven(*this, n, y);
  if (directions > 0 && rows == 3 && !(half_axes[0] > 0 && half_axes[1] > 0))
    return nearestOfDiamond(half_axes, half_axes[0] > 0 ? 0 : 1, n, y);
  return directions == 0 ? nearestOfEllipsoid(half_axes, n, y) : nearestOfHull(*this, n, y);
}

FrictionSections sectionsOf(const ImpulseSet& set) {
  using Kind = ImpulseSet::Kind;
  FrictionSections out;
  const auto add = [&](int first_row, int rows, const Friction& half_axes, bool grows) {
    if (rows == 0) return;
    FrictionSection& section = out.list[out.count++];
    section = {first_row, rows, half_axes, 0, grows};
    const bool tangents = first_row == 1;
    if (set.given && tangents) {
      section.given = set.given.get();
      section.directions = set.given->count();
    } else if (set.kind == Kind::polyhedral && rows > 1) {
      makeHull(section, set.directions);
    }
  };
  const double mu_2 = set.tangents() == 2 ? set.mu_2 : 0;
  const int spin = set.linearRows(), rolling = spin + set.spinRows();
  if (set.load_independent) {
    add(1, set.tangents(), {set.mu, mu_2, 0}, false);
    add(spin, set.spinRows(), {set.torsion, 0, 0}, true);
  } else if (set.given) {
    Friction half_axes{set.mu, mu_2};
    std::size_t next = 2;
    if (set.given->spins()) half_axes[next++] = set.torsion;
    for (int k = 0; set.given->rolls() && k < 2; ++k) half_axes[next++] = set.rolling;
    add(1, set.given->rows(), half_axes, true);
  } else {
    add(1, set.tangents() + set.spinRows(), {set.mu, mu_2, set.spinRows() > 0 ? set.torsion : 0},
        true);
  }
  if (set.rollsApart())
    add(rolling, set.rollingRows(), {set.rolling, set.rollingRows() == 2 ? set.rolling : 0, 0},
        true);
  return out;
}

}  // namespace stickslip::certificate
