#include "collision/deepest_normal.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "collision/gjk.hpp"

namespace stickslip {
namespace {

constexpr int kMaxAscents = 200;
// Least distance, as a part of the size, that GJK gets to work with.
constexpr double kClear = 0.01;
// An ascent ends when h gains less than this part of the size.
constexpr double kGain = 2e-16;
// Candidates with a larger cosine between them lead to the same maximum.
constexpr double kSameStart = 0.999;
// Directions shorter than this part of the size are no directions.
constexpr double kNoDirection = 1e-12;

/// The best few normals, best first, no two of them close to each other.
class Candidates {
 public:
  explicit Candidates(const CorePair& pair) : pair_(pair) { best_.fill({-kInfinity, {}}); }

  void tryBothWays(Vec3 direction, double scale) {
    const double length = norm(direction);
    if (length <= kNoDirection * scale) return;
    const Vec3 n = (1 / length) * direction;
    insert({pair_.gapAlong(n), n});
    insert({pair_.gapAlong(-n), -n});
  }
  std::span<const SignedDistance> best() const { return best_; }

  static constexpr double kInfinity = std::numeric_limits<double>::infinity();

 private:
  void insert(SignedDistance candidate) {
    for (std::size_t i = 0; i < best_.size(); ++i) {
      if (candidate.gap > best_[i].gap) std::swap(candidate, best_[i]);
      // What was pushed down is dropped if it is close to what displaced it.
      if (dot(candidate.normal, best_[i].normal) > kSameStart) return;
    }
  }

  const CorePair& pair_;
  std::array<SignedDistance, 3> best_;
};

// Normals that a cylinder with the given axis and center may have in common with a polytope.
void tryCylinderAndPolytope(Vec3 axis, Vec3 center, const PolytopeView& core, const Pose& pose,
                            double size, Candidates& out) {
  const auto tryRadial = [&](Vec3 point) {
    const Vec3 arm = point - center;
    out.tryBothWays(arm - dot(arm, axis) * axis, size);
  };
  for (const PolytopeFace& face : core.faces) out.tryBothWays(pose.rotation * face.normal, 1);
  for (const PolytopeEdge& edge : core.edges)
    out.tryBothWays(cross(axis, pose.rotation * edge.direction), 1);
  for (const Vec3& vertex : core.vertices) tryRadial(pose.pointToWorld(vertex));
}

void tryTwoCylinders(Vec3 axis, const Pose& other, double size, Candidates& out) {
  const Vec3 arm = other.position;
  out.tryBothWays(cross(axis, other.rotation.z), 1);
  out.tryBothWays(arm - dot(arm, axis) * axis, size);
  out.tryBothWays(arm - dot(arm, other.rotation.z) * other.rotation.z, size);
}

void tryAll(const CorePair& pair, Candidates& out) {
  const PolytopeView core_a = pair.a.polytope();
  const PolytopeView core_b = pair.b.polytope();
  const bool round_a = core_a.vertices.empty();
  const bool round_b = core_b.vertices.empty();
  const Vec3 axis_a{0, 0, 1};
  const Vec3 axis_b = pair.b_in_a.rotation.z;
  const double size = pair.size();

  if (round_a) out.tryBothWays(axis_a, 1);
  if (round_b) out.tryBothWays(axis_b, 1);
  out.tryBothWays(pair.centerLine(), size);
  if (round_a && round_b)
    tryTwoCylinders(axis_a, pair.b_in_a, size, out);
  else if (round_a)
    tryCylinderAndPolytope(axis_a, {}, core_b, pair.b_in_a, size, out);
  else
    tryCylinderAndPolytope(axis_b, pair.b_in_a.position, core_a, {}, size, out);
}

SignedDistance ascend(const CorePair& pair, SignedDistance start) {
  constexpr double no_cutoff = std::numeric_limits<double>::infinity();
  const double size = pair.size();
  SignedDistance at = start;
  for (int i = 0; i < kMaxAscents; ++i) {
    const double delta = 1.5 * std::max(0.0, -at.gap) + kClear * size;
    const ClosestPoints apart = closestPoints(pair, delta * at.normal, at.normal, no_cutoff);
    if (apart.distance == 0) break;
    const SignedDistance next{pair.gapAlong(apart.normal), apart.normal};
    if (next.gap <= at.gap + kGain * size) break;
    at = next;
  }
  return at;
}

}  // namespace

SignedDistance distanceByAscent(const CorePair& pair) {
  Candidates candidates(pair);
  tryAll(pair, candidates);
  SignedDistance best{-Candidates::kInfinity, {}};
  for (const SignedDistance& start : candidates.best()) {
    if (start.gap == -Candidates::kInfinity) continue;
    const SignedDistance end = ascend(pair, start);
    if (end.gap > best.gap) best = end;
  }
  return best;
}

}  // namespace stickslip
