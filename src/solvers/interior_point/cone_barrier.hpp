// What the interior point method (interior_point.hpp) needs of one kind of cones.
//
// A barrier keeps strictly inside: impulses p in K, and its own dual variables z in K*, which the
// velocities u_hat approach, u = W p + q. One Newton step towards complementarity mu solves
//
//   d_p = c - S d_z,   d_z = (T u - z) + T d_u + delta d_p,   d_u = W d_p,
//
// with S and c of the Nesterov-Todd scaling and a proximal weight delta that keeps the step finite
// where contacts say the same twice. T is the slope of u_hat by u: 1 with the relaxed law; with
// Coulomb's it adds that of the slip, and T u is u_hat of the point, linearized. Eliminating d_z
// leaves what Delassus solves, d_p = r - S~ d_u. One call serves all cones of a kind, so that the
// loops over cones are inside.
#pragma once

#include <algorithm>
#include <span>

#include "solvers/common/iterate.hpp"

namespace stickslip {

class ConeBarrier {
 public:
  virtual ~ConeBarrier() = default;

  /// Takes the cones of its kind and forgets all others.
  virtual void select(const ConvexProblem& problem) = 0;
  virtual bool isEmpty() const = 0;
  /// The number of products that are driven to mu.
  virtual int degree() const = 0;
  /// Moves p, and z from u, inside: all products of the size of `impulse` times `velocity`,
  /// or more where the point is further inside by itself.
  virtual void enter(double impulse, double velocity, std::span<double> p,
                     std::span<const double> u) = 0;
  /// The sum of the products of p and z.
  virtual double gap(std::span<const double> p) const = 0;
  /// Fills the blocks S~.
  virtual void scale(double delta, std::span<const double> p, std::span<double> S) = 0;
  /// Fills r for a step towards `mu`; with the second-order terms of the
  /// last direction times `correction`.
  virtual void aim(double mu, double correction, std::span<const double> p,
                   std::span<const double> u, std::span<double> r) = 0;
  /// Fills r for a better direction than the last one: `step` along it no product should be far
  /// from `mu`.
  virtual void recentre(double step, double mu, std::span<const double> u, std::span<double> r) = 0;
  /// Takes the last recentre() back.
  virtual void aimAsBefore(std::span<const double> u, std::span<double> r) = 0;
  /// Takes the solution of the linear system: returns how much of it stays inside, at most 1.
  virtual double direct(std::span<const double> p, std::span<const double> u,
                        std::span<const double> d_p, std::span<const double> d_u) = 0;
  /// p += step d_p, and the same for z.
  virtual void move(double step, std::span<double> p, std::span<const double> d_p) = 0;
};

/// By how much the target of a product should change that would come to `product`, where the others
/// come to mu. Large ones are lowered by a little only: they cost no step length.
inline double recentring(double product, double mu) {
  constexpr double kFar = 10;
  // Not std::clamp: mu may be negative where numbers overflow.
  const double target = std::min(std::max(product, mu / kFar), mu * kFar);
  return std::max(target - product, -mu * kFar);
}

/// What a product comes to a `step` along a direction that was to take it from `now` to `target`
/// and misses it by `second`.
inline double productAfter(double step, double now, double target, double second) {
  return (1 - step) * now + step * (target + step * second);
}

}  // namespace stickslip
