// The scenes of scenes/papers as text; paper_scenes.cpp is made of them when the build is
// configured.
#pragma once

#include <span>
#include <string_view>

namespace stickslip {

struct PaperScene {
  std::string_view name;
  std::string_view text;
};

std::span<const PaperScene> paperScenes();

}  // namespace stickslip
