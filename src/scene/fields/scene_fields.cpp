// The fields of a scene as a whole, and of linear systems.
#include "scene/fields/scene_fields.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "scene/fields/common_fields.hpp"
#include "stickslip/input_error.hpp"

namespace stickslip {
namespace fields {

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
