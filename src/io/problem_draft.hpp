// An HDF5 file with a contact problem in the making (output_file).
#pragma once

#include <filesystem>
#include <functional>

#include "io/hdf5_file.hpp"

namespace stickslip {

/// Writes `file` by `fill`, which gets the open draft: a new file, or a copy of `original` if that
/// is not empty; `file` may then be the original itself. Throws InputError, after which what was
/// there before is still there.
void writeProblemFile(const std::filesystem::path& file, const std::filesystem::path& original,
                      const std::function<void(hid_t)>& fill);

}  // namespace stickslip
