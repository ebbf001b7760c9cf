#include "collision/gjk.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

namespace stickslip {
namespace {

constexpr int kMaxSupports = 100;
// Upper and lower bound agree if they differ by less than this, relative to |v| |v| and to |v|
// size.
constexpr double kRelativeGap = 4e-16;
constexpr double kRounding = 4e-16;
// |v| below this part of the size has no direction.
constexpr double kTouchingSimplex = 1e-13;
// Triangles with a smaller squared sine of an angle are segments. Flat tetrahedra are triangles;
// the limit is higher there, since a wrong claim of overlap would end the search.
constexpr double kFlatSimplex = 1e-15;
constexpr double kFlatVolume = 1e-10;
// Rounding in the test that a point lies beyond another.
constexpr double kBeyond = 1e-13;

struct SimplexPoint {
  Vec3 w;  ///< on_b - on_a
  Vec3 on_a;
  Vec3 on_b;
};

/// Nearest point to the origin of the affine hull of some points of a simplex.
struct Projection {
  bool inside = false;  ///< all weights positive: the point belongs to the simplex
  std::array<double, 4> weight{};
  Vec3 v;
};

/// A face of a simplex, and its point nearest to the origin.
struct NearestFace {
  unsigned mask = 1;  ///< which points of the simplex are its corners
  Projection at;

  int corners() const { return std::popcount(mask); }
};

class Simplex {
 public:
  void add(const SimplexPoint& p) { points_[static_cast<std::size_t>(count_++)] = p; }
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
  Projection project(unsigned mask) const;
  Projection projectTriangle(const std::array<int, 4>& index) const;
  Projection projectTetrahedron() const;
  bool allBeyond(Vec3 v) const;
  Vec3 normal(Vec3 v) const;
  Vec3 w(int i) const { return points_[static_cast<std::size_t>(i)].w; }

  std::array<SimplexPoint, 4> points_;
  std::array<double, 4> weight_{1, 0, 0, 0};
  int count_ = 0;
};

// From the corner opposite to the longest side: on a curved surface two of the three points get
// very close, and the two sides from there are the least parallel ones.
Projection Simplex::projectTriangle(const std::array<int, 4>& index) const {
  const auto squaredSide = [&](std::size_t i, std::size_t j) {
    const Vec3 side = w(index[j]) - w(index[i]);
    return dot(side, side);
  };
  const std::array<double, 3> opposite{squaredSide(1, 2), squaredSide(2, 0), squaredSide(0, 1)};
  std::size_t i = opposite[0] >= opposite[1] ? 0 : 1;
  if (opposite[2] > opposite[i]) i = 2;
  const std::size_t j = i == 2 ? 0 : i + 1;
  const std::size_t k = i == 0 ? 2 : i - 1;
  const Vec3 p = w(index[i]);
  const Vec3 e = w(index[j]) - p;
  const Vec3 f = w(index[k]) - p;
  const double ef = dot(e, f);
  const double determinant = opposite[k] * opposite[j] - ef * ef;
  Projection result;
  if (determinant <= kFlatSimplex * opposite[k] * opposite[j]) return result;
  const double s = (ef * dot(p, f) - opposite[j] * dot(p, e)) / determinant;
  const double t = (ef * dot(p, e) - opposite[k] * dot(p, f)) / determinant;
  result.inside = s > 0 && t > 0 && s + t < 1;
  result.weight[i] = 1 - s - t;
  result.weight[j] = s;
  result.weight[k] = t;
  result.v = p + s * e + t * f;
  return result;
}

Projection Simplex::projectTetrahedron() const {
  const Vec3 p = w(0);
  const Vec3 e = w(1) - p;
  const Vec3 f = w(2) - p;
  const Vec3 g = w(3) - p;
  const double volume = dot(e, cross(f, g));
  Projection result;
  if (volume * volume <= kFlatVolume * dot(e, e) * dot(f, f) * dot(g, g)) return result;
  const double r = -dot(p, cross(f, g)) / volume;
  const double s = -dot(e, cross(p, g)) / volume;
  const double t = -dot(e, cross(f, p)) / volume;
  result.inside = r > 0 && s > 0 && t > 0 && r + s + t < 1;
  result.weight = {1 - r - s - t, r, s, t};
  return result;
}

Projection Simplex::project(unsigned mask) const {
  std::array<int, 4> index{};
  int n = 0;
  for (int i = 0; i < count_; ++i)
    if (mask >> i & 1) index[static_cast<std::size_t>(n++)] = i;
  if (n == 4) return projectTetrahedron();
  if (n == 3) return projectTriangle(index);
  Projection result;
  result.weight = {1, 0, 0, 0};
  result.v = w(index[0]);
  result.inside = true;
  if (n == 1) return result;
  const Vec3 e = w(index[1]) - w(index[0]);
  const double t = -dot(w(index[0]), e) / dot(e, e);
  result.inside = t > 0 && t < 1;
  result.weight = {1 - t, t, 0, 0};
  result.v = w(index[0]) + t * e;
  return result;
}

void Simplex::keep(const NearestFace& face) {
  int n = 0;
  for (int i = 0; i < count_; ++i) {
    if (!(face.mask >> i & 1)) continue;
    if (n != i) points_[static_cast<std::size_t>(n)] = points_[static_cast<std::size_t>(i)];
    ++n;
  }
  count_ = n;
  weight_ = face.at.weight;
}

// The nearest point of a face is that of the simplex if the other points lie beyond it.
bool Simplex::allBeyond(Vec3 v) const {
  const double squared = dot(v, v);
  return std::all_of(points_.begin(), points_.begin() + count_,
                     [&](const SimplexPoint& p) { return dot(p.w, v) >= squared * (1 - kBeyond); });
}

NearestFace Simplex::nearestFace() const {
  // Faces with the last point, the largest first. Rounding may leave none that passes allBeyond().
  static constexpr std::array<unsigned, 15> faces{1,  3,  2,  7,  6,  5, 4, 15,
                                                  14, 13, 11, 12, 10, 9, 8};
  static constexpr std::array<std::size_t, 5> first{0, 0, 1, 3, 7};
  const std::size_t begin = first[static_cast<std::size_t>(count_)];
  const std::size_t end = begin + (std::size_t{1} << (count_ - 1));
  NearestFace best{faces[end - 1], project(faces[end - 1])};
  for (std::size_t i = begin; i + 1 < end; ++i) {
    const Projection p = project(faces[i]);
    if (!p.inside || dot(p.v, p.v) >= dot(best.at.v, best.at.v)) continue;
    best = {faces[i], p};
    if (allBeyond(p.v)) break;
  }
  return best;
}

ClosestPoints Simplex::touching() const {
  ClosestPoints result;
  for (std::size_t i = 0; i < static_cast<std::size_t>(count_); ++i) {
    result.on_a += weight_[i] * points_[i].on_a;
    result.on_b += weight_[i] * points_[i].on_b;
  }
  return result;
}

ClosestPoints Simplex::closest(Vec3 v) const {
  ClosestPoints result = touching();
  result.distance = norm(v);
  result.normal = normal(v);
  return result;
}

// v / |v| is off by rounding of the points, relative to |v|. A segment or a triangle that is larger
// than v knows better what is square to it.
Vec3 Simplex::normal(Vec3 v) const {
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

}  // namespace

ClosestPoints closestPoints(const CorePair& pair, Vec3 shift, Vec3 guess, GjkLimits limits) {
  const double size = pair.size() + norm(pair.b_in_a.position + shift);
  const auto supportPoint = [&](Vec3 v) {
    const Vec3 on_a = pair.supportA(v);
    const Vec3 on_b = pair.supportB(-v) + shift;
    return SimplexPoint{on_b - on_a, on_a, on_b};
  };

  Simplex simplex;
  const SimplexPoint first = supportPoint(guess);
  simplex.add(first);
  Vec3 v = first.w;
  if (dot(guess, first.w) > limits.cutoff * norm(guess)) return simplex.closest(v);
  for (int round = 0; round < kMaxSupports; ++round) {
    const double length = norm(v);
    if (length <= kTouchingSimplex * size) return simplex.touching();
    const SimplexPoint next = supportPoint(v);
    const double lower = dot(v, next.w);  // |v| times a lower bound of the distance
    if (lower > limits.cutoff * length) break;
    if (length * length - lower <= kRelativeGap * length * length + kRounding * length * size)
      break;
    if (simplex.contains(next.w)) break;

    simplex.add(next);
    const NearestFace nearer = simplex.nearestFace();
    const bool holds_origin = nearer.corners() == 4;
    if (holds_origin && lower <= 0) {
      simplex.keep(nearer);
      return simplex.touching();
    }
    // Where it holds the origin all the same, that is rounding: `lower` says that they are apart.
    if (holds_origin || dot(nearer.at.v, nearer.at.v) >= length * length) {
      simplex.removeLast();
      break;
    }
    simplex.keep(nearer);
    v = nearer.at.v;
  }
  return simplex.closest(v);
}

}  // namespace stickslip
