// What the interior point method (cone_interior_point.hpp) needs of one kind of items.
//
// A barrier keeps strictly inside: impulses pi in K, and its own dual variables z in K*, which the
// velocities omega = W pi + q approach. One Newton step towards complementarity mu solves
//
//   d_pi = c - S d_z,   d_z = (omega - z) + d_omega + delta d_pi,   d_omega = W d_pi,
//
// with S and c of the Nesterov-Todd scaling and a proximal weight delta that keeps the step finite
// where contacts say the same twice. Eliminating d_z leaves what ImpulseOperator solves,
// d_pi = r - S~ d_omega. One call serves all items of a kind, so that the loops over items are
// inside.
#pragma once

#include <algorithm>
#include <span>

#include "solvers/convex_point.hpp"

namespace stickslip {

class Barrier {
 public:
  virtual ~Barrier() = default;

  /// Takes the items of its kind and forgets all others.
  virtual void select(const ConvexProblem& problem) = 0;
  /// The number of products that are driven to mu.
  virtual int degree() const = 0;
  /// Moves pi, and z from omega, inside: all products of the size of `impulse` times `velocity`,
  /// or more where the point is further inside by itself.
  virtual void enter(double impulse, double velocity, std::span<double> pi,
                     std::span<const double> omega) = 0;
  /// The sum of the products of pi and z.
  virtual double gap(std::span<const double> pi) const = 0;
  /// Fills the blocks S~.
  virtual void scale(double delta, std::span<const double> pi, std::span<double> S) = 0;
  /// Fills r for a step towards `mu`; with the second-order terms of the
  /// last direction times `correction`.
  virtual void aim(double mu, double correction, std::span<const double> pi,
                   std::span<const double> omega, std::span<double> r) = 0;
  /// Fills r for a better direction than the last one: `step` along it no product should be far
  /// from `mu`. Kinds that cannot do so leave r as it is.
  virtual void recentre(double /*step*/, double /*mu*/, std::span<const double> /*omega*/,
                        std::span<double> /*r*/) {}
  /// Takes the last recentre() back.
  virtual void aimAsBefore(std::span<const double> /*omega*/, std::span<double> /*r*/) {}
  /// Takes the solution of the linear system: returns how much of it stays inside, at most 1.
  virtual double direct(std::span<const double> pi, std::span<const double> omega,
                        std::span<const double> d_pi, std::span<const double> d_omega) = 0;
  /// pi += step d_pi, and the same for z.
  virtual void move(double step, std::span<double> pi, std::span<const double> d_pi) = 0;

 protected:
  /// By how much the target of a product should change that would come to `product`, where the
  /// others come to mu. Large ones are lowered by a little only: they cost no step length.
  static double recentring(double product, double mu) {
    constexpr double kFar = 10;
    return std::max(std::clamp(product, mu / kFar, mu * kFar) - product, -mu * kFar);
  }
  /// What a product comes to a `step` along a direction that was to take it from `now` to `target`
  /// and misses it by `second`.
  static double productAfter(double step, double now, double target, double second) {
    return (1 - step) * now + step * (target + step * second);
  }
};

}  // namespace stickslip
