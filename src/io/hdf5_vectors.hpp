// Lists of numbers in HDF5 files, written at once.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "io/hdf5_file.hpp"

namespace stickslip::hdf5 {

/// Creates the dataset `name` and the groups above it. Throws Error.
void writeVector(hid_t file, const std::string& name, std::span<const int> values);
void writeVector(hid_t file, const std::string& name, std::span<const double> values);
void writeVector(hid_t file, const std::string& name, std::span<const std::uint64_t> values);

}  // namespace stickslip::hdf5
