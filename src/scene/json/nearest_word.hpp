// Suggestions for words that a user probably mistyped.
#pragma once

#include <set>
#include <string>
#include <string_view>

namespace stickslip {

/// The word of `words` that a user probably meant by `word`; empty if none is near.
std::string nearestWord(std::string_view word, const std::set<std::string>& words);

/// "did you mean ...?", or else the words there are (the first few, if there are many).
std::string suggestion(std::string_view word, const std::set<std::string>& words);

}  // namespace stickslip
