// Bytes that tell whether they are what was written: the form in which what is saved leaves the
// program.
//
//   16 bytes  "stickslip state\n"
//    8        format: which parts there are, and how they are written
//    8        length of the content
//    8        checksum of the content
//   content
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace stickslip {

std::vector<std::byte> sealed(std::span<const std::byte> content);

/// The content. Throws InputError if these bytes are something else, of another format, not
/// complete, or damaged.
std::span<const std::byte> unsealed(std::span<const std::byte> bytes);

}  // namespace stickslip
