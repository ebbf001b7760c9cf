#include "scene/json/name_index.hpp"

#include <fmt/format.h>

#include "scene/json/nearest_word.hpp"

namespace stickslip {

void NameIndex::add(const std::string& name, const FieldReader& fields) {
  if (!index_.emplace(name, size()).second)
    fields.fail("name",
                fmt::format("\"{}\" is used twice; the name of a {} must be its own", name, kind_));
}

int NameIndex::at(const std::string& name, const FieldReader& fields, const char* key) const {
  const auto found = index_.find(name);
  if (found == index_.end()) complain(name, fields, key);
  return found->second;
}

std::pair<int, int> NameIndex::rangeOf(const std::string& name, const FieldReader& fields,
                                       const char* key) const {
  const auto group = groups_.find(name);
  if (group != groups_.end()) return group->second;
  return {at(name, fields, key), 1};
}

void NameIndex::complain(const std::string& name, const FieldReader& fields,
                         const char* key) const {
  std::set<std::string> words;
  for (const auto& [word, index] : index_) words.insert(word);
  fields.fail(key, fmt::format("there is no {} \"{}\"; {}", kind_, name, suggestion(name, words)));
}

}  // namespace stickslip
