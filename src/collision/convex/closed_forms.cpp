#include "collision/convex/closed_forms.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "collision/convex/manifold.hpp"
#include "stickslip/elementary.hpp"

namespace stickslip {
namespace {

// Segments closer than this part of their reach have no direction from one to the other.
constexpr double kTouching = 1e-14;
// Squared sine below which segments are parallel and have no direction across both.
constexpr double kParallelBoxEdges = 1e-24;
// Squared sine below which rounding may misplace the nearest points of their lines.
constexpr double kNearlyParallel = 1e-12;

/// The points center + t axis with |t| <= half.
struct Segment {
  Vec3 center;
  Vec3 axis;  ///< unit
  double half = 0;

  double nearest(Vec3 point) const { return std::clamp(dot(point - center, axis), -half, half); }
  Vec3 at(double t) const { return center + t * axis; }
};

// From the point of s nearest to t to the point of t nearest to s. The nearest points of the two
// lines if they lie on the segments; otherwise an end of one of them is part of the answer. Points
// have no line: whether theirs meet would be decided by the rounding of axes that do not matter.
Vec3 betweenSegments(const Segment& s, const Segment& t) {
  const Vec3 arm = t.center - s.center;
  const Vec3 across = cross(s.axis, t.axis);
  const double squared_sine = dot(across, across);
  const bool lines = s.half > 0 && t.half > 0 && squared_sine > 0;
  const double on_s = lines ? dot(cross(arm, t.axis), across) / squared_sine : 0;
  const double on_t = lines ? dot(cross(arm, s.axis), across) / squared_sine : 0;
  if (lines && squared_sine > kNearlyParallel && std::abs(on_s) <= s.half &&
      std::abs(on_t) <= t.half)
    return (dot(arm, across) / squared_sine) * across;
  Vec3 best;
  double least = -1;
  const auto consider = [&](Vec3 difference) {
    const double squared = dot(difference, difference);
    if (least >= 0 && squared >= least) return;
    least = squared;
    best = difference;
  };
  const auto fromPoint = [&](double on) { consider(t.at(t.nearest(s.at(on))) - s.at(on)); };
  for (const double end : {-1.0, 1.0}) {
    fromPoint(end * s.half);
    const Vec3 to = t.at(end * t.half);
    consider(to - s.at(s.nearest(to)));
  }
  if (lines) fromPoint(std::clamp(on_s, -s.half, s.half));
  return best;
}

Vec3 normalWhereTheyMeet(const Segment& s, const Segment& t) {
  const Vec3 across = cross(s.axis, t.axis);
  if (s.half > 0 && t.half > 0 && dot(across, across) > kParallelBoxEdges)
    return normalized(across);
  if (s.half > 0) return acrossFrom(s.axis);
  if (t.half > 0) return acrossFrom(t.axis);
  return {0, 0, 1};
}

}  // namespace

SignedDistance segmentDistance(const CorePair& pair) {
  const Segment s{{}, {0, 0, 1}, pair.a.coreSize()};
  const Segment t{pair.b_in_a.position, pair.b_in_a.rotation.z, pair.b.coreSize()};
  const Vec3 between = betweenSegments(s, t);
  const double distance = norm(between);
  const double reach = pair.size() + pair.a.radius() + pair.b.radius();
  if (distance > kTouching * reach) return {distance, (1 / distance) * between};
  return {0, normalWhereTheyMeet(s, t)};
}

SignedDistance cylinderToPoint(const CylinderShape& cylinder, Vec3 point) {
  const double rho = math::hypot(point.x, point.y);
  const double side = rho - cylinder.cylinderRadius();
  const double cap = std::abs(point.z) - cylinder.halfHeight();
  const Vec3 up{0, 0, point.z < 0 ? -1.0 : 1.0};
  const Vec3 outwards = rho > 0 ? Vec3{point.x / rho, point.y / rho, 0} : Vec3{1, 0, 0};
  if (side > 0 && cap > 0) {
    const double distance = math::hypot(side, cap);
    return {distance, (side / distance) * outwards + (cap / distance) * up};
  }
  return side > cap ? SignedDistance{side, outwards} : SignedDistance{cap, up};
}

namespace {

// As in separating_axes.cpp: a face is preferred near a tie, and parallel edges have no axis.
constexpr double kPreferFace = 1e-11;
constexpr double kParallelSides = 1e-20;

Vec3 magnitudes(Vec3 a) {
  return {std::abs(a.x), std::abs(a.y), std::abs(a.z)};
}

/// Box b with axes r as seen from box a, whose axes are those of the frame.
struct Boxes {
  explicit Boxes(const CorePair& pair)
      : half_a(pair.a.measure()),
        half_b(pair.b.measure()),
        center(pair.b_in_a.position),
        r{pair.b_in_a.rotation.x, pair.b_in_a.rotation.y, pair.b_in_a.rotation.z},
        size{magnitudes(r[0]), magnitudes(r[1]), magnitudes(r[2])} {}

  Vec3 half_a, half_b, center;
  std::array<Vec3, 3> r;
  std::array<Vec3, 3> size;  ///< |r| by components
};

/// An axis: a face of a (edge_b < 0), of b (edge_a < 0), or two edges.
struct Axis {
  SignedDistance along;
  int of_a = -1;
  int of_b = -1;
};

void tryFacesOfA(const Boxes& boxes, Axis& best) {
  const Vec3 reach = boxes.half_b.x * boxes.size[0] + boxes.half_b.y * boxes.size[1] +
                     boxes.half_b.z * boxes.size[2];
  for (int i = 0; i < 3; ++i) {
    const double gap = std::abs(boxes.center[i]) - boxes.half_a[i] - reach[i];
    if (!(gap > best.along.gap)) continue;
    best = {{gap, {}}, i, -1};
    best.along.normal[i] = boxes.center[i] > 0 ? 1 : -1;
  }
}

void tryFacesOfB(const Boxes& boxes, Axis& best) {
  for (int j = 0; j < 3; ++j) {
    const std::size_t k = j;
    const double along = dot(boxes.r[k], boxes.center);
    const double gap = std::abs(along) - boxes.half_b[j] - dot(boxes.size[k], boxes.half_a);
    if (!(gap > best.along.gap)) continue;
    best = {{gap, along < 0 ? -boxes.r[k] : boxes.r[k]}, -1, j};
  }
}

// The common normal e_i x r_j of an edge of each.
void tryBoxEdges(const Boxes& boxes, Axis& best) {
  constexpr std::array<int, 3> after{1, 2, 0}, before{2, 0, 1};
  for (std::size_t j = 0; j < 3; ++j) {
    const std::size_t k = j == 2 ? 0 : j + 1, l = j == 0 ? 2 : j - 1;
    for (int i = 0; i < 3; ++i) {
      const int p = after[i], q = before[i];
      const double u = -boxes.r[j][q], v = boxes.r[j][p];
      const double squared = u * u + v * v;
      if (squared <= kParallelSides) continue;
      const double inverse = 1 / std::sqrt(squared);
      const double along = u * boxes.center[p] + v * boxes.center[q];
      const double reach_a =
          boxes.half_a[p] * boxes.size[j][q] + boxes.half_a[q] * boxes.size[j][p];
      // |(e_i x r_j).r_k| = |e_i.r_l| and the other way round.
      const double reach_b = boxes.half_b[static_cast<int>(k)] * boxes.size[l][i] +
                             boxes.half_b[static_cast<int>(l)] * boxes.size[k][i];
      const double gap = (std::abs(along) - reach_a - reach_b) * inverse;
      if (!(gap > best.along.gap)) continue;
      best = {{gap, {}}, i, static_cast<int>(j)};
      const double sign = along < 0 ? -inverse : inverse;
      best.along.normal[p] = sign * u;
      best.along.normal[q] = sign * v;
    }
  }
}

Vec3 cornerOfA(const Boxes& boxes, Vec3 n) {
  Vec3 corner;
  for (int i = 0; i < 3; ++i) corner[i] = n[i] > 0 ? boxes.half_a[i] : -boxes.half_a[i];
  return corner;
}

// In the direction of -n.
Vec3 cornerOfB(const Boxes& boxes, Vec3 n) {
  Vec3 corner = boxes.center;
  for (int j = 0; j < 3; ++j) {
    const Vec3 r = boxes.r[j];
    corner += (dot(n, r) > 0 ? -boxes.half_b[j] : boxes.half_b[j]) * r;
  }
  return corner;
}

// Does the corner of b next to the face of a lie over it?
bool isOverFaceOfA(const Boxes& boxes, const Axis& axis) {
  const Vec3 corner = cornerOfB(boxes, axis.along.normal);
  for (int i = 0; i < 3; ++i)
    if (i != axis.of_a && std::abs(corner[i]) > boxes.half_a[i]) return false;
  return true;
}

bool isOverFaceOfB(const Boxes& boxes, const Axis& axis) {
  const Vec3 arm = cornerOfA(boxes, axis.along.normal) - boxes.center;
  for (int j = 0; j < 3; ++j)
    if (j != axis.of_b && std::abs(dot(arm, boxes.r[j])) > boxes.half_b[j]) return false;
  return true;
}

// Do the lines of the two edges come closest between their ends? Both from their middles.
bool edgesMeet(const Boxes& boxes, const Axis& axis) {
  const Vec3 r = boxes.r[axis.of_b];
  Vec3 middle_a = cornerOfA(boxes, axis.along.normal);
  middle_a[axis.of_a] = 0;
  Vec3 between = cornerOfB(boxes, axis.along.normal) - middle_a;
  const double half_b = boxes.half_b[axis.of_b];
  between += (dot(axis.along.normal, r) > 0 ? half_b : -half_b) * r;
  const double cosine = r[axis.of_a];
  const double on_b = (cosine * between[axis.of_a] - dot(between, r)) / (1 - cosine * cosine);
  const double on_a = between[axis.of_a] + cosine * on_b;
  return std::abs(on_b) <= half_b && std::abs(on_a) <= boxes.half_a[axis.of_a];
}

}  // namespace

BoxDistance boxDistance(const CorePair& pair, double cutoff) {
  const Boxes boxes(pair);
  Axis face{{-std::numeric_limits<double>::infinity(), {}}};
  tryFacesOfA(boxes, face);
  if (face.along.gap > cutoff) return {face.along};
  tryFacesOfB(boxes, face);
  if (face.along.gap > cutoff) return {face.along};
  const double bias = kPreferFace * pair.size();
  Axis best = face;
  best.along.gap += bias;
  tryBoxEdges(boxes, best);
  const bool is_edge = best.of_a >= 0 && best.of_b >= 0;
  if (!is_edge) best = face;
  if (best.along.gap > cutoff || best.along.gap <= 0) return {best.along};
  return {best.along, is_edge         ? edgesMeet(boxes, best)
                      : best.of_b < 0 ? isOverFaceOfA(boxes, best)
                                      : isOverFaceOfB(boxes, best)};
}

namespace {

using Kind = CollisionShape::Kind;

/// The surface next to the centre of a sphere.
struct NearestSurface {
  double distance = 0;  ///< negative inside
  Vec3 normal;          ///< unit, from the sphere to the other shape, in the world
};

NearestSurface nearestOfHalfSpace(Vec3 center, const Pose& pose) {
  return {dot(pose.rotation.z, center - pose.position), -pose.rotation.z};
}

NearestSurface nearestOfBox(Vec3 center, const Pose& pose, Vec3 half) {
  const Vec3 c = pose.pointToLocal(center);
  Vec3 outside;
  int face = 0;
  for (int i = 0; i < 3; ++i) {
    outside[i] = c[i] - std::clamp(c[i], -half[i], half[i]);
    if (std::abs(c[i]) - half[i] > std::abs(c[face]) - half[face]) face = i;
  }
  const double distance = norm(outside);
  if (distance > kTouching * norm(half))
    return {distance, pose.rotation * ((-1 / distance) * outside)};
  Vec3 inwards;
  inwards[face] = c[face] < 0 ? 1 : -1;
  return {std::abs(c[face]) - half[face], pose.rotation * inwards};
}

void addPoint(Vec3 center, double radius, const NearestSurface& surface, std::uint32_t feature,
              double margin, ContactPoints& out) {
  const double gap = surface.distance - radius;
  if (gap > margin) return;
  const Vec3 on_a = center + radius * surface.normal;
  out.push_back({on_a, on_a + gap * surface.normal, surface.normal, gap, feature});
}

// The sphere comes first; `is_a` tells whether it does for the caller.
bool collideInOrder(const CollisionShape& sphere, Vec3 center, const CollisionShape& other,
                    const Pose& pose, bool is_a, double margin, ContactPoints& out) {
  const double radius = sphere.measure().x;
  if (other.kind() == Kind::half_space) {
    addPoint(center, radius, nearestOfHalfSpace(center, pose), 0, margin, out);
    return true;
  }
  if (other.kind() != Kind::box) return false;
  const std::uint32_t feature = featureOf(is_a ? Meeting::corner_of_a : Meeting::corner_of_b, 0, 0);
  addPoint(center, radius, nearestOfBox(center, pose, other.measure()), feature, margin, out);
  return true;
}

bool collideSpheres(const CollisionShape& a, Vec3 center_a, const CollisionShape& b, Vec3 center_b,
                    double margin, ContactPoints& out) {
  const double radii = a.measure().x + b.measure().x;
  const Vec3 between = center_b - center_a;
  const double distance = norm(between);
  if (!(distance > kTouching * radii)) return false;
  const NearestSurface surface{distance - b.measure().x, (1 / distance) * between};
  addPoint(center_a, a.measure().x, surface, featureOf(Meeting::corner_of_a, 0, 0), margin, out);
  return true;
}

}  // namespace

bool collideSphere(const CollisionShape& a, const Pose& pose_a, const CollisionShape& b,
                   const Pose& pose_b, double margin, ContactPoints& out) {
  if (a.kind() == Kind::sphere && b.kind() == Kind::sphere)
    return collideSpheres(a, pose_a.position, b, pose_b.position, margin, out);
  if (a.kind() == Kind::sphere)
    return collideInOrder(a, pose_a.position, b, pose_b, true, margin, out);
  if (b.kind() != Kind::sphere) return false;
  const std::size_t first = out.size();
  if (!collideInOrder(b, pose_b.position, a, pose_a, false, margin, out)) return false;
  for (std::size_t i = first; i < out.size(); ++i) {
    std::swap(out[i].on_a, out[i].on_b);
    out[i].normal = -out[i].normal;
  }
  return true;
}

}  // namespace stickslip
