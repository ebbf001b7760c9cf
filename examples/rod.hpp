// A rigid rod in the plane whose two tips may touch the floor: a system in generalized coordinates,
// written as [GS05] section 3 describes it.
//
//   q = (x, y, theta): centre and angle;  tips at (x, y) -+ l (cos theta, sin theta)
//   M = diag(m, m, m l^2 / 3),  h = (0, -m g, 0)
//   gaps g = y -+ l sin theta,  w_N = (0, 1, -+ l cos theta),  w_T = (1, 0, +- l sin theta)
//
// With a tip sliding at angle theta and mu > (tan^2 theta + 4) / (3 tan theta) no finite contact
// force exists (Painleve); a time step still has a solution, and the tip jams by an impulse.
#pragma once

#include "stickslip/elementary.hpp"
#include "stickslip/generalized_system.hpp"

class Rod final : public stickslip::GeneralizedSystem {
 public:
  explicit Rod(double friction) : GeneralizedSystem(3), friction_(friction) {}

  static constexpr double kMass = 1, kHalfLength = 0.5, kGravity = 9.81;

  int contactCount() const override { return 2; }

  void generalizedMass(double, std::span<const double>, stickslip::MatrixView M) const override {
    M(0, 0) = M(1, 1) = kMass;
    M(2, 2) = kMass * kHalfLength * kHalfLength / 3;
  }
  void generalizedForces(double, std::span<const double>, std::span<const double>,
                         std::span<double> h) const override {
    h[1] = -kMass * kGravity;
  }
  stickslip::ContactLaw contactLaw(int) const override { return {.mu = friction_}; }

  double gap(int tip, double, std::span<const double> q) const override {
    return q[1] + side(tip) * kHalfLength * stickslip::math::sin(q[2]);
  }
  double normalDirection(int tip, double, std::span<const double> q,
                         std::span<double> w) const override {
    w[1] = 1;
    w[2] = side(tip) * kHalfLength * stickslip::math::cos(q[2]);
    return 0;
  }
  double tangentDirection(int tip, double, std::span<const double> q,
                          std::span<double> w) const override {
    w[0] = 1;
    w[2] = -side(tip) * kHalfLength * stickslip::math::sin(q[2]);
    return 0;
  }
  double potentialEnergy(double, std::span<const double> q) const override {
    return kMass * kGravity * q[1];
  }
  std::string coordinateName(int i) const override {
    constexpr const char* kNames[] = {"x", "y", "theta"};
    return kNames[i];
  }

  /// The friction above which a tip that slides at this angle has no finite contact force.
  static double criticalFriction(double theta) {
    const double tangent = stickslip::math::sin(theta) / stickslip::math::cos(theta);
    return (tangent * tangent + 4) / (3 * tangent);
  }

 private:
  static double side(int tip) { return tip == 0 ? -1 : 1; }

  double friction_;
};
