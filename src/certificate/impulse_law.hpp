// The contact law as the certificate sees it: nearest points of the impulse sets, the natural map,
// and the impulses that a contact may exchange for others. No solver uses this file.
#pragma once

#include <array>
#include <cmath>
#include <span>

#include "stickslip/contact_problem.hpp"
#include "stickslip/elementary.hpp"
#include "stickslip/vector.hpp"

namespace stickslip {

/// Normal component first; components that a set does not have are zero.
using ImpulseVector = std::array<double, ImpulseSet::kMostRows>;

/// Angular rows of a contact in the unit of its normal: with the lengths l_k by which their
/// velocities count, u_k l_k and p_k / l_k belong to the set with torsion and rolling divided by l.
struct ScaledSet {
  ImpulseSet set;
  ImpulseVector length{1, 1, 1, 1, 1, 1};
};
/// l_k = sqrt(mobility_0 / mobility_k), mobilities being the diagonal entries of J M^-1 J'; one for
/// all rows of rolling. Impulses in any unit of length are then compared in the same way.
ScaledSet scaledSet(const ImpulseSet& set, const ImpulseVector& mobility);

/// The point of K next to x, exact: in closed form, but for an elliptic cone that is not circular,
/// where one number is found by a safeguarded Newton iteration, and for sets with moments, where a
/// second one is.
ImpulseVector projectOnSet(const ImpulseSet& set, const ImpulseVector& x);

/// u_hat: u with the largest power that friction can take from it, per unit of normal impulse,
/// added to its normal component (mu |u_t| for a circle). Intervals, and the relaxed law: u.
ImpulseVector correctedVelocity(const ImpulseSet& set, Law law, const ImpulseVector& u);

/// |p - P_K(p - rho u_hat)| for a u_hat that is known,
double distanceToLaw(const ImpulseSet& set, const ImpulseVector& p, const ImpulseVector& u_hat,
                     double rho);
/// and for a u: zero exactly where the law holds.
double naturalMap(const ImpulseSet& set, Law law, const ImpulseVector& p, const ImpulseVector& u,
                  double rho);

// ---- Circular cones without moments: most contacts of bodies in space. ----

inline bool isCircularCone(const ImpulseSet& set) {
  return set.kind == ImpulseSet::Kind::elliptic && set.mu == set.mu_2 && set.mu > 0 &&
         set.torsion == 0 && set.rolling == 0 && !set.load_independent;
}

/// And of the plane.
inline bool isPlanarCone(const ImpulseSet& set) {
  return set.kind == ImpulseSet::Kind::planar && set.mu > 0 && set.torsion == 0 &&
         set.rolling == 0 && !set.load_independent;
}

/// |(x, y)|. Squares in this range lose nothing, and a root is much faster than math::hypot.
inline double planeLength(double x, double y) {
  const double square = x * x + y * y;
  return square > 1e-280 && square < 1e280 ? std::sqrt(square) : math::hypot(x, y);
}

inline double spaceLength(const Vec3& x) {
  const double square = dot(x, x);
  return square > 1e-280 && square < 1e280 ? std::sqrt(square) : math::hypot(x.x, x.y, x.z);
}

/// distanceToLaw() for them.
inline double distanceToCircle(double mu, const Vec3& p, const Vec3& u_hat, double rho) {
  const Vec3 x = p - rho * u_hat;
  const double side = planeLength(x.y, x.z), along = x.x + mu * side;
  if (x.x >= 0 && side <= mu * x.x) return rho * spaceLength(u_hat);
  if (along <= 0) return spaceLength(p);
  const double n = along / (1 + mu * mu), ratio = mu * n / side;
  return spaceLength({p.x - n, p.y - ratio * x.y, p.z - ratio * x.z});
}

/// The linear combinations of a contact's rows along which its impulse may vary while it moves at
/// u: none where it is open, all of a sticking one, the edge of the cone of a sliding one.
/// Velocities up to `closed` count as zero.
struct LoadDirections {
  int count = 0;
  std::array<ImpulseVector, ImpulseSet::kMostRows> rows;

  /// More directions than rows are dependent, whatever they are: one is then there twice.
  void add(const ImpulseVector& row) {
    if (count == ImpulseSet::kMostRows)
      rows.back() = rows.front();
    else
      rows[count++] = row;
  }
};
LoadDirections loadDirections(const ImpulseSet& set, const ImpulseVector& u, double closed);

}  // namespace stickslip
