#include "io/json_lines.hpp"

#include <nlohmann/json.hpp>

namespace stickslip {
namespace {

// Walks a text that is known to be valid JSON, which is why it checks nothing.
class Walker {
 public:
  explicit Walker(std::string_view text) : text_(text) {}

  void value(const std::string& pointer) {
    skipSpace();
    lines_.emplace(pointer, line_);
    if (peek() == '{') {
      object(pointer);
    } else if (peek() == '[') {
      array(pointer);
    } else if (peek() == '"') {
      string();
    } else {
      while (at_ < text_.size() && std::string_view(",]} \t\r\n").find(peek()) == text_.npos) ++at_;
    }
  }

  std::map<std::string, int> takeLines() { return std::move(lines_); }
  const RepeatedKey& repeated() const { return repeated_; }

 private:
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }

  void skipSpace() {
    while (at_ < text_.size() && std::string_view(" \t\r\n,:").find(peek()) != text_.npos) {
      if (peek() == '\n') ++line_;
      ++at_;
    }
  }

  std::string string() {
    const std::size_t first = at_++;
    while (peek() != '"') at_ += peek() == '\\' ? 2 : 1;
    ++at_;
    return nlohmann::json::parse(text_.substr(first, at_ - first)).get<std::string>();
  }

  void object(const std::string& pointer) {
    ++at_;
    for (skipSpace(); peek() != '}'; skipSpace()) {
      const int key_line = line_;
      const std::string child = childPointer(pointer, string());
      if (repeated_.line == 0 && lines_.count(child) > 0) repeated_ = {child, key_line};
      value(child);
    }
    ++at_;
  }

  void array(const std::string& pointer) {
    ++at_;
    int index = 0;
    for (skipSpace(); peek() != ']'; skipSpace()) {
      value(childPointer(pointer, std::to_string(index)));
      ++index;
    }
    ++at_;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int line_ = 1;
  std::map<std::string, int> lines_;
  RepeatedKey repeated_;
};

}  // namespace

std::map<std::string, int> linesOfValues(std::string_view text) {
  Walker walker(text);
  walker.value("");
  return walker.takeLines();
}

RepeatedKey findRepeatedKey(std::string_view text) {
  Walker walker(text);
  walker.value("");
  return walker.repeated();
}

std::string childPointer(const std::string& parent, std::string_view key) {
  std::string pointer = parent + "/";
  for (const char c : key) {
    if (c == '~')
      pointer += "~0";
    else if (c == '/')
      pointer += "~1";
    else
      pointer += c;
  }
  return pointer;
}

}  // namespace stickslip
