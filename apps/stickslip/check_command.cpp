#include <fmt/core.h>

#include "commands.hpp"
#include "stickslip/io/scene.hpp"

namespace stickslip::cli {
int checkScene(const CheckOptions& options) {
  const Scene scene = loadScene(options.scene, options.overrides);
  const System& system = *scene.model.system;
  fmt::print("{}: fine: \"{}\", {} coordinates, {} contacts, {} joints, {} steps with {} + {}\n",
             options.scene, scene.name, system.velocityCount(), system.contactCapacity(),
             system.jointCapacity(), scene.run.time.stepCount(), scene.model.method.scheme,
             scene.model.method.solver);
  return kFine;
}

}  // namespace stickslip::cli
