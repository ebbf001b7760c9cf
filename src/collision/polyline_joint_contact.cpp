// Convex joints and ends of a chain against the edges and corners of a body.
#include "collision/polyline_pair.hpp"

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
    const double length = body_.edges()[static_cast<std::size_t>(e)].length;
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
