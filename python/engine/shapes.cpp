// Shapes of bodies as points, to draw: each in the frame of its body.
#include <cmath>
#include <numbers>
#include <variant>

#include "binding.hpp"
#include "model.hpp"
#include "stickslip/shape.hpp"

namespace stickslip::python {
namespace {

constexpr int kCorners = 48;  // of a circle

// How points are to be understood.
struct Outline {
  const char*
      kind;  ///< "hull" of balls of this radius, "chain", "triangles", "half": point, normal
  std::vector<Vec3> points;
  double radius = 0;
};

Vec3 inSpace(const Vec2& p) {
  return {p.x, p.y, 0};
}

std::vector<Vec3> corners(double x, double y, double z) {
  std::vector<Vec3> all;
  for (int i = 0; i < (z > 0 ? 8 : 4); ++i)
    all.push_back({(i & 1 ? x : -x) / 2, (i & 2 ? y : -y) / 2, (i & 4 ? z : -z) / 2});
  return all;
}

struct Draw {
  Outline operator()(const Disk& s) const { return {"hull", {{}}, s.radius}; }
  Outline operator()(const Sphere& s) const { return {"hull", {{}}, s.radius}; }
  Outline operator()(const PlanarCapsule& s) const {
    return {"hull", {{-s.length / 2, 0, 0}, {s.length / 2, 0, 0}}, s.radius};
  }
  Outline operator()(const Capsule& s) const {
    return {"hull", {{0, 0, -s.length / 2}, {0, 0, s.length / 2}}, s.radius};
  }
  Outline operator()(const PlanarBox& s) const { return {"hull", corners(s.width, s.height, 0)}; }
  Outline operator()(const Box& s) const { return {"hull", corners(s.size.x, s.size.y, s.size.z)}; }
  Outline operator()(const Polygon& s) const { return {"hull", pointsOf(s.vertices)}; }
  Outline operator()(const ConvexHull& s) const { return {"hull", s.points}; }
  Outline operator()(const Polyline& s) const { return {"chain", pointsOf(s.points)}; }
  Outline operator()(const HalfPlane&) const { return {"half", {{}, {0, 1, 0}}}; }
  Outline operator()(const HalfSpace&) const { return {"half", {{}, {0, 0, 1}}}; }
  Outline operator()(const Cylinder& s) const {
    std::vector<Vec3> rims;
    for (int k = 0; k < kCorners; ++k) {
      const double angle = 2 * std::numbers::pi * k / kCorners;
      for (const double z : {-s.height / 2, s.height / 2})
        rims.push_back({s.radius * std::cos(angle), s.radius * std::sin(angle), z});
    }
    return {"hull", std::move(rims)};
  }
  Outline operator()(const HeightField& s) const {
    const auto at = [&](int i, int j) {
      return Vec3{(i - (s.columns - 1) / 2.0) * s.spacing_x, (j - (s.rows - 1) / 2.0) * s.spacing_y,
                  s.heights[static_cast<std::size_t>(j) * static_cast<std::size_t>(s.columns) +
                            static_cast<std::size_t>(i)]};
    };
    std::vector<Vec3> triangles;
    for (int j = 0; j + 1 < s.rows; ++j)
      for (int i = 0; i + 1 < s.columns; ++i)
        triangles.insert(triangles.end(), {at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j),
                                           at(i + 1, j + 1), at(i, j + 1)});
    return {"triangles", std::move(triangles)};
  }
  Outline operator()(const TriangleMesh& s) const {
    std::vector<Vec3> triangles;
    for (const TriangleMesh::Triangle& t : s.triangles)
      for (const int corner : {t.a, t.b, t.c})
        triangles.push_back(s.vertices[static_cast<std::size_t>(corner)]);
    return {"triangles", std::move(triangles)};
  }
  // Its points are not known; of these the hull is inside of it.
  Outline operator()(const SupportShape& s) const {
    std::vector<Vec3> points;
    for (int k = 0; k < kCorners; ++k)
      for (int j = 1; j < kCorners / 2; ++j) {
        const double a = 2 * std::numbers::pi * k / kCorners,
                     b = 2 * std::numbers::pi * j / kCorners;
        points.push_back(
            s.support({std::cos(a) * std::sin(b), std::sin(a) * std::sin(b), std::cos(b)}));
      }
    return {"hull", std::move(points), s.radius};
  }

 private:
  static std::vector<Vec3> pointsOf(const std::vector<Vec2>& plane) {
    std::vector<Vec3> points;
    for (const Vec2& p : plane) points.push_back(inSpace(p));
    return points;
  }
};

// (kind, points (n, 3), radius) of a shape.
nb::tuple outlineOf(const PlacedShape& shape) {
  const Outline outline = std::visit(Draw{}, shape.shape);
  std::vector<double> places;
  const bool is_half = std::string_view(outline.kind) == "half";
  for (std::size_t i = 0; i < outline.points.size(); ++i) {
    const Vec3& point = outline.points[i];
    const Vec3 p =
        is_half && i == 1 ? shape.placement.rotation * point : shape.placement.pointToWorld(point);
    places.insert(places.end(), {p.x, p.y, p.z});
  }
  return nb::make_tuple(outline.kind, arrayOf(std::move(places), {outline.points.size(), 3}),
                        outline.radius);
}

}  // namespace

void bindShapes(nb::module_& module) {
  module.def(
      "body_outlines",
      [](const SceneModel& model) {
        nb::list all;
        if (model.bodies() == nullptr) return all;
        for (const Body& body : model.bodies()->data().bodies) {
          nb::list shapes;
          for (const PlacedShape& shape : body.shapes) shapes.append(outlineOf(shape));
          all.append(nb::make_tuple(body.type != Body::Type::fixed, shapes));
        }
        return all;
      },
      nb::arg("model"),
      nb::sig("def body_outlines(model: Model) -> list[tuple[bool, list[tuple[str, "
              "NDArray[numpy.float64], float]]]]"),
      "Of each body: whether it can move, and its shapes as (kind, points, radius)");
}

}  // namespace stickslip::python
