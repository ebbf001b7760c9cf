// Line numbers of the values in a JSON text, by JSON pointer (RFC 6901).
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace stickslip {

/// Line (from 1) of every value of a valid JSON text.
std::map<std::string, int> linesOfValues(std::string_view text);

/// The first object key that occurs twice, as pointer, with the line of its second occurrence;
/// line 0 if there is none.
struct RepeatedKey {
  std::string pointer;
  int line = 0;
};
RepeatedKey findRepeatedKey(std::string_view text);

/// One more step of a JSON pointer, escaped as the standard asks.
std::string childPointer(const std::string& parent, std::string_view key);

}  // namespace stickslip
