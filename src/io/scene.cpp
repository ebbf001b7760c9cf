#include "stickslip/io/scene.hpp"

#include <fmt/format.h>

#include <cmath>
#include <fstream>
#include <sstream>

#include "io/field_reader.hpp"
#include "io/linear_scene.hpp"
#include "io/scene_document.hpp"
#include "stickslip/input_error.hpp"
#include "stickslip/io/recording.hpp"
#include "stickslip/linear_system.hpp"

namespace stickslip {
namespace {

constexpr long kFormat = 1;
constexpr double kMostSteps = 1e12;
// A joint that is open by more than this part of the terms in it was not closed on purpose.
constexpr double kOpenJoint = 1e-9;

Method readMethod(FieldReader& root) {
  Method method;
  if (!root.has("method")) return method;
  FieldReader fields = root.object("method");
  if (fields.has("preset")) method = presetMethod(fields.choiceOr("preset", "", presetNames()));
  method.scheme = fields.choiceOr("scheme", method.scheme, schemeNames());
  method.law = fields.choiceOr("law", method.law, lawNames());
  method.cone = fields.choiceOr("cone", method.cone, coneNames());
  method.solver = fields.choiceOr("solver", method.solver, solverNames());
  method.tolerance = fields.numberOr("tolerance", method.tolerance,
                                     {0, 1, false, "a relative residual, > 0 and at most 1"});
  method.budget = fields.wholeNumberOr("budget", method.budget, 0);
  fields.refuseUnknown();
  return method;
}

TimeSettings readTime(FieldReader& root) {
  FieldReader fields = root.object("time");
  TimeSettings time;
  time.step = fields.number("step", kPositive);
  time.end = fields.number("end", kNonNegative);
  fields.refuseUnknown();
  if (!(time.end / time.step <= kMostSteps))
    fields.fail("step", fmt::format("{} would take {:.3g} steps to reach time.end = {}; at most "
                                    "{:g} are allowed",
                                    time.step, time.end / time.step, time.end, kMostSteps));
  return time;
}

// Positions must fit the joints; velocities too, unless an impact at the start makes them fit.
void checkJointsHold(const FieldReader& root, const LinearSystem& system, const State& state,
                     bool impact) {
  for (const LinearJoint& joint : system.data().joints) {
    const auto holds = [&](double constant, const std::vector<double>& x, double& sum) {
      sum = constant;
      double size = std::abs(constant);
      for (std::size_t k = 0; k < x.size(); ++k) {
        sum += joint.w[k] * x[k];
        size += std::abs(joint.w[k] * x[k]);
      }
      return std::abs(sum) <= kOpenJoint * size;
    };
    double sum = 0;
    if (!holds(joint.g0, state.q, sum))
      root.fail("initial", fmt::format("joint \"{}\" does not hold at the start: g0 + w.q = {}, "
                                       "which must be 0",
                                       joint.name, sum));
    if (!impact && !holds(joint.drive, state.u, sum))
      root.fail("initial", fmt::format("joint \"{}\" does not hold at the start: drive + w.u = {}, "
                                       "which must be 0; or set initial.impact to true",
                                       joint.name, sum));
  }
}

State readInitialState(FieldReader& root, const LinearSystem& system, bool& impact) {
  const std::vector<std::string>& names = system.data().coordinates;
  State state;
  state.q.assign(names.size(), 0.0);
  state.u.assign(names.size(), 0.0);
  if (root.has("initial")) {
    FieldReader fields = root.object("initial");
    if (fields.has("q")) state.q = fields.object("q").numbersByName(names);
    if (fields.has("u")) state.u = fields.object("u").numbersByName(names);
    impact = fields.flagOr("impact", false);
    fields.refuseUnknown();
  }
  checkJointsHold(root, system, state, impact);
  return state;
}

long readRecordEvery(FieldReader& root) {
  if (!root.has("recording")) return 1;
  FieldReader fields = root.object("recording");
  const long every = fields.wholeNumberOr("every", 1, 1);
  fields.refuseUnknown();
  return every;
}

std::shared_ptr<const LinearSystem> readSystem(FieldReader& root) {
  static constexpr std::string_view kTypes[] = {"linear"};
  FieldReader fields = root.object("system");
  fields.choice("type", kTypes);
  return std::make_shared<const LinearSystem>(readLinearSystem(fields));
}

std::string readTextFile(const std::filesystem::path& file) {
  std::error_code error;
  if (!std::filesystem::exists(file, error))
    throw InputError(fmt::format("{}: no such file", file.string()));
  if (std::filesystem::is_directory(file, error))
    throw InputError(
        fmt::format("{}: a folder without a readable {}; expected a scene file or a "
                    "recording",
                    file.string(), kRecordingFile));
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  if (!stream) throw InputError(fmt::format("{}: cannot be read", file.string()));
  return text.str();
}

}  // namespace

Scene parseScene(const std::string& text, const std::string& source,
                 std::span<const std::string> overrides) {
  SceneDocument document(text, source);
  for (const std::string& assignment : overrides) document.set(assignment);

  FieldReader root(document, document.root(), "");
  if (!root.has("stickslip"))
    root.fail("stickslip", fmt::format("missing; a scene begins with \"stickslip\": {}, the "
                                       "version of the format",
                                       kFormat));
  if (root.wholeNumberOr("stickslip", 0, 0) != kFormat)
    root.fail("stickslip", fmt::format("this program reads format {} only", kFormat));
  Scene scene;
  scene.name = root.string("name");
  root.stringOr("description", "");
  scene.run.time = readTime(root);
  scene.model.method = readMethod(root);
  const std::shared_ptr<const LinearSystem> system = readSystem(root);
  scene.initial = readInitialState(root, *system, scene.run.impact_at_start);
  scene.model.system = system;
  scene.record_every = readRecordEvery(root);
  root.refuseUnknown();
  scene.text = document.text();
  return scene;
}

Scene loadScene(const std::filesystem::path& file, std::span<const std::string> overrides) {
  const std::string text =
      isRecording(file) ? RecordingReader(file).sceneText() : readTextFile(file);
  return parseScene(text, file.string(), overrides);
}

}  // namespace stickslip
