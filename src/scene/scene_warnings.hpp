// What in a scene is probably not meant, but can be run.
#pragma once

#include <string>
#include <vector>

#include "stickslip/scene/scene.hpp"

namespace stickslip {

/// One line each: bodies that overlap deeply at the start, and properties that the scheme does not
/// apply. `source` is what the scene was read from.
std::vector<std::string> warningsAbout(const Scene& scene, const std::string& source);

}  // namespace stickslip
