// Height fields and triangle meshes as one thing: triangles that are found by bounds and know how
// the surface goes on beyond their sides.
//
// The surface has a front, where a triangle's corners run counterclockwise, and is solid behind it.
// How it turns at a side decides which normals a contact there may have: at a convex side all
// between those of the two triangles, at a flat or concave one none but these two. A side without
// a neighbour counts as convex with a wall going down at a right angle.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "collision/collision_shape.hpp"

namespace stickslip {

/// Tolerances of contacts with terrains. Lengths are parts of the convex shape's size, slopes and
/// turns are in radians.
struct TerrainSettings {
  /// Sides that turn by less than this are flat.
  double flat_turn = 1e-8;
  /// Lengths below this are noise: twice the flattest turn that counts as one, so that no place
  /// over the surface is left out.
  double noise = 4 * flat_turn;
  /// Slope of a feature that goes neither up nor down, and up to which both ends of a patch are of
  /// interest.
  double level = 1e-9, nearly_level = 1e-2;
  /// A patch may be so far beyond a concave side.
  double concave_slack = 1e-2;
  /// The highest place over a side between two faces: places tried at first, and all trials.
  static constexpr int samples = 6;
  int most_trials = 60;
  /// Corners: the sine by which a normal may leave the cone of normals, the distance from where on
  /// closest points give a normal, and rounds of ascent.
  double in_cone = 1e-8, clearly_apart = 1e-6;
  int most_rounds = 20;
  /// Patches up to this far apart count as ways out, whatever the margin.
  double touching = 1e-5;
  /// Cosine from which on two normals are the same.
  double same_normal = 1 - 1e-6;
  /// Points that are one plane: normals within 1e-3 of each other, and points this near to it. A
  /// floor that is flat up to the noise of single precision is one plane. Corners of its outline
  /// this near to a line are left out.
  double same_plane_normal = 1 - 5e-7, same_plane = 1e-4;
  double same_place = 1e-6;
};
inline constexpr TerrainSettings kTerrain;

struct TerrainSide {
  Vec3 outward;     ///< unit, in the triangle's plane, away from the triangle
  double turn = 0;  ///< angle to the neighbour's normal: > 0 convex, < 0 concave
  bool convex() const { return turn > kTerrain.flat_turn; }
  bool concave() const { return turn < -kTerrain.flat_turn; }
};

struct TerrainTriangle {
  std::array<Vec3, 3> corner;
  Vec3 normal;                      ///< unit, to the front
  std::array<TerrainSide, 3> side;  ///< [i] from corner i to the next
};

class Terrain : public CollisionShape {
 public:
  Family family() const final { return Family::terrain; }

  virtual int triangleCount() const = 0;
  virtual TerrainTriangle triangle(int index) const = 0;
  /// Replaces `out` by the triangles whose own bounds meet `bounds`, ascending. Frame: the shape's.
  virtual void trianglesWithin(const Bounds& bounds, std::vector<int>& out) const = 0;
  /// Replaces `out` by the triangles that have corner `corner` of `triangle`, ascending.
  virtual void trianglesAtCorner(int triangle, int corner, std::vector<int>& out) const = 0;

  /// Of the box around the terrain in its own frame, so that no vertex is looked at again.
  Bounds boundsAt(const Pose& pose) const final;

  /// A side or corner is reported by the first of its triangles, and only if it sticks out.
  bool reportsSide(int triangle, int side) const { return flag(triangle, side); }
  bool reportsCorner(int triangle, int corner) const { return flag(triangle, 3 + corner); }

 protected:
  /// Fills in what boundsAt(), reportsSide() and reportsCorner() say, once the triangles are there.
  void prepare();

 private:
  bool flag(int triangle, int bit) const { return (flags_[triangle] >> bit & 1) != 0; }
  bool firstAtSide(int triangle, const TerrainTriangle& of, int side,
                   std::vector<int>& around) const;
  bool sticksOut(int triangle, const TerrainTriangle& of, int corner,
                 std::vector<int>& around) const;

  Bounds box_;
  std::vector<std::uint8_t> flags_;
};

/// The corner of `triangle` at `point`, -1 if none.
int cornerAt(const TerrainTriangle& triangle, Vec3 point);

/// The angle by which the surface turns across a side with `outward` from the normal `here` to
/// `beyond`.
double turnAcross(Vec3 here, Vec3 outward, Vec3 beyond);

/// Of a HeightField or a TriangleMesh for which problemOf() has nothing to say.
std::shared_ptr<const CollisionShape> makeTerrain(const Shape& shape);

}  // namespace stickslip
