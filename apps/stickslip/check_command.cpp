#include <fmt/core.h>

#include <memory>

#include "commands.hpp"
#include "stickslip/io/scene.hpp"

namespace stickslip::cli {
namespace {

struct CheckOptions {
  std::string scene;
  std::vector<std::string> overrides;
};

int checkScene(const CheckOptions& options) {
  const Scene scene = loadScene(options.scene, options.overrides);
  const System& system = *scene.model.system;
  fmt::print("{}: fine: \"{}\", {} coordinates, {} contacts, {} joints, {} steps with {} + {}\n",
             options.scene, scene.name, system.velocityCount(), system.contactCapacity(),
             system.jointCapacity(), scene.run.time.stepCount(), scene.model.method.scheme,
             scene.model.method.solver);
  return kFine;
}

}  // namespace

void addCheckCommand(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<CheckOptions>();
  CLI::App* command = app.add_subcommand("check", "Check a scene without running it");
  command->add_option("scene", options->scene, "Scene file, or a recording")->required();
  command->add_option("--set", options->overrides, "Change a field: path.to.field=value")
      ->allow_extra_args(false);
  command->callback([options, &exit_code] { exit_code = checkScene(*options); });
}

}  // namespace stickslip::cli
