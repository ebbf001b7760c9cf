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

/// Sides that turn by less than this (radians) are flat.
inline constexpr double kFlatTurn = 1e-8;

struct TerrainSide {
  Vec3 outward;     ///< unit, in the triangle's plane, away from the triangle
  double turn = 0;  ///< angle to the neighbour's normal: > 0 convex, < 0 concave
  bool convex() const { return turn > kFlatTurn; }
  bool concave() const { return turn < -kFlatTurn; }
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
