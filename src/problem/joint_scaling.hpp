// Rows of one joint made orthonormal, so that a step of length one solves the joint exactly.
//
//   W = R R',   G^ = R^-1 G,   u^ = R^-1 u,   c = R^-T c^
//
// with W = G M^-1 G' + C the joint's own block. Rows that say what those before them say become
// zero.
#pragma once

#include <array>
#include <span>

#include "cones/cone.hpp"

namespace stickslip {

class JointScaling {
 public:
  using Block = std::array<double, kMostRows * kMostRows>;

  JointScaling() = default;
  /// `W` is rows x rows, row-major with kMostRows columns.
  JointScaling(int rows, const Block& W);

  /// x := R^-1 x.
  void toScaled(std::span<double> x) const;
  /// Impulses: c := R^-T c^ and back.
  void toImpulses(std::span<const double> scaled, std::span<double> c) const;
  void fromImpulses(std::span<const double> c, std::span<double> scaled) const;

 private:
  double entry(int i, int j) const { return R_[kMostRows * i + j]; }

  Block R_{};  ///< 0 on the diagonal of rows that are left out
};

}  // namespace stickslip
