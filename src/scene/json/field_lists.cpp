// The lists that FieldReader reads.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>

#include "scene/json/field_reader.hpp"
#include "scene/json/json_lines.hpp"

namespace stickslip {

namespace {

constexpr std::size_t kLongestName = 200;

}  // namespace

using nlohmann::json;

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
