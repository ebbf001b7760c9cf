// Closest points of two convex cores by the algorithm of Gilbert, Johnson and Keerthi (1988).
//
// The distance is that of the origin from the Minkowski difference b - a. A simplex of at most four
// of its points moves towards the origin: each round adds the support point in the direction of the
// origin and keeps the smallest face of the simplex that holds the point v nearest to it. Since
// min over w of v.w / |v| is a lower bound of the distance and |v| an upper one, their difference
// says when to stop; rounding of v.w, of the order of 1e-16 |v| times the size of the shapes, is
// what it is compared with. In overlap there is no answer: see separating_axes.hpp and
// cylinder_distance.hpp.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "collision/convex/convex_shape.hpp"

namespace stickslip {

// The cores of two convex shapes in one frame, that of the first.

struct CorePair {
  const ConvexShape& a;
  const ConvexShape& b;
  Pose b_in_a;

  Vec3 supportA(Vec3 direction) const { return a.support(direction); }
  Vec3 supportB(Vec3 direction) const {
    return b_in_a.pointToWorld(b.support(transposedTimes(b_in_a.rotation, direction)));
  }
  /// How far a plane square to the unit vector n can hold the cores apart; negative if it cannot.
  double gapAlong(Vec3 n) const { return dot(n, supportB(-n) - supportA(n)); }
  Vec3 centerLine() const { return b_in_a.pointToWorld(b.interiorPoint()) - a.interiorPoint(); }
  /// What lengths are compared with: rounding of the shapes' own points is relative to it.
  double size() const { return a.coreSize() + b.coreSize(); }
};

/// A unit vector across the unit vector n.
inline Vec3 acrossFrom(Vec3 n) {
  const double x = std::abs(n.x);
  const double y = std::abs(n.y);
  const double z = std::abs(n.z);
  const Vec3 axis = x <= y && x <= z ? Vec3{1, 0, 0} : y <= z ? Vec3{0, 1, 0} : Vec3{0, 0, 1};
  return normalized(cross(n, axis));
}

struct ClosestPoints {
  /// Zero if the cores overlap or are so close that v has no direction.
  double distance = 0;
  Vec3 on_a;  ///< points of the cores in any case, nearly the same one if the distance is zero
  Vec3 on_b;
  Vec3 normal;  ///< unit, from a to b; if distance > 0
};

struct GjkLimits {
  /// Gives up, with some distance above this, once the distance is known to be larger.
  double cutoff = std::numeric_limits<double>::infinity();
  /// Relative accuracy of the distance; that of the normal is its square root. Least: rounding.
  double accuracy = 0;
};

/// Closest points of a and of b moved by `shift`; the search starts with a normal near `guess`,
/// which must not be zero.
ClosestPoints closestPoints(const CorePair& pair, Vec3 shift, Vec3 guess, GjkLimits limits = {});

// Up to four points of the Minkowski difference of two cores, and which of their faces is nearest
// to the origin: what GJK (gjk.hpp) moves.

// Triangles with a smaller squared sine of an angle are segments. Flat tetrahedra are triangles;
// the limit is higher there, since a wrong claim of overlap would end the search.
inline constexpr double kFlatSimplex = 1e-15;
inline constexpr double kFlatVolume = 1e-10;
// Rounding in the test that a point lies beyond another.
inline constexpr double kBeyond = 1e-13;

struct SimplexPoint {
  Vec3 w;  ///< on_b - on_a
  Vec3 on_a;
  Vec3 on_b;
};

/// A face of a simplex and its point nearest to the origin.
struct NearestFace {
  unsigned corners = 0;  ///< one bit for each point of the simplex
  std::array<double, 4> weight{};
  Vec3 v;
  double squared = 0;  ///< |v| |v|

  bool isTetrahedron() const { return corners == 0b1111; }
};

class Simplex {
 public:
  void add(const SimplexPoint& p) { points_[count_++] = p; }
  void removeLast() { --count_; }
  bool contains(Vec3 w) const {
    return std::any_of(points_.begin(), points_.begin() + count_,
                       [&](const SimplexPoint& p) { return p.w == w; });
  }

  /// The smallest face that holds the point nearest to the origin. The point added last is part of
  /// it, since it lies beyond all others.
  NearestFace nearestFace() const;
  void keep(const NearestFace& face);
  ClosestPoints closest(Vec3 v) const;
  /// Of a simplex that holds the origin, or nearly so.
  ClosestPoints touching() const;

 private:
  // Each takes the face for `best` if it holds the foot of the origin on its plane or line and that
  // is nearer; true if then nothing is nearer still.
  bool trySegment(int i, int j, NearestFace& best) const;
  bool tryTriangle(int i, int j, int k, NearestFace& best) const;
  bool tryTetrahedron(NearestFace& best) const;
  bool takeIfNearer(unsigned corners, const std::array<double, 4>& weight, Vec3 v,
                    NearestFace& best) const;
  Vec3 normal(Vec3 v) const;
  Vec3 w(int i) const { return points_[i].w; }

  std::array<SimplexPoint, 4> points_;
  std::array<double, 4> weight_{1, 0, 0, 0};
  int count_ = 0;
};

inline NearestFace Simplex::nearestFace() const {
  const int last = count_ - 1;
  NearestFace best{1U << last, {1, 0, 0, 0}, w(last), dot(w(last), w(last))};
  // The largest faces first; what is nearest to the origin is mostly on one of them. Rounding may
  // leave none beyond which all points lie.
  if (count_ == 2) {
    trySegment(0, 1, best);
  } else if (count_ == 3) {
    tryTriangle(0, 1, 2, best) || trySegment(1, 2, best) || trySegment(0, 2, best);
  } else if (count_ == 4) {
    tryTetrahedron(best) || tryTriangle(1, 2, 3, best) || tryTriangle(0, 2, 3, best) ||
        tryTriangle(0, 1, 3, best) || trySegment(2, 3, best) || trySegment(1, 3, best) ||
        trySegment(0, 3, best);
  }
  return best;
}

// The nearest point of a face is that of the simplex if the other points lie beyond it.
inline bool Simplex::takeIfNearer(unsigned corners, const std::array<double, 4>& weight, Vec3 v,
                                  NearestFace& best) const {
  const double squared = dot(v, v);
  if (squared >= best.squared) return false;
  best = {corners, weight, v, squared};
  return std::all_of(points_.begin(), points_.begin() + count_,
                     [&](const SimplexPoint& p) { return dot(p.w, v) >= squared * (1 - kBeyond); });
}

inline bool Simplex::trySegment(int i, int j, NearestFace& best) const {
  const Vec3 e = w(j) - w(i);
  const double along = -dot(w(i), e);
  if (along <= 0) return false;
  const double t = along / dot(e, e);
  if (!(t > 0 && t < 1)) return false;
  return takeIfNearer(1U << i | 1U << j, {1 - t, t, 0, 0}, w(i) + t * e, best);
}

// From the corner opposite to the longest side: on a curved surface two of the three points get
// very close, and the two sides from there are the least parallel ones.
inline bool Simplex::tryTriangle(int first, int second, int third, NearestFace& best) const {
  const std::array<Vec3, 3> corner{w(first), w(second), w(third)};
  const auto squaredSide = [&](std::size_t i, std::size_t j) {
    const Vec3 side = corner[j] - corner[i];
    return dot(side, side);
  };
  const std::array<double, 3> opposite{squaredSide(1, 2), squaredSide(2, 0), squaredSide(0, 1)};
  std::size_t i = opposite[0] >= opposite[1] ? 0 : 1;
  if (opposite[2] > opposite[i]) i = 2;
  const std::size_t j = i == 2 ? 0 : i + 1;
  const std::size_t k = i == 0 ? 2 : i - 1;
  const Vec3 p = corner[i];
  const Vec3 e = corner[j] - p;
  const Vec3 f = corner[k] - p;
  const double ef = dot(e, f), pe = dot(p, e), pf = dot(p, f);
  // Weights times the determinant, which is positive.
  const double along_e = ef * pf - opposite[j] * pe;
  const double along_f = ef * pe - opposite[k] * pf;
  if (along_e <= 0 || along_f <= 0) return false;
  const double determinant = opposite[k] * opposite[j] - ef * ef;
  if (determinant <= kFlatSimplex * opposite[k] * opposite[j]) return false;
  const double s = along_e / determinant;
  const double t = along_f / determinant;
  if (!(s > 0 && t > 0 && s + t < 1)) return false;
  std::array<double, 4> weight{};
  weight[i] = 1 - s - t;
  weight[j] = s;
  weight[k] = t;
  return takeIfNearer(1U << first | 1U << second | 1U << third, weight, p + s * e + t * f, best);
}

inline bool Simplex::tryTetrahedron(NearestFace& best) const {
  const Vec3 p = w(0);
  const Vec3 e = w(1) - p;
  const Vec3 f = w(2) - p;
  const Vec3 g = w(3) - p;
  const Vec3 fg = cross(f, g);
  const double volume = dot(e, fg);
  if (volume * volume <= kFlatVolume * dot(e, e) * dot(f, f) * dot(g, g)) return false;
  const double r = -dot(p, fg) / volume;
  if (!(r > 0)) return false;
  const double s = -dot(e, cross(p, g)) / volume;
  const double t = -dot(e, cross(f, p)) / volume;
  if (!(s > 0 && t > 0 && r + s + t < 1)) return false;
  return takeIfNearer(0b1111, {1 - r - s - t, r, s, t}, {}, best);
}

inline void Simplex::keep(const NearestFace& face) {
  int n = 0;
  for (int i = 0; i < count_; ++i) {
    if (!(face.corners >> i & 1)) continue;
    if (n != i) points_[n] = points_[i];
    ++n;
  }
  count_ = n;
  weight_ = face.weight;
}

inline ClosestPoints Simplex::touching() const {
  ClosestPoints result;
  for (std::size_t i = 0; i < static_cast<std::size_t>(count_); ++i) {
    result.on_a += weight_[i] * points_[i].on_a;
    result.on_b += weight_[i] * points_[i].on_b;
  }
  return result;
}

inline ClosestPoints Simplex::closest(Vec3 v) const {
  ClosestPoints result = touching();
  result.distance = norm(v);
  result.normal = normal(v);
  return result;
}

// v / |v| is off by rounding of the points, relative to |v|. A segment or a triangle that is larger
// than v knows better what is square to it.
inline Vec3 Simplex::normal(Vec3 v) const {
  const double length = norm(v);
  if (count_ == 2) {
    const Vec3 e = w(1) - w(0);
    if (norm(e) > length) v -= (dot(v, e) / dot(e, e)) * e;
  } else if (count_ == 3) {
    const Vec3 e = w(1) - w(0);
    const Vec3 f = w(2) - w(0);
    const Vec3 across = cross(e, f);
    const double longest = std::max({norm(e), norm(f), norm(f - e)});
    if (norm(across) > length * longest) v = dot(across, v) < 0 ? -across : across;
  }
  return normalized(v);
}

}  // namespace stickslip
