#include <fmt/core.h>

#include "analysis_report.hpp"
#include "commands.hpp"
#include "stickslip/body_system.hpp"
#include "stickslip/input_error.hpp"
#include "stickslip/io/scene.hpp"
#include "warnings.hpp"

namespace stickslip::cli {
namespace {

std::string contentsOf(const System& system) {
  if (const auto* bodies = dynamic_cast<const BodySystem*>(&system))
    return fmt::format("{} bodies, {} joints", bodies->data().bodies.size(),
                       bodies->data().joints.size());
  return fmt::format("{} coordinates, {} contacts, {} joints", system.velocityCount(),
                     system.contactCapacity(), system.jointCapacity());
}

}  // namespace

int checkScene(const CheckOptions& options) {
  if (options.schema) {
    fmt::print("{}", sceneSchemaText());
    return kFine;
  }
  if (options.scene.empty()) throw InputError("check: name a scene, or see stickslip --help");
  const Scene scene = loadScene(options.scene, options.overrides);
  reportWarnings(scene, options.strict);
  if (options.json) {
    fmt::print("{}", analysisAsJson(analyse(scene)));
    return kFine;
  }
  const TimeSettings& time = scene.run.time;
  fmt::print("{}: fine: \"{}\", {}, {}{} steps with {} + {}\n", options.scene, scene.name,
             contentsOf(*scene.model.system), time.error > 0 ? "at least " : "", time.stepCount(),
             scene.model.method.scheme, scene.model.method.solver);
  if (options.analyse) fmt::print("{}", analysisAsText(analyse(scene)));
  return kFine;
}

}  // namespace stickslip::cli
