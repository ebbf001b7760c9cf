#include "io/shape_fields.hpp"

namespace stickslip {
namespace {

struct Scaler {
  double factor;

  void points(std::vector<Vec2>& list) const {
    for (Vec2& p : list) p = factor * p;
  }
  void points(std::vector<Vec3>& list) const {
    for (Vec3& p : list) p = factor * p;
  }

  void operator()(Disk& s) const { s.radius *= factor; }
  void operator()(Sphere& s) const { s.radius *= factor; }
  void operator()(PlanarCapsule& s) const { s = {factor * s.length, factor * s.radius}; }
  void operator()(Capsule& s) const { s = {factor * s.length, factor * s.radius}; }
  void operator()(Cylinder& s) const { s = {factor * s.radius, factor * s.height}; }
  void operator()(PlanarBox& s) const { s = {factor * s.width, factor * s.height}; }
  void operator()(Box& s) const { s.size = factor * s.size; }
  void operator()(Polygon& s) const { points(s.vertices); }
  void operator()(Polyline& s) const { points(s.points); }
  void operator()(ConvexHull& s) const { points(s.points); }
  void operator()(TriangleMesh& s) const { points(s.vertices); }
  void operator()(HalfPlane&) const {}
  void operator()(HalfSpace&) const {}
  void operator()(HeightField& s) const {
    s.spacing_x *= factor;
    s.spacing_y *= factor;
    for (double& height : s.heights) height *= factor;
  }
};

}  // namespace

Shape scaled(const Shape& shape, double factor) {
  Shape result = shape;
  std::visit(Scaler{factor}, result);
  return result;
}

}  // namespace stickslip
