#include "scene/json/scene_document.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <vector>

#include "scene/json/json_lines.hpp"
#include "stickslip/input_error.hpp"

namespace stickslip {
namespace {

using nlohmann::json;

// Nesting deeper than this is no scene; the parser and all that follows recurse.
constexpr int kDeepest = 32;

int lineOfByte(std::string_view text, std::size_t byte) {
  const auto end = text.begin() + static_cast<std::ptrdiff_t>(std::min(byte, text.size()));
  return 1 + static_cast<int>(std::count(text.begin(), end, '\n'));
}

void checkDepth(std::string_view text, const std::string& source) {
  int depth = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\') ++i;
      in_string = c != '"';
      continue;
    }
    in_string = c == '"';
    if (c == '{' || c == '[') ++depth;
    if (c == '}' || c == ']') --depth;
    if (depth > kDeepest)
      throw InputError(fmt::format("{}:{}: nested deeper than {} levels; a scene needs far fewer",
                                   source, lineOfByte(text, i), kDeepest));
  }
}

// nlohmann's text without its "[json.exception...] " head and without line breaks.
std::string parserComplaint(const std::string& what) {
  const std::size_t head = what.find("] ");
  std::string text = head == std::string::npos ? what : what.substr(head + 2);
  const std::size_t detail = text.find(": ");
  if (detail != std::string::npos) text = text.substr(detail + 2);
  std::replace_if(
      text.begin(), text.end(), [](unsigned char c) { return c < 0x20; }, ' ');
  return text;
}

json parse(const std::string& text, const std::string& source) {
  checkDepth(text, source);
  try {
    return json::parse(text);
  } catch (const json::parse_error& error) {
    throw InputError(fmt::format("{}:{}: not valid JSON: {}", source,
                                 lineOfByte(text, error.byte > 0 ? error.byte - 1 : 0),
                                 parserComplaint(error.what())));
  } catch (const json::exception& error) {
    throw InputError(fmt::format("{}: not valid JSON: {}", source, parserComplaint(error.what())));
  }
}

std::vector<std::string> splitAtDots(const std::string& path) {
  std::vector<std::string> parts(1);
  for (const char c : path) {
    if (c == '.')
      parts.emplace_back();
    else
      parts.back() += c;
  }
  return parts;
}

// Place in an array: by index, or by the "name" of an element.
std::size_t elementIndex(const json& array, const std::string& key) {
  std::size_t index = 0;
  const auto [end, error] = std::from_chars(key.data(), key.data() + key.size(), index);
  if (error == std::errc() && end == key.data() + key.size()) return index;
  for (std::size_t i = 0; i < array.size(); ++i)
    if (array[i].is_object() && array[i].value("name", json()) == key) return i;
  return array.size();
}

// An assignment as it appears in a message.
std::string shortened(const std::string& assignment) {
  constexpr std::size_t kLongest = 80;
  return assignment.size() <= kLongest ? assignment : assignment.substr(0, kLongest - 3) + "...";
}

bool isUtf8(const std::string& text) {
  try {
    json(text).dump();
    return true;
  } catch (const json::exception&) {
    return false;
  }
}

json valueFromText(const std::string& text) {
  json value = json::parse(text, nullptr, false);
  return value.is_discarded() ? json(text) : value;
}

}  // namespace

SceneDocument::SceneDocument(std::string text, std::string source)
    : text_(std::move(text)),
      source_(std::move(source)),
      root_(std::make_unique<json>(parse(text_, source_))) {
  const RepeatedKey repeated = findRepeatedKey(text_);
  if (repeated.line > 0)
    throw InputError(fmt::format("{}:{}: {}: given twice; keep one of them", source_, repeated.line,
                                 repeated.pointer));
  noteSystemType();
}

SceneDocument::~SceneDocument() = default;

void SceneDocument::set(const std::string& assignment) {
  const std::size_t equals = assignment.find('=');
  const std::string path = assignment.substr(0, equals);
  const auto refuse = [&](const std::string& why) {
    throw InputError(fmt::format("--set {}: {}", shortened(assignment), why));
  };
  if (!isUtf8(assignment)) throw InputError("--set: a path or value is not valid UTF-8");
  if (equals == std::string::npos || path.empty())
    refuse("expected path.to.field=value, as in --set time.step=1e-5");

  json* at = root_.get();
  std::string pointer;
  for (const std::string& key : splitAtDots(path)) {
    if (key.empty()) refuse("the path has an empty part");
    if (at->is_array()) {
      const std::size_t index = elementIndex(*at, key);
      if (index >= at->size())
        refuse(fmt::format("{} has no element \"{}\"; it has {}, counted from 0", pointer, key,
                           at->size()));
      at = &(*at)[index];
      pointer = childPointer(pointer, std::to_string(index));
    } else if (at->is_object() || at->is_null()) {
      at = &(*at)[key];
      pointer = childPointer(pointer, key);
    } else {
      refuse(fmt::format("{} is {}, which has no fields", pointer, at->dump()));
    }
  }
  const std::string text = assignment.substr(equals + 1);
  checkDepth(text, "--set " + path);
  *at = valueFromText(text);
  if (at->is_structured() && findRepeatedKey(text).line > 0) refuse("a field is given twice");
  assigned_[pointer] = shortened(assignment);
  noteSystemType();
}

void SceneDocument::inlineMesh(const std::string& pointer, const TriangleMesh& mesh,
                               bool triangles) {
  json& shape = root_->at(json::json_pointer(pointer));
  shape.erase("file");
  json& vertices = shape[triangles ? "vertices" : "points"] = json::array();
  for (const Vec3& p : mesh.vertices) vertices.push_back({p.x, p.y, p.z});
  has_inlined_ = true;
  if (!triangles) return;
  json& corners = shape["triangles"] = json::array();
  for (const TriangleMesh::Triangle& t : mesh.triangles) corners.push_back({t.a, t.b, t.c});
}

std::string SceneDocument::systemType() const {
  const json::json_pointer type("/system/type");
  if (!root_->contains(type) || !root_->at(type).is_string()) return "";
  return root_->at(type).get<std::string>();
}

void SceneDocument::noteSystemType() {
  const std::string type = systemType();
  has_bodies_ = type == "planar" || type == "spatial";
}

// Meshes have too many numbers for a line each.
std::string SceneDocument::text() const {
  if (has_inlined_) return root_->dump() + "\n";
  return assigned_.empty() ? text_ : root_->dump(2) + "\n";
}

void SceneDocument::fail(const std::string& pointer, const std::string& problem) const {
  std::string line =
      fmt::format("{}: {}: {}", location(pointer), pointer.empty() ? "/" : pointer, problem);
  std::replace_if(
      line.begin(), line.end(), [](unsigned char c) { return c < 0x20; }, '?');
  throw InputError(line);
}

// A value that was set has no line but an assignment; one of which a part was set has both, or only
// the assignment if it was not there before. One that is missing has the line of its nearest
// parent.
std::string SceneDocument::location(const std::string& pointer) const {
  const std::vector<int> lines = linesAlong(text_, pointer);
  for (std::string at = pointer;; at = at.substr(0, at.rfind('/'))) {
    const std::size_t depth = std::count(at.begin(), at.end(), '/');
    const auto set = assigned_.lower_bound(at);
    const bool was_set = set != assigned_.end() && set->first == at;
    const bool part_was_set =
        at == pointer && set != assigned_.end() && set->first.rfind(at + "/", 0) == 0;
    const bool has_line = depth < lines.size();
    const std::string place = has_line ? fmt::format("{}:{}", source_, lines[depth]) : source_;
    if (was_set) return fmt::format("{} with --set {}", source_, set->second);
    if (part_was_set) return fmt::format("{} with --set {}", place, set->second);
    if (has_line || at.empty()) return place;
  }
}

}  // namespace stickslip
