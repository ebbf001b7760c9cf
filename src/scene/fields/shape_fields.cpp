// The fields of shapes.
#include <algorithm>

#include "scene/fields/common_fields.hpp"
#include "stickslip/input_error.hpp"

namespace stickslip::fields {

template <class Archive>
void points(Archive& a, const char* key, std::vector<Vec2>& list) {
  std::vector<Vec3> in_space;
  in_space.reserve(list.size());
  for (const Vec2& p : list) in_space.push_back({p.x, p.y, 0});
  a.vectors(key, in_space, Quantity::vector, 2);
  list.clear();
  for (const Vec3& p : in_space) list.push_back({p.x, p.y});
}

// Lists of numbers with a name each, as "size": [1, 2].
template <class Archive, class... Parts>
void numbers(Archive& a, const char* key, Parts&... parts) {
  std::array<double, sizeof...(Parts)> list{parts...};
  a.value(key, list);
  std::size_t i = 0;
  ((parts = list[i++]), ...);
}

template <class Archive>
void describe(Archive& a, Disk& s) {
  a.value("radius", s.radius);
}
template <class Archive>
void describe(Archive& a, Sphere& s) {
  a.value("radius", s.radius);
}
template <class Archive>
void describe(Archive& a, PlanarCapsule& s) {
  a.value("length", s.length);
  a.value("radius", s.radius);
}
template <class Archive>
void describe(Archive& a, Capsule& s) {
  a.value("length", s.length);
  a.value("radius", s.radius);
}
template <class Archive>
void describe(Archive& a, Cylinder& s) {
  a.value("radius", s.radius);
  a.value("height", s.height);
}
template <class Archive>
void describe(Archive& a, PlanarBox& s) {
  numbers(a, "size", s.width, s.height);
}
template <class Archive>
void describe(Archive& a, Box& s) {
  a.vector("size", s.size, Quantity::vector, true);
}
template <class Archive>
void describe(Archive& a, Polygon& s) {
  points(a, "vertices", s.vertices);
}
template <class Archive>
void describe(Archive& a, Polyline& s) {
  points(a, "points", s.points);
}
template <class Archive>
void describe(Archive& a, ConvexHull& s) {
  a.vectors("points", s.points, Quantity::vector, 3);
}
template <class Archive>
void describe(Archive&, HalfPlane&) {}
template <class Archive>
void describe(Archive&, HalfSpace&) {}

template <class Archive>
void describe(Archive& a, HeightField& s) {
  const std::size_t columns = std::max(s.columns, 1);
  std::vector<std::vector<double>> rows;
  for (std::size_t i = 0; i < s.heights.size(); i += columns)
    rows.emplace_back(
        s.heights.begin() + static_cast<std::ptrdiff_t>(i),
        s.heights.begin() + static_cast<std::ptrdiff_t>(std::min(i + columns, s.heights.size())));
  a.list("heights", rows);
  if constexpr (Archive::kWrites) {
    numbers(a, "spacing", s.spacing_x, s.spacing_y);
  } else {
    s.rows = static_cast<int>(rows.size());
    s.columns = static_cast<int>(rows.front().size());
    for (const std::vector<double>& row : rows)
      s.heights.insert(s.heights.end(), row.begin(), row.end());
    if (a.has("spacing") && a.json().at("spacing").is_number())
      s.spacing_x = s.spacing_y = a.json().at("spacing").template get<double>();
    else
      numbers(a, "spacing", s.spacing_x, s.spacing_y);
  }
}

template <class Archive>
void describe(Archive& a, TriangleMesh& s) {
  std::vector<std::array<int, 3>> triangles;
  for (const TriangleMesh::Triangle& t : s.triangles) triangles.push_back({t.a, t.b, t.c});
  a.vectors("vertices", s.vertices, Quantity::vector, 3);
  a.list("triangles", triangles);
  s.triangles.clear();
  for (const auto& [i, j, k] : triangles) s.triangles.push_back({i, j, k});
}

template <class Archive>
void describe(Archive&, SupportShape&) {
  throw InputError(
      "a shape that is given by its support function exists in C++ only; a scene file cannot hold "
      "it: put the body into a BodySystem");
}

template <class Archive>
void describe(Archive& a, Rock& s) {
  a.value("radius", s.radius);
  a.optional("corners", s.corners);
  a.optional("seed", s.seed);
}

// The fields of "ring" and "revolve".
struct RingFields {
  Ring& ring;
};
struct RevolvedFields {
  Revolved& revolved;
};
template <class Archive>
void describe(Archive& a, RingFields& s) {
  a.value("radius", s.ring.radius);
  a.optional("sides", s.ring.sides);
}
template <class Archive>
void describe(Archive& a, RevolvedFields& s) {
  points(a, "profile", s.revolved.profile);
  a.optional("sides", s.revolved.sides);
}
template <class Archive>
void describe(Archive& a, Ring& s) {
  RingFields fields{s};
  a.object("ring", fields);
}
template <class Archive>
void describe(Archive& a, Revolved& s) {
  RevolvedFields fields{s};
  a.object("revolve", fields);
}
template <class Archive>
void describe(Archive& a, MeshFile& s) {
  a.value("file", s.file);
}

using SceneForm = decltype(SceneShape::form);

static std::string typeOf(const SceneForm& form) {
  return std::visit(
      Match{[](const Shape& s) { return shapeName(s); },
            [](const Rock&) { return std::string("rock"); },
            [](const Ring&) { return std::string("polyline"); },
            [](const Revolved&) { return std::string("mesh"); },
            [](const MeshFile& s) { return std::string(s.convex_hull ? "convex" : "mesh"); }},
      form);
}

// An empty one of the type that a scene names.
static SceneForm formOf(const OrderedJson& json, int dimension) {
  const auto& type = json.at("type").get_ref<const std::string&>();
  if (type == "rock") return Rock{};
  if (json.contains("ring")) return Ring{};
  if (json.contains("revolve")) return Revolved{};
  if (json.contains("file")) return MeshFile{"", type == "convex"};
  static const Shape kPlanar[] = {Disk{},    PlanarCapsule{}, PlanarBox{},
                                  Polygon{}, HalfPlane{},     Polyline{}};
  static const Shape kSpatial[] = {Sphere{},     Capsule{},   Cylinder{},    Box{},
                                   ConvexHull{}, HalfSpace{}, HeightField{}, TriangleMesh{}};
  const auto shapes = dimension == 2 ? std::span<const Shape>(kPlanar) : kSpatial;
  return *std::find_if(shapes.begin(), shapes.end(),
                       [&](const Shape& shape) { return shapeName(shape) == type; });
}

template <class Archive>
void scale(Archive& a, std::optional<Vec3>& s) {
  if constexpr (Archive::kWrites) {
    if (s && s->x == s->y && s->y == s->z)
      a.json()["scale"] = s->x;
    else
      a.vector("scale", s, Quantity::vector);
  } else if (a.has("scale") && a.json().at("scale").is_number()) {
    const double factor = a.json().at("scale").template get<double>();
    s = Vec3{factor, factor, factor};
  } else {
    a.vector("scale", s, Quantity::vector);
  }
}

template <class Archive>
void describe(Archive& a, SceneShape& x) {
  std::string type;
  if constexpr (Archive::kWrites) type = typeOf(x.form);
  a.value("type", type);
  if constexpr (!Archive::kWrites) x.form = formOf(a.json(), a.dimension());
  std::visit(Match{[&](Shape& shape) { std::visit([&](auto& s) { describe(a, s); }, shape); },
                   [&](auto& made) { describe(a, made); }},
             x.form);
  scale(a, x.scale);
  a.vector("position", x.position, Quantity::vector);
  orientation(a, x.orientation);
  a.vector("normal", x.normal, Quantity::vector);
  a.valueOr("material", x.material, std::string());
  a.optional("density", x.density);
}

template void describe(FieldWriter&, SceneShape&);
template void describe(FieldTaker&, SceneShape&);

}  // namespace stickslip::fields
