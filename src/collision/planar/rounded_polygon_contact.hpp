// Contact points between two rounded polygons.
#pragma once

#include "collision/planar/planar_contact.hpp"

namespace stickslip {

/// Points in the frame of `a`, with b standing at `b_in_a`; `rounding` as of planarRounding(). The
/// edges of `a` are preferred where both shapes offer the same.
void collideRoundedPolygons(const PlanarShape& a, const PlanarShape& b, const PlanarPose& b_in_a,
                            double margin, double rounding, PlanarPoints& out);

}  // namespace stickslip
