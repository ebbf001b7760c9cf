// Where the values of a JSON text stand, by JSON pointer (RFC 6901).
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace stickslip {

/// Lines (from 1) of the values on the way to `pointer` in a valid JSON text: of the whole, of the
/// value that the first part of the pointer names, and so on, as far as they exist.
std::vector<int> linesAlong(std::string_view text, const std::string& pointer);

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
