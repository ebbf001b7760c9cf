#include "collision/planar/polyline_contact.hpp"

#include <utility>

namespace stickslip {

namespace polyline {

// Within reach of the segment's line, and at least half outside.
bool PolylinePair::standsBefore(int k) const {
  double lowest = kInfinity, highest = -kInfinity;
  for (int j = 0; j < corners_; ++j) {
    const double height = seenFrom(chain_[k], corner(j)).height;
    lowest = std::min(lowest, height);
    highest = std::max(highest, height);
  }
  return lowest - body_.radius() <= margin_ && lowest + highest >= -rounding_;
}

// The least height over segment k of what stands over it of the body's core; infinite if nothing.
double PolylinePair::lowestOver(int k) const {
  const PlanarEdge& s = chain_[k];
  double lowest = kInfinity;
  for (int j = 0; j < corners_; ++j) {
    LinePoint p = seenFrom(s, corner(j)), q = seenFrom(s, corner(j + 1));
    if (p.along > q.along) std::swap(p, q);
    if (q.along < -rounding_ || p.along > s.length + rounding_) continue;
    const double run = q.along - p.along;
    const auto height_at = [&](double along) {
      const double part = run > 0 ? std::clamp((along - p.along) / run, 0.0, 1.0) : 0.0;
      return p.height + part * (q.height - p.height);
    };
    lowest = std::min({lowest, p.along < 0 ? height_at(0) : p.height,
                       q.along > s.length ? height_at(s.length) : q.height});
  }
  return lowest;
}

// Both segments have what stands over their joint: nothing is lost by rounding, and of points that
// coincide only one is kept.
bool PolylinePair::over(int k, double along) const {
  return along >= -rounding_ && along <= chain_[k].length + rounding_;
}

// Past a concave joint: over the next segment and near the joint, or below it where neither segment
// is met at a right angle.
bool PolylinePair::reachesPast(int k, int step, Vec2 p, LinePoint seen) const {
  if (chain_.joint(k, step) != Joint::concave) return false;
  const PlanarEdge &s = chain_[k], &other = chain_[chain_.neighbour(k, step)];
  const LinePoint there = seenFrom(other, p);
  if (step < 0 ? there.along >= other.length : there.along <= 0)
    return seen.height < 0 && leavesHere(chain_.neighbour(k, step), p, true);
  if (norm(p - (step < 0 ? s.start : s.end)) > margin_ + body_.radius()) return false;
  const int next = chain_.neighbour(k, step);
  return over(next, there.along) && (there.height >= 0 || leavesHere(next, p, true));
}

// The normal of the last segment of a convex stretch from segment k on, towards `target`.
Vec2 PolylinePair::lastNormalUnder(int k, int step, Vec2 target) const {
  Vec2 normal = chain_[k].normal;
  for (int passed = 0; passed < chain_.count(); ++passed) {
    const PlanarEdge& s = chain_[k];
    const double along = seenFrom(s, target).along;
    const bool ends_here = step < 0 ? along >= 0 : along <= s.length;
    if (ends_here || chain_.joint(k, step) == Joint::concave) return normal;
    const NormalCone cone = coneAt(k, step);
    const Vec2 next = step < 0 ? cone.first : cone.last;
    if (chain_.joint(k, step) == Joint::end || dot(next, chain_[k].normal) <= 0) return next;
    normal = next;
    k = chain_.neighbour(k, step);
  }
  return normal;
}

// The normal of the contact between corner j and segment k. False if the corner does not face it.
bool PolylinePair::carriedNormal(int k, int j, Vec2& normal) const {
  const PlanarEdge& s = chain_[k];
  normal = s.normal;
  if (corners_ == 1) return true;
  const Vec2 p = corner(j);
  const bool falls_forward = dot(s.normal, corner(j + 1) - p) < 0;
  const bool falls_back = dot(s.normal, corner(j - 1) - p) < 0;
  if (!falls_forward && !falls_back) return true;
  if (falls_forward && falls_back && corners_ > 2) return false;
  // Edge j goes forward, edge j - 1 comes from behind; a capsule has both on the same corners.
  const bool forward = corners_ == 2
                           ? dot(faceNormal(j), s.normal) > dot(faceNormal(j - 1), s.normal)
                           : falls_forward;
  const Vec2 face = faceNormal(forward ? j : j - 1);
  if (dot(face, s.normal) < kFacing) return false;
  const Vec2 lower = corner(forward ? j + 1 : j - 1);
  const int step = dot(s.along, lower - p) < 0 ? -1 : +1;
  const Vec2 last = lastNormalUnder(k, step, lower);
  const NormalCone cone = step < 0 ? NormalCone{last, s.normal} : NormalCone{s.normal, last};
  normal = cone.clamped(face);
  return dot(normal, s.normal) >= kFacing;
}

// Segment `at` follows k by the joint before it, on a stretch that has turned by less than pi.
bool PolylinePair::joinsConvexly(int k, int at, int step) const {
  if (at < 0 || at == k) return false;
  const Joint joint = chain_.joint(at, -step);
  if (joint != Joint::convex && joint != Joint::straight) return false;
  return step * cross(chain_[k].normal, chain_[at].normal) <= kSameDirection;
}

// Of the segments of a convex stretch, p lies behind all, and k is the one that the body leaves
// first.
bool PolylinePair::leavesHere(int k, Vec2 p, bool own_normal) const {
  const double own = lowestOver(k);
  for (const int step : {-1, +1}) {
    if (own_normal && chain_.joint(k, step) == Joint::convex) {
      const Vec2 joint = step < 0 ? chain_[k].start : chain_[k].end;
      const double depth = edgeOver(joint, coneAt(k, step), kInside).height;
      if (depth < 0 && depth > own + rounding_) return false;
    }
    for (int at = chain_.neighbour(k, step); joinsConvexly(k, at, step);
         at = chain_.neighbour(at, step)) {
      const LinePoint seen = seenFrom(chain_[at], p);
      if (seen.height > rounding_) return false;
      if (!over(at, seen.along) || !standsBefore(at)) continue;
      const double other = lowestOver(at);
      if (other > own || (other == own && at < k)) return false;
    }
  }
  return true;
}

void PolylinePair::collideCorner(int k, int j) {
  const PlanarEdge& s = chain_[k];
  const Vec2 p = corner(j);
  const LinePoint seen = seenFrom(s, p);
  if (seen.height - body_.radius() > margin_) return;
  if (!over(k, seen.along)) {
    const int step = seen.along < s.length / 2 ? -1 : +1;
    if (!reachesPast(k, step, p, seen)) return;
  }
  Vec2 normal;
  if (!carriedNormal(k, j, normal)) return;
  if (seen.height < 0 && !leavesHere(k, p, normal == s.normal)) return;
  const double gap = seen.height / dot(normal, s.normal) - body_.radius();
  out_.add(p - body_.radius() * normal, normal, gap, PlanarFeature::edge_corner, k, j);
}

}  // namespace polyline

void collidePolyline(const PlanarShape& line, const PlanarShape& body,
                     const PlanarPose& body_in_line, double margin, double rounding,
                     PlanarPoints& out) {
  polyline::PolylinePair pair(line, body, body_in_line, margin, rounding, out);
  line.chain().forEachIn(pair.searchBox(), [&](int k) { pair.collideSegment(k); });
}

}  // namespace stickslip

// Convex joints and ends of a chain against the edges and corners of a body.
namespace stickslip::polyline {

PolylinePair::NormalCone PolylinePair::coneAt(int k, int step) const {
  const PlanarEdge& s = chain_[k];
  const int other = chain_.neighbour(k, step);
  if (step < 0) return {other < 0 ? -s.along : chain_[other].normal, s.normal};
  return {s.normal, other < 0 ? s.along : chain_[other].normal};
}

// The edge of the body that the joint is least deep behind, among those that stand over it in a
// direction of the cone that differs from their own by no more than the least cosine.
PolylinePair::JointEdge PolylinePair::edgeOver(Vec2 joint, const NormalCone& cone,
                                               double least_cosine) const {
  JointEdge best;
  double outside = -kInfinity;
  for (int e = 0; e < static_cast<int>(body_.edges().size()); ++e) {
    const Vec2 face = faceNormal(e), start = corner(e);
    const Vec2 normal = cone.clamped(face);
    const double height = -dot(face, joint - start), cosine = dot(face, normal);
    outside = std::max(outside, height);
    if (cosine < least_cosine) continue;
    const double along = dot(turned(-face), joint + (height / cosine) * normal - start);
    const double length = body_.edges()[e].length;
    if (along < -rounding_ || along > length + rounding_) continue;
    if (height > best.height) best = {e, height, normal};
  }
  // Behind an edge, but not inside the body.
  if (best.height < 0 && outside > rounding_) return {};
  return best;
}

void PolylinePair::collideJoint(int k, int step) {
  const Joint kind = chain_.joint(k, step);
  if (kind != Joint::convex && kind != Joint::end) return;
  const Vec2 joint = step < 0 ? chain_[k].start : chain_[k].end;
  if (joint.x < box_.lower.x || joint.x > box_.upper.x || joint.y < box_.lower.y ||
      joint.y > box_.upper.y)
    return;
  collideJointCorners(k, step);
  const NormalCone cone = coneAt(k, step);
  const JointEdge best = edgeOver(joint, cone, kFacing);
  if (best.edge < 0) return;
  if (best.height < 0) {
    for (const int at : {k, chain_.neighbour(k, step)})
      if (at >= 0 && standsBefore(at) && lowestOver(at) > best.height + rounding_) return;
  }
  const double gap = best.height / dot(faceNormal(best.edge), best.normal) - body_.radius();
  out_.add(joint + gap * best.normal, best.normal, gap, PlanarFeature::corner_edge,
           step < 0 ? k : k + 1, best.edge);
}

// Corners of the body outside both segments, which have the joint as the nearest point.
void PolylinePair::collideJointCorners(int k, int step) {
  const Vec2 joint = step < 0 ? chain_[k].start : chain_[k].end;
  const NormalCone cone = coneAt(k, step);
  for (int j = 0; j < corners_; ++j) {
    const Vec2 p = corner(j), offset = p - joint;
    const double distance = norm(offset);
    if (distance <= rounding_ || distance - body_.radius() > margin_) continue;
    const Vec2 normal = (1 / distance) * offset;
    if (!cone.contains(normal) || overEither(k, step, p)) continue;
    const bool faces = corners_ == 1 ||
                       (dot(normal, corner(j + 1) - p) >= 0 && dot(normal, corner(j - 1) - p) >= 0);
    if (faces)
      out_.add(p - body_.radius() * normal, normal, distance - body_.radius(),
               PlanarFeature::corner_corner, step < 0 ? k : k + 1, j);
  }
}

bool PolylinePair::overEither(int k, int step, Vec2 p) const {
  const int other = chain_.neighbour(k, step);
  return over(k, seenFrom(chain_[k], p).along) ||
         (other >= 0 && over(other, seenFrom(chain_[other], p).along));
}

}  // namespace stickslip::polyline
