// A validator for JSON Schema (draft 2020-12): the keywords that the scene's schema uses, no more.
//
// A schema with any other keyword is refused, so that nothing in it is silently ignored.
#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace stickslip {

/// Where a value does not fit, as JSON pointer, and why.
struct SchemaProblem {
  std::string pointer;
  std::string words;
};

class JsonSchema {
 public:
  /// Throws std::logic_error if the text is not a schema or uses an unknown keyword.
  explicit JsonSchema(std::string_view text);
  ~JsonSchema();

  /// The first thing that is wrong with a value; none if it fits.
  std::optional<SchemaProblem> problemOf(const nlohmann::json& value) const;
  /// The names of all fields that objects have, wherever they are.
  std::set<std::string> fieldNames() const;

 private:
  std::unique_ptr<nlohmann::json> root_;
};

/// The schema of scenes.
const JsonSchema& sceneSchema();

}  // namespace stickslip
