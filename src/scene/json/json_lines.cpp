#include "scene/json/json_lines.hpp"

#include <nlohmann/json.hpp>
#include <set>

namespace stickslip {
namespace {

// Walks a text that is known to be valid JSON, which is why it checks nothing. Scenes with meshes
// have millions of numbers: pointers are only spelt out where somebody asks for them.
class Walker {
 public:
  /// Follows the way that `target` names, part by part.
  Walker(std::string_view text, std::vector<std::string> target)
      : text_(text), target_(std::move(target)) {}

  void walk() { value(true); }
  const std::vector<int>& lines() const { return lines_; }
  const RepeatedKey& repeated() const { return repeated_; }

 private:
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }

  void skipSpace() {
    while (at_ < text_.size() && std::string_view(" \t\r\n,:").find(peek()) != text_.npos) {
      if (peek() == '\n') ++line_;
      ++at_;
    }
  }

  // `on_the_way`: the path so far is the beginning of the target.
  void value(bool on_the_way) {
    skipSpace();
    if (on_the_way) lines_.push_back(line_);
    if (peek() == '{') {
      object(on_the_way);
    } else if (peek() == '[') {
      array(on_the_way);
    } else if (peek() == '"') {
      string();
    } else {
      while (at_ < text_.size() && std::string_view(",]} \t\r\n").find(peek()) == text_.npos) ++at_;
    }
  }

  // With its quotes.
  std::string_view string() {
    const std::size_t first = at_++;
    while (peek() != '"') at_ += peek() == '\\' ? 2 : 1;
    ++at_;
    return text_.substr(first, at_ - first);
  }

  bool leadsOn(bool on_the_way, const std::string& key) const {
    return on_the_way && path_.size() < target_.size() && target_[path_.size()] == key;
  }

  void object(bool on_the_way) {
    ++at_;
    std::set<std::string> keys;
    for (skipSpace(); peek() != '}'; skipSpace()) {
      const int key_line = line_;
      const std::string key = nlohmann::json::parse(string()).get<std::string>();
      const bool leads_on = leadsOn(on_the_way, key);
      path_.push_back({.key = key});
      if (!keys.insert(key).second && repeated_.line == 0) repeated_ = {pathPointer(), key_line};
      value(leads_on);
      path_.pop_back();
    }
    ++at_;
  }

  void array(bool on_the_way) {
    ++at_;
    std::size_t index = 0;
    for (skipSpace(); peek() != ']'; skipSpace()) {
      const bool leads_on = on_the_way && leadsOn(on_the_way, std::to_string(index));
      path_.push_back({.index = index++, .is_index = true});
      value(leads_on);
      path_.pop_back();
    }
    ++at_;
  }

  std::string pathPointer() const {
    std::string pointer;
    for (const Part& part : path_)
      pointer = childPointer(pointer, part.is_index ? std::to_string(part.index) : part.key);
    return pointer;
  }

  struct Part {
    std::string key = {};
    std::size_t index = 0;
    bool is_index = false;
  };

  std::string_view text_;
  std::vector<std::string> target_;
  std::size_t at_ = 0;
  int line_ = 1;
  std::vector<Part> path_;
  std::vector<int> lines_;
  RepeatedKey repeated_;
};

// The parts of a JSON pointer, as they are written in the text.
std::vector<std::string> partsOf(const std::string& pointer) {
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < pointer.size(); ++i) {
    if (pointer[i] == '/')
      parts.emplace_back();
    else if (pointer[i] == '~')
      parts.back() += pointer[++i] == '1' ? '/' : '~';
    else
      parts.back() += pointer[i];
  }
  return parts;
}

}  // namespace

std::vector<int> linesAlong(std::string_view text, const std::string& pointer) {
  Walker walker(text, partsOf(pointer));
  walker.walk();
  return walker.lines();
}

RepeatedKey findRepeatedKey(std::string_view text) {
  Walker walker(text, {});
  walker.walk();
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
