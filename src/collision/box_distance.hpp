// Signed distance of two boxes along their separating axes, in closed form: along a unit vector n a
// box with half sides h and axes r_k reaches sum_k h_k |n.r_k| from its centre (Gottschalk, Lin,
// Manocha, OBBTree, 1996). The same axes in the same order as distanceByAxes() of
// separating_axes.hpp, hence the same result up to rounding.
#pragma once

#include "collision/separating_axes.hpp"

namespace stickslip {

/// Best of the separating axes.
struct BoxDistance {
  SignedDistance along;
  /// There are points of both at this distance: apart, this is the distance. If false, it may be
  /// larger: two vertices, or a vertex and an edge, are nearest along none of the axes.
  bool is_attained = false;
};

/// Of two cores that are boxes. Beyond `cutoff` the first axis will do.
BoxDistance boxDistance(const CorePair& pair, double cutoff);

}  // namespace stickslip
