// The mesh files that a scene refers to: found only inside the scene's folder, and remembered, so
// that the recorded scene can hold their contents.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "scene/json/field_reader.hpp"
#include "stickslip/shape.hpp"

namespace stickslip {

class SceneFiles {
 public:
  /// `folder` is where the scene's file is; empty if it comes from no file.
  explicit SceneFiles(std::filesystem::path folder) : folder_(std::move(folder)) {}

  /// Reads the mesh file that field "file" of `shape` names; only its vertices if the shape needs
  /// no triangles.
  TriangleMesh read(FieldReader& shape, bool triangles);

  /// What was read, by the pointer to the shape.
  struct Contents {
    std::string pointer;
    TriangleMesh mesh;
    bool triangles;
  };
  const std::vector<Contents>& contents() const { return contents_; }

 private:
  std::filesystem::path locate(const FieldReader& shape, const std::string& name) const;

  std::filesystem::path folder_;
  std::vector<Contents> contents_;
};

}  // namespace stickslip
