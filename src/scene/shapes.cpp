#include "scene/shapes.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <vector>

#include "scene/frames.hpp"
#include "stickslip/elementary.hpp"

namespace stickslip {
namespace {

constexpr int kCandidates = 8;

double nearestSquared(std::span<const Vec3> points, Vec3 p) {
  double nearest = 8;  // no two directions are that far apart
  for (const Vec3& other : points) nearest = std::min(nearest, dot(p - other, p - other));
  return nearest;
}

std::vector<Vec3> spreadDirections(int count, int dimension, RandomNumbers& random) {
  std::vector<Vec3> points;
  for (int i = 0; i < count; ++i) {
    Vec3 best = random.direction(dimension);
    for (int k = 1; k < kCandidates; ++k) {
      const Vec3 p = random.direction(dimension);
      if (nearestSquared(points, p) > nearestSquared(points, best)) best = p;
    }
    points.push_back(best);
  }
  return points;
}

// Order of directions around the circle, from +x on.
bool comesBefore(const Vec3& a, const Vec3& b) {
  const bool a_below = a.y < 0, b_below = b.y < 0;
  if (a_below != b_below) return b_below;
  return a.x * b.y - a.y * b.x > 0;
}

Vec2 onCircle(double radius, int i, int sides) {
  const double angle = 2 * std::numbers::pi * i / sides;
  return {radius * math::cos(angle), radius * math::sin(angle)};
}

// The vertices of a surface of revolution: a ring for each point of the profile, or one on the
// axis.
struct Rings {
  TriangleMesh& mesh;
  int sides;
  std::vector<int> first;

  void add(Vec2 point) {
    first.push_back(static_cast<int>(mesh.vertices.size()));
    if (point.x == 0) return mesh.vertices.push_back({0, 0, point.y});
    for (int i = 0; i < sides; ++i) {
      const Vec2 p = onCircle(point.x, i, sides);
      mesh.vertices.push_back({p.x, p.y, point.y});
    }
  }
  int vertex(std::size_t ring, bool on_axis, int i) const {
    return first[ring] + (on_axis ? 0 : i % sides);
  }
};

}  // namespace

Polygon planarRock(double radius, int corners, RandomNumbers& random) {
  std::vector<Vec3> points = spreadDirections(corners, 2, random);
  std::sort(points.begin(), points.end(), comesBefore);
  Polygon rock;
  for (const Vec3& p : points) rock.vertices.push_back({radius * p.x, radius * p.y});
  return rock;
}

ConvexHull spatialRock(double radius, int corners, RandomNumbers& random) {
  ConvexHull rock{spreadDirections(corners, 3, random)};
  for (Vec3& p : rock.points) p = radius * p;
  return rock;
}

// Counterclockwise: outside is on the right.
Polyline ringAround(double radius, int sides) {
  Polyline ring;
  for (int i = 0; i < sides; ++i) ring.points.push_back(onCircle(radius, i, sides));
  ring.points.push_back(ring.points.front());
  return ring;
}

TriangleMesh revolved(std::span<const Vec2> profile, int sides) {
  TriangleMesh mesh;
  Rings rings{mesh, sides, {}};
  for (const Vec2& point : profile) rings.add(point);
  for (std::size_t k = 0; k + 1 < profile.size(); ++k) {
    const bool from_axis = profile[k].x == 0, to_axis = profile[k + 1].x == 0;
    for (int i = 0; i < sides; ++i) {
      const int a = rings.vertex(k, from_axis, i), b = rings.vertex(k, from_axis, i + 1);
      const int d = rings.vertex(k + 1, to_axis, i), c = rings.vertex(k + 1, to_axis, i + 1);
      if (!from_axis) mesh.triangles.push_back({a, d, b});
      if (!to_axis) mesh.triangles.push_back({b, d, c});
    }
  }
  return mesh;
}

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
  void operator()(SupportShape&) const {}  // no scene has one
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

namespace {

using FieldKind = FieldReader::Kind;

// Of shapes that are made from a few numbers.
constexpr std::int64_t kRockCorners = 12, kMostRockCorners = 200;
constexpr std::int64_t kSides = 48, kMostSides = 10'000;

constexpr std::string_view kPlanarShapes[] = {"disk",       "capsule",  "box", "polygon",
                                              "half-plane", "polyline", "rock"};
constexpr std::string_view kSpatialShapes[] = {
    "sphere", "capsule", "cylinder", "box", "convex", "half-space", "height-field", "mesh", "rock"};

std::vector<Vec2> readPlanePoints(FieldReader& fields, const char* key, std::size_t least) {
  std::vector<Vec2> points;
  for (const Vec3& p : readQuantities(fields, key, Quantity::vector, 2, least))
    points.push_back({p.x, p.y});
  return points;
}

// Counterclockwise, whichever way round the scene goes.
Polygon readPolygon(FieldReader& fields) {
  Polygon polygon{readPlanePoints(fields, "vertices", 3)};
  double twice_area = 0;
  for (std::size_t i = 1; i + 1 < polygon.vertices.size(); ++i)
    twice_area += cross(polygon.vertices[i] - polygon.vertices[0],
                        polygon.vertices[i + 1] - polygon.vertices[0]);
  if (twice_area < 0) std::reverse(polygon.vertices.begin(), polygon.vertices.end());
  return polygon;
}

Vec3 readPositive(FieldReader& fields, const char* key) {
  const std::vector<double> x = fields.vector(key, 3, kPositive);
  return {x[0], x[1], x[2]};
}

Vec3 readScale(FieldReader& fields) {
  if (!fields.has("scale")) return {1, 1, 1};
  if (fields.holds("scale", FieldKind::number)) {
    const double scale = fields.number("scale", kPositive);
    return {scale, scale, scale};
  }
  return readPositive(fields, "scale");
}

std::vector<Vec3> scaledPoints(const FieldReader& fields, std::vector<Vec3> points, Vec3 scale) {
  for (Vec3& p : points) {
    p = {scale.x * p.x, scale.y * p.y, scale.z * p.z};
    if (!(std::max({std::abs(p.x), std::abs(p.y), std::abs(p.z)}) <= kLargestNumber))
      fields.failHere(fmt::format("vertex {} is beyond any unit", &p - points.data()));
  }
  return points;
}

int readCorners(FieldReader& fields, const char* key, std::int64_t fallback, std::int64_t least,
                std::int64_t most) {
  const std::int64_t count = fields.wholeNumberOr(key, fallback, least);
  if (count > most)
    fields.fail(key, fmt::format("{} is out of range; expected {} to {}", count, least, most));
  return static_cast<int>(count);
}

Shape readRock(FieldReader& fields, int dimension, std::int64_t instance) {
  const double radius = fields.number("radius", kPositive);
  const int least = dimension == 2 ? 3 : 4;
  const int corners = readCorners(fields, "corners", kRockCorners, least, kMostRockCorners);
  RandomNumbers random(fields.wholeNumberOr("seed", 1, 0), instance);
  if (dimension == 2) return planarRock(radius, corners, random);
  ConvexHull rock = spatialRock(radius, corners, random);
  return ConvexHull{scaledPoints(fields, std::move(rock.points), readScale(fields))};
}

void refuseBeside(FieldReader& fields, const char* other, const char* key) {
  if (fields.has(key))
    fields.fail(key, fmt::format("given beside \"{}\"; keep one of them", other));
}

Polyline readPolyline(FieldReader& fields) {
  if (!fields.has("ring")) return {readPlanePoints(fields, "points", 2)};
  refuseBeside(fields, "ring", "points");
  FieldReader ring = fields.object("ring");
  const double radius = ring.number("radius", kPositive);
  const int sides = readCorners(ring, "sides", kSides, 3, kMostSides);
  ring.refuseUnknown();
  return ringAround(radius, sides);
}

Shape readPlanarShape(FieldReader& fields, const std::string& type, std::int64_t instance) {
  if (type == "disk") return Disk{fields.number("radius", kPositive)};
  if (type == "capsule") {
    const double length = fields.number("length", kPositive);
    return PlanarCapsule{length, fields.number("radius", kPositive)};
  }
  if (type == "box") {
    const std::vector<double> size = fields.vector("size", 2, kPositive);
    return PlanarBox{size[0], size[1]};
  }
  if (type == "polygon") return readPolygon(fields);
  if (type == "polyline") return readPolyline(fields);
  if (type == "rock") return readRock(fields, 2, instance);
  return HalfPlane{};
}

HeightField readHeightField(FieldReader& fields) {
  HeightField field;
  const std::size_t columns = fields.firstRowSize("heights");
  if (columns < 2) fields.failAt("heights", 0, "a row needs at least 2 heights");
  field.heights = fields.rows("heights", columns, 2);
  field.columns = static_cast<int>(columns);
  field.rows = static_cast<int>(field.heights.size() / columns);
  const bool both = fields.holds("spacing", FieldKind::number);
  const std::vector<double> spacing =
      both ? std::vector<double>(2, fields.number("spacing", kPositive))
           : fields.vector("spacing", 2, kPositive);
  field.spacing_x = spacing[0];
  field.spacing_y = spacing[1];
  return field;
}

std::vector<TriangleMesh::Triangle> readTriangles(FieldReader& fields, std::size_t vertices) {
  const std::vector<double> corners = fields.rows("triangles", 3, 1);
  std::vector<TriangleMesh::Triangle> triangles;
  for (std::size_t k = 0; k < corners.size(); k += 3) {
    int index[3] = {0, 0, 0};
    for (std::size_t i = 0; i < 3; ++i) {
      const double corner = corners[k + i];
      if (!(corner >= 0 && corner < double(vertices) && corner == std::floor(corner)))
        fields.failAt("triangles", k / 3,
                      fmt::format("{} is not the index of a vertex; there are {}, counted from 0",
                                  corner, vertices));
      index[i] = static_cast<int>(corner);
    }
    triangles.push_back({index[0], index[1], index[2]});
  }
  return triangles;
}

ConvexHull readConvexHull(FieldReader& fields, SceneFiles& files) {
  const Vec3 scale = readScale(fields);
  if (!fields.has("file"))
    return {scaledPoints(fields, readQuantities(fields, "points", Quantity::vector, 3, 4), scale)};
  refuseBeside(fields, "file", "points");
  return {scaledPoints(fields, files.read(fields, false).vertices, scale)};
}

TriangleMesh readRevolved(FieldReader& fields) {
  for (const char* key : {"file", "vertices", "triangles"}) refuseBeside(fields, "revolve", key);
  FieldReader revolve = fields.object("revolve");
  const std::vector<Vec2> profile = readPlanePoints(revolve, "profile", 2);
  for (std::size_t k = 0; k < profile.size(); ++k) {
    const bool on_axis = profile[k].x == 0 && k > 0 && profile[k - 1].x == 0;
    if (profile[k].x < 0 || on_axis)
      revolve.failAt("profile", k,
                     on_axis ? "two points in a row are on the axis, r = 0; they make no surface"
                             : "has r < 0; expected points [r, z] with r >= 0");
  }
  const int sides = readCorners(revolve, "sides", kSides, 3, kMostSides);
  revolve.refuseUnknown();
  return revolved(profile, sides);
}

TriangleMesh readMeshShape(FieldReader& fields, SceneFiles& files) {
  const Vec3 scale = readScale(fields);
  TriangleMesh mesh;
  if (fields.has("revolve")) {
    mesh = readRevolved(fields);
  } else if (fields.has("file")) {
    refuseBeside(fields, "file", "vertices");
    refuseBeside(fields, "file", "triangles");
    mesh = files.read(fields, true);
  } else {
    mesh.vertices = readQuantities(fields, "vertices", Quantity::vector, 3, 3);
    mesh.triangles = readTriangles(fields, mesh.vertices.size());
  }
  mesh.vertices = scaledPoints(fields, std::move(mesh.vertices), scale);
  return mesh;
}

Shape readSpatialShape(FieldReader& fields, const std::string& type, SceneFiles& files,
                       std::int64_t instance) {
  if (type == "sphere") return Sphere{fields.number("radius", kPositive)};
  if (type == "capsule") {
    const double length = fields.number("length", kPositive);
    return Capsule{length, fields.number("radius", kPositive)};
  }
  if (type == "cylinder") {
    const double radius = fields.number("radius", kPositive);
    return Cylinder{radius, fields.number("height", kPositive)};
  }
  if (type == "box") return Box{readPositive(fields, "size")};
  if (type == "convex") return readConvexHull(fields, files);
  if (type == "height-field") return readHeightField(fields);
  if (type == "mesh") return readMeshShape(fields, files);
  if (type == "rock") return readRock(fields, 3, instance);
  return HalfSpace{};
}

// A half-plane or half-space may be placed by its outward normal: y or z of its frame.
Pose readPlacement(FieldReader& fields, const Shape& shape, int dimension) {
  const bool half =
      std::holds_alternative<HalfPlane>(shape) || std::holds_alternative<HalfSpace>(shape);
  if (!half || !fields.has("normal")) return readPose(fields, dimension);
  for (const char* other : {"angle", "orientation"})
    if (fields.has(other)) fields.fail(other, "given beside \"normal\"; keep one of them");
  const Vec3 n = readDirection(fields, "normal", dimension);
  const Vec3 position = readQuantityOrZero(fields, "position", Quantity::vector, dimension);
  if (dimension == 2) return {position, {{n.y, -n.x, 0}, n, {0, 0, 1}}};
  const Vec3 tangent = someTangent(n);
  return {position, {tangent, cross(n, tangent), n}};
}

}  // namespace

PlacedShape readShape(FieldReader& fields, int dimension, SceneFiles& files,
                      std::int64_t instance) {
  const std::string type = dimension == 2
                               ? fields.choice("type", kPlanarShapes, kSpatialShapes, "spatial")
                               : fields.choice("type", kSpatialShapes, kPlanarShapes, "planar");
  PlacedShape placed;
  placed.shape = dimension == 2 ? readPlanarShape(fields, type, instance)
                                : readSpatialShape(fields, type, files, instance);
  placed.placement = readPlacement(fields, placed.shape, dimension);
  const std::string problem = problemOf(placed.shape);
  if (!problem.empty()) fields.failHere(fmt::format("{} {}", type, problem));
  return placed;
}

bool hasRocks(FieldReader& body) {
  const auto is_rock = [](FieldReader shape) { return shape.string("type") == "rock"; };
  if (body.has("shape")) return is_rock(body.object("shape"));
  const std::vector<FieldReader> shapes = body.objects("shapes");
  return std::any_of(shapes.begin(), shapes.end(), is_rock);
}

}  // namespace stickslip
