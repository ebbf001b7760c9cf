#include "scene/json/field_names.hpp"

#include <nlohmann/json.hpp>

#include "stickslip/scene/scene.hpp"

namespace stickslip {
namespace {

void collectFieldNames(const nlohmann::json& schema, std::set<std::string>& names) {
  if (!schema.is_structured()) return;
  if (schema.is_object() && schema.contains("properties"))
    for (const auto& [name, field] : schema.at("properties").items()) names.insert(name);
  for (const nlohmann::json& child : schema) collectFieldNames(child, names);
}

}  // namespace

const std::set<std::string>& sceneFieldNames() {
  static const std::set<std::string> names = [] {
    std::set<std::string> found;
    collectFieldNames(nlohmann::json::parse(sceneSchemaText()), found);
    return found;
  }();
  return names;
}

}  // namespace stickslip
