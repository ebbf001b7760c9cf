#include "io/hdf5_vectors.hpp"

namespace stickslip::hdf5 {
namespace {

void write(hid_t file, const std::string& name, hid_t type, hsize_t count, const void* values) {
  const std::string what = "cannot write " + name + "; is the disk full?";
  const Handle space(H5Screate_simple(1, &count, nullptr), what);
  const Handle links(H5Pcreate(H5P_LINK_CREATE), what);
  check(H5Pset_create_intermediate_group(links, 1), what);
  const Handle creation = timelessCreation();
  const Handle dataset(H5Dcreate2(file, name.c_str(), type, space, links, creation, H5P_DEFAULT),
                       what);
  if (count > 0) check(H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values), what);
}

}  // namespace

void writeVector(hid_t file, const std::string& name, std::span<const int> values) {
  write(file, name, H5T_NATIVE_INT, values.size(), values.data());
}

void writeVector(hid_t file, const std::string& name, std::span<const double> values) {
  write(file, name, H5T_NATIVE_DOUBLE, values.size(), values.data());
}

void writeVector(hid_t file, const std::string& name, std::span<const std::uint64_t> values) {
  write(file, name, H5T_NATIVE_UINT64, values.size(), values.data());
}

}  // namespace stickslip::hdf5
