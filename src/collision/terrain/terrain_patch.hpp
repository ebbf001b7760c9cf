// Contact of a convex shape with one face, side or corner of a terrain.
//
// A contact is a pair of points, a of the convex shape and t of the terrain, and a unit normal n of
// the terrain with a - t = gap n, where a is farthest of its shape along -n, and n is one of the
// normals that the surface has at t: that of the triangle on a face, one between two triangles on a
// convex side, one of the cone at a corner. For positive gaps that is a local minimum of the
// distance; for negative ones the same condition carries on. Since flat and concave sides have no
// normals of their own, they cannot make ghost contacts.
//
// Faces and sides give a patch of points: the feature of the convex shape that faces them, clipped.
// At a concave side nothing is clipped, but only corners that are over the triangle count.
// Corners that the clipping makes on a convex side belong to the face only if the feature does not
// go down beyond that side, since otherwise the side has a contact with a better normal.
//
// All in the frame of the terrain. Points are appended; nothing is appended if the interior point
// of the convex shape is behind the contact plane: deeper bodies are not pushed out.
#pragma once

#include <vector>

#include "collision/convex/convex_shape.hpp"
#include "collision/terrain/terrain.hpp"

namespace stickslip {

struct PlacedConvex {
  const ConvexShape& shape;
  Pose pose;

  /// The point of the core that is farthest along -n.
  Vec3 lowest(Vec3 n) const {
    return pose.pointToWorld(shape.support(-transposedTimes(pose.rotation, n)));
  }
  Vec3 center() const { return pose.pointToWorld(shape.interiorPoint()); }
  double size() const { return shape.coreSize() + shape.radius(); }
  /// The feature of the core along -n.
  void lowestFeature(Vec3 n, Feature& out) const;
};

struct TerrainPoint {
  Vec3 on_convex;
  Vec3 normal;  ///< of the terrain, towards the convex shape
  double gap = 0;
  std::uint32_t number = 0;  ///< of the point within its triangle, 0 to 7
};

/// A corner of a clipped feature.
struct ClippedCorner {
  Vec3 at;
  std::uint32_t id = 0;
  unsigned sides = 0;  ///< bit i: cut off by side i of the triangle
};

/// Memory that is used again.
struct TerrainScratch {
  Feature feature;
  std::vector<ClippedCorner> polygon;
  std::vector<ClippedCorner> clipped;
  std::vector<int> around;
};

/// What bounds a face: all its sides, or only the convex ones, as if what lies beyond the others
/// belonged to it.
enum class FaceExtent { triangle, up_to_convex_sides };

void addFacePoints(const PlacedConvex& convex, const TerrainTriangle& triangle, double reach,
                   FaceExtent extent, TerrainScratch& scratch, std::vector<TerrainPoint>& out);

/// Of a convex side.
void addSidePoints(const PlacedConvex& convex, const TerrainTriangle& triangle, int side,
                   double reach, TerrainScratch& scratch, std::vector<TerrainPoint>& out);

void addCornerPoints(const PlacedConvex& convex, const Terrain& terrain, int triangle, int corner,
                     double reach, TerrainScratch& scratch, std::vector<TerrainPoint>& out);

}  // namespace stickslip
