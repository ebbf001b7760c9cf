// Access to the scenes of the repository.
#pragma once

#include <filesystem>
#include <string>

#include "stickslip/io/scene.hpp"

namespace stickslip::testing {

/// The folder scenes/ of the repository.
inline std::filesystem::path sceneFolder() {
  return STICKSLIP_SCENES;
}

inline Scene repositoryScene(const std::string& name, std::span<const std::string> overrides = {}) {
  return loadScene(sceneFolder() / name, overrides);
}

}  // namespace stickslip::testing
