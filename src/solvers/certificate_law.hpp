// The contact law as the certificate sees it: nearest points of the impulse sets, the natural map,
// and the impulses that a contact may exchange for others. No solver uses this file.
#pragma once

#include <array>
#include <span>

#include "stickslip/contact_problem.hpp"

namespace stickslip {

/// Normal component first; components that a set does not have are zero.
using ImpulseVector = std::array<double, 3>;

/// The point of K next to x, exact: in closed form, but for an elliptic cone that is not circular,
/// where one number is found by a safeguarded Newton iteration.
ImpulseVector projectOnSet(const ImpulseSet& set, const ImpulseVector& x);

/// u_hat: u with the largest power that friction can take from it, per unit of normal impulse,
/// added to its normal component (mu |u_t| for a circle). Intervals, and the relaxed law: u.
ImpulseVector correctedVelocity(const ImpulseSet& set, Law law, const ImpulseVector& u);

/// |p - P_K(p - rho u_hat)|: zero exactly where the law holds.
double naturalMap(const ImpulseSet& set, Law law, const ImpulseVector& p, const ImpulseVector& u,
                  double rho);

/// The linear combinations of a contact's rows along which its impulse may vary while it moves at
/// u: none where it is open, all of a sticking one, the edge of the cone of a sliding one.
/// Velocities up to `closed` count as zero.
struct LoadDirections {
  int count = 0;
  std::array<ImpulseVector, 3> rows;
};
LoadDirections loadDirections(const ImpulseSet& set, const ImpulseVector& u, double closed);

}  // namespace stickslip
