// Face of a terrain: the feature of the convex shape clipped by the prism over the triangle
// (Sutherland and Hodgman, "Reentrant polygon clipping", CACM 17, 1974).
#include <algorithm>
#include <cmath>
#include <utility>

#include "collision/terrain/terrain_patch.hpp"
#include "stickslip/elementary.hpp"

namespace stickslip {
namespace {

constexpr double kLevel = 1e-9;         // slope of a feature that goes neither up nor down
constexpr double kConcaveSlack = 1e-2;  // of the size

ClippedCorner cutBetween(const ClippedCorner& a, const ClippedCorner& b, double share,
                         unsigned side) {
  return {a.at + share * (b.at - a.at), 0, (a.sides & b.sides) | side};
}

// Cuts off what is outside of side i. A polygon is closed, a segment is not.
void clipBySide(const TerrainTriangle& triangle, std::size_t i, double tolerance,
                TerrainScratch& scratch) {
  const std::vector<ClippedCorner>& in = scratch.polygon;
  const auto outside = [&](const ClippedCorner& p) {
    return dot(triangle.side[i].outward, p.at - triangle.corner[i]) - tolerance;
  };
  scratch.clipped.clear();
  const std::size_t edges = in.size() > 2 ? in.size() : in.size() - 1;
  for (std::size_t k = 0; k < in.size(); ++k) {
    const double here = outside(in[k]);
    if (here <= 0) scratch.clipped.push_back(in[k]);
    if (k >= edges) continue;
    const ClippedCorner& next = in[(k + 1) % in.size()];
    const double there = outside(next);
    if ((here <= 0) == (there <= 0)) continue;
    scratch.clipped.push_back(cutBetween(in[k], next, here / (here - there), 1u << i));
  }
  std::swap(scratch.polygon, scratch.clipped);
}

// True if the feature loses height over the triangle's plane on its way out over `side`.
bool goesDownBeyond(const Feature& feature, Vec3 normal, const TerrainSide& side) {
  if (feature.isPoint()) return false;
  if (feature.isPolygon())
    return dot(feature.normal, side.outward) < kLevel * dot(feature.normal, normal);
  const Vec3 along = feature.corners[1].point - feature.corners[0].point;
  const double out = dot(along, side.outward), up = dot(along, normal);
  return out > 0 ? up < -kLevel * out : up > -kLevel * out;
}

// A corner that has sunk a little into the slope beyond a concave side still rests on the triangle;
// one in front of that slope, or far away, does not.
bool beyondConcaveSide(const TerrainTriangle& triangle, Vec3 point, double size) {
  for (std::size_t i = 0; i < 3; ++i) {
    const TerrainSide& side = triangle.side[i];
    const Vec3 from = point - triangle.corner[i];
    const double beyond = dot(side.outward, from);
    if (!side.concave() || beyond <= kTerrainNoise * size) continue;
    const auto [sine, cosine] = math::sinCos(side.turn);
    const Vec3 slope = cosine * triangle.normal + sine * side.outward;
    if (beyond > kConcaveSlack * size || dot(slope, from) > kTerrainNoise * size) return true;
  }
  return false;
}

}  // namespace

void PlacedConvex::lowestFeature(Vec3 n, Feature& out) const {
  shape.feature(-transposedTimes(pose.rotation, n), out);
  for (FeatureCorner& corner : out.corners) corner.point = pose.pointToWorld(corner.point);
  out.normal = pose.rotation * out.normal;
}

void addFacePoints(const PlacedConvex& convex, const TerrainTriangle& triangle, double reach,
                   FaceExtent extent, TerrainScratch& scratch, std::vector<TerrainPoint>& out) {
  const Vec3 n = triangle.normal;
  if (dot(n, convex.center() - triangle.corner[0]) < 0) return;
  Feature& feature = scratch.feature;
  convex.lowestFeature(n, feature);
  scratch.polygon.clear();
  double feature_lowest = INFINITY;
  for (const FeatureCorner& corner : feature.corners) {
    scratch.polygon.push_back({corner.point, corner.id, 0});
    feature_lowest = std::min(feature_lowest, dot(n, corner.point - triangle.corner[0]));
  }
  const double tolerance = kTerrainNoise * convex.size();
  unsigned barred = 0;  // sides that have the points on them
  unsigned flat = 0;    // sides beyond which the same plane goes on
  for (std::size_t i = 0; i < 3; ++i) {
    const TerrainSide& side = triangle.side[i];
    if (side.concave() || (extent == FaceExtent::up_to_convex_sides && !side.convex())) continue;
    clipBySide(triangle, i, tolerance, scratch);
    if (scratch.polygon.empty()) return;
    if (!side.convex()) flat |= 1u << i;
    if (side.convex() && goesDownBeyond(feature, n, side)) barred |= 1u << i;
  }
  const double radius = convex.shape.radius();
  const auto gapOf = [&](const ClippedCorner& corner) {
    return dot(n, corner.at - triangle.corner[0]) - radius;
  };
  const auto lowest = std::ranges::min_element(scratch.polygon, {}, gapOf);
  // If the feature gets lower beyond a convex side, only its own corners are of interest.
  const bool lower_beyond = gapOf(*lowest) > feature_lowest - radius + kLevel * convex.size();
  if ((lowest->sides & barred) != 0 || ((lowest->sides & ~flat) != 0 && lower_beyond)) barred = 7;
  for (const ClippedCorner& corner : scratch.polygon) {
    const double gap = gapOf(corner);
    if (gap > reach || (corner.sides & barred) != 0) continue;
    if (corner.sides != 0 && (corner.sides & ~flat) == 0) continue;  // no corner of the whole patch
    const Vec3 on_convex = corner.at - radius * n;
    if (extent == FaceExtent::triangle && beyondConcaveSide(triangle, on_convex, convex.size()))
      continue;
    out.push_back({on_convex, n, gap, (corner.id + corner.sides) % 8});
  }
}

}  // namespace stickslip
