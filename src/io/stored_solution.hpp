// The group /solution of an open file.
#pragma once

#include "io/hdf5_file.hpp"
#include "stickslip/io/stored_solution.hpp"

namespace stickslip {

/// Throws hdf5::Error.
void writeSolutionGroup(hid_t file, const StoredSolution& solution);

}  // namespace stickslip
