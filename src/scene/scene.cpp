#include "stickslip/scene/scene.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "scene/body_scene.hpp"
#include "scene/json/field_reader.hpp"
#include "scene/json/input_file.hpp"
#include "scene/json/scene_document.hpp"
#include "scene/linear_scene.hpp"
#include "scene/materials.hpp"
#include "stickslip/body_system.hpp"
#include "stickslip/input_error.hpp"
#include "stickslip/linear_system.hpp"
#include "stickslip/registry.hpp"

namespace stickslip {
namespace {

constexpr std::int64_t kSceneFormat = 1;
constexpr double kMostSteps = 1e12;

// Bodies that overlap by more than this share of the smaller one were not meant to.
constexpr double kDeepOverlap = 0.01;
constexpr std::size_t kMostOverlapsNamed = 5;

void addOverlaps(const BodySystem& system, const State& state, const std::string& source,
                 std::vector<std::string>& warnings) {
  const auto name = [&](int body) { return system.data().bodies[body].name; };
  std::size_t count = 0;
  for (const Overlap& overlap : system.overlaps(state, kDeepOverlap)) {
    if (++count > kMostOverlapsNamed) continue;
    const double percent = 100 * overlap.depth / overlap.size;
    warnings.push_back(fmt::format(
        "{}: bodies \"{}\" and \"{}\" overlap at the start by {:.3g}, {:.{}f} % of the smaller one",
        source, name(overlap.body_a), name(overlap.body_b), overlap.depth, percent,
        percent < 10 ? 1 : 0));
  }
  if (count > kMostOverlapsNamed)
    warnings.push_back(fmt::format("{}: ... and {} more overlaps at the start", source,
                                   count - kMostOverlapsNamed));
}

// What is probably not meant, but can be run: one line each. `source` is what the scene was read
// from.
std::vector<std::string> warningsAbout(const Scene& scene, const std::string& source) {
  std::vector<std::string> warnings;
  if (const auto* system = dynamic_cast<const BodySystem*>(scene.model.system.get()))
    addOverlaps(*system, scene.initial, source, warnings);
  return warnings;
}

int readDirections(FieldReader& fields, const Method& method) {
  if (!fields.has("directions")) return method.directions;
  if (method.cone != FrictionCone::polyhedral)
    fields.fail("directions", fmt::format("only for the cone \"polyhedral\"; this one is \"{}\"",
                                          nameOf(method.cone)));
  return readDirectionCount(fields, method.directions);
}

// The theta-method is one for forces that are taken implicitly.
void checkThetaFits(const Method& method, const System& system) {
  const auto* linear = dynamic_cast<const LinearSystem*>(&system);
  if (linear == nullptr || method.theta == Method{}.theta || linear->data().implicit) return;
  if (!linear->data().K.empty() || !linear->data().C.empty())
    throw InputError(fmt::format(
        "theta = {} takes K and C implicitly: set \"implicit\" of the system to true, or leave "
        "theta at 0.5",
        method.theta));
}

// One of a closed set, by its name.
template <class Choice>
Choice readChoice(FieldReader& fields, const char* key, Choice usual) {
  return named<Choice>(fields.choiceOr(key, std::string(nameOf(usual)), namesOf<Choice>()), key);
}

Method readMethod(FieldReader& root, const System& system) {
  Method method = defaultMethod(system);
  if (!root.has("method")) return method;
  FieldReader fields = root.object("method");
  if (fields.has("preset"))
    method = presetMethod(fields.choiceOr("preset", "", presetNames()), system);
  const std::string scheme = fields.choiceOr("scheme", method.scheme, schemeNames());
  if (scheme != method.scheme) {
    method.implicit = false;
    method.correction = Method{}.correction;
    method.theta = Method{}.theta;
  }
  method.scheme = scheme;
  method.law = readChoice(fields, "law", method.law);
  method.cone = readChoice(fields, "cone", method.cone);
  method.solver = fields.choiceOr("solver", method.solver, solverNames());
  method.directions = readDirections(fields, method);
  method.tolerance = fields.numberOr("tolerance", method.tolerance,
                                     {0, 1, false, "a relative residual, > 0 and at most 1"});
  method.budget = fields.wholeNumberOr("budget", method.budget, 0);
  method.implicit = fields.flagOr("implicit", method.implicit);
  method.margin = fields.numberOr("margin", method.margin, kNonNegative);
  method.impact = readChoice(fields, "impact", method.impact);
  method.joint_stabilization =
      readChoice(fields, "joint_stabilization", method.joint_stabilization);
  method.geometry = readChoice(fields, "geometry", method.geometry);
  method.rest_speed = fields.numberOr("rest_speed", method.rest_speed, kNonNegative);
  method.correction = fields.numberOr("correction", method.correction,
                                      {0, 1, false, "a part of an overlap, > 0 and at most 1"});
  method.theta =
      fields.numberOr("theta", method.theta, {0.5, 1, true, "a share of the step, from 0.5 to 1"});
  method.sleep_time = fields.numberOr("sleep_time", method.sleep_time, kNonNegative);
  method.initial_slip = readChoice(fields, "initial_slip", method.initial_slip);
  method.full_push = fields.flagOr("full_push", method.full_push);
  method.lift = readChoice(fields, "lift", method.lift);
  fields.refuseUnknown();
  try {
    checkMethod(method);
    checkMethodFits(method, system.tangentCount());
    checkThetaFits(method, system);
  } catch (const InputError& error) {
    fields.failHere(error.what());
  }
  return method;
}

TimeSettings readTime(FieldReader& root) {
  FieldReader fields = root.object("time");
  TimeSettings time;
  time.step = fields.number("step", kPositive);
  time.end = fields.number("end", kNonNegative);
  time.error = fields.numberOr("error", 0, kPositive);
  fields.refuseUnknown();
  if (!(time.end / time.step <= kMostSteps))
    fields.fail("step", fmt::format("{} would take {:.3g} steps to reach time.end = {}; at most "
                                    "{:g} are allowed",
                                    time.step, time.end / time.step, time.end, kMostSteps));
  return time;
}

std::int64_t readRecordEvery(FieldReader& root) {
  if (!root.has("recording")) return 1;
  FieldReader fields = root.object("recording");
  const std::int64_t every = fields.wholeNumberOr("every", 1, 1);
  fields.refuseUnknown();
  return every;
}

void readLinear(FieldReader& root, FieldReader& fields, Scene& scene) {
  const auto system = std::make_shared<const LinearSystem>(readLinearSystem(fields));
  scene.initial = readLinearStart(root, *system, scene.run.impact_at_start);
  scene.model.system = system;
}

// Bodies, and systems of a program's own, start where they say themselves.
bool readStartOfOthers(FieldReader& root) {
  if (!root.has("initial")) return false;
  FieldReader fields = root.object("initial");
  for (const char* key : {"q", "u"})
    if (fields.has(key))
      fields.fail(key, "only for linear systems; bodies have their own position and velocity");
  const bool impact = fields.flagOr("impact", false);
  fields.refuseUnknown();
  return impact;
}

void readBodies(FieldReader& root, FieldReader& fields, int dimension, SceneFiles& files,
                Scene& scene) {
  std::shared_ptr<const BodySystem> system;
  BodySystemData data = readBodySystem(fields, dimension, files);
  try {
    system = std::make_shared<const BodySystem>(std::move(data));
  } catch (const InputError& error) {
    fields.failHere(error.what());
  }
  scene.run.impact_at_start = readStartOfOthers(root);
  scene.initial = system->initialState();
  scene.model.system = system;
}

void readSystem(FieldReader& root, SceneFiles& files, Scene& scene) {
  static constexpr std::string_view kSystemTypes[] = {"linear", "planar", "spatial"};
  FieldReader fields = root.object("system");
  const std::string type = fields.choice("type", kSystemTypes);
  if (type == "linear")
    readLinear(root, fields, scene);
  else
    readBodies(root, fields, type == "planar" ? 2 : 3, files, scene);
}

void readHead(FieldReader& root, Scene& scene) {
  if (!root.has("stickslip"))
    root.failMissing("stickslip",
                     fmt::format("a scene begins with \"stickslip\": {}, the version of the format",
                                 kSceneFormat));
  if (root.wholeNumberOr("stickslip", 0, 0) != kSceneFormat)
    root.fail("stickslip", fmt::format("this program reads format {} only", kSceneFormat));
  scene.name = root.string("name");
  root.stringOr("description", "");
  scene.run.time = readTime(root);
}

// What a scene says of how its system is computed and recorded.
void readRest(FieldReader& root, Scene& scene) {
  scene.model.method = readMethod(root, *scene.model.system);
  if (scene.run.time.error > 0 && solverTraits(scene.model.method.solver).fixed_effort)
    root.fail("time",
              "\"error\" compares steps, which a fixed number of sweeps does not solve: leave it "
              "out, or use the solver \"auto\"");
  scene.record_every = readRecordEvery(root);
  root.refuseUnknown();
}

}  // namespace

Scene parseScene(const std::string& text, const std::string& source,
                 std::span<const std::string> overrides, const std::filesystem::path& folder) {
  SceneDocument document(text, source);
  for (const std::string& assignment : overrides) document.set(assignment);

  FieldReader root(document, document.root(), "");
  Scene scene;
  readHead(root, scene);
  SceneFiles files(folder);
  readSystem(root, files, scene);
  readRest(root, scene);
  scene.warnings = warningsAbout(scene, source);
  for (const SceneFiles::Contents& file : files.contents())
    document.inlineMesh(file.pointer, file.mesh, file.triangles);
  scene.text = document.text();
  return scene;
}

Scene parseSceneOf(std::shared_ptr<const System> system, State initial, const std::string& text,
                   const std::string& source) {
  const SceneDocument document(text, source);
  FieldReader root(document, document.root(), "");
  Scene scene;
  readHead(root, scene);
  scene.model.system = std::move(system);
  scene.initial = std::move(initial);
  scene.run.impact_at_start = readStartOfOthers(root);
  readRest(root, scene);
  scene.text = document.text();
  return scene;
}

Scene readScene(const std::filesystem::path& file, std::span<const std::string> overrides) {
  const std::filesystem::path folder = file.has_parent_path() ? file.parent_path() : ".";
  return parseScene(textOf(file), file.string(), overrides, folder);
}

}  // namespace stickslip
