#include "scene/json/field_reader.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "scene/json/json_lines.hpp"
#include "scene/json/name_index.hpp"
#include "stickslip/scene/scene.hpp"

namespace stickslip {
namespace {

using nlohmann::json;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr std::size_t kLongestName = 200;

void collectFieldNames(const json& schema, std::set<std::string>& names) {
  if (!schema.is_structured()) return;
  if (schema.is_object() && schema.contains("properties"))
    for (const auto& [name, field] : schema.at("properties").items()) names.insert(name);
  for (const json& child : schema) collectFieldNames(child, names);
}

// The names that fields have in all objects of a scene: what the schema calls "properties".
const std::set<std::string>& sceneFieldNames() {
  static const std::set<std::string> names = [] {
    std::set<std::string> found;
    collectFieldNames(json::parse(sceneSchemaText()), found);
    return found;
  }();
  return names;
}

}  // namespace

const NumberRange kAnyNumber{-kInfinity, kInfinity, true, "a finite number"};
const NumberRange kPositive{0, kInfinity, false, "a number > 0"};
const NumberRange kNonNegative{0, kInfinity, true, "a number >= 0"};
const NumberRange kZeroToOne{0, 1, true, "a number from 0 to 1"};

std::string quote(const json& value) {
  constexpr std::size_t kLongest = 60;
  std::string text = value.dump(-1, ' ', true, json::error_handler_t::replace);
  if (text.size() > kLongest) text = text.substr(0, kLongest - 3) + "...";
  return text;
}

FieldReader::FieldReader(const SceneDocument& document, const json& object, std::string pointer)
    : document_(document), object_(object), pointer_(std::move(pointer)) {
  if (!object_.is_object())
    document_.fail(pointer_, fmt::format("{} is not an object {{...}}", quote(object_)));
}

std::string FieldReader::pointerTo(const char* key) const {
  return childPointer(pointer_, key);
}

void FieldReader::fail(const char* key, const std::string& problem) const {
  document_.fail(pointerTo(key), problem);
}

void FieldReader::failHere(const std::string& problem) const {
  document_.fail(pointer_, problem);
}

bool FieldReader::has(const char* key) {
  known_.insert(key);
  return object_.contains(key);
}

const json& FieldReader::require(const char* key) {
  if (!has(key)) failMissing(key, "this field is required");
  return object_.at(key);
}

double FieldReader::toNumber(const json& value, const std::string& pointer,
                             const NumberRange& range) const {
  if (!value.is_number())
    document_.fail(pointer,
                   fmt::format("{} is not a number; expected {}", quote(value), range.words));
  const double number = value.get<double>();
  const bool in_range = std::isfinite(number) && number <= range.most &&
                        (range.least_included ? number >= range.least : number > range.least);
  if (!in_range)
    document_.fail(pointer,
                   fmt::format("{} is out of range; expected {}", quote(value), range.words));
  if (document_.hasBodies()) refuseBeyondUnits(number, pointer, range);
  return number;
}

void FieldReader::refuseBeyondUnits(double number, const std::string& pointer,
                                    const NumberRange& range) const {
  if (std::abs(number) > kLargestNumber)
    document_.fail(pointer, fmt::format("{} is beyond any unit; expected at most {} in magnitude",
                                        number, kLargestNumber));
  const bool is_positive = range.least == 0 && !range.least_included && range.most == kInfinity;
  if (is_positive && number < kSmallestPositive)
    document_.fail(pointer, fmt::format("{} is beyond any unit; expected at least {}", number,
                                        kSmallestPositive));
}

std::string FieldReader::valueText(const char* key) const {
  return object_.contains(key) ? quote(object_.at(key)) : "nothing";
}

bool FieldReader::holds(const char* key, Kind kind) {
  if (!has(key)) return false;
  const json& value = object_.at(key);
  switch (kind) {
    case Kind::null:
      return value.is_null();
    case Kind::number:
      return value.is_number();
    case Kind::string:
      return value.is_string();
    case Kind::list:
      return value.is_array();
    case Kind::object:
      return value.is_object();
  }
  return false;
}

double FieldReader::number(const char* key, const NumberRange& range) {
  return toNumber(require(key), pointerTo(key), range);
}

double FieldReader::numberOr(const char* key, double fallback, const NumberRange& range) {
  return has(key) ? number(key, range) : fallback;
}

std::int64_t FieldReader::toWholeNumber(const json& value, const std::string& pointer,
                                        std::int64_t least) const {
  const double number = value.is_number() ? value.get<double>() : std::nan("");
  if (!(number >= static_cast<double>(least) && number <= 1e15 && number == std::floor(number)))
    document_.fail(pointer, fmt::format("{} is not a whole number >= {}", quote(value), least));
  return static_cast<std::int64_t>(number);
}

std::int64_t FieldReader::wholeNumberOr(const char* key, std::int64_t fallback,
                                        std::int64_t least) {
  return has(key) ? toWholeNumber(object_.at(key), pointerTo(key), least) : fallback;
}

std::string FieldReader::string(const char* key) {
  const json& value = require(key);
  if (!value.is_string()) fail(key, fmt::format("{} is not a string \"...\"", quote(value)));
  const std::string text = value.get<std::string>();
  if (std::any_of(text.begin(), text.end(), [](unsigned char c) { return c < 0x20; }))
    fail(key, fmt::format("{} holds a control character or a line break", quote(value)));
  return text;
}

std::string FieldReader::stringOr(const char* key, const std::string& fallback) {
  return has(key) ? string(key) : fallback;
}

std::string FieldReader::choice(const char* key, std::span<const std::string_view> choices) {
  const std::string value = string(key);
  if (std::find(choices.begin(), choices.end(), value) == choices.end())
    fail(key, fmt::format("\"{}\" is not known; choose from: {}", value, fmt::join(choices, ", ")));
  return value;
}

std::string FieldReader::choice(const char* key, std::span<const std::string_view> choices,
                                std::span<const std::string_view> elsewhere,
                                std::string_view kind) {
  const auto contains = [](std::span<const std::string_view> words, const std::string& word) {
    return std::find(words.begin(), words.end(), word) != words.end();
  };
  const std::string value = string(key);
  if (!contains(choices, value) && contains(elsewhere, value))
    fail(key, fmt::format("\"{}\" is only for {} scenes; choose from: {}", value, kind,
                          fmt::join(choices, ", ")));
  return choice(key, choices);
}

std::string FieldReader::choiceOr(const char* key, const std::string& fallback,
                                  std::span<const std::string_view> choices) {
  return has(key) ? choice(key, choices) : fallback;
}

bool FieldReader::flagOr(const char* key, bool fallback) {
  if (!has(key)) return fallback;
  const json& value = object_.at(key);
  if (!value.is_boolean()) fail(key, fmt::format("{} is neither true nor false", quote(value)));
  return value.get<bool>();
}

FieldReader FieldReader::object(const char* key) {
  return {document_, require(key), pointerTo(key)};
}

void FieldReader::refuseUnknown() const {
  for (const auto& [key, value] : object_.items()) {
    if (known_.count(key) > 0) continue;
    document_.fail(childPointer(pointer_, key), "unknown field; " + suggestion(key, known_));
  }
}

// Keys that are no field anywhere. The others may still be asked for.
std::set<std::string> FieldReader::strangers() const {
  const std::set<std::string>& fields = sceneFieldNames();
  std::set<std::string> keys;
  for (const auto& [key, value] : object_.items())
    if (fields.count(key) == 0) keys.insert(key);
  return keys;
}

void FieldReader::refuseMisspelt() const {
  for (const std::string& key : strangers())
    if (!nearestWord(key, known_).empty())
      fail(key.c_str(), "unknown field; " + suggestion(key, known_));
}

void FieldReader::failMissing(const char* key, const std::string& why) const {
  const std::string meant = nearestWord(key, strangers());
  if (!meant.empty())
    fail(key, fmt::format("missing; did you mean \"{}\" for \"{}\"?", key, meant));
  refuseMisspelt();
  fail(key, "missing; " + why);
}

// The lists that FieldReader reads.

const json& FieldReader::requireList(const char* key, std::size_t least) {
  const json& list = require(key);
  if (!list.is_array()) fail(key, fmt::format("{} is not a list [...]", quote(list)));
  if (list.size() < least)
    fail(key,
         fmt::format("{} has {} entries; expected at least {}", quote(list), list.size(), least));
  return list;
}

std::string FieldReader::pointerTo(const char* key, std::size_t index) const {
  return childPointer(pointerTo(key), std::to_string(index));
}

void FieldReader::failAt(const char* key, std::size_t index, const std::string& problem) const {
  document_.fail(pointerTo(key, index), problem);
}

// `values` gets the numbers of one list; a pointer is only spelt out for a complaint.
void FieldReader::appendNumbers(const json& list, std::size_t size, const std::string& pointer,
                                const NumberRange& range, std::vector<double>& values) const {
  if (!list.is_array() || list.size() != size)
    document_.fail(pointer, fmt::format("{} is not a list of {} numbers", quote(list), size));
  for (std::size_t i = 0; i < size; ++i) {
    const double* number = list[i].get_ptr<const json::number_float_t*>();
    const bool plain =
        number != nullptr && std::abs(*number) <= kLargestNumber && &range == &kAnyNumber;
    values.push_back(plain ? *number
                           : toNumber(list[i], childPointer(pointer, std::to_string(i)), range));
  }
}

std::vector<double> FieldReader::vector(const char* key, std::size_t size,
                                        const NumberRange& range) {
  std::vector<double> values;
  appendNumbers(require(key), size, pointerTo(key), range, values);
  return values;
}

std::vector<double> FieldReader::numbers(const char* key, std::size_t least,
                                         const NumberRange& range) {
  const json& list = requireList(key, least);
  std::vector<double> values;
  for (std::size_t i = 0; i < list.size(); ++i)
    values.push_back(toNumber(list[i], pointerTo(key, i), range));
  return values;
}

std::vector<double> FieldReader::rows(const char* key, std::size_t width, std::size_t least) {
  const json& list = requireList(key, least);
  std::vector<double> values;
  values.reserve(width * list.size());
  for (std::size_t i = 0; i < list.size(); ++i)
    appendNumbers(list[i], width, pointerTo(key, i), kAnyNumber, values);
  return values;
}

std::vector<double> FieldReader::squareMatrix(const char* key, std::size_t size) {
  const json& list = require(key);
  if (!list.is_array() || list.size() != size)
    fail(key, fmt::format("{} is not a list of {} rows", quote(list), size));
  return rows(key, size, size);
}

bool FieldReader::isListOfLists(const char* key) {
  return holds(key, Kind::list) && !object_.at(key).empty() && object_.at(key)[0].is_array();
}

std::size_t FieldReader::firstRowSize(const char* key) {
  const json& list = requireList(key, 1);
  if (!list[0].is_array()) failAt(key, 0, fmt::format("{} is not a list [...]", quote(list[0])));
  return list[0].size();
}

std::vector<std::int64_t> FieldReader::wholeNumbers(const char* key, std::size_t size,
                                                    std::int64_t least) {
  const json& list = require(key);
  if (!list.is_array() || list.size() != size)
    fail(key, fmt::format("{} is not a list of {} whole numbers", quote(list), size));
  std::vector<std::int64_t> values;
  for (std::size_t i = 0; i < size; ++i)
    values.push_back(toWholeNumber(list[i], pointerTo(key, i), least));
  return values;
}

std::vector<std::optional<double>> FieldReader::bounds(const char* key) {
  const json& list = require(key);
  if (!list.is_array() || list.size() != 2)
    fail(key, fmt::format("{} is not a list of two bounds, each a number or null for none",
                          quote(list)));
  std::vector<std::optional<double>> values(2);
  for (std::size_t i = 0; i < 2; ++i)
    if (!list[i].is_null()) values[i] = toNumber(list[i], pointerTo(key, i), kAnyNumber);
  if (values[0] && values[1] && !(*values[0] <= *values[1]))
    fail(key, fmt::format("{}: the lower bound must not exceed the upper one", quote(list)));
  return values;
}

std::string FieldReader::toName(const json& value, const std::string& pointer) const {
  if (!value.is_string() || value.get<std::string>().empty())
    document_.fail(pointer, fmt::format("{} is not a name \"...\"", quote(value)));
  const std::string name = value.get<std::string>();
  if (name.size() > kLongestName)
    document_.fail(pointer, fmt::format("a name of {} bytes; at most {} are allowed", name.size(),
                                        kLongestName));
  if (std::any_of(name.begin(), name.end(),
                  [](unsigned char c) { return c < 0x20 || c == ',' || c == '"'; }))
    document_.fail(pointer, fmt::format("{} holds a comma, quote or control character, which CSV "
                                        "headers cannot",
                                        quote(value)));
  return name;
}

std::string FieldReader::name(const char* key) {
  return toName(require(key), pointerTo(key));
}

std::vector<std::string> FieldReader::twoNames(const char* key, const char* words) {
  const json& list = require(key);
  if (!list.is_array() || list.size() != 2)
    fail(key, fmt::format("{} is not a list of two {}", quote(list), words));
  return {toName(list[0], pointerTo(key, 0)), toName(list[1], pointerTo(key, 1))};
}

std::vector<std::vector<std::string>> FieldReader::pairsOfNames(const char* key) {
  std::vector<std::vector<std::string>> pairs;
  if (!has(key)) return pairs;
  const json& list = requireList(key, 0);
  for (std::size_t i = 0; i < list.size(); ++i) {
    const std::string pointer = pointerTo(key, i);
    if (!list[i].is_array() || list[i].size() != 2)
      document_.fail(pointer, fmt::format("{} is not a list of two names", quote(list[i])));
    pairs.push_back({toName(list[i][0], childPointer(pointer, "0")),
                     toName(list[i][1], childPointer(pointer, "1"))});
  }
  return pairs;
}

std::vector<std::string> FieldReader::names(const char* key) {
  const json& list = require(key);
  if (!list.is_array() || list.empty())
    fail(key, fmt::format("{} is not a list of names with at least one entry", quote(list)));
  std::vector<std::string> values;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const std::string name = toName(list[i], pointerTo(key, i));
    if (std::find(values.begin(), values.end(), name) != values.end())
      failAt(key, i, fmt::format("\"{}\" is used twice; names must differ", name));
    values.push_back(name);
  }
  return values;
}

std::vector<FieldReader> FieldReader::objects(const char* key) {
  std::vector<FieldReader> readers;
  if (!has(key)) return readers;
  const json& list = requireList(key, 0);
  for (std::size_t i = 0; i < list.size(); ++i)
    readers.emplace_back(document_, list[i], pointerTo(key, i));
  return readers;
}

std::vector<std::pair<std::string, FieldReader>> FieldReader::objectsByName() {
  std::vector<std::pair<std::string, FieldReader>> readers;
  for (const auto& [key, value] : object_.items()) {
    known_.insert(key);
    const std::string pointer = childPointer(pointer_, key);
    readers.emplace_back(toName(json(key), pointer), FieldReader(document_, value, pointer));
  }
  return readers;
}

std::vector<double> FieldReader::numbersByName(std::span<const std::string> keys) {
  std::vector<double> values;
  for (const std::string& key : keys) values.push_back(numberOr(key.c_str(), 0.0));
  refuseUnknown();
  return values;
}

}  // namespace stickslip
