// A table of named things that may grow while the program runs, on any thread. Rows never move and
// never go.
#pragma once

#include <algorithm>
#include <deque>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "stickslip/input_error.hpp"

namespace stickslip {

/// `Row` has a name, aliases and a function `make`.
template <class Row>
class Registry {
 public:
  /// `kind` is what the rows are called in messages.
  Registry(std::string kind, std::vector<Row> rows)
      : kind_(std::move(kind)),
        rows_(std::make_move_iterator(rows.begin()), std::make_move_iterator(rows.end())) {}

  void add(Row row) {
    if (row.name.empty()) throw InputError("a " + kind_ + " cannot be registered without a name");
    if (!row.make)
      throw InputError(kind_ + " \"" + row.name + "\" cannot be registered without a function " +
                       "`make`");
    const std::unique_lock lock(mutex_);
    expectFree(row.name);
    for (const std::string& alias : row.aliases) expectFree(alias);
    rows_.push_back(std::move(row));
  }

  /// Null if there is none of this name.
  const Row* find(std::string_view name) const {
    const std::shared_lock lock(mutex_);
    return rowOf(name);
  }

  const Row& at(std::string_view name) const {
    if (const Row* row = find(name)) return *row;
    std::string known;
    for (const std::string_view one : names())
      known += (known.empty() ? "\"" : ", \"") + std::string(one) + "\"";
    throw InputError(kind_ + " \"" + std::string(name) + "\" is not known: " + known);
  }

  /// Aliases come last.
  std::vector<std::string_view> names() const {
    const std::shared_lock lock(mutex_);
    std::vector<std::string_view> names;
    for (const Row& row : rows_) names.push_back(row.name);
    for (const Row& row : rows_) names.insert(names.end(), row.aliases.begin(), row.aliases.end());
    return names;
  }

 private:
  const Row* rowOf(std::string_view name) const {
    const auto has_it = [&](const Row& row) {
      return row.name == name ||
             std::find(row.aliases.begin(), row.aliases.end(), name) != row.aliases.end();
    };
    const auto row = std::find_if(rows_.begin(), rows_.end(), has_it);
    return row == rows_.end() ? nullptr : &*row;
  }
  void expectFree(std::string_view name) const {
    if (rowOf(name) != nullptr)
      throw InputError(kind_ + " \"" + std::string(name) + "\" is registered already");
  }

  std::string kind_;
  mutable std::shared_mutex mutex_;
  std::deque<Row> rows_;
};

}  // namespace stickslip
