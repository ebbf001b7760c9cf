// Manifolds of two edges: a crossing, or two edges side by side.
#include <algorithm>
#include <cmath>

#include "collision/manifold_builder.hpp"

namespace stickslip {
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

}  // namespace stickslip
