#include "scene/json/name_index.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <iterator>
#include <utility>
#include <vector>

namespace stickslip {
namespace {

constexpr std::size_t kMostListed = 30;

int lower(char c) {
  return std::tolower(static_cast<unsigned char>(c));
}

// Letters to change, insert, leave out, or swap with their neighbour.
std::size_t editDistance(std::string_view a, std::string_view b) {
  const auto same = [&](std::size_t i, std::size_t j) { return lower(a[i]) == lower(b[j]); };
  // Rows i - 2, i - 1 and i of the table of distances between beginnings.
  std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::swap(before, last);
    std::swap(last, row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t changed = last[j - 1] + (same(i - 1, j - 1) ? 0 : 1);
      row[j] = std::min({changed, last[j] + 1, row[j - 1] + 1});
      if (i > 1 && j > 1 && same(i - 1, j - 2) && same(i - 2, j - 1))
        row[j] = std::min(row[j], before[j - 2] + 1);
    }
  }
  return row[b.size()];
}

}  // namespace

std::string nearestWord(std::string_view word, const std::set<std::string>& words) {
  std::string nearest;
  // A third of the letters may be wrong; of a single letter only its case.
  std::size_t least = std::max<std::size_t>(word.size() > 1 ? 1 : 0, word.size() / 3) + 1;
  for (const std::string& candidate : words) {
    const std::size_t difference =
        std::max(word.size(), candidate.size()) - std::min(word.size(), candidate.size());
    if (difference >= least) continue;
    const std::size_t distance = editDistance(word, candidate);
    if (distance < least) {
      least = distance;
      nearest = candidate;
    }
  }
  return nearest;
}

std::string suggestion(std::string_view word, const std::set<std::string>& words) {
  const std::string nearest = nearestWord(word, words);
  if (!nearest.empty()) return fmt::format("did you mean \"{}\"?", nearest);
  if (words.empty()) return "there is none here";
  const auto last = std::next(words.begin(), std::ptrdiff_t(std::min(words.size(), kMostListed)));
  return fmt::format("known here: {}{}", fmt::join(words.begin(), last, ", "),
                     last == words.end() ? "" : ", ...");
}

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
