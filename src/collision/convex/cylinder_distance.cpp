#include "collision/convex/cylinder_distance.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "collision/convex/gjk.hpp"
#include "stickslip/elementary.hpp"

namespace stickslip {
namespace {

// Parts are of the size of the shapes.
struct AscentSettings {
  /// Rounds of ascent that show which candidate wins, how accurate they are,
  int trial_rounds = 3;
  double trial_accuracy = 1e-3;
  /// and rounds that the winner gets at most: a bound, it ends by itself in a few.
  int most_rounds = 200;
  /// An ascent ends when h gains less than this part: rounding.
  double gain = 1e-15;
  /// Least distance that GJK gets to work with, so that it never sees shapes that touch.
  double clear = 0.01;
  /// Candidates with a larger cosine between them lead to the same maximum.
  double same_start = 0.999;
  /// Overlaps by more than this part are deep: candidates of all directions are tried,
  double deep = 0.02;
  /// as many as this.
  std::size_t grid = 48;
  /// Directions shorter than this part are none: rounding.
  double no_direction = 1e-12;
  /// Tilt for differences of support functions: their cube root of rounding.
  double difference = 1e-5;
  /// Arcs with a smaller sine of half their angle, and lines with a smaller one to the axis, are
  /// none: rounding.
  double no_arc = 1e-9;
  /// Steps that halve an arc until it is rounding, and Newton's steps at most.
  int bisections = 54, newton_steps = 10;
};
constexpr AscentSettings kAscent{};

/// The best few normals, best first, no two of them close to each other.
class Candidates {
 public:
  explicit Candidates(const CorePair& pair) : pair_(pair) { best_.fill({-kInfinity, {}}); }

  void tryBothWays(Vec3 direction, double scale) {
    const double length = norm(direction);
    if (length <= kAscent.no_direction * scale) return;
    const Vec3 n = (1 / length) * direction;
    tryNormal(n);
    tryNormal(-n);
  }
  void tryNormal(Vec3 n) { insert({pair_.gapAlong(n), n}); }
  std::span<const SignedDistance> best() const { return best_; }

  static constexpr double kInfinity = std::numeric_limits<double>::infinity();

 private:
  void insert(SignedDistance candidate) {
    for (std::size_t i = 0; i < best_.size(); ++i) {
      if (candidate.gap > best_[i].gap) std::swap(candidate, best_[i]);
      // What was pushed down is dropped if it is close to what displaced it.
      if (dot(candidate.normal, best_[i].normal) > kAscent.same_start) return;
    }
  }

  const CorePair& pair_;
  std::array<SignedDistance, 8> best_;
};

/// A cylinder in its own frame, and how to get from there to the pair's normals, from a to b.
struct CylinderFrame {
  const CylinderShape& cylinder;
  Mat3 rotation;  ///< to the frame of a
  double side;    ///< +1 if the cylinder is a, -1 if it is b

  Vec3 outwards(Vec3 normal) const { return side * (rotation * normal); }
};

void tryRims(const CylinderFrame& frame, const RimNormals& found, Candidates& out) {
  for (std::size_t i = 0; i < found.count; ++i) out.tryNormal(frame.outwards(found.normal[i]));
}

// `pose` takes the polytope to the cylinder's frame.
void tryPolytope(const CylinderFrame& frame, const PolytopeView& core, const Pose& pose,
                 double size, Candidates& out) {
  const Vec3 axis{0, 0, 1};
  for (const PolytopeFace& face : core.faces)
    out.tryNormal(-frame.outwards(pose.rotation * face.normal));
  for (std::size_t i = 0; i < core.edges.size(); ++i) {
    const Vec3 direction = pose.rotation * core.edges[i].direction;
    out.tryBothWays(frame.outwards(cross(axis, direction)), 1);
    if (core.faces.empty())
      tryRims(frame, rimNormals(frame.cylinder, pose.position, direction), out);
    else
      tryRims(frame, rimNormals(frame.cylinder, rimEdge(core, i, pose)), out);
  }
  for (const Vec3& vertex : core.vertices) {
    const Vec3 point = pose.pointToWorld(vertex);
    out.tryBothWays(frame.outwards({point.x, point.y, 0}), size);
  }
}

// `pose` takes the other cylinder to the cylinder's frame.
void tryOtherCylinder(const CylinderFrame& frame, const Pose& pose, double size, Candidates& out) {
  out.tryBothWays(frame.outwards(cross({0, 0, 1}, pose.rotation.z)), 1);
  out.tryBothWays(frame.outwards({pose.position.x, pose.position.y, 0}), size);
  tryRims(frame, rimNormals(frame.cylinder, pose.position, pose.rotation.z), out);
}

bool isCylinder(const ConvexShape& shape) {
  return shape.polytope().vertices.empty() && shape.kind() != CollisionShape::Kind::support;
}

void tryCylinder(const CylinderFrame& frame, const ConvexShape& other, const Pose& pose,
                 double size, Candidates& out) {
  out.tryBothWays(frame.outwards({0, 0, 1}), 1);
  const PolytopeView core = other.polytope();
  if (isCylinder(other))
    tryOtherCylinder(frame, pose, size, out);
  else
    tryPolytope(frame, core, pose, size, out);
}

void tryAll(const CorePair& pair, Candidates& out) {
  out.tryBothWays(pair.centerLine(), pair.size());
  if (isCylinder(pair.a))
    tryCylinder({static_cast<const CylinderShape&>(pair.a), {}, 1}, pair.b, pair.b_in_a,
                pair.size(), out);
  if (isCylinder(pair.b)) {
    const Pose a_in_b{pair.b_in_a.pointToLocal({}), transposed(pair.b_in_a.rotation)};
    tryCylinder({static_cast<const CylinderShape&>(pair.b), pair.b_in_a.rotation, -1}, pair.a,
                a_in_b, pair.size(), out);
  }
  if (pair.a.kind() == CollisionShape::Kind::support)
    for (const PolytopeFace& face : pair.b.polytope().faces)
      out.tryNormal(-(pair.b_in_a.rotation * face.normal));
  if (pair.b.kind() == CollisionShape::Kind::support)
    for (const PolytopeFace& face : pair.a.polytope().faces) out.tryNormal(face.normal);
}

// Rim against edge and rim against rim have no formula. They decide deep overlaps only, where a
// coarse grid over the sphere finds their neighbourhood.
void tryGrid(Candidates& out) {
  static const std::array<Vec3, kAscent.grid> grid = [] {
    std::array<Vec3, kAscent.grid> points;
    for (std::size_t i = 0; i < kAscent.grid; ++i) {
      const double z = (static_cast<double>(i) + 0.5) / kAscent.grid;
      const double angle = 2 * std::numbers::pi * std::numbers::phi * static_cast<double>(i);
      const double r = std::sqrt(1 - z * z);
      const auto [sine, cosine] = math::sinCos(angle);
      points[i] = {r * cosine, r * sine, z};
    }
    return points;
  }();
  for (const Vec3& n : grid) out.tryBothWays(n, 1);
}

// Goes on in the direction from `from` to `to`, twice as far each time, as long as h rises.
SignedDistance extrapolate(const CorePair& pair, const SignedDistance& from, SignedDistance to) {
  const Vec3 step = to.normal - from.normal;
  for (double factor = 2; factor < 1000; factor *= 2) {
    const Vec3 n = normalized(from.normal + factor * step);
    const double gap = pair.gapAlong(n);
    if (gap <= to.gap) break;
    to = {gap, n};
  }
  return to;
}

// By differences of the support function.
Mat3 supportCurvature(const ConvexShape& shape, const Mat3& rotation, Vec3 n) {
  const Vec3 outwards = transposedTimes(rotation, n);
  Mat3 sum = diagonal({});
  const Vec3 t1 = acrossFrom(outwards);
  for (const Vec3& t : {t1, cross(outwards, t1)}) {
    const Vec3 change = shape.support(outwards + kAscent.difference * t) -
                        shape.support(outwards - kAscent.difference * t);
    sum = sum + (1 / (2 * kAscent.difference)) * outer(rotation * change, rotation * t);
  }
  return 0.5 * (sum + transposed(sum));
}

// Second derivative of max n.x over a cylinder, where that is a point of the rim, or over a shape
// that is known by its support function; zero for others, whose farthest point is a vertex.
Mat3 curvatureOf(const ConvexShape& shape, const Mat3& rotation, Vec3 n) {
  if (shape.kind() == CollisionShape::Kind::support) return supportCurvature(shape, rotation, n);
  const Vec3 axis = rotation.z;
  if (!shape.polytope().vertices.empty()) return diagonal({});
  const Vec3 along = cross(axis, n);
  const double across = norm(along);
  if (across <= kAscent.no_direction) return diagonal({});
  const double radius = static_cast<const CylinderShape&>(shape).cylinderRadius();
  return radius / (across * across * across) * outer(along, along);
}

// Newton's method on the sphere, as long as h rises: two rims that meet in a point. Elsewhere h has
// kinks, and the first step is in vain.
void polish(const CorePair& pair, SignedDistance& at) {
  for (int i = 0; i < kAscent.newton_steps; ++i) {
    const Vec3 n = at.normal;
    const Vec3 t1 = acrossFrom(n);
    const Vec3 t2 = cross(n, t1);
    const Vec3 apart = pair.supportB(-n) - pair.supportA(n);
    const Mat3 curvature =
        curvatureOf(pair.a, {}, n) + curvatureOf(pair.b, pair.b_in_a.rotation, -n);
    // Curvature of -h on the sphere, and the gradient of h.
    const double c11 = dot(t1, curvature * t1) + at.gap;
    const double c12 = dot(t1, curvature * t2);
    const double c22 = dot(t2, curvature * t2) + at.gap;
    const double determinant = c11 * c22 - c12 * c12;
    if (c11 <= 0 || determinant <= 0) return;
    const double g1 = dot(t1, apart);
    const double g2 = dot(t2, apart);
    const Vec3 step =
        (c22 * g1 - c12 * g2) / determinant * t1 + (c11 * g2 - c12 * g1) / determinant * t2;
    const Vec3 m = normalized(n + step);
    const double gap = pair.gapAlong(m);
    if (gap <= at.gap) return;
    at = {gap, m};
  }
}

// Improves `at` in at most `rounds` rounds.
void ascend(const CorePair& pair, int rounds, double accuracy, SignedDistance& at) {
  const double size = pair.size();
  for (int i = 0; i < rounds; ++i) {
    const double delta = 1.2 * std::max(0.0, -at.gap) + kAscent.clear * size;
    const ClosestPoints apart =
        closestPoints(pair, delta * at.normal, at.normal, {.accuracy = accuracy});
    if (apart.distance == 0) return;
    const SignedDistance next{pair.gapAlong(apart.normal), apart.normal};
    if (next.gap <= at.gap + kAscent.gain * size) return;
    at = extrapolate(pair, at, next);
    polish(pair, at);
  }
}

}  // namespace

SignedDistance distanceByAscent(const CorePair& pair) {
  Candidates candidates(pair);
  tryAll(pair, candidates);
  SignedDistance best = candidates.best()[0];
  // Moving b away by little more than a small overlap hardly favours the normal it is moved along:
  // ascent finds the largest maximum from anywhere.
  if (best.gap < -kAscent.deep * pair.size()) {
    tryGrid(candidates);
    for (SignedDistance start : candidates.best()) {
      if (start.gap == -Candidates::kInfinity) break;
      ascend(pair, kAscent.trial_rounds, kAscent.trial_accuracy, start);
      if (start.gap > best.gap) best = start;
    }
  }
  ascend(pair, kAscent.most_rounds, 0, best);
  return best;
}

namespace {

/// Derivative of the gap between the rim and a point, along an arc of normals.
struct RimGap {
  const CylinderShape& cylinder;
  Vec3 point;
  double cap;  ///< which of the two rims: sign of the normal's component along the axis

  // At the normal m, in the direction t.
  double slope(Vec3 m, Vec3 t) const {
    const double across = std::sqrt(m.x * m.x + m.y * m.y);
    const double rim =
        across > 0 ? cylinder.cylinderRadius() * (m.x * t.x + m.y * t.y) / across : 0;
    return dot(t, point) - rim - cap * cylinder.halfHeight() * t.z;
  }
};

void searchSmoothArc(const CylinderShape& cylinder, Vec3 point, Vec3 from, Vec3 to,
                     RimNormals& out) {
  const Vec3 pole = cross(from, to);
  const RimGap gap{cylinder, point, from.z + to.z < 0 ? -1.0 : 1.0};
  if (norm(pole) <= kAscent.no_arc) return;
  if (gap.slope(from, cross(pole, from)) <= 0 || gap.slope(to, cross(pole, to)) >= 0) return;
  for (int i = 0; i < kAscent.bisections; ++i) {
    const Vec3 middle = normalized(from + to);
    (gap.slope(middle, cross(pole, middle)) > 0 ? from : to) = middle;
  }
  out.normal[out.count++] = normalized(from + to);
}

// Splits the arc where it crosses the plane square to the axis.
void searchArc(const CylinderShape& cylinder, Vec3 point, Vec3 from, Vec3 to, RimNormals& out) {
  if (from.z * to.z >= 0) return searchSmoothArc(cylinder, point, from, to, out);
  const Vec3 level = to.z * from - from.z * to;
  const Vec3 kink = (to.z < 0 ? -1 : 1) / norm(level) * level;
  searchSmoothArc(cylinder, point, from, kink, out);
  searchSmoothArc(cylinder, point, kink, to, out);
}

}  // namespace

RimEdge rimEdge(const PolytopeView& core, std::size_t edge, const Pose& pose) {
  const auto& [from, to, direction] = core.edges[edge];
  const auto& [into_left, into_right] = core.sidesOf(edge);
  const Vec3 first = cross(direction, into_left);
  const Vec3 last = cross(into_right, direction);
  const Vec3 middle = normalized(first + last - into_left - into_right);
  return {pose.pointToWorld(core.vertices[from]), pose.rotation * first, pose.rotation * middle,
          pose.rotation * last};
}

RimNormals rimNormals(const CylinderShape& cylinder, const RimEdge& edge) {
  RimNormals out;
  searchArc(cylinder, edge.point, -edge.first, -edge.middle, out);
  searchArc(cylinder, edge.point, -edge.middle, -edge.last, out);
  return out;
}

RimNormals rimNormals(const CylinderShape& cylinder, Vec3 point, Vec3 direction) {
  RimNormals out;
  const Vec3 up{0, 0, 1};
  const Vec3 level = cross(up, direction);
  if (norm(level) <= kAscent.no_arc) return out;
  const Vec3 side = normalized(level);
  const Vec3 steepest = cross(direction, side);
  std::array<Vec3, 4> quarters{side, steepest, -side, -steepest};
  for (std::size_t i = 0; i < 4; ++i)
    searchSmoothArc(cylinder, point, quarters[i], quarters[(i + 1) % 4], out);
  return out;
}

}  // namespace stickslip
