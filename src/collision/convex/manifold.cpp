#include "collision/convex/manifold.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "collision/convex/gjk.hpp"

namespace stickslip {

// Points are put in order around their centre; then the one whose corner cuts off the smallest
// triangle goes, again and again. Points inside the patch make concave corners and go first.

namespace {

void sortAround(std::span<ContactPoint> points) {
  const Vec3 t1 = acrossFrom(points[0].normal);
  const Vec3 t2 = cross(points[0].normal, t1);
  Vec3 center;
  for (const ContactPoint& p : points) center += p.on_a;
  center = (1 / static_cast<double>(points.size())) * center;
  // Grows with the angle, from -2 to 2 in a turn.
  const auto angle = [&](const ContactPoint& p) {
    const double x = dot(p.on_a - center, t1);
    const double y = dot(p.on_a - center, t2);
    const double size = std::abs(x) + std::abs(y);
    return size > 0 ? std::copysign(1 - x / size, y) : 0;
  };
  std::sort(points.begin(), points.end(), [&](const ContactPoint& p, const ContactPoint& q) {
    const double difference = angle(p) - angle(q);
    return difference != 0 ? difference < 0 : p.feature < q.feature;
  });
}

double cornerArea(std::span<const ContactPoint> points, std::size_t i) {
  const std::size_t n = points.size();
  const Vec3 before = points[(i + n - 1) % n].on_a;
  return dot(points[i].normal, cross(points[i].on_a - before, points[(i + 1) % n].on_a - before));
}

std::size_t leastNeeded(std::span<const ContactPoint> points) {
  std::size_t deepest = 0;
  for (std::size_t i = 1; i < points.size(); ++i)
    if (points[i].gap < points[deepest].gap) deepest = i;
  std::size_t least = deepest == 0 ? 1 : 0;
  for (std::size_t i = least + 1; i < points.size(); ++i)
    if (i != deepest && cornerArea(points, i) < cornerArea(points, least)) least = i;
  return least;
}

}  // namespace

void reducePatch(ContactPoints& out, std::size_t first) {
  if (out.size() <= first + kMaxPatchPoints) return;
  sortAround({out.data() + first, out.size() - first});
  while (out.size() > first + kMaxPatchPoints) {
    const std::size_t least = leastNeeded({out.data() + first, out.size() - first});
    out.erase(out.begin() + static_cast<std::ptrdiff_t>(first + least));
  }
}

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

namespace {

// A sphere touches in one point, whatever the other shape is.
void addSphere(const CorePair& pair, const SignedDistance& distance, const Pose& pose_a, bool a,
               ContactPoints& out) {
  const double gap = distance.gap - pair.a.radius() - pair.b.radius();
  const Vec3 core_a =
      a ? pair.a.interiorPoint()
        : pair.b_in_a.pointToWorld(pair.b.interiorPoint()) - distance.gap * distance.normal;
  ContactPoint point;
  point.normal = pose_a.rotation * distance.normal;
  point.on_a = pose_a.pointToWorld(core_a + pair.a.radius() * distance.normal);
  point.on_b = point.on_a + gap * point.normal;
  point.gap = gap;
  point.feature = featureOf(a ? Meeting::corner_of_a : Meeting::corner_of_b, 0, 0);
  out.push_back(point);
}

}  // namespace

void ManifoldBuilder::add(Vec2 at, double height_a, double height_b, std::uint32_t feature) {
  // No point is closer than the shapes are; where one seems to be, it is outside by
  // kManifold.on_boundary.
  const double core_gap = std::max(height_b - height_a, distance_.gap);
  const double gap = core_gap - pair_.a.radius() - pair_.b.radius();
  if (gap > margin_) return;
  const double middle = (height_a + height_b) / 2;
  const double on_a = middle - core_gap / 2 + pair_.a.radius();
  ContactPoint point;
  point.normal = pose_a_.rotation * axes_.normal;
  point.on_a = pose_a_.pointToWorld(axes_.point(at, on_a));
  point.on_b = point.on_a + gap * point.normal;
  point.gap = gap;
  point.feature = feature;
  for (std::size_t i = first_; i < out_.size(); ++i) {
    if (norm(out_[i].on_a - point.on_a) > kManifold.same_point * size_) continue;
    if (point.gap < out_[i].gap - kManifold.missing * size_) out_[i] = point;
    return;
  }
  out_.push_back(point);
}

void ManifoldBuilder::addPoint(const ProjectedFeature& a, const ProjectedFeature& b) {
  if (a.isPoint()) {
    const ProjectedCorner& p = a.corners()[0];
    const std::uint32_t other = b.isPoint() ? b.corners()[0].id : b.id();
    add(p.at, p.height, p.height + distance_.gap, featureOf(Meeting::corner_of_a, p.id, other));
  } else {
    const ProjectedCorner& p = b.corners()[0];
    add(p.at, p.height - distance_.gap, p.height, featureOf(Meeting::corner_of_b, a.id(), p.id));
  }
}

bool ManifoldBuilder::lacksDeepestPoint() const {
  const double gap = distance_.gap - pair_.a.radius() - pair_.b.radius();
  return std::none_of(
      out_.begin() + static_cast<std::ptrdiff_t>(first_), out_.end(),
      [&](const ContactPoint& p) { return p.gap <= gap + kManifold.missing * pair_.size(); });
}

// With b moved so that the cores are clearly apart along the normal, which does not change what
// their closest points are.
void ManifoldBuilder::addClosestPoints() {
  const double clear = pair_.size();
  const Vec3 shift = (clear - distance_.gap) * axes_.normal;
  const ClosestPoints closest = closestPoints(pair_, shift, axes_.normal);
  const Vec2 at = axes_.flat(0.5 * (closest.on_a + closest.on_b));
  const double height_a = dot(axes_.normal, pair_.supportA(axes_.normal));
  add(at, height_a, height_a + distance_.gap, featureOf(Meeting::closest_points, 0, 0));
}

void ManifoldBuilder::build(const ProjectedFeature& a, const ProjectedFeature& b) {
  if (a.isPoint() || b.isPoint()) return addPoint(a, b);
  if (a.isSegment() && b.isSegment()) {
    const Vec2 u = a.corners()[1].at - a.corners()[0].at;
    const Vec2 v = b.corners()[1].at - b.corners()[0].at;
    const bool parallel = std::abs(cross(u, v)) <= kManifold.parallel * norm(u) * norm(v);
    parallel ? addParallelEdges(a, b) : addCrossingEdges(a, b);
  } else if (a.isDisc() && b.isDisc()) {
    addCornersWithin(a, b, true);
    addCornersWithin(b, a, false);
    addRimCrossings(a, b);
  } else if (a.isSegment() || b.isDisc()) {
    addEdgesWithin(a, b, true);
    if (a.isPolygon()) addCornersWithin(b, a, false);
  } else {
    addEdgesWithin(b, a, false);
    if (b.isPolygon()) addCornersWithin(a, b, true);
  }
  if (lacksDeepestPoint()) addClosestPoints();
  reducePatch(out_, first_);
}

void addManifold(const CorePair& pair, const SignedDistance& distance, const Pose& pose_a,
                 double margin, ContactPoints& out) {
  if (pair.a.coreSize() == 0) return addSphere(pair, distance, pose_a, true, out);
  if (pair.b.coreSize() == 0) return addSphere(pair, distance, pose_a, false, out);
  // Kept, so that their vectors keep their memory.
  thread_local Feature feature;
  thread_local ProjectedFeature a;
  thread_local ProjectedFeature b;
  ManifoldBuilder builder(pair, distance, pose_a, margin, out);
  pair.a.feature(distance.normal, feature);
  a.assign(feature, {}, builder.axes(), 1);
  pair.b.feature(-transposedTimes(pair.b_in_a.rotation, distance.normal), feature);
  b.assign(feature, pair.b_in_a, builder.axes(), -1);
  builder.build(a, b);
}

// Manifolds of two edges: a crossing, or two edges side by side.

namespace {

/// A segment by its coordinate s along a direction that it nearly has.
struct EdgeAlong {
  EdgeAlong(const ProjectedFeature& segment, Vec2 direction) : along(direction) {
    const auto ends = segment.corners();
    const bool forward = dot(along, ends[1].at - ends[0].at) > 0;
    first = ends[forward ? 0 : 1];
    last = ends[forward ? 1 : 0];
  }
  double from() const { return dot(along, first.at); }
  double to() const { return dot(along, last.at); }
  double share(double s) const { return (s - from()) / (to() - from()); }
  Vec2 at(double s) const { return first.at + share(s) * (last.at - first.at); }
  double height(double s) const { return first.height + share(s) * (last.height - first.height); }

  Vec2 along;
  ProjectedCorner first;
  ProjectedCorner last;
};

}  // namespace

// A sloping edge touches with its higher end (the lower one, for b); level ones where they cross.
void ManifoldBuilder::addCrossingEdges(const ProjectedFeature& a, const ProjectedFeature& b) {
  const ProjectedCorner& p = a.corners()[0];
  const ProjectedCorner& q = b.corners()[0];
  const Vec2 u = a.corners()[1].at - p.at;
  const Vec2 v = b.corners()[1].at - q.at;
  const double rise_a = a.corners()[1].height - p.height;
  const double rise_b = q.height - b.corners()[1].height;
  double s = std::clamp(cross(q.at - p.at, v) / cross(u, v), 0.0, 1.0);
  double t = std::clamp(cross(q.at - p.at, u) / cross(u, v), 0.0, 1.0);
  const bool sloping_a = std::abs(rise_a) > kManifold.level * norm(u);
  const bool sloping_b = std::abs(rise_b) > kManifold.level * norm(v);
  if (sloping_a) s = rise_a > 0 ? 1 : 0;
  if (sloping_b) t = rise_b > 0 ? 1 : 0;
  const Vec2 on_a = p.at + s * u;
  const Vec2 on_b = q.at + t * v;
  const Vec2 at = sloping_a == sloping_b ? 0.5 * (on_a + on_b) : sloping_a ? on_a : on_b;
  const double height_a = std::max(p.height, a.corners()[1].height);
  add(at, height_a, height_a + distance_.gap, featureOf(Meeting::edges, p.edge, q.edge));
}

// Both ends of the stretch along which the edges run side by side, halfway between them.
void ManifoldBuilder::addParallelEdges(const ProjectedFeature& a, const ProjectedFeature& b) {
  const Vec2 u = a.corners()[1].at - a.corners()[0].at;
  const Vec2 v = b.corners()[1].at - b.corners()[0].at;
  const Vec2 sum = (1 / norm(u)) * u + (dot(u, v) < 0 ? -1 : 1) / norm(v) * v;
  const Vec2 along = (1 / norm(sum)) * sum;
  const EdgeAlong ea(a, along);
  const EdgeAlong eb(b, along);
  if (std::max(ea.from(), eb.from()) > std::min(ea.to(), eb.to())) return;

  const auto addAt = [&](double s, std::uint32_t feature) {
    add(0.5 * (ea.at(s) + eb.at(s)), ea.height(s), eb.height(s), feature);
  };
  const auto cornerOfA = [&](const ProjectedCorner& p) {
    return featureOf(Meeting::corner_of_a, p.id, eb.first.edge);
  };
  const auto cornerOfB = [&](const ProjectedCorner& p) {
    return featureOf(Meeting::corner_of_b, ea.first.edge, p.id);
  };
  if (ea.from() >= eb.from())
    addAt(ea.from(), cornerOfA(ea.first));
  else
    addAt(eb.from(), cornerOfB(eb.first));
  if (ea.to() <= eb.to())
    addAt(ea.to(), cornerOfA(ea.last));
  else
    addAt(eb.to(), cornerOfB(eb.last));
}

// Manifolds with a face: the edges and corners of one feature that lie within the other.

void ManifoldBuilder::addEdgesWithin(const ProjectedFeature& inner, const ProjectedFeature& outer,
                                     bool inner_is_a) {
  const auto edge_count = inner.isSegment() ? 1 : inner.corners().size();
  const auto addAt = [&](const ProjectedCorner& p, const ProjectedCorner& q, double t,
                         std::uint32_t feature) {
    const Vec2 at = p.at + t * (q.at - p.at);
    const double height = p.height + t * (q.height - p.height);
    const double other = outer.heightAt(at);
    inner_is_a ? add(at, height, other, feature) : add(at, other, height, feature);
  };
  const auto cornerFeature = [&](const ProjectedCorner& p) {
    return inner_is_a ? featureOf(Meeting::corner_of_a, p.id, outer.id())
                      : featureOf(Meeting::corner_of_b, outer.id(), p.id);
  };
  const auto crossingFeature = [&](std::uint32_t edge, std::uint32_t outer_edge) {
    return inner_is_a ? featureOf(Meeting::edges, edge, outer_edge)
                      : featureOf(Meeting::edges, outer_edge, edge);
  };
  for (std::size_t i = 0; i < edge_count; ++i) {
    const ProjectedCorner& p = inner.corners()[i];
    const ProjectedCorner& q = inner.next(i);
    const ClippedSegment part = outer.clip(p.at, q.at, kManifold.on_boundary * size_);
    if (part.empty) continue;
    addAt(p, q, part.t0, part.t0 == 0 ? cornerFeature(p) : crossingFeature(p.edge, part.edge0));
    if (part.t1 < 1)
      addAt(p, q, part.t1, crossingFeature(p.edge, part.edge1));
    else if (inner.isSegment())
      addAt(p, q, 1, cornerFeature(q));
  }
}

void ManifoldBuilder::addCornersWithin(const ProjectedFeature& inner, const ProjectedFeature& outer,
                                       bool inner_is_a) {
  for (const ProjectedCorner& p : inner.corners()) {
    if (!outer.contains(p.at, kManifold.on_boundary * size_)) continue;
    const double other = outer.heightAt(p.at);
    if (inner_is_a)
      add(p.at, p.height, other, featureOf(Meeting::corner_of_a, p.id, outer.id()));
    else
      add(p.at, other, p.height, featureOf(Meeting::corner_of_b, outer.id(), p.id));
  }
}

// Where the rims of two caps cross: as if they were circles, then, since a tilted one is an ellipse
// in projection, by Newton's method.
void ManifoldBuilder::addRimCrossings(const ProjectedFeature& a, const ProjectedFeature& b) {
  const Vec2 arm = b.discCenter() - a.discCenter();
  const double distance = norm(arm);
  if (distance <= kManifold.same_point * size_) return;
  const double ra = a.discRadius();
  const double rb = b.discRadius();
  const double along = (distance * distance + ra * ra - rb * rb) / (2 * distance);
  if (along * along >= ra * ra) return;
  const double across = std::sqrt(ra * ra - along * along);
  const Vec2 unit = (1 / distance) * arm;
  for (const double sign : {-1.0, 1.0}) {
    Vec2 at = a.discCenter() + along * unit + sign * across * turned(unit);
    for (int i = 0; i < kManifold.newton_steps; ++i) {
      const RimOffset fa = a.rimOffset(at);
      const RimOffset fb = b.rimOffset(at);
      const double determinant = cross(fa.gradient, fb.gradient);
      if (determinant == 0) break;
      at = at + 1 / determinant * (fa.value * turned(fb.gradient) - fb.value * turned(fa.gradient));
    }
    if (!a.contains(at, kManifold.on_boundary * size_) ||
        !b.contains(at, kManifold.on_boundary * size_))
      continue;
    add(at, a.heightAt(at), b.heightAt(at), featureOf(Meeting::edges, sign < 0 ? 0 : 1, 0));
  }
}

}  // namespace stickslip
