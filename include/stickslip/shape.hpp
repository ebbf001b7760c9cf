// Shapes of rigid bodies, as a user describes them. Planar ones lie in the plane z = 0.
//
// Every shape stands in its own frame; PlacedShape puts it into the body's frame. A body with
// several shapes is a compound. Lengths are in the scene's unit. checkShape() says what is wrong
// with one; collision/collision_shape.hpp turns it into what the narrow phase works on.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "stickslip/rotation.hpp"

namespace stickslip {

// ---- Planar ----

/// Of the plane.
struct Disk {
  double radius = 0;
};
/// Points within `radius` of a segment of `length` along x, centred: a rod with rounded ends.
struct PlanarCapsule {
  double length = 0;
  double radius = 0;
};
/// Rectangle, centred, with full side lengths.
struct PlanarBox {
  double width = 0;   ///< along x
  double height = 0;  ///< along y
};
/// Convex polygon, vertices counterclockwise.
struct Polygon {
  std::vector<Vec2> vertices{};
};
/// All points with y <= 0.
struct HalfPlane {};
/// Terrain: the chain of segments from point to point. Its solid side is on the right of the way
/// (below a chain that runs from left to right).
struct Polyline {
  std::vector<Vec2> points{};
};

// ---- Spatial ----

/// Of space.
struct Sphere {
  double radius = 0;
};
/// Points within `radius` of a segment of `length` along z, centred.
struct Capsule {
  double length = 0;
  double radius = 0;
};
/// Solid cylinder along z, centred.
struct Cylinder {
  double radius = 0;
  double height = 0;
};
/// Cuboid, centred, with full side lengths.
struct Box {
  Vec3 size{};
};
/// The convex hull of points.
struct ConvexHull {
  std::vector<Vec3> points{};
};
/// All points with z <= 0.
struct HalfSpace {};
/// Heights over a regular grid that is centred in the xy plane: entry (i, j) stands at
/// x = (i - (columns - 1) / 2) spacing_x, y = (j - (rows - 1) / 2) spacing_y and is
/// heights[j * columns + i]. Each cell is two triangles, split along the diagonal from (i, j) to
/// (i + 1, j + 1). Solid below.
struct HeightField {
  int columns = 0;
  int rows = 0;
  double spacing_x = 0;
  double spacing_y = 0;
  std::vector<double> heights{};
};
/// Triangles, counterclockwise seen from outside. Not for dynamic bodies.
struct TriangleMesh {
  /// Places of its corners among the vertices.
  struct Triangle {
    int a = 0;
    int b = 0;
    int c = 0;
  };
  std::vector<Vec3> vertices{};
  std::vector<Triangle> triangles{};
};

/// For each direction, which need not have length 1, a point of a convex body that is farthest in
/// it. Must be pure: same argument, same bits, from any thread. Copies share the function.
class SupportFunction {
 public:
  SupportFunction() = default;
  template <class Function>
  requires std::is_invocable_r_v<Vec3, const Function&, Vec3> SupportFunction(Function function)
      : function_(std::make_shared<const std::function<Vec3(Vec3)>>(std::move(function))) {}

  Vec3 operator()(Vec3 direction) const { return (*function_)(direction); }
  explicit operator bool() const { return function_ != nullptr; }
  /// The same number for copies of one function.
  std::uintptr_t id() const { return reinterpret_cast<std::uintptr_t>(function_.get()); }

 private:
  std::shared_ptr<const std::function<Vec3(Vec3)>> function_;
};

/// All points within `radius` of a convex body that a function describes. The origin is inside of
/// that body. Exists in C++ only: scene files cannot hold it.
struct SupportShape {
  SupportFunction support{};
  double radius = 0;
  /// No point of the body is farther from the origin; for the broad phase, and the measure of what
  /// is small. Need not be the least one.
  double extent = 0;
  /// Volume, centre and inertia at density 1. None: those of the convex hull of many points of the
  /// surface, which are exact for polytopes and some 1 % too small where the surface is curved.
  double volume = 0;
  Vec3 center{};
  Mat3 inertia{};
};

using Shape =
    std::variant<Disk, PlanarCapsule, PlanarBox, Polygon, HalfPlane, Polyline, Sphere, Capsule,
                 Cylinder, Box, ConvexHull, HalfSpace, HeightField, TriangleMesh, SupportShape>;

/// A shape of a body, with its place in it and its material.
struct PlacedShape {
  Shape shape{};
  Pose placement{};  ///< of the shape's frame in the body's
  int material = 0;  ///< index into BodySystemData::materials
  /// Mass per volume (per area in the plane) for the mass of a body that gives none; 0: that of the
  /// material.
  double density = 0;
};

/// True for Disk ... Polyline.
bool isPlanar(const Shape& shape);
/// True for shapes without a volume of their own, which only bodies that do not move freely may
/// have: half-plane, polyline, half-space, height field, triangle mesh.
bool isTerrain(const Shape& shape);
/// The name that scenes use: "disk", "capsule", "box", "polygon", "half-plane", "polyline",
/// "sphere", "cylinder", "convex", "half-space", "height-field", "mesh"; "support" for
/// SupportShape, which scenes do not have.
std::string shapeName(const Shape& shape);
/// What is wrong with the shape, in words that follow its name; empty if nothing is: sizes that are
/// not positive, a polygon that is not convex, points that lie in a plane, a mesh with a triangle
/// of no area, numbers that are not finite.
std::string problemOf(const Shape& shape);

}  // namespace stickslip
