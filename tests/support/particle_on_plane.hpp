// A particle of unit mass on an inclined plane in space, as a System of three coordinates: x down
// the slope, y across, z away from the plane. The tangents of its contact are turned by an angle,
// which must not matter.
#pragma once

#include <cmath>
#include <string>

#include "stickslip/system.hpp"

namespace stickslip::testing {

class ParticleOnPlane final : public System {
 public:
  ParticleOnPlane(double slope, double mu, double turn) : slope_(slope), mu_(mu), turn_(turn) {}

  static constexpr double kGravity = 9.81;

  std::span<const int> velocityBlocks() const override { return block_; }
  int positionCount() const override { return 3; }
  int tangentCount() const override { return 2; }
  int contactCapacity() const override { return 1; }
  int jointCapacity() const override { return 0; }
  void massMatrix(double, std::span<const double>, BlockDiagonal& M) const override {
    for (int k = 0; k < 3; ++k) M.block(0)(k, k) = 1;
  }
  void forces(double, std::span<const double>, std::span<const double>, double,
              std::span<double> h) const override {
    h[0] = kGravity * std::sin(slope_);
    h[1] = 0;
    h[2] = -kGravity * std::cos(slope_);
  }
  void contacts(double, std::span<const double> q, const Reach& reach,
                ContactSet& out) const override {
    if (q[2] > reach.margin + reach.way[2]) return;
    out.add({.gap = q[2]}, {.mu = mu_, .mu_2 = mu_});
    out.directions.addGroup(3);
    const MatrixView w = out.directions.addStrip(0, 3);
    w(0, 2) = 1;
    w(1, 0) = w(2, 1) = std::cos(turn_);
    w(1, 1) = std::sin(turn_);
    w(2, 0) = -std::sin(turn_);
    out.drive.insert(out.drive.end(), 3, 0.0);
  }
  void joints(double, std::span<const double>, JointSet&) const override {}
  void move(double, std::span<const double> u, double dt, std::span<double> q) const override {
    for (std::size_t k = 0; k < 3; ++k) q[k] += dt * u[k];
  }
  std::string positionName(int i) const override { return std::string(1, "xyz"[i]); }
  std::string velocityName(int i) const override { return positionName(i); }
  std::string contactName(std::uint64_t) const override { return "plane"; }

 private:
  int block_[1] = {3};
  double slope_, mu_, turn_;
};

}  // namespace stickslip::testing
