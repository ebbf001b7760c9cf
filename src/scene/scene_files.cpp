#include "scene/scene_files.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "stickslip/input_error.hpp"
#include "stickslip/scene/mesh_file.hpp"

namespace stickslip {
namespace {

namespace fs = std::filesystem;

// Both without "..", links and double slashes.
bool isInside(const fs::path& file, const fs::path& folder) {
  const auto [end, rest] = std::mismatch(folder.begin(), folder.end(), file.begin(), file.end());
  return end == folder.end() && rest != file.end();
}

}  // namespace

// A scene comes from anywhere; it must not make the program read what is not beside it.
fs::path SceneFiles::locate(const FieldReader& shape, const std::string& name) const {
  const auto refuse = [&](const std::string& why) {
    shape.fail("file", fmt::format("\"{}\" {}", name, why));
  };
  if (folder_.empty()) refuse("cannot be found: this scene was not read from a file");
  if (name.empty() || fs::path(name).is_absolute())
    refuse("is not a path relative to the scene's folder");
  std::error_code error;
  const fs::path folder = fs::canonical(folder_, error);
  if (error) refuse("cannot be found: " + error.message());
  if (!isInside((folder / name).lexically_normal(), folder))
    refuse("leaves the scene's folder; only files inside it are read");
  const fs::path file = fs::weakly_canonical(folder / name, error);
  if (error) refuse("cannot be found: " + error.message());
  if (!isInside(file, folder))
    refuse("is a link that leaves the scene's folder; only files inside it are read");
  if (!fs::exists(file, error)) refuse("does not exist in the scene's folder");
  if (!fs::is_regular_file(file, error)) refuse("is not a file");
  return file;
}

TriangleMesh SceneFiles::read(FieldReader& shape, bool triangles) {
  const fs::path file = locate(shape, shape.string("file"));
  const std::string pointer = shape.pointer();
  try {
    TriangleMesh mesh = triangles ? readMesh(file) : TriangleMesh{readPoints(file), {}};
    contents_.push_back({pointer, std::move(mesh), triangles});
  } catch (const InputError& error) {
    shape.fail("file", error.what());
  }
  return contents_.back().mesh;
}

}  // namespace stickslip
