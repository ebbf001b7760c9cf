#include "collision/manifold.hpp"

#include <algorithm>
#include <cmath>

#include "collision/gjk.hpp"
#include "collision/manifold_builder.hpp"
#include "collision/point_reduction.hpp"

namespace stickslip {
namespace {

// Edges with a smaller sine between them touch along a line.
constexpr double kParallelEdges = 0.01;

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
    const bool parallel = std::abs(cross(u, v)) <= kParallelEdges * norm(u) * norm(v);
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

}  // namespace stickslip
