// Manifolds with a face: the edges and corners of one feature that lie within the other.
#include <cmath>

#include "collision/manifold_builder.hpp"

namespace stickslip {
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
