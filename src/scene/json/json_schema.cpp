#include "scene/json/json_schema.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>

#include "scene/json/field_reader.hpp"
#include "scene/json/json_lines.hpp"
#include "stickslip/io/scene.hpp"

namespace stickslip {
namespace {

using nlohmann::json;
using Problem = std::optional<SchemaProblem>;

// Keywords that say nothing about values.
const std::set<std::string> kAnnotations = {"$schema", "$id", "title", "description"};
// Keywords that hold one schema.
const std::set<std::string> kSchemas = {"items", "additionalProperties", "if", "then", "else"};
const std::set<std::string> kOthers = {
    "$ref",      "type",      "const",    "enum",     "minimum",
    "maximum",   "minLength", "required", "minItems", "exclusiveMinimum",
    "maxLength", "maxItems"};

void checkKeywords(const json& schema) {
  if (schema.is_boolean()) return;
  if (!schema.is_object()) throw std::logic_error("a schema must be an object");
  for (const auto& [key, value] : schema.items()) {
    if (key == "properties" || key == "$defs" || key == "oneOf") {
      for (const json& child : value) checkKeywords(child);
    } else if (kSchemas.count(key) > 0) {
      checkKeywords(value);
    } else if (kAnnotations.count(key) == 0 && kOthers.count(key) == 0) {
      throw std::logic_error(fmt::format("schema keyword \"{}\" is not supported", key));
    }
  }
}

void collectFields(const json& schema, std::set<std::string>& names) {
  if (!schema.is_structured()) return;
  if (schema.is_object() && schema.contains("properties"))
    for (const auto& [name, field] : schema.at("properties").items()) names.insert(name);
  for (const json& child : schema) collectFields(child, names);
}

bool isInteger(const json& value) {
  if (value.is_number_integer()) return true;
  return value.is_number_float() && value.get<double>() == std::floor(value.get<double>());
}

bool hasType(const json& value, const std::string& type) {
  if (type == "object") return value.is_object();
  if (type == "array") return value.is_array();
  if (type == "string") return value.is_string();
  if (type == "number") return value.is_number();
  if (type == "integer") return isInteger(value);
  if (type == "boolean") return value.is_boolean();
  return type == "null" && value.is_null();
}

std::size_t codePoints(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(
      text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) >> 6) != 2; }));
}

class Validator {
 public:
  explicit Validator(const json& root) : root_(root) {}

  Problem check(const json& schema, const json& value, const std::string& pointer) const {
    if (schema.is_boolean()) {
      if (schema.get<bool>()) return {};
      return SchemaProblem{pointer, "not allowed here"};
    }
    if (schema.contains("$ref")) {
      const Problem problem = check(resolve(schema), value, pointer);
      if (problem) return problem;
    }
    for (const auto part :
         {&Validator::checkValue, &Validator::checkNumber, &Validator::checkString,
          &Validator::checkArray, &Validator::checkObject, &Validator::checkChoices}) {
      const Problem problem = (this->*part)(schema, value, pointer);
      if (problem) return problem;
    }
    return {};
  }

 private:
  const json& resolve(const json& schema) const {
    const auto& reference = schema.at("$ref").get_ref<const std::string&>();
    return root_.at(json::json_pointer(reference.substr(1)));
  }

  static SchemaProblem misfit(const json& value, const std::string& pointer,
                              const std::string& expected) {
    return {pointer, fmt::format("{} does not fit; expected {}", quote(value), expected)};
  }

  Problem checkValue(const json& schema, const json& value, const std::string& pointer) const {
    if (schema.contains("const") && value != schema.at("const"))
      return misfit(value, pointer, quote(schema.at("const")));
    if (schema.contains("enum")) {
      const json& choices = schema.at("enum");
      if (std::find(choices.begin(), choices.end(), value) == choices.end())
        return misfit(value, pointer, "one of " + quote(choices));
    }
    if (!schema.contains("type")) return {};
    const json& type = schema.at("type");
    const bool fits = type.is_string()
                          ? hasType(value, type.get<std::string>())
                          : std::any_of(type.begin(), type.end(), [&](const json& one) {
                              return hasType(value, one.get<std::string>());
                            });
    if (fits) return {};
    return misfit(value, pointer, "type " + quote(type));
  }

  Problem checkNumber(const json& schema, const json& value, const std::string& pointer) const {
    if (!value.is_number()) return {};
    const double x = value.get<double>();
    const auto bound = [&](const char* key) { return schema.at(key).get<double>(); };
    if (schema.contains("minimum") && x < bound("minimum"))
      return misfit(value, pointer, fmt::format("at least {}", bound("minimum")));
    if (schema.contains("exclusiveMinimum") && x <= bound("exclusiveMinimum"))
      return misfit(value, pointer, fmt::format("more than {}", bound("exclusiveMinimum")));
    if (schema.contains("maximum") && x > bound("maximum"))
      return misfit(value, pointer, fmt::format("at most {}", bound("maximum")));
    return {};
  }

  Problem checkString(const json& schema, const json& value, const std::string& pointer) const {
    if (!value.is_string()) return {};
    const auto& text = value.get_ref<const std::string&>();
    const auto bound = [&](const char* key) { return schema.at(key).get<std::size_t>(); };
    if (schema.contains("minLength") && codePoints(text) < bound("minLength"))
      return misfit(value, pointer, "a longer string");
    if (schema.contains("maxLength") && codePoints(text) > bound("maxLength"))
      return misfit(value, pointer, fmt::format("at most {} characters", bound("maxLength")));
    return {};
  }

  Problem checkArray(const json& schema, const json& value, const std::string& pointer) const {
    if (!value.is_array()) return {};
    const auto bound = [&](const char* key) { return schema.at(key).get<std::size_t>(); };
    if (schema.contains("minItems") && value.size() < bound("minItems"))
      return misfit(value, pointer, fmt::format("at least {} entries", bound("minItems")));
    if (schema.contains("maxItems") && value.size() > bound("maxItems"))
      return misfit(value, pointer, fmt::format("at most {} entries", bound("maxItems")));
    if (!schema.contains("items")) return {};
    for (std::size_t i = 0; i < value.size(); ++i) {
      const Problem problem =
          check(schema.at("items"), value[i], childPointer(pointer, std::to_string(i)));
      if (problem) return problem;
    }
    return {};
  }

  Problem checkObject(const json& schema, const json& value, const std::string& pointer) const {
    if (!value.is_object()) return {};
    if (schema.contains("required"))
      for (const json& key : schema.at("required"))
        if (!value.contains(key.get<std::string>()))
          return SchemaProblem{childPointer(pointer, key.get<std::string>()),
                               "missing; this field is required"};
    static const json kNone = json::object();
    const json& known = schema.contains("properties") ? schema.at("properties") : kNone;
    for (const auto& [key, child] : value.items()) {
      const bool is_known = known.contains(key);
      if (!is_known && !schema.contains("additionalProperties")) continue;
      const json& rule = is_known ? known.at(key) : schema.at("additionalProperties");
      const Problem problem = check(rule, child, childPointer(pointer, key));
      if (problem) return problem;
    }
    return {};
  }

  Problem checkChoices(const json& schema, const json& value, const std::string& pointer) const {
    if (schema.contains("oneOf")) {
      const Problem problem = checkOneOf(schema.at("oneOf"), value, pointer);
      if (problem) return problem;
    }
    if (!schema.contains("if")) return {};
    const char* branch = check(schema.at("if"), value, pointer) ? "else" : "then";
    return schema.contains(branch) ? check(schema.at(branch), value, pointer) : Problem{};
  }

  // False if the value names another type than the variant is for; spares the rest of it.
  bool mayFit(const json& variant, const json& value) const {
    const json& rule = variant.contains("$ref") ? resolve(variant) : variant;
    const json::json_pointer type("/properties/type/const");
    return !value.is_object() || !value.contains("type") || !rule.contains(type) ||
           rule.at(type) == value.at("type");
  }

  // Of several complaints the one that goes deepest is about the variant that was meant.
  Problem checkOneOf(const json& variants, const json& value, const std::string& pointer) const {
    int fitting = 0;
    Problem deepest;
    for (const json& variant : variants) {
      if (!mayFit(variant, value)) continue;
      Problem problem = check(variant, value, pointer);
      if (!problem) ++fitting;
      if (problem && (!deepest || problem->pointer.size() > deepest->pointer.size()))
        deepest = std::move(problem);
    }
    if (fitting == 1) return {};
    if (fitting > 1) return misfit(value, pointer, "only one of several alternatives");
    return deepest ? deepest : misfit(value, childPointer(pointer, "type"), "a known type");
  }

  const json& root_;
};

}  // namespace

JsonSchema::JsonSchema(std::string_view text) : root_(std::make_unique<json>()) {
  *root_ = json::parse(text, nullptr, false);
  if (root_->is_discarded()) throw std::logic_error("a schema must be JSON");
  checkKeywords(*root_);
}

JsonSchema::~JsonSchema() = default;

std::optional<SchemaProblem> JsonSchema::problemOf(const json& value) const {
  return Validator(*root_).check(*root_, value, "");
}

std::set<std::string> JsonSchema::fieldNames() const {
  std::set<std::string> names;
  collectFields(*root_, names);
  return names;
}

const JsonSchema& sceneSchema() {
  static const JsonSchema schema(sceneSchemaText());
  return schema;
}

}  // namespace stickslip
