// How fast contacts close and how far velocities carry them: asked again and again where contacts
// are watched and collisions are located.
#pragma once

#include <span>

#include "stickslip/block_matrix.hpp"
#include "stickslip/detail/row_drive.hpp"

namespace stickslip {

/// w_N.x for group i of `rows`.
double alongNormal(const BlockRows& rows, int i, std::span<const double> x);

/// sum_k |w_N,k| way_k for group i of `rows`: at most what velocities that carry as far as `way`
/// change the gap by.
double wayAlongNormal(const BlockRows& rows, int i, std::span<const double> way);

/// Rate of the gap of group i of `rows` with the velocity v; `drive` are the rheonomic terms, row
/// by row.
double gapRate(const BlockRows& rows, int i, std::span<const double> drive,
               std::span<const double> v);

}  // namespace stickslip
