#include "warnings.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include "stickslip/input_error.hpp"

namespace stickslip::cli {

void reportWarnings(const Scene& scene, bool strict) {
  if (strict && !scene.warnings.empty())
    throw InputError(
        fmt::format("{}{}", scene.warnings[0],
                    scene.warnings.size() > 1
                        ? fmt::format(" (the first of {} warnings)", scene.warnings.size())
                        : ""));
  for (const std::string& warning : scene.warnings) spdlog::warn("{}", warning);
}

}  // namespace stickslip::cli
