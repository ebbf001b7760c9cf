// Things of a scene that other things refer to by name.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "scene/json/field_reader.hpp"

namespace stickslip {

// Suggestions for words that a user probably mistyped.

/// The word of `words` that a user probably meant by `word`; empty if none is near.
std::string nearestWord(std::string_view word, const std::set<std::string>& words);

/// "did you mean ...?", or else the words there are (the first few, if there are many).
std::string suggestion(std::string_view word, const std::set<std::string>& words);

class NameIndex {
 public:
  /// `kind` says in messages what is named, as in "body".
  explicit NameIndex(std::string kind) : kind_(std::move(kind)) {}

  /// The next index gets this name; `fields` is where it comes from.
  void add(const std::string& name, const FieldReader& fields);
  /// The same for `count` following indices that were added; the name stands for all of them.
  void addGroup(const std::string& name, int first, int count) { groups_[name] = {first, count}; }

  int size() const { return static_cast<int>(index_.size()); }
  bool contains(const std::string& name) const { return index_.count(name) > 0; }
  /// The index of a name; complains about field `key` of `fields` if there is none.
  int at(const std::string& name, const FieldReader& fields, const char* key) const;
  /// First index and count of what a name or the name of a group stands for.
  std::pair<int, int> rangeOf(const std::string& name, const FieldReader& fields,
                              const char* key) const;

 private:
  [[noreturn]] void complain(const std::string& name, const FieldReader& fields,
                             const char* key) const;

  std::string kind_;
  std::unordered_map<std::string, int> index_;  // only ever looked up: its order does not matter
  std::unordered_map<std::string, std::pair<int, int>> groups_;
};

}  // namespace stickslip
