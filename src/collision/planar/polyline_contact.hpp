// Contact points between a polyline, solid on its right, and a rounded polygon.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "collision/planar/planar_contact.hpp"
#include "collision/planar/planar_shape.hpp"

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

// A rounded polygon on a chain of segments that is solid on its right: corners over segments, and
// joints of the chain.
//
// Three kinds of points are reported, as far as their gap is within the margin.
//   Corner of the body over a segment. Each corner of the body's core that faces the segment and
// stands over it; past a concave joint the segment goes on, since the solid is there the union of
// what lies behind both. If the edge from this corner down to the next one runs out over a convex
// joint, the joint carries that edge, and the normal is the edge's own, kept between the normals of
// the segments under it. A body that slides along the edge then feels no kink.
//   Convex joint against an edge of the body, with the edge's normal kept between those of the two
// segments.
//   Convex joint against a corner of the body, along their difference.
// So every normal lies between those of the segments at hand: no sideways contact at a joint inside
// a smooth way.
//
// Inside the solid a corner of the body is in front of several segments of a convex stretch. Only
// the one that the body has to move least to leave counts (separating axes, restricted to what
// stands over each segment).
namespace stickslip::polyline {

using Joint = SegmentChain::Joint;

// Edges and segments count as facing while the angle between their normals has at least this
// cosine.
inline constexpr double kFacing = 0.5;
// The cosine of directions that are inside a cone, not clamped to it.
inline constexpr double kInside = 1 - 1e-12;
// Directions closer than this are one direction.
inline constexpr double kSameDirection = 16 * std::numeric_limits<double>::epsilon();
inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct LinePoint {
  double along = 0;   ///< from the segment's start
  double height = 0;  ///< over its line
};

inline LinePoint seenFrom(const PlanarEdge& segment, Vec2 p) {
  return {dot(segment.along, p - segment.start), dot(segment.normal, p - segment.start)};
}

class PolylinePair {
 public:
  PolylinePair(const PlanarShape& line, const PlanarShape& body, const PlanarPose& body_in_line,
               double margin, double rounding, PlanarPoints& out)
      : chain_(line.chain()),
        body_(body),
        pose_(body_in_line),
        margin_(margin),
        rounding_(rounding),
        corners_(static_cast<int>(body.corners().size())),
        out_(out) {
    const double reach = body_.radius() + margin_;
    for (int j = 0; j < corners_; ++j) {
      const Vec2 p = corner(j);
      box_.lower = {std::min(box_.lower.x, p.x - reach), std::min(box_.lower.y, p.y - reach)};
      box_.upper = {std::max(box_.upper.x, p.x + reach), std::max(box_.upper.y, p.y + reach)};
    }
  }

  void collideSegment(int k) {
    collideJoint(k, -1);
    if (chain_.neighbour(k, +1) < 0) collideJoint(k, +1);
    if (!standsBefore(k)) return;
    for (int j = 0; j < corners_; ++j) collideCorner(k, j);
  }

  /// A corner of the body may be behind a segment by half of the body's width.
  PlanarBounds searchBox() const {
    const double depth = norm(box_.upper - box_.lower) / 2;
    return {box_.lower - Vec2{depth, depth}, box_.upper + Vec2{depth, depth}};
  }

 private:
  // The normals that the surface has around a joint, from `first` clockwise to `last`.
  struct NormalCone {
    Vec2 first;
    Vec2 last;

    bool contains(Vec2 n) const {
      return cross(first, n) <= kSameDirection && cross(n, last) <= kSameDirection &&
             dot(n, first + last) > 0;
    }
    // The nearest direction of the cone.
    Vec2 clamped(Vec2 n) const {
      if (contains(n)) return n;
      return dot(n, first) > dot(n, last) ? first : last;
    }
  };

  // An edge of the body over a joint.
  struct JointEdge {
    int edge = -1;
    double height = -kInfinity;  ///< of the joint over the edge's line
    Vec2 normal;                 ///< the edge's own, or the nearest one of the joint's cone
  };

  Vec2 corner(int j) const {
    const int wrapped = j < 0 ? j + corners_ : j >= corners_ ? j - corners_ : j;
    return pose_.point(body_.corners()[wrapped]);
  }
  // Normal of edge e, turned to point from the terrain to the body.
  Vec2 faceNormal(int e) const {
    const int wrapped = e < 0 ? e + corners_ : e;
    return -pose_.direction(body_.edges()[wrapped].normal);
  }

  bool standsBefore(int k) const;
  double lowestOver(int k) const;
  bool over(int k, double along) const;
  bool overEither(int k, int step, Vec2 p) const;
  bool reachesPast(int k, int step, Vec2 p, LinePoint seen) const;
  NormalCone coneAt(int k, int step) const;
  bool carriedNormal(int k, int j, Vec2& normal) const;
  Vec2 lastNormalUnder(int k, int step, Vec2 target) const;
  bool joinsConvexly(int k, int at, int step) const;
  bool leavesHere(int k, Vec2 p, bool own_normal) const;
  JointEdge edgeOver(Vec2 joint, const NormalCone& cone, double least_cosine) const;
  void collideCorner(int k, int j);
  void collideJoint(int k, int step);
  void collideJointCorners(int k, int step);

  const SegmentChain& chain_;
  const PlanarShape& body_;
  PlanarPose pose_;
  double margin_;
  double rounding_;
  int corners_;
  PlanarBounds box_{{kInfinity, kInfinity}, {-kInfinity, -kInfinity}};  ///< body and margin
  PlanarPoints& out_;
};

}  // namespace stickslip::polyline
