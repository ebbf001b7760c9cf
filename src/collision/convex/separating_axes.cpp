#include "collision/convex/separating_axes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace stickslip {
namespace {

// An axis of two edges must be better than one of a face by this part of the size: near a tie the
// face's normal is the steadier one.
constexpr double kFaceBias = 1e-11;
// Edges with a smaller squared sine between them are parallel and have no common axis.
constexpr double kParallelEdges = 1e-20;
// Cost of a pair of edges, in projections of a vertex.
constexpr std::size_t kCostOfEdges = 6;
// Projections that cost as much as GJK.
constexpr std::size_t kFewProjections = 300;
// Of points and depths, in parts of the size; far more than rounding, so that nothing that is as
// good as the best gets lost.
constexpr double kUncertainty = 1e-10;

void tryFaceOfA(const CorePair& pair, const PolytopeFace& face, SignedDistance& best) {
  const double gap = dot(face.normal, pair.supportB(-face.normal)) - face.offset;
  if (gap > best.gap) best = {gap, face.normal};
}

void tryFaceOfB(const CorePair& pair, const PolytopeFace& face, SignedDistance& best) {
  const Vec3 outwards = pair.b_in_a.rotation * face.normal;
  const double gap = dot(outwards, pair.supportA(-outwards) - pair.b_in_a.position) - face.offset;
  if (gap > best.gap) best = {gap, -outwards};
}

struct PlacedEdge {
  Vec3 point;
  Vec3 direction;
  Vec3 into_left;
  Vec3 into_right;
};

PlacedEdge inOwnFrame(const PolytopeView& core, int edge) {
  const std::size_t i = edge;
  const auto& [into_left, into_right] = core.sidesOf(i);
  return {core.vertices[core.edges[i].from], core.edges[i].direction, into_left, into_right};
}

PlacedEdge placed(const PlacedEdge& edge, const Pose& pose) {
  return {pose.pointToWorld(edge.point), pose.rotation * edge.direction,
          pose.rotation * edge.into_left, pose.rotation * edge.into_right};
}

// The gap along the common normal of two edges, if it is a normal of both: few are, and which
// cannot be predicted, so all is compared before the only branch.
void tryEdges(const PlacedEdge& a, const PlacedEdge& b, SignedDistance& best) {
  const Vec3 across = cross(a.direction, b.direction);
  const double a_left = dot(across, a.into_left);
  const double a_right = dot(across, a.into_right);
  const double b_left = dot(across, b.into_left);
  const double b_right = dot(across, b.into_right);
  const bool forward = (a_left <= 0) & (a_right <= 0) & (b_left >= 0) & (b_right >= 0);
  const bool backward = (a_left >= 0) & (a_right >= 0) & (b_left <= 0) & (b_right <= 0);
  if (!(forward | backward)) return;
  const double squared = dot(across, across);
  if (squared <= kParallelEdges) return;
  const auto tryNormal = [&](double sign) {
    const Vec3 n = (sign / std::sqrt(squared)) * across;
    const double gap = dot(n, b.point - a.point);
    if (gap > best.gap) best = {gap, n};
  };
  if (forward) tryNormal(1);
  if (backward) tryNormal(-1);
}

void tryAllEdges(const CorePair& pair, const PolytopeView& a, std::span<const int> edges_a,
                 const PolytopeView& b, std::span<const int> edges_b, SignedDistance& best) {
  // Kept, so that it keeps its memory.
  thread_local std::vector<PlacedEdge> placed_a;
  placed_a.clear();
  for (const int i : edges_a) placed_a.push_back(inOwnFrame(a, i));
  for (const int i : edges_b) {
    const PlacedEdge placed_b = placed(inOwnFrame(b, i), pair.b_in_a);
    for (const PlacedEdge& edge_a : placed_a) tryEdges(edge_a, placed_b, best);
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
      if (squared <= kParallelEdges) continue;
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

/// What is near of both.
struct NearPair {
  NearFeatures of_a;
  NearFeatures of_b;
};

// Kept, so that its vectors keep their memory.
NearPair& nearOfThread() {
  thread_local NearPair near;
  return near;
}

const PolytopeFace& faceAt(const PolytopeView& core, int i) {
  return core.faces[i];
}

// `spread`: distance of the points that features are near to. The face that is closest to each of
// them comes first, so that few of the others have to be tried; then again in its turn, so that of
// equal gaps always the same face wins.
SignedDistance bestFace(const CorePair& pair, const PolytopeView& a, const PolytopeView& b,
                        NearPair& near, double spread, double cutoff) {
  constexpr SignedDistance kNone{-std::numeric_limits<double>::infinity(), {}};
  SignedDistance known = kNone, best = kNone;
  if (const int i = near.of_a.closestFace(); i >= 0) tryFaceOfA(pair, faceAt(a, i), known);
  if (const int i = near.of_b.closestFace(); i >= 0) tryFaceOfB(pair, faceAt(b, i), known);
  const double depth = spread - known.gap;
  for (const int i : near.of_a.facesWithin(depth)) tryFaceOfA(pair, faceAt(a, i), best);
  if (best.gap > cutoff) return best;
  for (const int i : near.of_b.facesWithin(depth)) tryFaceOfB(pair, faceAt(b, i), best);
  return best;
}

SignedDistance bestAxis(const CorePair& pair, NearPair& near, double spread, double cutoff) {
  const PolytopeView a = pair.a.polytope();
  const PolytopeView b = pair.b.polytope();
  const SignedDistance face = bestFace(pair, a, b, near, spread, cutoff);
  if (face.gap > cutoff) return face;

  const double bias = kFaceBias * pair.size();
  SignedDistance best{face.gap + bias, {}};
  const double depth = spread - face.gap;
  hasFewAxes(a, b) ? tryAllAxes(pair, a, b, best)
                   : tryAllEdges(pair, a, near.of_a.edgesWithin(depth, a), b,
                                 near.of_b.edgesWithin(depth, b), best);
  if (best.gap == face.gap + bias) return face;
  // Rounding may have let through an edge that is none of a's or b's in this direction.
  best.gap = pair.gapAlong(best.normal);
  return best.gap > face.gap ? best : face;
}

}  // namespace

bool axesAreFew(const PolytopeView& a, const PolytopeView& b) {
  return a.axes.size() * b.axes.size() * (a.vertices.size() + b.vertices.size()) <= kFewProjections;
}

SignedDistance distanceByAxes(const CorePair& pair, double cutoff) {
  NearPair& near = nearOfThread();
  near.of_a.measureNothing(pair.a.polytope());
  near.of_b.measureNothing(pair.b.polytope());
  return bestAxis(pair, near, 0, cutoff);
}

SignedDistance distanceByAxes(const CorePair& pair, Vec3 on_a, Vec3 on_b, double cutoff) {
  NearPair& near = nearOfThread();
  near.of_a.measure(pair.a.polytope(), on_a);
  near.of_b.measure(pair.b.polytope(), pair.b_in_a.pointToLocal(on_b));
  return bestAxis(pair, near, norm(on_b - on_a) + kUncertainty * pair.size(), cutoff);
}

}  // namespace stickslip
