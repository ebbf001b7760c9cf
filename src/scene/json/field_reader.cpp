#include "scene/json/field_reader.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>

#include "scene/json/field_names.hpp"
#include "scene/json/json_lines.hpp"
#include "scene/json/nearest_word.hpp"

namespace stickslip {
namespace {

using nlohmann::json;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
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

}  // namespace stickslip
