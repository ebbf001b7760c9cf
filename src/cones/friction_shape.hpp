// Sets D of friction impulses about zero in coordinates without units, and the nearest point of n D
// to y as a function of both: what projections on cones over D, Newton's method and sweeps are made
// of.
//
//   ball       1 to 3 rows, |x| <= 1
//   polygon    2 rows, corners (cos a_k, sin a_k), a_k = 2 p k / directions
//   bipyramid  3 rows, the hull of that polygon and of (0, 0, +-1)
//   hull       2 to 5 rows, of directions that a user gives; the nearest point is found by
//              nonnegative weights of the corners (math/nonnegative_fit)
//
// Where the nearest point P(n, y) is outside of the corners of D it follows y along a face, an edge
// or the sphere, and grows with n across:
//
//   dP = growth dn + share T dy,   T an orthogonal projection with T growth = 0.
#pragma once

#include <array>
#include <span>

#include "stickslip/friction_directions.hpp"

namespace stickslip {

inline constexpr std::size_t kMostFrictionRows = FrictionDirections::kMostComponents;
using FrictionVector = std::array<double, kMostFrictionRows>;

struct FrictionShape {
  int rows = 0;
  int directions = 0;                         ///< corners of the polygon or hull; 0: ball
  const FrictionDirections* given = nullptr;  ///< corners of a hull
};

/// Corner k of a polygon.
std::array<double, 2> polygonCorner(int directions, int k);

struct NearestFriction {
  FrictionVector point{};
  FrictionVector growth{};
  double share = 0;
  std::array<FrictionVector, kMostFrictionRows> along{};  ///< T
};

/// The point of n D next to y, n >= 0. Spans have the rows of the shape.
NearestFriction nearestFriction(const FrictionShape& shape, double n, std::span<const double> y);

/// The largest -x.u over D: the power that friction takes from u.
double frictionPower(const FrictionShape& shape, std::span<const double> u);

}  // namespace stickslip
