// Scenes from files and from recordings.
#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "stickslip/scene/scene.hpp"

namespace stickslip {

/// Reads a scene from a file as readScene() does, or from inside a recording: what was recorded can
/// be repeated.
Scene loadScene(const std::filesystem::path& file, std::span<const std::string> overrides = {});

}  // namespace stickslip
