#include "stickslip/memory_stream.hpp"

#include <functional>
#include <mutex>
#include <set>

#include "stickslip/input_error.hpp"

namespace stickslip {
namespace {

// Names of stages, solvers and residuals.
constexpr std::size_t kLongestName = 256;

// The same text for as long as the program runs. Nodes of a set never move.
std::string_view keptName(std::string name) {
  static std::mutex mutex;
  static std::set<std::string, std::less<>> names;
  const std::lock_guard lock(mutex);
  return *names.insert(std::move(name)).first;
}

}  // namespace

void MemoryWriter::append(const void* data, std::size_t size) {
  const auto* const first = static_cast<const std::byte*>(data);
  bytes_.insert(bytes_.end(), first, first + size);
}

// The length comes first, and is known last.
std::size_t MemoryWriter::startSection(std::string_view name) {
  write(name);
  write(std::uint64_t{0});
  return bytes_.size();
}

void MemoryWriter::endSection(std::size_t begin) {
  const std::uint64_t length = bytes_.size() - begin;
  std::memcpy(bytes_.data() + begin - sizeof length, &length, sizeof length);
}

void MemoryReader::fail(std::string_view what) const {
  std::string line = "saved state: ";
  if (!name_.empty()) line += "\"" + std::string(name_) + "\": ";
  throw InputError(line + std::string(what));
}

void MemoryReader::take(void* to, std::size_t size) {
  expect(size <= left(), "it ends too early");
  if (size > 0) std::memcpy(to, bytes_.data() + place_, size);
  place_ += size;
}

std::size_t MemoryReader::readCount(std::size_t size) {
  std::uint64_t count = 0;
  read(count);
  expect(count <= left() / size, "it ends too early");
  return static_cast<std::size_t>(count);
}

void MemoryReader::read(bool& value) {
  std::uint8_t number = 0;
  read(number);
  expect(number <= 1, "what should be yes or no is neither");
  value = number == 1;
}

void MemoryReader::read(std::string& text) {
  text.resize(readCount(1));
  take(text.data(), text.size());
}

void MemoryReader::read(std::string_view& name) {
  std::string text;
  read(text);
  expect(text.size() <= kLongestName, "a name is too long to be one");
  name = keptName(std::move(text));
}

MemoryReader::Section MemoryReader::startSection(std::string_view name) {
  std::string found;
  read(found);
  if (found != name) fail("it has another part where \"" + std::string(name) + "\" should be");
  const Section outer{name_, end_};
  const std::size_t length = readCount(1);
  name_ = name;
  end_ = place_ + length;
  return outer;
}

void MemoryReader::endSection(const Section& outer) {
  if (left() > 0) fail("it has " + std::to_string(left()) + " bytes more than are read");
  name_ = outer.name;
  end_ = outer.end;
}

}  // namespace stickslip
