// What outlives a step, as bytes: what Stepper::save() and Simulation::save() are made of, and how
// a System, a Scheme or a Solver of one's own takes part in it.
//
//   void saveMemory(MemoryWriter& to) const override { to(count_, impulses_); }
//   void restoreMemory(MemoryReader& from) override { from(count_, impulses_); }
//
// Both take numbers, bool, strings, Vec3, and vectors, arrays and pairs of what they take; and
// classes that say once what they are made of, for both ways:
//
//   struct Blow {
//     std::uint64_t contact;
//     double impulse;
//     template <class Memory, class Self>
//     static void parts(Memory& memory, Self& blow) { memory(blow.contact, blow.impulse); }
//   };
//
// Classes of others have a function parts(memory, value) beside them. Enums are said with their
// last value: memory.choice(kind, Kind::last).
//
// Numbers keep their bits. What is read is checked before it is used: a reader throws InputError
// where bytes end too early, a count is larger than what is left can hold, or a choice is none; it
// never allocates more than a small multiple of the bytes that it has.
#pragma once

#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "stickslip/vector.hpp"

namespace stickslip {

static_assert(std::endian::native == std::endian::little, "bytes are written as they are");

namespace detail {

/// What is written as its bytes.
template <class T>
concept PlainNumber = std::is_arithmetic_v<T> && !std::same_as<T, bool> && sizeof(T) <= 8;

template <class Memory, class T>
concept HasParts = requires(Memory& memory, T& value) {
  std::remove_const_t<T>::parts(memory, value);
};

}  // namespace detail

/// For functions `parts` that take a class to be written as well as one to be read:
/// template <class Memory, MaybeConst<State> Self> void parts(Memory& memory, Self& state);
template <class Self, class T>
concept MaybeConst = std::same_as<std::remove_const_t<Self>, T>;

/// Appends to bytes.
class MemoryWriter {
 public:
  template <class... Values>
  void operator()(const Values&... values) {
    (write(values), ...);
  }
  /// A value of an enum that goes from 0 to `last`, 255 at most.
  template <class Enum>
  void choice(const Enum& value, Enum /*last*/) {
    write(static_cast<std::uint8_t>(value));
  }
  template <class Enum>
  void choice(const std::vector<Enum>& values, Enum last) {
    write(std::uint64_t{values.size()});
    for (const Enum value : values) choice(value, last);
  }
  /// What fill() writes, as a whole that has a name: it is read under the same name, to its end.
  template <class Fill>
  void section(std::string_view name, Fill fill) {
    const std::size_t begin = startSection(name);
    fill();
    endSection(begin);
  }

  std::span<const std::byte> bytes() const { return bytes_; }

 private:
  template <detail::PlainNumber T>
  void write(T value) {
    append(&value, sizeof value);
  }
  void write(bool value) { write(static_cast<std::uint8_t>(value ? 1 : 0)); }
  void write(std::string_view text) { writeSpan(std::span(text)); }
  void write(const std::string& text) { writeSpan(std::span(text)); }
  template <class T>
  void write(const std::vector<T>& values) {
    writeSpan(std::span(values));
  }
  template <class T, std::size_t n>
  void write(const std::array<T, n>& values) {
    for (const T& value : values) write(value);
  }
  template <class A, class B>
  void write(const std::pair<A, B>& both) {
    write(both.first);
    write(both.second);
  }
  template <class T>
  requires std::is_class_v<T>
  void write(const T& value) {
    if constexpr (detail::HasParts<MemoryWriter, const T>)
      T::parts(*this, value);
    else
      parts(*this, value);
  }
  template <class T>
  void writeSpan(std::span<const T> values) {
    write(std::uint64_t{values.size()});
    if constexpr (detail::PlainNumber<T>)
      append(values.data(), values.size_bytes());
    else
      for (const T& value : values) write(value);
  }
  void append(const void* data, std::size_t size);
  std::size_t startSection(std::string_view name);
  void endSection(std::size_t begin);

  std::vector<std::byte> bytes_;
};

/// Reads what a MemoryWriter wrote, in the same order. Throws InputError where it cannot be that.
class MemoryReader {
 public:
  /// The bytes must outlive it.
  explicit MemoryReader(std::span<const std::byte> bytes) : bytes_(bytes), end_(bytes.size()) {}

  /// A std::string_view that is read is the name of something, and stays as long as the program
  /// runs.
  template <class... Values>
  void operator()(Values&... values) {
    (read(values), ...);
  }
  template <class Enum>
  void choice(Enum& value, Enum last) {
    std::uint8_t number = 0;
    read(number);
    expect(number <= static_cast<std::uint8_t>(last), "a choice is none of those that there are");
    value = static_cast<Enum>(number);
  }
  template <class Enum>
  void choice(std::vector<Enum>& values, Enum last) {
    values.resize(readCount(1));
    for (Enum& value : values) choice(value, last);
  }
  /// Throws InputError if it is not the next one, or use() does not read all of it.
  template <class Use>
  void section(std::string_view name, Use use) {
    const Section outer = startSection(name);
    use();
    endSection(outer);
  }

  /// Bytes of the section at hand that have not been read.
  std::size_t left() const { return end_ - place_; }
  /// Throws InputError, with this said of the section at hand, unless `is_right`.
  void expect(bool is_right, std::string_view otherwise) const {
    if (!is_right) fail(otherwise);
  }
  [[noreturn]] void fail(std::string_view what) const;

 private:
  struct Section {
    std::string_view name;
    std::size_t end = 0;
  };

  template <detail::PlainNumber T>
  void read(T& value) {
    take(&value, sizeof value);
  }
  void read(bool& value);
  void read(std::string& text);
  void read(std::string_view& name);
  template <class T>
  void read(std::vector<T>& values) {
    if constexpr (detail::PlainNumber<T>) {
      values.resize(readCount(sizeof(T)));
      take(values.data(), values.size() * sizeof(T));
    } else {
      const std::size_t count = readCount(1);
      values.clear();
      for (std::size_t k = 0; k < count; ++k) read(values.emplace_back());
    }
  }
  template <class T, std::size_t n>
  void read(std::array<T, n>& values) {
    for (T& value : values) read(value);
  }
  template <class A, class B>
  void read(std::pair<A, B>& both) {
    read(both.first);
    read(both.second);
  }
  template <class T>
  requires std::is_class_v<T>
  void read(T& value) {
    if constexpr (detail::HasParts<MemoryReader, T>)
      T::parts(*this, value);
    else
      parts(*this, value);
  }
  /// Of things that take so many bytes at least.
  std::size_t readCount(std::size_t size);
  void take(void* to, std::size_t size);
  Section startSection(std::string_view name);
  void endSection(const Section& outer);

  std::span<const std::byte> bytes_;
  std::size_t place_ = 0;
  std::size_t end_;        ///< of the section at hand
  std::string_view name_;  ///< its name; empty outside of all
};

template <class Memory, MaybeConst<Vec3> V>
void parts(Memory& memory, V& v) {
  memory(v.x, v.y, v.z);
}

}  // namespace stickslip
