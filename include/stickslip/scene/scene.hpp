// Scene files: what to simulate and how, as JSON. docs/scene-format.md describes the format.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "stickslip/joint.hpp"
#include "stickslip/run.hpp"
#include "stickslip/stepper.hpp"

namespace stickslip {

/// A scene, read and checked.
struct Scene {
  std::string name;
  /// The scene as JSON, overrides and the contents of mesh files included: enough to repeat the
  /// run.
  std::string text;
  Model model;
  State initial;
  RunSettings run;
  /// A frame is recorded at the start, every so many steps, and at the end. >= 1.
  std::int64_t record_every = 1;
  /// What is probably not meant but can be run, one line each: bodies that overlap at the start,
  /// friction that the scheme does not apply.
  std::vector<std::string> warnings;
};

/// Reads a scene from a file. Each override is "path.to.field=value", applied before the scene is
/// checked. Throws InputError with one line that names file, line, field, value and what would be
/// right. loadScene() of stickslip/io/scene.hpp reads recordings, too.
Scene readScene(const std::filesystem::path& file, std::span<const std::string> overrides = {});

/// The same from text; `source` stands for the file name in messages. Mesh files are looked for in
/// `folder`; if that is empty, a scene that names one is refused.
Scene parseScene(const std::string& text, const std::string& source,
                 std::span<const std::string> overrides = {},
                 const std::filesystem::path& folder = {});

/// The scene of a system that the program has made itself: `text` has the fields of a scene but
/// `system`, and says how it is computed (time, method) and recorded. Scene::text cannot repeat it.
Scene parseSceneOf(std::shared_ptr<const System> system, State initial, const std::string& text,
                   const std::string& source);

/// The JSON Schema (draft 2020-12) of scenes: schema/scene.schema.json as it was when the library
/// was built.
std::string_view sceneSchemaText();

/// The names that results give the coordinates of a joint, in the order of Joint::drives.
std::span<const std::string_view> coordinateNames(Joint::Type type);

}  // namespace stickslip
