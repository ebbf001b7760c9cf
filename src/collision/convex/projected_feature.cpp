#include "collision/convex/projected_feature.hpp"

#include <algorithm>
#include <cmath>

namespace stickslip {

void ProjectedFeature::assign(const Feature& feature, const Pose& pose, const ContactAxes& axes,
                              double side) {
  corners_.clear();
  for (const FeatureCorner& corner : feature.corners) {
    const Vec3 p = pose.pointToWorld(corner.point);
    corners_.push_back({axes.flat(p), dot(axes.normal, p), corner.id, corner.edge});
  }
  side_ = side;
  id_ = feature.id;
  disc_radius_ = feature.disc_radius;
  if (!isPolygon()) return;
  // The plane m.(p - corner) = 0 solved for the height.
  const Vec3 m = pose.rotation * feature.normal;
  const double steep = dot(m, axes.normal);
  slope_ = {-dot(m, axes.t1) / steep, -dot(m, axes.t2) / steep};
  height_ = corners_[0].height - dot(slope_, corners_[0].at);
  inwards_.clear();
  for (std::size_t i = 0; i < corners_.size(); ++i) {
    const Vec2 along = next(i).at - corners_[i].at;
    inwards_.push_back((side_ / norm(along)) * turned(along));
  }
  if (isDisc()) disc_center_ = axes.flat(pose.pointToWorld(feature.disc_center));
}

// Distance of p from an edge's line, positive on the side of the polygon.
double ProjectedFeature::inwards(std::size_t edge, Vec2 p) const {
  return dot(inwards_[edge], p - corners_[edge].at);
}

// The point of the cap's plane above p, from the centre of the cap.
Vec3 ProjectedFeature::inCapPlane(Vec2 p) const {
  const Vec2 arm = p - disc_center_;
  return {arm.x, arm.y, dot(slope_, arm)};
}

RimOffset ProjectedFeature::rimOffset(Vec2 p) const {
  const Vec3 arm = inCapPlane(p);
  return {(dot(arm, arm) - disc_radius_ * disc_radius_) / 2, Vec2{arm.x, arm.y} + arm.z * slope_};
}

bool ProjectedFeature::contains(Vec2 p, double tolerance) const {
  if (isDisc()) return norm(inCapPlane(p)) <= disc_radius_ + tolerance;
  for (std::size_t i = 0; i < corners_.size(); ++i)
    if (inwards(i, p) < -tolerance) return false;
  return true;
}

ClippedSegment ProjectedFeature::clip(Vec2 from, Vec2 to, double tolerance) const {
  if (isDisc()) return clipByDisc(from, to, tolerance);
  ClippedSegment result;
  for (std::size_t i = 0; i < corners_.size(); ++i) {
    const double start = inwards(i, from);
    const double end = inwards(i, to);
    if (start < -tolerance && end < -tolerance) return result;
    const double crossing = std::clamp(start / (start - end), 0.0, 1.0);
    if (start < -tolerance && crossing > result.t0) {
      result.t0 = crossing;
      result.edge0 = corners_[i].edge;
    }
    if (end < -tolerance && crossing < result.t1) {
      result.t1 = crossing;
      result.edge1 = corners_[i].edge;
    }
  }
  result.empty = result.t0 > result.t1;
  return result;
}

ClippedSegment ProjectedFeature::clipByDisc(Vec2 from, Vec2 to, double tolerance) const {
  const Vec3 start = inCapPlane(from);
  const Vec3 along = inCapPlane(to) - start;
  const double aa = dot(along, along);
  const double nearest = -dot(start, along) / aa;
  const Vec3 foot = start + nearest * along;
  ClippedSegment result;
  const double spare = disc_radius_ * disc_radius_ - dot(foot, foot);
  if (spare < 0) return result;
  const double half = std::sqrt(spare / aa);
  // The two arcs that a chord can enter and leave by are told apart, as edges 0 and 1.
  if (!contains(from, tolerance)) {
    result.t0 = nearest - half;
    result.edge0 = 0;
  }
  if (!contains(to, tolerance)) {
    result.t1 = nearest + half;
    result.edge1 = 1;
  }
  result.empty = result.t0 > result.t1 || result.t0 > 1 || result.t1 < 0;
  return result;
}

}  // namespace stickslip
