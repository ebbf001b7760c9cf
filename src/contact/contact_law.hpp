// The laws between impulse and velocity of one item, in coordinates without units, for the sparse
// solvers: pi in K, omega_hat in K*, pi.omega_hat = 0.
//
//   cone      K = {|pi_t| <= pi_n}, 1 to 6 rows; one row: pi_n >= 0
//   polygon   K = {pi_t in pi_n D}, D the regular polygon with corners (cos a_k, sin a_k), 3 rows
//   interval  lower <= pi <= upper, one row
//   joint     any pi, omega = 0
//
// omega_hat = omega + slip e_n with Coulomb's law, slip = |omega_t| for cones and the largest
// -d.omega_t over d in D for polygons; omega_hat = omega with the relaxed law.
#pragma once

#include <array>
#include <span>

#include "stickslip/contact_problem.hpp"

namespace stickslip {

inline constexpr int kMostRows = 6;

struct ContactItem {
  enum class Kind { cone, polygon, interval, joint };
  Kind kind = Kind::cone;
  int first = 0;  ///< row
  int rows = 0;
  int directions = 0;  ///< corners of a polygon
  double lower = 0;    ///< interval: bounds of pi
  double upper = 0;
};

/// Corner k of a polygon.
std::array<double, 2> polygonCorner(int directions, int k);

/// x := the point of K next to x.
void projectOnItem(const ContactItem& item, std::span<double> x);

/// What Coulomb's law adds to the normal velocity; 0 for intervals, joints and the relaxed law.
double slipOf(const ContactItem& item, Law law, std::span<const double> omega);

/// out = pi - P_K(pi - omega_hat): zero exactly where the law holds. Spans are those of the item.
void naturalMap(const ContactItem& item, Law law, std::span<const double> pi,
                std::span<const double> omega, std::span<double> out);

}  // namespace stickslip
