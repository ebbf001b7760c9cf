#include "collision/convex/manifold.hpp"

#include <algorithm>
#include <cmath>

#include "collision/convex/gjk.hpp"
#include "collision/convex/point_reduction.hpp"

namespace stickslip {
namespace {

// Edges with a smaller sine between them touch along a line.
constexpr double kParallelInPlane = 0.01;

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
  // No point is closer than the shapes are; where one seems to be, it is outside by kOnBoundary.
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
    if (norm(out_[i].on_a - point.on_a) > kSamePoint * size_) continue;
    if (point.gap < out_[i].gap - kMissing * size_) out_[i] = point;
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
      [&](const ContactPoint& p) { return p.gap <= gap + kMissing * pair_.size(); });
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
    const bool parallel = std::abs(cross(u, v)) <= kParallelInPlane * norm(u) * norm(v);
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

// An edge that rises by less than this part of its length is level: normals of rims are no better.
constexpr double kLevel = 1e-7;

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
  const bool sloping_a = std::abs(rise_a) > kLevel * norm(u);
  const bool sloping_b = std::abs(rise_b) > kLevel * norm(v);
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

namespace {

constexpr int kNewtonSteps = 5;

}  // namespace

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
    const ClippedSegment part = outer.clip(p.at, q.at, kOnBoundary * size_);
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
    if (!outer.contains(p.at, kOnBoundary * size_)) continue;
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
  if (distance <= kSamePoint * size_) return;
  const double ra = a.discRadius();
  const double rb = b.discRadius();
  const double along = (distance * distance + ra * ra - rb * rb) / (2 * distance);
  if (along * along >= ra * ra) return;
  const double across = std::sqrt(ra * ra - along * along);
  const Vec2 unit = (1 / distance) * arm;
  for (const double sign : {-1.0, 1.0}) {
    Vec2 at = a.discCenter() + along * unit + sign * across * turned(unit);
    for (int i = 0; i < kNewtonSteps; ++i) {
      const RimOffset fa = a.rimOffset(at);
      const RimOffset fb = b.rimOffset(at);
      const double determinant = cross(fa.gradient, fb.gradient);
      if (determinant == 0) break;
      at = at + 1 / determinant * (fa.value * turned(fb.gradient) - fb.value * turned(fa.gradient));
    }
    if (!a.contains(at, kOnBoundary * size_) || !b.contains(at, kOnBoundary * size_)) continue;
    add(at, a.heightAt(at), b.heightAt(at), featureOf(Meeting::edges, sign < 0 ? 0 : 1, 0));
  }
}

}  // namespace stickslip
