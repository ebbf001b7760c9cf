// The fields of systems of bodies: materials, bodies, instances.
#include <fmt/format.h>

#include <algorithm>

#include "scene/fields/common_fields.hpp"
#include "stickslip/input_error.hpp"

namespace stickslip::fields {

// In the order of the enums.
constexpr std::string_view kBodyTypeWords[] = {"dynamic", "static", "kinematic"};
constexpr std::string_view kLayerWords[] = {"straight", "staggered", "pyramid"};
constexpr std::string_view kTransitionWords[] = {"none", "smooth", "stribeck"};

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

template void describe(FieldWriter&, SceneTransition&);
template void describe(FieldTaker&, SceneTransition&);
template void describe(FieldWriter&, SceneBodies&);
template void describe(FieldTaker&, SceneBodies&);

}  // namespace stickslip::fields
