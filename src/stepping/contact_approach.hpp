// How fast contacts close, and how far apart they may be and still count as touching: the questions
// that locating collisions asks again and again.
#pragma once

#include <span>

#include "stickslip/block_matrix.hpp"

namespace stickslip {

/// Rate of a contact's gap under a velocity.
struct Approach {
  double rate = 0;  ///< d(gap)/dt
  double size = 0;  ///< of the terms that were added in it

  /// True if the contact closes, and not by so little that it may be rounding or the tolerance of a
  /// solver.
  bool closes() const { return rate < -kNegligible * size; }
  static constexpr double kNegligible = 1e-6;
};

/// Of group i of `rows` with the velocity v; `drive` are the rheonomic terms, row by row.
Approach approachOf(const BlockRows& rows, int i, std::span<const double> drive,
                    std::span<const double> v);

/// w_N.x for group i of `rows`.
double alongNormal(const BlockRows& rows, int i, std::span<const double> x);

/// sum_k |w_N,k| way_k for group i of `rows`: what `way` is along the normal.
double wayAlongNormal(const BlockRows& rows, int i, std::span<const double> way);

}  // namespace stickslip
