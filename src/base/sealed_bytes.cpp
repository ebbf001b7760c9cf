#include "base/sealed_bytes.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>

#include "stickslip/input_error.hpp"

namespace stickslip {
namespace {

// To be counted up with every change of what any part of the engine saves.
constexpr std::uint64_t kFormat = 1;

constexpr char kMagic[] = "stickslip state\n";

struct Seal {
  char magic[16];
  std::uint64_t format;
  std::uint64_t length;
  std::uint64_t checksum;
};
static_assert(sizeof(Seal) == 40 && sizeof kMagic == sizeof(Seal::magic) + 1);

// Eight bytes at a time, the last ones filled up with zeros. Every step is one to one in what it
// has so far and in what it takes, so that no change of a single word goes unseen.
std::uint64_t checksumOf(std::span<const std::byte> bytes) {
  constexpr std::uint64_t kOdd = 0x9e3779b97f4a7c15u;
  std::uint64_t sum = bytes.size();
  for (std::size_t k = 0; k < bytes.size(); k += sizeof sum) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data() + k, std::min(sizeof word, bytes.size() - k));
    sum = (sum ^ word) * kOdd;
    sum ^= sum >> 29;
  }
  return sum;
}

[[noreturn]] void refuse(const std::string& what) {
  throw InputError("saved state: " + what);
}

}  // namespace

std::vector<std::byte> sealed(std::span<const std::byte> content) {
  Seal seal{{}, kFormat, content.size(), checksumOf(content)};
  std::memcpy(seal.magic, kMagic, sizeof seal.magic);
  std::vector<std::byte> out(sizeof seal + content.size());
  std::memcpy(out.data(), &seal, sizeof seal);
  if (!content.empty()) std::memcpy(out.data() + sizeof seal, content.data(), content.size());
  return out;
}

std::span<const std::byte> unsealed(std::span<const std::byte> bytes) {
  Seal seal{};
  const std::size_t known = std::min(bytes.size(), sizeof seal);
  if (known > 0) std::memcpy(&seal, bytes.data(), known);
  if (known < sizeof seal.magic || std::memcmp(seal.magic, kMagic, sizeof seal.magic) != 0)
    refuse("these bytes are something else: they do not begin as it does");
  if (known < sizeof seal) refuse("it is not complete");
  if (seal.format != kFormat)
    refuse("its format is " + std::to_string(seal.format) +
           ", that of another version; this one reads " + std::to_string(kFormat));
  const std::span<const std::byte> content = bytes.subspan(sizeof seal);
  if (content.size() < seal.length) refuse("it is not complete");
  if (content.size() > seal.length) refuse("there are bytes behind its end");
  if (checksumOf(content) != seal.checksum) refuse("it is damaged: its checksum does not fit");
  return content;
}

}  // namespace stickslip
