// Scene files: what to simulate and how, as JSON. docs/scene-format.md describes the format.
#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "stickslip/run.hpp"
#include "stickslip/stepper.hpp"

namespace stickslip {

/// A scene, read and checked.
struct Scene {
  std::string name;
  /// The scene as JSON, overrides included: enough to repeat the run.
  std::string text;
  Model model;
  State initial;
  RunSettings run;
  /// A frame is recorded at the start, every so many steps, and at the end. >= 1.
  long record_every = 1;
};

/// Reads a scene from a file, or from inside a recording. Each override is "path.to.field=value",
/// applied before the scene is checked. Throws InputError with one line that names file, line,
/// field, value and what would be right.
Scene loadScene(const std::filesystem::path& file, std::span<const std::string> overrides = {});

/// The same from text; `source` stands for the file name in messages.
Scene parseScene(const std::string& text, const std::string& source,
                 std::span<const std::string> overrides = {});

}  // namespace stickslip
