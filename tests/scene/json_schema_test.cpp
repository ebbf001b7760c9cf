// The validator against hand-made cases for every keyword, and the scene's schema against the
// scenes of the repository.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "scene/json/json_schema.hpp"
#include "stickslip/io/scene.hpp"
#include "support/scenes.hpp"

namespace stickslip {
namespace {

using nlohmann::json;

std::string complaint(const char* schema, const char* value) {
  const auto problem = JsonSchema(schema).problemOf(json::parse(value));
  return problem ? problem->pointer + ": " + problem->words : "";
}

struct Case {
  const char* schema;
  std::vector<const char*> good;
  std::vector<const char*> bad;
};

TEST(JsonSchema, EveryKeyword) {
  const Case cases[] = {
      {R"({"type": "number"})", {"1", "-2.5"}, {"\"1\"", "null", "[]"}},
      {R"({"type": "integer"})", {"1", "2.0", "1e3"}, {"1.5", "\"1\""}},
      {R"({"type": ["string", "null"]})", {"\"\"", "null"}, {"0", "false"}},
      {R"({"type": "boolean"})", {"true"}, {"0"}},
      {R"({"const": 1})", {"1"}, {"2", "\"1\""}},
      {R"({"enum": ["a", 2]})", {"\"a\"", "2"}, {"\"b\"", "1"}},
      {R"({"minimum": 0})", {"0", "1", "\"x\""}, {"-1"}},
      {R"({"exclusiveMinimum": 0})", {"1e-300"}, {"0"}},
      {R"({"maximum": 1})", {"1"}, {"1.0000001"}},
      {R"({"minLength": 2, "maxLength": 3})", {"\"ab\"", "\"äöü\""}, {"\"a\"", "\"abcd\""}},
      {R"({"items": {"type": "number"}, "minItems": 1, "maxItems": 2})",
       {"[1]", "[1, 2]", "{}"},
       {"[]", "[1, 2, 3]", "[\"a\"]"}},
      {R"({"properties": {"a": {"type": "number"}}})",
       {"{\"a\": 1, \"b\": \"\"}"},
       {"{\"a\": []}"}},
      {R"({"required": ["a"]})", {"{\"a\": null}", "1"}, {"{\"b\": 1}"}},
      {R"({"properties": {"a": true, "b": false}, "additionalProperties": false})",
       {"{}", "{\"a\": 1}"},
       {"{\"b\": 1}", "{\"c\": 1}"}},
      {R"({"additionalProperties": {"type": "number"}})", {"{\"x\": 1}"}, {"{\"x\": \"\"}"}},
      {R"({"oneOf": [{"type": "number"}, {"minimum": 0}]})", {"-1", "\"\""}, {"1"}},
      {R"({"if": {"required": ["a"]}, "then": {"required": ["b"]}, "else": {"required": ["c"]}})",
       {"{\"a\": 1, \"b\": 1}", "{\"c\": 1}"},
       {"{\"a\": 1}", "{\"b\": 1}"}},
      {R"({"$ref": "#/$defs/n", "maximum": 5, "$defs": {"n": {"type": "number"}}})",
       {"5"},
       {"6", "\"x\""}},
  };
  for (const Case& c : cases) {
    for (const char* value : c.good) EXPECT_EQ(complaint(c.schema, value), "") << c.schema;
    for (const char* value : c.bad) EXPECT_NE(complaint(c.schema, value), "") << c.schema << value;
  }
}

TEST(JsonSchema, NamesThePlace) {
  EXPECT_EQ(complaint(R"({"properties": {"a": {"items": {"minimum": 2}}}})", R"({"a": [2, 1]})"),
            "/a/1: 1 does not fit; expected at least 2");
  // Among alternatives: the one that the type names.
  const char* shapes = R"({"oneOf": [
    {"properties": {"type": {"const": "disk"}, "radius": {"minimum": 0}}},
    {"properties": {"type": {"const": "box"}, "size": {"minimum": 0}}}]})";
  EXPECT_EQ(complaint(shapes, R"({"type": "box", "size": -1})"),
            "/size: -1 does not fit; expected at least 0");
  EXPECT_NE(complaint(shapes, R"({"type": "ball"})").find("/type"), std::string::npos);
}

TEST(JsonSchema, RefusesWhatItDoesNotUnderstand) {
  EXPECT_THROW(JsonSchema(R"({"anyOf": []})"), std::logic_error);
  EXPECT_THROW(JsonSchema(R"({"properties": {"a": {"multipleOf": 2}}})"), std::logic_error);
  EXPECT_THROW(JsonSchema("{"), std::logic_error);
}

TEST(SceneSchema, IsTheFileOfTheRepository) {
  std::ifstream stream(testing::sceneFolder().parent_path() / "schema" / "scene.schema.json");
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  EXPECT_EQ(text, sceneSchemaText());
}

TEST(SceneSchema, AcceptsEverySceneOfTheRepository) {
  int count = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(testing::sceneFolder())) {
    if (entry.path().extension() != ".json") continue;
    std::ifstream stream(entry.path());
    const auto problem = sceneSchema().problemOf(json::parse(stream));
    EXPECT_FALSE(problem.has_value())
        << entry.path() << ": " << problem->pointer << ": " << problem->words;
    ++count;
  }
  EXPECT_GE(count, 5);
}

// Somebody who reads the schema in an editor is told about every field.
void expectDescriptions(const json& schema, const std::string& place) {
  if (!schema.is_object()) return;
  if (schema.contains("properties"))
    for (const auto& [key, field] : schema.at("properties").items()) {
      const bool is_explained = field.is_boolean() || field.contains("description") ||
                                field.contains("$ref") || field.contains("const");
      EXPECT_TRUE(is_explained || place.find("/if") != std::string::npos) << place << "/" << key;
    }
  for (const auto& [key, child] : schema.items()) {
    if (child.is_object()) expectDescriptions(child, place + "/" + key);
    if (child.is_array())
      for (const json& item : child) expectDescriptions(item, place + "/" + key);
  }
}

TEST(SceneSchema, ExplainsEveryField) {
  expectDescriptions(json::parse(sceneSchemaText()), "");
}

}  // namespace
}  // namespace stickslip
