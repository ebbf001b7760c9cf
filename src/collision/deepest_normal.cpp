#include "collision/deepest_normal.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "collision/gjk.hpp"

namespace stickslip {
namespace {

// Rounds of ascent that show which candidate wins, and that it then gets at most.
constexpr int kTrialRounds = 3;
constexpr int kMaxRounds = 200;
// Least distance, as a part of the size, that GJK gets to work with.
constexpr double kClear = 0.01;
// An ascent ends when h gains less than this part of the size.
constexpr double kGain = 2e-16;
// Candidates with a larger cosine between them lead to the same maximum.
constexpr double kSameStart = 0.999;
// Overlaps by more than this part of the size are deep.
constexpr double kDeep = 0.02;
constexpr std::size_t kGrid = 32;
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
  std::array<SignedDistance, 4> best_;
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

// Rim against edge and rim against rim have no formula. They decide deep overlaps only, where a
// coarse grid over the sphere finds their neighbourhood.
void tryGrid(Candidates& out) {
  static const std::array<Vec3, kGrid> grid = [] {
    std::array<Vec3, kGrid> points;
    for (std::size_t i = 0; i < kGrid; ++i) {
      const double z = (static_cast<double>(i) + 0.5) / kGrid;
      const double angle = 2 * std::numbers::pi * std::numbers::phi * static_cast<double>(i);
      const double r = std::sqrt(1 - z * z);
      points[i] = {r * std::cos(angle), r * std::sin(angle), z};
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

// Improves `at` in at most `rounds` rounds.
void ascend(const CorePair& pair, int rounds, SignedDistance& at) {
  constexpr double no_cutoff = std::numeric_limits<double>::infinity();
  const double size = pair.size();
  for (int i = 0; i < rounds; ++i) {
    const double delta = 1.2 * std::max(0.0, -at.gap) + kClear * size;
    const ClosestPoints apart = closestPoints(pair, delta * at.normal, at.normal, no_cutoff);
    if (apart.distance == 0) return;
    const SignedDistance next{pair.gapAlong(apart.normal), apart.normal};
    if (next.gap <= at.gap + kGain * size) return;
    at = extrapolate(pair, at, next);
  }
}

}  // namespace

SignedDistance distanceByAscent(const CorePair& pair) {
  Candidates candidates(pair);
  tryAll(pair, candidates);
  if (candidates.best()[0].gap < -kDeep * pair.size()) tryGrid(candidates);
  SignedDistance best = candidates.best()[0];
  for (SignedDistance start : candidates.best()) {
    if (start.gap == -Candidates::kInfinity) break;
    ascend(pair, kTrialRounds, start);
    if (start.gap > best.gap) best = start;
  }
  ascend(pair, kMaxRounds, best);
  return best;
}

}  // namespace stickslip
