#include "collision/separating_axes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace stickslip {
namespace {

// An axis of two edges must be better than one of a face by this part of the size: near a tie the
// face's normal is the steadier one.
constexpr double kFaceBias = 1e-11;
// Edges with a smaller squared sine between them are parallel and have no common axis.
constexpr double kParallel = 1e-20;
// Cost of a pair of edges, in projections of a vertex.
constexpr std::size_t kCostOfEdges = 6;
// Projections that cost as much as GJK.
constexpr std::size_t kFewProjections = 300;

void tryFacesOfA(const CorePair& pair, const PolytopeView& core, SignedDistance& best) {
  for (const PolytopeFace& face : core.faces) {
    const double gap = dot(face.normal, pair.supportB(-face.normal)) - face.offset;
    if (gap > best.gap) best = {gap, face.normal};
  }
}

void tryFacesOfB(const CorePair& pair, const PolytopeView& core, SignedDistance& best) {
  for (const PolytopeFace& face : core.faces) {
    const Vec3 outwards = pair.b_in_a.rotation * face.normal;
    const double gap = dot(outwards, pair.supportA(-outwards) - pair.b_in_a.position) - face.offset;
    if (gap > best.gap) best = {gap, -outwards};
  }
}

struct PlacedEdge {
  Vec3 point;
  Vec3 direction;
  Vec3 into_left;
  Vec3 into_right;
};

PlacedEdge inOwnFrame(const PolytopeView& core, const PolytopeEdge& edge) {
  return {core.vertices[static_cast<std::size_t>(edge.from)], edge.direction, edge.into_left,
          edge.into_right};
}

PlacedEdge placed(const PolytopeView& core, const PolytopeEdge& edge, const Pose& pose) {
  return {pose.pointToWorld(core.vertices[static_cast<std::size_t>(edge.from)]),
          pose.rotation * edge.direction, pose.rotation * edge.into_left,
          pose.rotation * edge.into_right};
}

// The gap along the common normal of two edges, if it is a normal of both.
void tryEdges(const PlacedEdge& a, const PlacedEdge& b, SignedDistance& best) {
  const Vec3 across = cross(a.direction, b.direction);
  const double a_left = dot(across, a.into_left);
  const double a_right = dot(across, a.into_right);
  if (a_left * a_right < 0) return;
  const double b_left = dot(across, b.into_left);
  const double b_right = dot(across, b.into_right);
  if (b_left * b_right < 0) return;
  const double squared = dot(across, across);
  if (squared <= kParallel) return;
  for (const double sign : {1.0, -1.0}) {
    if (sign * a_left > 0 || sign * a_right > 0 || sign * b_left < 0 || sign * b_right < 0)
      continue;
    const Vec3 n = (sign / std::sqrt(squared)) * across;
    const double gap = dot(n, b.point - a.point);
    if (gap > best.gap) best = {gap, n};
  }
}

void tryAllEdges(const CorePair& pair, const PolytopeView& a, const PolytopeView& b,
                 SignedDistance& best) {
  for (const PolytopeEdge& edge_b : b.edges) {
    const PlacedEdge placed_b = placed(b, edge_b, pair.b_in_a);
    for (const PolytopeEdge& edge_a : a.edges) tryEdges(inOwnFrame(a, edge_a), placed_b, best);
  }
}

struct Interval {
  double least = std::numeric_limits<double>::infinity();
  double most = -std::numeric_limits<double>::infinity();
};

Interval extent(std::span<const Vec3> vertices, Vec3 n) {
  Interval result;
  for (const Vec3& v : vertices) {
    const double height = dot(v, n);
    result.least = std::min(result.least, height);
    result.most = std::max(result.most, height);
  }
  return result;
}

// The gap along the common normal of every two axes, whichever edges they belong to.
void tryAllAxes(const CorePair& pair, const PolytopeView& a, const PolytopeView& b,
                SignedDistance& best) {
  for (const Vec3& axis_b : b.axes) {
    const Vec3 placed_b = pair.b_in_a.rotation * axis_b;
    for (const Vec3& axis_a : a.axes) {
      const Vec3 across = cross(axis_a, placed_b);
      const double squared = dot(across, across);
      if (squared <= kParallel) continue;
      const Vec3 n = (1 / std::sqrt(squared)) * across;
      const Interval on_a = extent(a.vertices, n);
      const Interval on_b = extent(b.vertices, transposedTimes(pair.b_in_a.rotation, n));
      const double shift = dot(n, pair.b_in_a.position);
      const double forward = on_b.least + shift - on_a.most;
      const double backward = on_a.least - on_b.most - shift;
      if (forward > best.gap) best = {forward, n};
      if (backward > best.gap) best = {backward, -n};
    }
  }
}

// Shapes with many parallel edges, such as boxes and prisms, have few axes.
bool hasFewAxes(const PolytopeView& a, const PolytopeView& b) {
  const std::size_t by_axes =
      a.axes.size() * b.axes.size() * (a.vertices.size() + b.vertices.size());
  const std::size_t by_edges = a.edges.size() * b.edges.size();
  return by_axes < kCostOfEdges * by_edges;
}

}  // namespace

bool axesAreFew(const CorePair& pair) {
  const PolytopeView a = pair.a.polytope();
  const PolytopeView b = pair.b.polytope();
  return a.axes.size() * b.axes.size() * (a.vertices.size() + b.vertices.size()) <= kFewProjections;
}

SignedDistance distanceByAxes(const CorePair& pair, double cutoff) {
  const PolytopeView a = pair.a.polytope();
  const PolytopeView b = pair.b.polytope();
  SignedDistance face{-std::numeric_limits<double>::infinity(), {}};
  tryFacesOfA(pair, a, face);
  if (face.gap > cutoff) return face;
  tryFacesOfB(pair, b, face);
  if (face.gap > cutoff) return face;

  const double bias = kFaceBias * pair.size();
  SignedDistance best{face.gap + bias, {}};
  hasFewAxes(a, b) ? tryAllAxes(pair, a, b, best) : tryAllEdges(pair, a, b, best);
  if (best.gap == face.gap + bias) return face;
  // Rounding may have let through an edge that is none of a's or b's in this direction.
  best.gap = pair.gapAlong(best.normal);
  return best.gap > face.gap ? best : face;
}

}  // namespace stickslip
