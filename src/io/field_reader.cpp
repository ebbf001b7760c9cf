#include "io/field_reader.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "io/json_lines.hpp"

namespace stickslip {
namespace {

using nlohmann::json;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr std::size_t kLongestQuote = 60;

// A value as it appears in a message: short, and on one line.
std::string quote(const json& value) {
  std::string text = value.dump(-1, ' ', true, json::error_handler_t::replace);
  if (text.size() > kLongestQuote) text = text.substr(0, kLongestQuote - 3) + "...";
  return text;
}

int lower(char c) {
  return std::tolower(static_cast<unsigned char>(c));
}

std::size_t editDistance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const bool same = lower(a[i - 1]) == lower(b[j - 1]);
      const std::size_t changed = diagonal + (same ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({changed, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row[b.size()];
}

}  // namespace

const NumberRange kAnyNumber{-kInfinity, kInfinity, true, "a finite number"};
const NumberRange kPositive{0, kInfinity, false, "a number > 0"};
const NumberRange kNonNegative{0, kInfinity, true, "a number >= 0"};
const NumberRange kZeroToOne{0, 1, true, "a number from 0 to 1"};

std::string nearestWord(std::string_view word, const std::set<std::string>& words) {
  std::string nearest;
  // A third of the letters may be wrong; of a single letter only its case.
  std::size_t least = std::max<std::size_t>(word.size() > 1 ? 1 : 0, word.size() / 3) + 1;
  for (const std::string& candidate : words) {
    const std::size_t distance = editDistance(word, candidate);
    if (distance < least) {
      least = distance;
      nearest = candidate;
    }
  }
  return nearest;
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

bool FieldReader::has(const char* key) {
  known_.insert(key);
  return object_.contains(key);
}

const json& FieldReader::require(const char* key) {
  if (!has(key)) fail(key, "missing; this field is required");
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
  return number;
}

double FieldReader::number(const char* key, const NumberRange& range) {
  return toNumber(require(key), pointerTo(key), range);
}

double FieldReader::numberOr(const char* key, double fallback, const NumberRange& range) {
  return has(key) ? number(key, range) : fallback;
}

long FieldReader::wholeNumberOr(const char* key, long fallback, long least) {
  if (!has(key)) return fallback;
  const json& value = object_.at(key);
  const double number = value.is_number() ? value.get<double>() : std::nan("");
  if (!(number >= static_cast<double>(least) && number <= 1e15 && number == std::floor(number)))
    fail(key, fmt::format("{} is not a whole number >= {}", quote(value), least));
  return static_cast<long>(number);
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

std::vector<double> FieldReader::vector(const char* key, std::size_t size) {
  const json& list = require(key);
  if (!list.is_array() || list.size() != size)
    fail(key, fmt::format("{} is not a list of {} numbers, one per coordinate", quote(list), size));
  std::vector<double> values;
  for (std::size_t i = 0; i < size; ++i)
    values.push_back(
        toNumber(list[i], childPointer(pointerTo(key), std::to_string(i)), kAnyNumber));
  return values;
}

std::vector<double> FieldReader::squareMatrix(const char* key, std::size_t size) {
  const json& rows = require(key);
  if (!rows.is_array() || rows.size() != size)
    fail(key, fmt::format("{} is not a list of {} rows, one per coordinate", quote(rows), size));
  std::vector<double> values;
  for (std::size_t i = 0; i < size; ++i) {
    const std::string pointer = childPointer(pointerTo(key), std::to_string(i));
    if (!rows[i].is_array() || rows[i].size() != size)
      document_.fail(pointer,
                     fmt::format("row {} is not a list of {} numbers", quote(rows[i]), size));
    for (std::size_t j = 0; j < size; ++j)
      values.push_back(toNumber(rows[i][j], childPointer(pointer, std::to_string(j)), kAnyNumber));
  }
  return values;
}

std::vector<std::string> FieldReader::names(const char* key) {
  const json& list = require(key);
  if (!list.is_array() || list.empty())
    fail(key, fmt::format("{} is not a list of names with at least one entry", quote(list)));
  std::vector<std::string> values;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const std::string pointer = childPointer(pointerTo(key), std::to_string(i));
    if (!list[i].is_string() || list[i].get<std::string>().empty())
      document_.fail(pointer, fmt::format("{} is not a name \"...\"", quote(list[i])));
    const std::string name = list[i].get<std::string>();
    if (std::any_of(name.begin(), name.end(),
                    [](unsigned char c) { return c < 0x20 || c == ',' || c == '"'; }))
      document_.fail(pointer, fmt::format("{} holds a comma, quote or control character, which CSV "
                                          "headers cannot",
                                          quote(list[i])));
    if (std::find(values.begin(), values.end(), name) != values.end())
      document_.fail(pointer, fmt::format("\"{}\" is used twice; names must differ", name));
    values.push_back(name);
  }
  return values;
}

FieldReader FieldReader::object(const char* key) {
  return {document_, require(key), pointerTo(key)};
}

std::vector<FieldReader> FieldReader::objects(const char* key) {
  std::vector<FieldReader> readers;
  if (!has(key)) return readers;
  const json& list = object_.at(key);
  if (!list.is_array()) fail(key, fmt::format("{} is not a list [...]", quote(list)));
  for (std::size_t i = 0; i < list.size(); ++i)
    readers.emplace_back(document_, list[i], childPointer(pointerTo(key), std::to_string(i)));
  return readers;
}

std::vector<double> FieldReader::numbersByName(std::span<const std::string> keys) {
  std::vector<double> values;
  for (const std::string& key : keys) values.push_back(numberOr(key.c_str(), 0.0));
  refuseUnknown();
  return values;
}

void FieldReader::refuseUnknown() const {
  for (const auto& [key, value] : object_.items()) {
    if (known_.count(key) > 0) continue;
    const std::string nearest = nearestWord(key, known_);
    const std::string hint = nearest.empty()
                                 ? fmt::format("known here: {}", fmt::join(known_, ", "))
                                 : fmt::format("did you mean \"{}\"?", nearest);
    document_.fail(childPointer(pointer_, key), "unknown field; " + hint);
  }
}

}  // namespace stickslip
