// Closest points of two convex cores by the algorithm of Gilbert, Johnson and Keerthi (1988).
//
// The distance is that of the origin from the Minkowski difference b - a. A simplex of at most four
// of its points moves towards the origin: each round adds the support point in the direction of the
// origin and keeps the smallest face of the simplex that holds the point v nearest to it. Since
// min over w of v.w / |v| is a lower bound of the distance and |v| an upper one, their difference
// says when to stop; rounding of v.w, of the order of 1e-16 |v| times the size of the shapes, is
// what it is compared with. In overlap there is no answer: see separating_axes.hpp and
// deepest_normal.hpp.
#pragma once

#include <limits>

#include "collision/core_pair.hpp"

namespace stickslip {

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

}  // namespace stickslip
