// An HDF5 file in the making: it gets its name when it is complete, and vanishes if it never is.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "io/hdf5_file.hpp"

namespace stickslip {

/// Writes `file` by `fill`, which gets the open draft: a new file, or a copy of `original` if that
/// is not empty. Throws InputError, after which what was there before is still there.
void writeProblemFile(const std::filesystem::path& file, const std::filesystem::path& original,
                      const std::function<void(hid_t)>& fill);

}  // namespace stickslip
