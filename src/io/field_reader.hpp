// Reads the fields of one JSON object and refuses what does not fit: missing and unknown fields,
// wrong types, sizes and ranges. Every complaint names the field, its value and what would be
// right.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/scene_document.hpp"

namespace stickslip {

/// Range of a number, with the words that describe it to a user.
struct NumberRange {
  double least;
  double most;
  bool least_included;
  std::string_view words;
};
extern const NumberRange kAnyNumber;
extern const NumberRange kPositive;
extern const NumberRange kNonNegative;
extern const NumberRange kZeroToOne;

class FieldReader {
 public:
  /// Reads the object at `pointer`; it must be an object.
  FieldReader(const SceneDocument& document, const nlohmann::json& object, std::string pointer);

  bool has(const char* key);
  double number(const char* key, const NumberRange& range = kAnyNumber);
  double numberOr(const char* key, double fallback, const NumberRange& range = kAnyNumber);
  long wholeNumberOr(const char* key, long fallback, long least);
  std::string string(const char* key);
  std::string stringOr(const char* key, const std::string& fallback);
  /// A string that must be one of `choices`.
  std::string choice(const char* key, std::span<const std::string_view> choices);
  std::string choiceOr(const char* key, const std::string& fallback,
                       std::span<const std::string_view> choices);
  bool flagOr(const char* key, bool fallback);
  /// A list of `size` numbers.
  std::vector<double> vector(const char* key, std::size_t size);
  /// size x size numbers as a list of rows; returned row-major.
  std::vector<double> squareMatrix(const char* key, std::size_t size);
  /// A non-empty string list without repetitions.
  std::vector<std::string> names(const char* key);
  FieldReader object(const char* key);
  /// The elements of a list of objects; none if the field is missing.
  std::vector<FieldReader> objects(const char* key);
  /// All fields of this object as numbers, each key one of `keys`; missing ones are zero.
  std::vector<double> numbersByName(std::span<const std::string> keys);

  /// Refuses fields that nobody asked for, with a suggestion.
  void refuseUnknown() const;
  [[noreturn]] void fail(const char* key, const std::string& problem) const;
  const std::string& pointer() const { return pointer_; }

 private:
  const nlohmann::json& require(const char* key);
  std::string pointerTo(const char* key) const;
  double toNumber(const nlohmann::json& value, const std::string& pointer,
                  const NumberRange& range) const;

  const SceneDocument& document_;
  const nlohmann::json& object_;
  std::string pointer_;
  std::set<std::string> known_;
};

/// The word of `words` that a user probably meant by `word`; empty if none is near.
std::string nearestWord(std::string_view word, const std::set<std::string>& words);

}  // namespace stickslip
