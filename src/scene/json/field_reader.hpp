// Reads the fields of one JSON object and refuses what does not fit: missing and unknown fields,
// wrong types, sizes and ranges. Every complaint names the field, its value and what would be
// right.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scene/json/scene_document.hpp"

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

/// Products and squares of numbers within these bounds stay finite; what a body scene holds beyond
/// them was not meant, in any unit.
inline constexpr double kLargestNumber = 1e100;
inline constexpr double kSmallestPositive = 1e-100;

class FieldReader {
 public:
  enum class Kind { null, number, string, list, object };

  /// Reads the object at `pointer`; it must be an object.
  FieldReader(const SceneDocument& document, const nlohmann::json& object, std::string pointer);

  bool has(const char* key);
  /// True if the field is there and holds a value of this kind.
  bool holds(const char* key, Kind kind);
  double number(const char* key, const NumberRange& range = kAnyNumber);
  double numberOr(const char* key, double fallback, const NumberRange& range = kAnyNumber);
  std::int64_t wholeNumberOr(const char* key, std::int64_t fallback, std::int64_t least);
  std::string string(const char* key);
  std::string stringOr(const char* key, const std::string& fallback);
  /// A string that can name a thing in results.
  std::string name(const char* key);
  /// A string that must be one of `choices`.
  std::string choice(const char* key, std::span<const std::string_view> choices);
  /// The same; those of `elsewhere` are known, but only for scenes of another `kind`.
  std::string choice(const char* key, std::span<const std::string_view> choices,
                     std::span<const std::string_view> elsewhere, std::string_view kind);
  std::string choiceOr(const char* key, const std::string& fallback,
                       std::span<const std::string_view> choices);
  bool flagOr(const char* key, bool fallback);
  FieldReader object(const char* key);

  // ---- Lists ----

  /// A list of `size` numbers.
  std::vector<double> vector(const char* key, std::size_t size,
                             const NumberRange& range = kAnyNumber);
  /// A list of at least `least` numbers.
  std::vector<double> numbers(const char* key, std::size_t least,
                              const NumberRange& range = kAnyNumber);
  /// A list of at least `least` rows of `width` numbers; returned row-major.
  std::vector<double> rows(const char* key, std::size_t width, std::size_t least);
  /// size x size numbers as a list of rows; returned row-major.
  std::vector<double> squareMatrix(const char* key, std::size_t size);
  /// True for a list that begins with a list.
  bool isListOfLists(const char* key);
  /// Length of the first list in a list of lists.
  std::size_t firstRowSize(const char* key);
  std::vector<std::int64_t> wholeNumbers(const char* key, std::size_t size, std::int64_t least);
  /// Lower and upper bound; null is none.
  std::vector<std::optional<double>> bounds(const char* key);
  /// A non-empty string list without repetitions.
  std::vector<std::string> names(const char* key);
  /// Two names; `words` says of what.
  std::vector<std::string> twoNames(const char* key, const char* words);
  /// A list of lists of two names; empty if the field is missing.
  std::vector<std::vector<std::string>> pairsOfNames(const char* key);
  /// The elements of a list of objects; none if the field is missing.
  std::vector<FieldReader> objects(const char* key);
  /// All fields of this object, which are objects under names that a user chose.
  std::vector<std::pair<std::string, FieldReader>> objectsByName();
  /// All fields of this object as numbers, each key one of `keys`; missing ones are zero.
  std::vector<double> numbersByName(std::span<const std::string> keys);

  // ---- Complaints ----

  /// Refuses fields that nobody asked for, with a suggestion.
  void refuseUnknown() const;
  /// Refuses fields that no object of a scene has and that are near to one that was asked for.
  void refuseMisspelt() const;
  /// Field `key` is missing: names the field that was probably meant for it, or else says why it is
  /// needed.
  [[noreturn]] void failMissing(const char* key, const std::string& why) const;
  [[noreturn]] void fail(const char* key, const std::string& problem) const;
  /// About element `index` of a list.
  [[noreturn]] void failAt(const char* key, std::size_t index, const std::string& problem) const;
  /// About the whole object.
  [[noreturn]] void failHere(const std::string& problem) const;
  /// A value as it appears in a message.
  std::string valueText(const char* key) const;
  const std::string& pointer() const { return pointer_; }

 private:
  std::set<std::string> strangers() const;
  const nlohmann::json& require(const char* key);
  const nlohmann::json& requireList(const char* key, std::size_t least);
  std::string pointerTo(const char* key) const;
  std::string pointerTo(const char* key, std::size_t index) const;
  double toNumber(const nlohmann::json& value, const std::string& pointer,
                  const NumberRange& range) const;
  void refuseBeyondUnits(double number, const std::string& pointer, const NumberRange& range) const;
  std::int64_t toWholeNumber(const nlohmann::json& value, const std::string& pointer,
                             std::int64_t least) const;
  std::string toName(const nlohmann::json& value, const std::string& pointer) const;
  void appendNumbers(const nlohmann::json& list, std::size_t size, const std::string& pointer,
                     const NumberRange& range, std::vector<double>& values) const;

  const SceneDocument& document_;
  const nlohmann::json& object_;
  std::string pointer_;
  std::set<std::string> known_;
};

/// A value as it appears in a message: short, and on one line.
std::string quote(const nlohmann::json& value);

}  // namespace stickslip
