#include "stickslip/scene/scene_data.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <system_error>

#include "scene/fields/scene_fields.hpp"
#include "scene/json/input_file.hpp"
#include "scene/json/scene_document.hpp"
#include "stickslip/input_error.hpp"

namespace stickslip {
namespace {

// Objects and lists that fit into a line of this length stay on one.
constexpr std::size_t kLineWidth = 100;

void print(const OrderedJson& value, std::size_t indent, std::string& out) {
  const std::string line = value.dump();
  if (!value.is_structured() || indent + line.size() <= kLineWidth) {
    // As people write it: a space after commas and colons, outside of strings.
    bool in_string = false;
    for (std::size_t i = 0; i < line.size(); ++i) {
      out += line[i];
      if (in_string && line[i] == '\\') {
        out += line[++i];
        continue;
      }
      if (line[i] == '"') in_string = !in_string;
      if (!in_string && (line[i] == ',' || line[i] == ':')) out += ' ';
    }
    return;
  }
  const std::string margin(indent + 2, ' ');
  const char* separator = "\n";
  out += value.is_object() ? '{' : '[';
  for (const auto& [key, part] : value.items()) {
    out += separator + margin;
    if (value.is_object()) out += OrderedJson(key).dump() + ": ";
    print(part, indent + 2, out);
    separator = ",\n";
  }
  out += '\n' + std::string(indent, ' ') + (value.is_object() ? '}' : ']');
}

std::filesystem::path folderOf(const std::filesystem::path& file) {
  return file.has_parent_path() ? file.parent_path() : ".";
}

}  // namespace

SceneData parseSceneData(const std::string& text, const std::string& source,
                         std::span<const std::string> overrides,
                         const std::filesystem::path& folder) {
  parseScene(text, source, overrides, folder);
  SceneDocument document(text, source);
  for (const std::string& assignment : overrides) document.set(assignment);
  return sceneDataOf(OrderedJson::parse(document.text()));
}

SceneData readSceneData(const std::filesystem::path& file, std::span<const std::string> overrides) {
  return parseSceneData(textOf(file), file.string(), overrides, folderOf(file));
}

std::string sceneText(const SceneData& data) {
  std::string text;
  print(jsonOf(data), 0, text);
  return text + '\n';
}

Scene makeScene(const SceneData& data, const std::filesystem::path& folder) {
  return parseScene(sceneText(data), fmt::format("scene \"{}\"", data.name), {}, folder);
}

// Written beside and moved into place: there is never half a scene.
void saveScene(const SceneData& data, const std::filesystem::path& file) {
  makeScene(data, folderOf(file));
  std::filesystem::path draft = file;
  draft += ".draft";
  const auto fail = [&](const std::string& why) {
    std::error_code ignored;
    std::filesystem::remove(draft, ignored);
    throw InputError(fmt::format("{}: cannot be written: {}", file.string(), why));
  };
  std::ofstream stream(draft, std::ios::binary | std::ios::trunc);
  stream << sceneText(data);
  stream.close();
  if (!stream) fail(std::strerror(errno));
  std::error_code error;
  std::filesystem::rename(draft, file, error);
  if (error) fail(error.message());
}

}  // namespace stickslip
