// What fields the parts of a scene have: each part is described once, for writing and for reading.
#include "scene/scene_fields.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "stickslip/input_error.hpp"

namespace stickslip {
namespace fields {

// In the order of the enums.
constexpr std::string_view kBodyTypeWords[] = {"dynamic", "static", "kinematic"};
constexpr std::string_view kLayerWords[] = {"straight", "staggered", "pyramid"};
constexpr std::string_view kElementWords[] = {"rope", "spring", "one-way", "friction"};
constexpr std::string_view kTransitionWords[] = {"none", "smooth", "stribeck"};
constexpr std::string_view kJointWords[] = {"revolute",  "prismatic", "cylindrical",
                                            "spherical", "universal", "planar",
                                            "fixed",     "distance",  "gear"};
constexpr std::string_view kFrameWords[] = {"world", "body"};
constexpr std::string_view kWayWords[] = {"backward", "", "forward"};
constexpr std::string_view kDirectionWords[] = {"apart", "together"};

template <class Archive>
void name(Archive& a, std::string& text) {
  a.valueOr("name", text, std::string());
}

template <class Archive>
void twoNames(Archive& a, const char* key, std::array<std::string, 2>& names) {
  a.value(key, names);
}

// ---- Turns and functions of time ----

static OrderedJson write(const SceneOrientation& turn) {
  if (const auto* angle = std::get_if<double>(&turn)) return *angle;
  if (const auto* q = std::get_if<Quaternion>(&turn)) return {q->w, q->x, q->y, q->z};
  const auto& [axis, angle] = std::get<AxisAngle>(turn);
  OrderedJson json;
  json["axis"] = {axis.x, axis.y, axis.z};
  json["angle"] = angle;
  return json;
}

static SceneOrientation takeOrientation(const OrderedJson& json) {
  if (json.is_number()) return json.get<double>();
  if (json.is_array())
    return Quaternion{json[0].get<double>(), json[1].get<double>(), json[2].get<double>(),
                      json[3].get<double>()};
  return AxisAngle{Numbers{Quantity::vector, 3}.take(json.at("axis")),
                   json.at("angle").get<double>()};
}

template <class Archive>
void orientation(Archive& a, std::optional<SceneOrientation>& turn) {
  if constexpr (Archive::kWrites) {
    if (turn) a.json()[turn->index() == 0 ? "angle" : "orientation"] = write(*turn);
  } else {
    for (const char* key : {"angle", "orientation"})
      if (a.has(key)) turn = takeOrientation(a.json().at(key));
  }
}

/// A table of vectors, or one vector for all times.
struct TableOf {
  VectorTable& table;
  Quantity quantity;
};

template <class Archive>
void describe(Archive& a, TableOf& t) {
  a.list("times", t.table.times);
  a.vectors("values", t.table.values, t.quantity, a.dimension());
}

template <class Archive>
void table(Archive& a, const char* key, std::optional<VectorTable>& x, Quantity quantity) {
  const Numbers numbers{quantity, a.dimension()};
  if constexpr (Archive::kWrites) {
    if (!x) return;
    const bool is_constant =
        x->values.size() == 1 && x->times.size() == 1 && isPlainZero(x->times[0]);
    TableOf rows{*x, quantity};
    if (is_constant)
      a.json()[key] = numbers.write(x->values[0]);
    else
      a.object(key, rows);
  } else {
    if (!a.has(key)) return;
    TableOf rows{x.emplace(), quantity};
    if (a.json().at(key).is_object())
      a.object(key, rows);
    else
      x = VectorTable{{0.0}, {numbers.take(a.json().at(key))}};
  }
}

// ---- Materials ----

template <class Archive>
void describe(Archive& a, SceneTransition& x) {
  a.choice("type", x.type, kTransitionWords, true);
  a.value("speed", x.speed);
  a.optional("exponent", x.exponent);
}

template <class Archive>
void describe(Archive& a, SceneSurface& x) {
  a.optional("friction", x.friction);
  a.optional("kinetic_friction", x.kinetic_friction);
  a.object("transition", x.transition);
  a.optional("restitution", x.restitution);
  a.optional("tangential_restitution", x.tangential_restitution);
  a.optional("rolling_friction", x.rolling_friction);
  a.optional("torsional_friction", x.torsional_friction);
  a.optional("friction_force", x.friction_force);
  a.optional("directions", x.directions);
}

template <class Archive>
void describe(Archive& a, SceneAnisotropy& x) {
  a.vector("direction", x.direction, Quantity::vector, true);
  a.optional("friction_across", x.friction_across);
  a.list("friction_directions", x.friction_directions);
}

template <class Archive>
void describe(Archive& a, SceneMaterial& x) {
  describe(a, x.surface);
  a.optional("density", x.density);
  a.object("anisotropy", x.anisotropy);
}

template <class Archive>
void describe(Archive& a, SceneMaterialPair& x) {
  twoNames(a, "between", x.between);
  describe(a, x.surface);
}

// Objects under their names.
template <class Archive>
void materials(Archive& a, std::vector<SceneMaterial>& list) {
  if constexpr (Archive::kWrites) {
    OrderedJson out;
    for (SceneMaterial& material : list) {
      if (out.contains(material.name))
        throw InputError(fmt::format("material \"{}\": the name is used twice", material.name));
      FieldWriter part(a.dimension());
      describe(part, material);
      out[material.name] = std::move(part.json());
    }
    if (!list.empty()) a.json()["materials"] = std::move(out);
  } else {
    if (!a.has("materials")) return;
    for (const auto& [key, json] : a.json().at("materials").items()) {
      FieldTaker part(json, a.dimension());
      SceneMaterial& material = list.emplace_back();
      material.name = key;
      describe(part, material);
      part.expectAllTaken();
    }
  }
}

// ---- Shapes ----

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

template <class... Cases>
struct Match : Cases... {
  using Cases::operator()...;
};
template <class... Cases>
Match(Cases...) -> Match<Cases...>;

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

// ---- Bodies ----

template <class Archive>
void describe(Archive& a, ConstantMotion& x) {
  a.vector("velocity", x.velocity, Quantity::vector);
  a.vector("angular_velocity", x.angular_velocity, Quantity::turn);
}
template <class Archive>
void describe(Archive& a, SinusoidalMotion& x) {
  a.vector("amplitude", x.amplitude, Quantity::vector);
  a.vector("rotation_amplitude", x.rotation_amplitude, Quantity::turn);
  a.value("frequency", x.frequency);
  a.valueOr("phase", x.phase, 0.0);
}

// A column that is missing is zero; one of them must be there.
template <class Archive>
void describe(Archive& a, TabledMotion& x) {
  a.list("times", x.times);
  if constexpr (Archive::kWrites) {
    const auto moves = [](Vec3 v) { return !isPlainZero(v); };
    const bool turns = std::any_of(x.rotations.begin(), x.rotations.end(), moves);
    if (!turns || std::any_of(x.displacements.begin(), x.displacements.end(), moves))
      a.vectors("displacements", x.displacements, Quantity::vector, a.dimension());
    if (turns) a.vectors("rotations", x.rotations, Quantity::turn, a.dimension());
  } else {
    a.vectors("displacements", x.displacements, Quantity::vector, a.dimension());
    a.vectors("rotations", x.rotations, Quantity::turn, a.dimension());
    x.displacements.resize(x.times.size());
    x.rotations.resize(x.times.size());
  }
}

constexpr std::string_view kMotionWords[] = {"constant", "sinusoid", "table"};

template <class Archive>
void describe(Archive& a, Motion& x) {
  Motion::Form form = x.form();
  std::size_t type = form.index();
  a.choice("type", type, kMotionWords, true);
  if constexpr (!Archive::kWrites) {
    if (type == 1) form = SinusoidalMotion{};
    if (type == 2) form = TabledMotion{};
  }
  std::visit([&](auto& motion) { describe(a, motion); }, form);
  if constexpr (!Archive::kWrites) std::visit([&](auto& motion) { x = Motion(motion); }, form);
}

template <class Archive>
void inertia(Archive& a, std::optional<Mat3>& x) {
  if constexpr (Archive::kWrites) {
    if (!x) return;
    const Mat3& J = *x;
    const auto row = [&](int i) { return OrderedJson{J(i, 0), J(i, 1), J(i, 2)}; };
    bool is_diagonal = true;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) is_diagonal = is_diagonal && (i == j || isPlainZero(J(i, j)));
    if (a.dimension() == 2)
      a.json()["inertia"] = J(2, 2);
    else if (is_diagonal)
      a.json()["inertia"] = {J(0, 0), J(1, 1), J(2, 2)};
    else
      a.json()["inertia"] = {row(0), row(1), row(2)};
  } else {
    if (!a.has("inertia")) return;
    const OrderedJson& json = a.json().at("inertia");
    if (json.is_number()) {
      x = diagonal({0, 0, json.get<double>()});
    } else if (json[0].is_number()) {
      x = diagonal(Numbers{Quantity::vector, 3}.take(json));
    } else {
      const Numbers three{Quantity::vector, 3};
      x = transposed({three.take(json[0]), three.take(json[1]), three.take(json[2])});
    }
  }
}

template <class Archive>
void describe(Archive& a, SceneBody& x) {
  name(a, x.name);
  a.choice("type", x.type, kBodyTypeWords, false);
  a.vector("position", x.position, Quantity::vector);
  orientation(a, x.orientation);
  a.vector("velocity", x.velocity, Quantity::vector);
  a.vector("angular_velocity", x.angular_velocity, Quantity::turn);
  a.optional("mass", x.mass);
  inertia(a, x.inertia);
  a.vector("center_of_mass", x.center_of_mass, Quantity::vector);
  a.optional("density", x.density);
  a.valueOr("material", x.material, std::string());
  a.object("motion", x.motion);
  if constexpr (Archive::kWrites) {
    if (x.shapes.size() == 1) return a.object("shape", x.shapes[0]);
  } else if (a.has("shape")) {
    return a.object("shape", x.shapes.emplace_back());
  }
  a.objects("shapes", x.shapes);
}

// ---- Instances ----

template <class Archive>
void describe(Archive& a, SceneGrid& x) {
  std::vector<std::int64_t> count(x.count.begin(), x.count.begin() + a.dimension());
  a.list("count", count);
  std::copy(count.begin(), count.end(), x.count.begin());
  a.vector("spacing", x.spacing, Quantity::vector, true);
  a.vector("origin", x.origin, Quantity::vector);
  a.choice("layers", x.layers, kLayerWords, false);
}
template <class Archive>
void describe(Archive& a, SceneRandomPlaces& x) {
  a.value("count", x.count);
  a.vector("lower", x.lower, Quantity::vector, true);
  a.vector("upper", x.upper, Quantity::vector, true);
  a.valueOr("distance", x.distance, 0.0);
}
template <class Archive>
void describe(Archive& a, SceneArch& x) {
  a.value("count", x.count);
  a.value("radius", x.radius);
  a.value("thickness", x.thickness);
  a.optional("depth", x.depth);
  a.vector("center", x.center, Quantity::vector);
  a.optional("angles", x.angles);
}

constexpr const char* kPlaceKeys[] = {"grid", "positions", "random", "arch"};

template <class Archive>
void places(Archive& a, decltype(SceneInstances::places)& x) {
  if constexpr (!Archive::kWrites) {
    if (a.has("positions")) x = std::vector<Vec3>{};
    if (a.has("random")) x = SceneRandomPlaces{};
    if (a.has("arch")) x = SceneArch{};
  }
  const char* key = kPlaceKeys[x.index()];
  std::visit(
      Match{[&](std::vector<Vec3>& list) { a.vectors(key, list, Quantity::vector, a.dimension()); },
            [&](auto& rule) { a.object(key, rule); }},
      x);
}

template <class Archive>
void describe(Archive& a, SceneInstances& x) {
  name(a, x.name);
  a.object("body", x.body);
  places(a, x.places);
  a.valueOr("jitter", x.jitter, 0.0);
  a.valueOr("random_orientation", x.random_orientation, false);
  a.optional("random_scale", x.random_scale);
  a.optional("seed", x.seed);
}

// ---- Joints and forces ----

template <class Archive>
void describe(Archive& a, SceneMotor& x) {
  table(a, "velocity", x.velocity, Quantity::scalar);
  table(a, "position", x.position, Quantity::scalar);
  a.value("max_force", x.max_force);
  a.optional("time_constant", x.time_constant);
}
template <class Archive>
void describe(Archive& a, SceneJointSpring& x) {
  a.optional("stiffness", x.stiffness);
  a.optional("damping", x.damping);
  a.optional("prestress", x.prestress);
  a.optional("rest", x.rest);
}

// Each a number, or null for none.
template <class Archive>
void limits(Archive& a, std::optional<std::array<std::optional<double>, 2>>& x) {
  if constexpr (Archive::kWrites) {
    if (!x) return;
    OrderedJson& out = a.json()["limits"] = OrderedJson::array();
    for (const std::optional<double>& bound : *x)
      out.push_back(bound ? OrderedJson(*bound) : OrderedJson());
  } else {
    if (!a.has("limits")) return;
    x.emplace();
    for (std::size_t i = 0; i < 2; ++i)
      if (const OrderedJson& bound = a.json().at("limits")[i]; bound.is_number())
        (*x)[i] = bound.get<double>();
  }
}

template <class Archive>
void describe(Archive& a, SceneDrive& x) {
  limits(a, x.limits);
  a.optional("limit_restitution", x.limit_restitution);
  a.object("motor", x.motor);
  a.optional("friction", x.friction);
  int way = x.one_way + 1;
  if (!Archive::kWrites || x.one_way != 0) a.choice("one_way", way, kWayWords, true);
  x.one_way = way - 1;
  a.object("spring", x.spring);
}

template <class Archive>
void describe(Archive& a, SceneFrame& x) {
  a.vector("position", x.position, Quantity::vector);
  orientation(a, x.orientation);
}

/// Drives by the names of their coordinates.
struct DrivesOf {
  SceneJoint& joint;
};
template <class Archive>
void describe(Archive& a, DrivesOf& x) {
  if constexpr (Archive::kWrites) {
    for (auto& [coordinate, drive] : x.joint.drives) a.object(coordinate.c_str(), drive);
  } else {
    for (const auto& [coordinate, json] : a.json().items())
      a.object(coordinate.c_str(), x.joint.drives[coordinate]);
  }
}

template <class Archive>
void describeGear(Archive& a, SceneJoint& x) {
  twoNames(a, "joints", x.joints);
  a.value("ratio", x.ratio);
}

template <class Archive>
void describeDistance(Archive& a, SceneJoint& x) {
  a.vector("point_a", x.point_a, Quantity::vector);
  a.vector("point_b", x.point_b, Quantity::vector);
  if constexpr (Archive::kWrites) {
    if (!x.holds_length)
      a.json()["length"] = nullptr;
    else
      a.optional("length", x.length);
  } else if (a.has("length")) {
    x.holds_length = !a.json().at("length").is_null();
    if (x.holds_length) a.optional("length", x.length);
  }
}

template <class Archive>
void describe(Archive& a, SceneJoint& x) {
  name(a, x.name);
  a.choice("type", x.type, kJointWords, true);
  if (x.type == Joint::Type::gear) return describeGear(a, x);
  twoNames(a, "bodies", x.bodies);
  if (x.type == Joint::Type::distance) describeDistance(a, x);
  a.vector("position", x.position, Quantity::vector);
  a.vector("axis", x.axis, Quantity::vector);
  a.vector("axis_2", x.axis_2, Quantity::vector);
  a.object("frame_a", x.frame_a);
  a.object("frame_b", x.frame_b);
  a.valueOr("collide", x.collide, false);
  describe(a, x.drive);
  DrivesOf drives{x};
  if (!Archive::kWrites || !x.drives.empty()) a.object("drives", drives);
}

template <class Archive>
void describe(Archive& a, SceneElement& x) {
  name(a, x.name);
  a.choice("type", x.type, kElementWords, true);
  twoNames(a, "bodies", x.bodies);
  a.vector("point_a", x.point_a, Quantity::vector);
  a.vector("point_b", x.point_b, Quantity::vector);
  a.optional("length", x.length);
  a.optional("restitution", x.restitution);
  a.optional("prestress", x.prestress);
  a.optional("stiffness", x.stiffness);
  a.optional("damping", x.damping);
  a.optional("rest_length", x.rest_length);
  if (!Archive::kWrites || x.type == SceneElement::Type::one_way)
    a.choice("direction", x.together, kDirectionWords, true);
  a.optional("force", x.force);
}

template <class Archive>
void describe(Archive& a, SceneSpring& x) {
  name(a, x.name);
  twoNames(a, "bodies", x.bodies);
  a.vector("point_a", x.point_a, Quantity::vector);
  a.vector("point_b", x.point_b, Quantity::vector);
  a.optional("rest_length", x.rest_length);
  a.optional("stiffness", x.stiffness);
  a.optional("damping", x.damping);
  a.valueOr("implicit", x.implicit, true);
}

template <class Archive>
void describe(Archive& a, SceneLoad& x) {
  a.value("body", x.body);
  table(a, "force", x.force, Quantity::vector);
  table(a, "torque", x.torque, Quantity::turn);
  a.vector("point", x.point, Quantity::vector);
  a.choice("frame", x.in_body_frame, kFrameWords, false);
}

template <class Archive>
void describe(Archive& a, SceneDrag& x) {
  a.value("body", x.body);
  a.optional("linear", x.linear);
  a.optional("quadratic", x.quadratic);
  a.optional("angular", x.angular);
  a.optional("angular_quadratic", x.angular_quadratic);
}

// The type of the system has been described.
template <class Archive>
void describe(Archive& a, SceneBodies& x) {
  a.vector("gravity", x.gravity, Quantity::vector);
  materials(a, x.materials);
  a.objects("material_pairs", x.material_pairs);
  a.objects("bodies", x.bodies);
  a.objects("instances", x.instances);
  a.objects("joints", x.joints);
  a.objects("elements", x.elements);
  a.objects("springs", x.springs);
  a.objects("loads", x.loads);
  a.objects("drag", x.drag);
  a.list("no_collision", x.no_collision);
}

// ---- Linear systems ----

template <class Archive>
void describe(Archive& a, SceneLinearLoad& x) {
  static constexpr std::string_view kWords[] = {"sinusoid", "table"};
  a.value("coordinate", x.coordinate);
  std::size_t type = x.course.index();
  a.choice("type", type, kWords, true);
  if (type == 1 && x.course.index() == 0) x.course = VectorTable{};
  if (auto* wave = std::get_if<SinusoidalLoad>(&x.course)) {
    a.value("amplitude", wave->amplitude);
    a.value("frequency", wave->frequency);
    a.valueOr("phase", wave->phase, 0.0);
  } else {
    TableOf rows{std::get<VectorTable>(x.course), Quantity::scalar};
    describe(a, rows);
  }
}

template <class Archive>
void describe(Archive& a, SceneLinearContact& x) {
  name(a, x.name);
  a.value("g0", x.g0);
  a.list("w_N", x.w_N);
  a.list("w_T", x.w_T);
  a.value("mu", x.mu);
  a.value("e_n", x.e_n);
  a.optional("e_t", x.e_t);
  a.optional("mu_kinetic", x.mu_kinetic);
  a.object("transition", x.transition);
  a.optional("friction_force", x.friction_force);
  a.optional("drive_n", x.drive_n);
  a.optional("drive_t", x.drive_t);
  a.list("w_T2", x.w_T2);
  a.optional("mu_2", x.mu_2);
  a.optional("drive_t2", x.drive_t2);
  a.optional("directions", x.directions);
  a.list("friction_directions", x.friction_directions);
}

template <class Archive>
void describe(Archive& a, SceneLinearJoint& x) {
  name(a, x.name);
  a.value("g0", x.g0);
  a.list("w", x.w);
  a.optional("drive", x.drive);
}

template <class Archive>
void describe(Archive& a, SceneLinearElement& x) {
  name(a, x.name);
  a.choice("type", x.type, kElementWords, true);
  a.optional("g0", x.g0);
  a.list("w", x.w);
  a.optional("drive", x.drive);
  a.optional("length", x.length);
  a.optional("restitution", x.restitution);
  a.optional("prestress", x.prestress);
  a.optional("stiffness", x.stiffness);
  a.optional("damping", x.damping);
  a.optional("rest", x.rest);
  a.optional("force", x.force);
}

// Row-major <-> a list of rows.
template <class Archive>
void matrix(Archive& a, const char* key, std::vector<double>& entries, std::size_t n) {
  std::vector<std::vector<double>> rows;
  for (std::size_t i = 0; i < entries.size(); i += std::max(n, std::size_t{1}))
    rows.emplace_back(
        entries.begin() + static_cast<std::ptrdiff_t>(i),
        entries.begin() + static_cast<std::ptrdiff_t>(std::min(i + n, entries.size())));
  a.list(key, rows);
  entries.clear();
  for (const std::vector<double>& row : rows) entries.insert(entries.end(), row.begin(), row.end());
}

template <class Archive>
void describe(Archive& a, SceneLinear& x) {
  a.list("coordinates", x.coordinates);
  const std::size_t n = x.coordinates.size();
  matrix(a, "M", x.M, n);
  matrix(a, "K", x.K, n);
  matrix(a, "C", x.C, n);
  a.list("f", x.f);
  a.valueOr("implicit", x.implicit, false);
  a.objects("loads", x.loads);
  a.objects("contacts", x.contacts);
  a.objects("joints", x.joints);
  a.objects("elements", x.elements);
}

// ---- The scene ----

template <class Archive>
void describe(Archive& a, SceneMethod& x) {
  a.optional("preset", x.preset);
  a.optional("scheme", x.scheme);
  a.optional("law", x.law);
  a.optional("cone", x.cone);
  a.optional("solver", x.solver);
  a.optional("directions", x.directions);
  a.optional("tolerance", x.tolerance);
  a.optional("budget", x.budget);
  a.optional("implicit", x.implicit);
  a.optional("margin", x.margin);
  a.optional("impact", x.impact);
  a.optional("theta", x.theta);
  a.optional("joint_stabilization", x.joint_stabilization);
  a.optional("geometry", x.geometry);
  a.optional("rest_speed", x.rest_speed);
  a.optional("correction", x.correction);
  a.optional("sleep_time", x.sleep_time);
  a.optional("initial_slip", x.initial_slip);
  a.optional("full_push", x.full_push);
  a.optional("lift", x.lift);
}

template <class Archive>
void describe(Archive& a, TimeSettings& x) {
  a.value("step", x.step);
  a.value("end", x.end);
  a.valueOr("error", x.error, 0.0);
}

/// The fields "system", "initial" and "recording".
struct SystemOf {
  SceneData& scene;
};
struct InitialOf {
  SceneData& scene;
};
struct RecordingOf {
  SceneData& scene;
};

template <class Archive>
void describe(Archive& a, SystemOf& x) {
  std::string type;
  if constexpr (Archive::kWrites) {
    if (const auto* bodies = std::get_if<SceneBodies>(&x.scene.system))
      type = bodies->dimension == 2 ? "planar" : "spatial";
    else
      type = "linear";
  }
  a.value("type", type);
  if constexpr (!Archive::kWrites) {
    if (type == "linear") x.scene.system = SceneLinear{};
    if (type == "planar") std::get<SceneBodies>(x.scene.system).dimension = 2;
  }
  std::visit([&](auto& system) { describe(a, system); }, x.scene.system);
}

template <class Archive>
void describe(Archive& a, InitialOf& x) {
  if (auto* linear = std::get_if<SceneLinear>(&x.scene.system)) {
    a.map("q", linear->q);
    a.map("u", linear->u);
  }
  a.valueOr("impact", x.scene.impact_at_start, false);
}

template <class Archive>
void describe(Archive& a, RecordingOf& x) {
  a.value("every", x.scene.record_every);
}

// Objects that would be empty are left out.
template <class Archive, class T>
void objectIfAny(Archive& a, const char* key, T& x) {
  a.object(key, x);
  if constexpr (Archive::kWrites)
    if (a.json().at(key).empty()) a.json().erase(key);
}

template <class Archive>
void describe(Archive& a, SceneData& x) {
  std::int64_t format = 1;
  a.value("stickslip", format);
  a.value("name", x.name);
  a.valueOr("description", x.description, std::string());
  a.object("time", x.time);
  SystemOf system{x};
  a.object("system", system);
  InitialOf initial{x};
  objectIfAny(a, "initial", initial);
  objectIfAny(a, "method", x.method);
  RecordingOf recording{x};
  if (!Archive::kWrites || x.record_every != 1) a.object("recording", recording);
}

static int dimensionOf(const SceneData& data) {
  const auto* bodies = std::get_if<SceneBodies>(&data.system);
  return bodies != nullptr ? bodies->dimension : 3;
}

}  // namespace fields

OrderedJson jsonOf(const SceneData& data) {
  const int dimension = fields::dimensionOf(data);
  if (dimension != 2 && dimension != 3)
    throw InputError(fmt::format("scene \"{}\": dimension must be 2 or 3", data.name));
  SceneData copy =
      data;  // descriptions serve both ways, so that they may change what they describe
  fields::FieldWriter archive(dimension);
  fields::describe(archive, copy);
  return std::move(archive.json());
}

SceneData sceneDataOf(const OrderedJson& scene) {
  const auto& type = scene.at("system").at("type").get_ref<const std::string&>();
  SceneData data;
  fields::FieldTaker archive(scene, type == "planar" ? 2 : 3);
  fields::describe(archive, data);
  archive.expectAllTaken();
  return data;
}

}  // namespace stickslip
