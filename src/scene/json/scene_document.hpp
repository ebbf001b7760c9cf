// A parsed JSON scene that still knows where every value stands in the text, for error messages.
#pragma once

#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "stickslip/shape.hpp"

namespace stickslip {

class SceneDocument {
 public:
  /// Parses `text`. Throws InputError with the line of a syntax error or of a repeated key.
  SceneDocument(std::string text, std::string source);
  ~SceneDocument();

  /// Applies "path.to.field=value". Array elements are addressed by index or by their "name".
  void set(const std::string& assignment);

  /// Replaces the name of a mesh file in the shape at `pointer` by what the file holds: "vertices"
  /// and "triangles", or "points" only.
  void inlineMesh(const std::string& pointer, const TriangleMesh& mesh, bool triangles);

  const nlohmann::json& root() const { return *root_; }
  /// What field "system.type" says; empty if there is none.
  std::string systemType() const;
  /// Whether the system is one of bodies, planar or spatial.
  bool hasBodies() const { return has_bodies_; }
  /// The scene as text: as it was read, or written anew if something was set.
  std::string text() const;

  /// Throws InputError "source:line: /pointer: problem".
  [[noreturn]] void fail(const std::string& pointer, const std::string& problem) const;

 private:
  void noteSystemType();
  std::string location(const std::string& pointer) const;

  std::string text_;
  std::string source_;
  std::unique_ptr<nlohmann::json> root_;  ///< behind a pointer, as json.hpp is slow to compile
  std::map<std::string, std::string> assigned_;  ///< pointer -> the assignment that set it
  bool has_bodies_ = false;
  bool has_inlined_ = false;
};

}  // namespace stickslip
