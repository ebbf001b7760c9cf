// Files that the program reads.
#pragma once

#include <filesystem>
#include <string>

namespace stickslip {

/// Throws InputError with one line if this is not a regular file that can be read, or a link to
/// one. A FIFO is not waited for, a device not touched.
void expectInputFile(const std::filesystem::path& file);

/// What is in the file. Throws InputError.
std::string textOf(const std::filesystem::path& file);

}  // namespace stickslip
