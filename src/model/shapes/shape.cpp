// Names of shapes and what can be wrong with one.
//
// Whether a number is small is always judged against the shape's own size, so that the unit of
// length does not matter.

#include "model/shapes/shape.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <numbers>
#include <numeric>
#include <span>
#include <tuple>
#include <vector>

#include "collision/hull/hull_builder.hpp"
#include "stickslip/detail/shape_list.hpp"
#include "stickslip/elementary.hpp"
#include "stickslip/shape.hpp"

namespace stickslip {
namespace {

// Sine of the least turn at a polygon's vertex and of the least angle of a triangle.
constexpr double kLeastTurn = 1e-10;
// Directions in which a support function is tried.
constexpr int kCheckedDirections = 60;

template <class... Cases>
struct Match : Cases... {
  using Cases::operator()...;
};
template <class... Cases>
Match(Cases...) -> Match<Cases...>;

std::string text(double value) {
  char digits[32];
  const auto [end, error] = std::to_chars(digits, digits + sizeof digits, value);
  return {digits, end};
}

std::string text(std::size_t value) {
  return std::to_string(value);
}

bool finite(Vec2 v) {
  return std::isfinite(v.x) && std::isfinite(v.y);
}

bool finite(Vec3 v) {
  return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z);
}

std::string notPositive(const char* field, double value) {
  if (std::isfinite(value) && value > 0) return {};
  return std::string(field) + " is " + text(value) + ", must be finite and > 0";
}

std::string firstOf(std::initializer_list<std::string> problems) {
  for (const std::string& problem : problems)
    if (!problem.empty()) return problem;
  return {};
}

template <class Point>
std::string notFinite(const char* what, std::span<const Point> points) {
  for (std::size_t i = 0; i < points.size(); ++i)
    if (!finite(points[i]))
      return std::string(what) + " " + text(i) + " has a coordinate that is not a finite number";
  return {};
}

double signedArea(std::span<const Vec2> vertices) {
  double sum = 0;
  for (std::size_t i = 1; i + 1 < vertices.size(); ++i)
    sum += cross(vertices[i] - vertices[0], vertices[i + 1] - vertices[0]) / 2;
  return sum;
}

std::string problemOfPolygon(std::span<const Vec2> v) {
  if (v.size() < 3) return "has " + text(v.size()) + " vertices, needs at least 3";
  if (const std::string problem = notFinite("vertex", v); !problem.empty()) return problem;
  const std::size_t n = v.size();
  for (std::size_t i = 0; i < n; ++i)
    if (v[i] == v[(i + 1) % n])
      return "vertex " + text((i + 1) % n) + " repeats the one before it; leave it out";
  if (signedArea(v) < 0) return "has its vertices in clockwise order, must be counterclockwise";
  double turn = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const Vec2 in = v[i] - v[(i + n - 1) % n], out = v[(i + 1) % n] - v[i];
    const double sine = cross(in, out) / (norm(in) * norm(out));
    if (sine < -kLeastTurn)
      return "vertex " + text(i) +
             " turns to the right, must be convex: split it into convex parts";
    if (!(sine > kLeastTurn))
      return "vertex " + text(i) + " lies on the line through its neighbours; leave it out";
    turn += math::atan2(cross(in, out), dot(in, out));
  }
  if (turn > 3 * std::numbers::pi) return "winds around more than once, must be a simple outline";
  return {};
}

std::string problemOfPolyline(std::span<const Vec2> points) {
  if (points.size() < 2) return "has " + text(points.size()) + " points, needs at least 2";
  if (const std::string problem = notFinite("point", points); !problem.empty()) return problem;
  for (std::size_t i = 1; i < points.size(); ++i)
    if (points[i] == points[i - 1])
      return "point " + text(i) + " repeats the one before it; leave it out";
  return {};
}

std::string problemOfHull(std::span<const Vec3> points) {
  if (points.size() < 4) return "has " + text(points.size()) + " points, needs at least 4";
  if (const std::string problem = notFinite("point", points); !problem.empty()) return problem;
  if (!buildHull(points)) return "has all its points in one plane, must enclose a volume";
  return {};
}

std::string problemOfHeightField(const HeightField& field) {
  if (field.columns < 2 || field.rows < 2)
    return "has " + std::to_string(field.columns) + " columns and " + std::to_string(field.rows) +
           " rows, needs at least 2 of each";
  const std::size_t needed =
      static_cast<std::size_t>(field.columns) * static_cast<std::size_t>(field.rows);
  if (field.heights.size() != needed)
    return "has " + text(field.heights.size()) + " heights, needs columns * rows = " + text(needed);
  const std::string spacing = firstOf(
      {notPositive("spacing_x", field.spacing_x), notPositive("spacing_y", field.spacing_y)});
  if (!spacing.empty()) return spacing;
  for (std::size_t k = 0; k < needed; ++k)
    if (!std::isfinite(field.heights[k]))
      return "height " + text(k) + " is " + text(field.heights[k]) + ", must be finite";
  return {};
}

// Why triangle k of the mesh cannot be used.
std::string problemOfTriangle(const TriangleMesh& mesh, std::size_t k) {
  const TriangleMesh::Triangle& triangle = mesh.triangles[k];
  const int count = static_cast<int>(mesh.vertices.size());
  for (const int index : {triangle.a, triangle.b, triangle.c})
    if (index < 0 || index >= count)
      return "triangle " + text(k) + " names vertex " + std::to_string(index) +
             ", must be in 0 to " + std::to_string(count - 1);
  const auto vertex = [&](int i) { return mesh.vertices[i]; };
  const Vec3 ab = vertex(triangle.b) - vertex(triangle.a);
  const Vec3 ac = vertex(triangle.c) - vertex(triangle.a);
  const Vec3 bc = vertex(triangle.c) - vertex(triangle.b);
  // The two longest sides meet at the smallest angle; the other two angles cannot both be small.
  const double longest = std::max({norm(ab), norm(ac), norm(bc)});
  if (!(norm(cross(ab, ac)) > kLeastTurn * longest * longest))
    return "triangle " + text(k) + " has no area; leave it out";
  return {};
}

std::string problemOfMesh(const TriangleMesh& mesh) {
  if (mesh.triangles.empty()) return "has no triangles, needs at least 1";
  const std::string vertices = notFinite("vertex", std::span<const Vec3>(mesh.vertices));
  if (!vertices.empty()) return vertices;
  for (std::size_t k = 0; k < mesh.triangles.size(); ++k)
    if (const std::string problem = problemOfTriangle(mesh, k); !problem.empty()) return problem;
  return problemOfEdges(mesh);
}

// What a support function must be, as far as some directions show.
std::string problemOfSupport(const SupportShape& s) {
  constexpr double kSlack = 1e-9;  // of the extent
  if (!s.support) return "has no support function";
  if (!(std::isfinite(s.radius) && s.radius >= 0)) return "radius must be finite and >= 0";
  const std::string extent = notPositive("extent", s.extent);
  if (!extent.empty()) return extent;
  const std::vector<Vec3> directions = sphereDirections(kCheckedDirections);
  std::vector<Vec3> points;
  for (const Vec3& d : directions) {
    const Vec3 p = s.support(d);
    if (!finite(p)) return "has a support function with values that are not finite";
    if (norm(p) > s.extent * (1 + kSlack))
      return "has a point that is " + text(norm(p)) + " from the origin, more than its extent";
    if (!(dot(p, d) > 0)) return "does not have the origin inside";
    points.push_back(p);
  }
  for (std::size_t i = 0; i < points.size(); ++i)
    for (const Vec3& other : points)
      if (dot(other - points[i], directions[i]) > kSlack * s.extent)
        return "has a support function that does not find the farthest point of some direction";
  return {};
}

}  // namespace

bool isPlanar(const Shape& shape) {
  return std::visit(
      Match{[](const Disk&) { return true; }, [](const PlanarCapsule&) { return true; },
            [](const PlanarBox&) { return true; }, [](const Polygon&) { return true; },
            [](const HalfPlane&) { return true; }, [](const Polyline&) { return true; },
            [](const auto&) { return false; }},
      shape);
}

bool isTerrain(const Shape& shape) {
  return std::visit(
      Match{[](const HalfPlane&) { return true; }, [](const Polyline&) { return true; },
            [](const HalfSpace&) { return true; }, [](const HeightField&) { return true; },
            [](const TriangleMesh&) { return true; }, [](const auto&) { return false; }},
      shape);
}

std::string shapeName(const Shape& shape) {
  return std::visit(
      Match{[](const Disk&) { return "disk"; }, [](const PlanarCapsule&) { return "capsule"; },
            [](const PlanarBox&) { return "box"; }, [](const Polygon&) { return "polygon"; },
            [](const HalfPlane&) { return "half-plane"; },
            [](const Polyline&) { return "polyline"; }, [](const Sphere&) { return "sphere"; },
            [](const Capsule&) { return "capsule"; }, [](const Cylinder&) { return "cylinder"; },
            [](const Box&) { return "box"; }, [](const ConvexHull&) { return "convex"; },
            [](const HalfSpace&) { return "half-space"; },
            [](const HeightField&) { return "height-field"; },
            [](const TriangleMesh&) { return "mesh"; },
            [](const SupportShape&) { return "support"; }},
      shape);
}

std::string problemOf(const Shape& shape) {
  const auto rod = [](const auto& s) {
    return firstOf({notPositive("length", s.length), notPositive("radius", s.radius)});
  };
  return std::visit(
      Match{[](const Disk& s) { return notPositive("radius", s.radius); },
            [&](const PlanarCapsule& s) { return rod(s); },
            [](const PlanarBox& s) {
              return firstOf({notPositive("width", s.width), notPositive("height", s.height)});
            },
            [](const Polygon& s) { return problemOfPolygon(s.vertices); },
            [](const HalfPlane&) { return std::string(); },
            [](const Polyline& s) { return problemOfPolyline(s.points); },
            [](const Sphere& s) { return notPositive("radius", s.radius); },
            [&](const Capsule& s) { return rod(s); },
            [](const Cylinder& s) {
              return firstOf({notPositive("radius", s.radius), notPositive("height", s.height)});
            },
            [](const Box& s) {
              return firstOf({notPositive("size x", s.size.x), notPositive("size y", s.size.y),
                              notPositive("size z", s.size.z)});
            },
            [](const ConvexHull& s) { return problemOfHull(s.points); },
            [](const HalfSpace&) { return std::string(); },
            [](const HeightField& s) { return problemOfHeightField(s); },
            [](const TriangleMesh& s) { return problemOfMesh(s); },
            [](const SupportShape& s) { return problemOfSupport(s); }},
      shape);
}

// Sorting brings equal vertices together, then equal triangles, then the triangles of each edge:
// O(n log n) for n triangles, whatever their order, and always the same first complaint.

namespace {

using Corners = std::array<int, 3>;

// For every vertex the first one at the same place.
std::vector<int> firstAtSamePlace(const std::vector<Vec3>& vertices) {
  const auto place = [&](int i) {
    const Vec3& v = vertices[i];
    return std::array{v.x, v.y, v.z};
  };
  std::vector<int> order(vertices.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return place(a) < place(b); });
  std::vector<int> first(vertices.size());
  for (std::size_t k = 0; k < order.size(); ++k) {
    const bool repeats = k > 0 && place(order[k]) == place(order[k - 1]);
    first[order[k]] = repeats ? first[order[k - 1]] : order[k];
  }
  return first;
}

std::vector<Corners> cornersOf(const TriangleMesh& mesh) {
  const std::vector<int> first = firstAtSamePlace(mesh.vertices);
  const auto at = [&](int i) { return first[i]; };
  std::vector<Corners> corners;
  corners.reserve(mesh.triangles.size());
  for (const TriangleMesh::Triangle& t : mesh.triangles)
    corners.push_back({at(t.a), at(t.b), at(t.c)});
  return corners;
}

// The same three corners, in the same direction.
std::string problemOfRepetition(const std::vector<Corners>& corners) {
  std::vector<std::pair<Corners, std::size_t>> sorted;
  sorted.reserve(corners.size());
  for (std::size_t k = 0; k < corners.size(); ++k) {
    Corners c = corners[k];
    std::rotate(c.begin(), std::min_element(c.begin(), c.end()), c.end());
    sorted.emplace_back(c, k);
  }
  std::sort(sorted.begin(), sorted.end());
  for (std::size_t k = 1; k < sorted.size(); ++k)
    if (sorted[k].first == sorted[k - 1].first)
      return "triangle " + std::to_string(sorted[k].second) + " repeats triangle " +
             std::to_string(sorted[k - 1].second) + "; leave one of them out";
  return {};
}

// An edge as one triangle sees it.
struct Side {
  int low, high;  ///< its vertices
  std::size_t triangle;
  bool ascends;  ///< runs from low to high
};

std::vector<Side> sortedSides(const std::vector<Corners>& corners) {
  std::vector<Side> sides;
  sides.reserve(3 * corners.size());
  for (std::size_t k = 0; k < corners.size(); ++k)
    for (std::size_t i = 0; i < 3; ++i) {
      const int from = corners[k][i], to = corners[k][(i + 1) % 3];
      sides.push_back({std::min(from, to), std::max(from, to), k, from < to});
    }
  const auto key = [](const Side& s) { return std::tie(s.low, s.high, s.triangle); };
  std::sort(sides.begin(), sides.end(),
            [&](const Side& a, const Side& b) { return key(a) < key(b); });
  return sides;
}

bool sameEdge(const Side& a, const Side& b) {
  return a.low == b.low && a.high == b.high;
}

std::string edgeText(const Side& side) {
  return "the edge between vertices " + std::to_string(side.low) + " and " +
         std::to_string(side.high);
}

std::string problemOfSides(const std::vector<Side>& sides) {
  for (std::size_t k = 2; k < sides.size(); ++k)
    if (sameEdge(sides[k], sides[k - 2]))
      return "triangles " + std::to_string(sides[k - 2].triangle) + ", " +
             std::to_string(sides[k - 1].triangle) + " and " + std::to_string(sides[k].triangle) +
             " share " + edgeText(sides[k]) +
             ", which can have two: leave one out, or make two shapes of the mesh";
  for (std::size_t k = 1; k < sides.size(); ++k)
    if (sameEdge(sides[k], sides[k - 1]) && sides[k].ascends == sides[k - 1].ascends)
      return "triangles " + std::to_string(sides[k - 1].triangle) + " and " +
             std::to_string(sides[k].triangle) + " run along " + edgeText(sides[k]) +
             " in the same direction, so that one of them is inside out: swap two of its corners";
  return {};
}

}  // namespace

std::string problemOfEdges(const TriangleMesh& mesh) {
  const std::vector<Corners> corners = cornersOf(mesh);
  const std::string repetition = problemOfRepetition(corners);
  return repetition.empty() ? problemOfSides(sortedSides(corners)) : repetition;
}

namespace {

/// What a shape is made of, one after the other. Lists begin with their length.
class KeyWriter {
 public:
  explicit KeyWriter(ShapeKey& key) : key_(key) {}

  void put(double x) { key_.push_back(std::bit_cast<std::uint64_t>(x)); }
  void put(int i) { key_.push_back(static_cast<std::uint64_t>(i)); }
  void put(Vec2 p) { putAll(p.x, p.y); }
  void put(Vec3 p) { putAll(p.x, p.y, p.z); }
  void put(const Mat3& m) { putAll(m.x, m.y, m.z); }
  void put(const Disk& s) { put(s.radius); }
  void put(const PlanarCapsule& s) { putAll(s.length, s.radius); }
  void put(const PlanarBox& s) { putAll(s.width, s.height); }
  void put(const Polygon& s) { put(s.vertices); }
  void put(const HalfPlane&) {}
  void put(const Polyline& s) { put(s.points); }
  void put(const Sphere& s) { put(s.radius); }
  void put(const Capsule& s) { putAll(s.length, s.radius); }
  void put(const Cylinder& s) { putAll(s.radius, s.height); }
  void put(const Box& s) { put(s.size); }
  void put(const ConvexHull& s) { put(s.points); }
  void put(const HalfSpace&) {}
  void put(const HeightField& s) { putAll(s.columns, s.rows, s.spacing_x, s.spacing_y, s.heights); }
  void put(const TriangleMesh::Triangle& t) { putAll(t.a, t.b, t.c); }
  void put(const TriangleMesh& s) { putAll(s.vertices, s.triangles); }
  // Functions are alike if they are the same one. Nothing depends on the order of keys.
  void put(const SupportShape& s) {
    key_.push_back(s.support.id());
    putAll(s.radius, s.extent, s.volume, s.center, s.inertia);
  }

 private:
  template <class T>
  void put(const std::vector<T>& list) {
    key_.push_back(list.size());
    for (const T& item : list) put(item);
  }
  template <class... Parts>
  void putAll(const Parts&... parts) {
    (put(parts), ...);
  }

  ShapeKey& key_;
};

}  // namespace

std::vector<Vec3> sphereDirections(int count) {
  std::vector<Vec3> directions;
  for (int i = 0; i < count; ++i) {
    const double z = 1 - (2 * i + 1.0) / count;
    const auto [sine, cosine] = math::sinCos(2 * std::numbers::pi * std::numbers::phi * i);
    const double across = std::sqrt(1 - z * z);
    directions.push_back({across * cosine, across * sine, z});
  }
  return directions;
}

void append(const Shape& shape, ShapeKey& key) {
  key.push_back(shape.index());
  std::visit([&](const auto& s) { KeyWriter(key).put(s); }, shape);
}

void append(const Pose& pose, ShapeKey& key) {
  KeyWriter(key).put(pose.position);
  KeyWriter(key).put(pose.rotation);
}

ShapeList::ShapeList(const ShapeList& other)
    : shapes_(other.shapes_ && !other.is_shared_
                  ? std::make_shared<std::vector<PlacedShape>>(*other.shapes_)
                  : other.shapes_),
      is_shared_(other.is_shared_) {}

ShapeList& ShapeList::operator=(const ShapeList& other) {
  return *this = ShapeList(other);
}

std::vector<PlacedShape>& ShapeList::own() {
  if (!shapes_)
    shapes_ = std::make_shared<std::vector<PlacedShape>>();
  else if (is_shared_)
    shapes_ = std::make_shared<std::vector<PlacedShape>>(*shapes_);
  is_shared_ = false;
  return *shapes_;
}

}  // namespace stickslip
