// What is written is read again, and nothing else is.
#include "stickslip/memory_stream.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "base/sealed_bytes.hpp"
#include "support/input_errors.hpp"

namespace stickslip::memory_stream {
namespace {

using Bytes = std::vector<std::byte>;

enum class Colour { red, green, blue };

struct Blow {
  std::uint64_t contact = 0;
  double impulse = 0;
  Colour colour = Colour::red;

  template <class Memory, class Self>
  static void parts(Memory& memory, Self& blow) {
    memory(blow.contact, blow.impulse);
    memory.choice(blow.colour, Colour::blue);
  }
  bool operator==(const Blow&) const = default;
};

TEST(MemoryStream, GivesBackEveryKindOfValue) {
  MemoryWriter to;
  const std::vector<Blow> blows{{1, 0.5, Colour::blue},
                                {std::uint64_t{1} << 63, -0.0, Colour::red}};
  const std::vector<std::pair<std::uint64_t, int>> pairs{{7, -1}, {8, 2}};
  const std::vector<std::string> words{"", "a\0b", "word"};
  const std::vector<Colour> colours{Colour::green, Colour::blue};
  to(blows, pairs, words, true, -3, std::array<double, 2>{1.5, NAN}, std::string_view("a name"));
  to.choice(colours, Colour::blue);

  MemoryReader from(to.bytes());
  std::vector<Blow> read_blows;
  std::vector<std::pair<std::uint64_t, int>> read_pairs;
  std::vector<std::string> read_words;
  std::vector<Colour> read_colours;
  bool yes = false;
  int number = 0;
  std::array<double, 2> two{};
  std::string_view name;
  from(read_blows, read_pairs, read_words, yes, number, two, name);
  from.choice(read_colours, Colour::blue);
  EXPECT_EQ(read_blows, blows);
  EXPECT_TRUE(std::signbit(read_blows[1].impulse));
  EXPECT_EQ(read_pairs, pairs);
  EXPECT_EQ(read_words, words);
  EXPECT_EQ(read_colours, colours);
  EXPECT_TRUE(yes);
  EXPECT_EQ(number, -3);
  EXPECT_EQ(two[0], 1.5);
  EXPECT_TRUE(std::isnan(two[1]));
  EXPECT_EQ(name, "a name");
  EXPECT_EQ(from.left(), 0);
}

TEST(MemoryStream, NamesOutliveTheBytes) {
  std::string_view first, second;
  for (std::string_view* name : {&first, &second}) {
    MemoryWriter to;
    to(std::string("a name of its own"));
    MemoryReader(to.bytes())(*name);
  }
  EXPECT_EQ(first, "a name of its own");
  EXPECT_EQ(first.data(), second.data());
}

TEST(MemoryStream, RefusesWhatItCannotBe) {
  const auto readAs = [](auto written, auto value) {
    MemoryWriter to;
    to(written);
    const Bytes bytes(to.bytes().begin(), to.bytes().end());
    return testing::messageOf([&] { MemoryReader{bytes}(value); });
  };
  EXPECT_EQ(readAs(std::int32_t{1}, std::int64_t{}), "saved state: it ends too early");
  EXPECT_EQ(readAs(std::uint64_t{1} << 62, std::vector<double>{}),
            "saved state: it ends too early");
  EXPECT_EQ(readAs(std::numeric_limits<std::uint64_t>::max(), std::string{}),
            "saved state: it ends too early");
  EXPECT_EQ(readAs(std::uint64_t{1} << 62, std::vector<Blow>{}), "saved state: it ends too early");
  EXPECT_EQ(readAs(std::uint8_t{2}, false), "saved state: what should be yes or no is neither");
  EXPECT_EQ(readAs(Blow{1, 2, static_cast<Colour>(3)}, Blow{}),
            "saved state: a choice is none of those that there are");
  EXPECT_EQ(readAs(std::string(300, 'x'), std::string_view{}),
            "saved state: a name is too long to be one");
}

TEST(MemoryStream, SectionsAreReadAsTheyWereWritten) {
  MemoryWriter to;
  to.section("outer", [&] {
    to.section("inner", [&] { to(1, 2); });
    to(3);
  });
  const auto message = [&](auto read) {
    MemoryReader from(to.bytes());
    return testing::messageOf([&] { read(from); });
  };
  int a = 0, b = 0, c = 0;
  EXPECT_EQ(message([&](MemoryReader& from) {
              from.section("outer", [&] {
                from.section("inner", [&] { from(a, b); });
                from(c);
              });
            }),
            "");
  EXPECT_EQ(a + 10 * b + 100 * c, 321);
  EXPECT_EQ(message([&](MemoryReader& from) { from.section("other", [] {}); }),
            "saved state: it has another part where \"other\" should be");
  EXPECT_EQ(message([&](MemoryReader& from) {
              from.section("outer", [&] { from.section("inner", [&] { from(a); }); });
            }),
            "saved state: \"inner\": it has 4 bytes more than are read");
  EXPECT_EQ(message([&](MemoryReader& from) {
              from.section("outer", [&] { from.section("inner", [&] { from(a, b, c); }); });
            }),
            "saved state: \"inner\": it ends too early");
}

TEST(SealedBytes, KnowTheirContent) {
  for (const std::size_t size : {0, 1, 7, 8, 9, 1000}) {
    const Bytes content(size, std::byte{5});
    const Bytes seal = sealed(content);
    const auto back = unsealed(seal);
    EXPECT_EQ(Bytes(back.begin(), back.end()), content);
    for (std::size_t k = 0; k < seal.size(); ++k) {
      Bytes damaged = seal;
      damaged[k] ^= std::byte{4};
      EXPECT_NE(testing::messageOf([&] { unsealed(damaged); }), "") << size << " " << k;
    }
  }
}

TEST(SealedBytes, NameAnotherFormat) {
  Bytes seal = sealed({});
  seal[16] = std::byte{77};
  EXPECT_EQ(testing::messageOf([&] { unsealed(seal); }),
            "saved state: its format is 77, that of another version; this one reads 1");
}

}  // namespace
}  // namespace stickslip::memory_stream
