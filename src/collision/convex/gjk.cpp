#include "collision/convex/gjk.hpp"

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
    // A tetrahedron holds the origin; if `lower` says that the cores are apart, by rounding only.
    const bool overlap = nearer.isTetrahedron() && lower <= 0;
    if (!overlap && (nearer.isTetrahedron() || nearer.squared >= length * length)) {
      simplex.removeLast();
      break;
    }
    simplex.keep(nearer);
    if (overlap) return simplex.touching();
    v = nearer.v;
  }
  return simplex.closest(v);
}

}  // namespace stickslip
