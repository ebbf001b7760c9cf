// Contact points between a polyline, solid on its right, and a rounded polygon.
#pragma once

#include "collision/planar_points.hpp"

namespace stickslip {

/// Points in the frame of the polyline, with the body standing at `body_in_line`; `rounding` as of
/// planarRounding(). A body is pushed out of a segment while at least half of it, measured along
/// the segment's normal, is on the outside; deeper bodies are let through, and so are corners that
/// have come out of a thin solid on its other side. The ends of an open chain act as corners of a
/// right angle, but nothing collides with the sides below them.
void collidePolyline(const PlanarShape& line, const PlanarShape& body,
                     const PlanarPose& body_in_line, double margin, double rounding,
                     PlanarPoints& out);

}  // namespace stickslip
