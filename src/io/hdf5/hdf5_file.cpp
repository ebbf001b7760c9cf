#include "io/hdf5/hdf5_file.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace stickslip::hdf5 {
namespace {

// A chunk is compressed anew whenever rows are added to it: those of wide tables have fewer rows.
constexpr hsize_t kMostRowsPerChunk = 1024;
constexpr hsize_t kMostBytesPerChunk = 1 << 16;
constexpr unsigned kDeflateLevel = 1;
constexpr const char* kCannotWrite =
    "cannot write to the recording; is the disk full? What was flushed before may still be "
    "readable";

hsize_t rowsPerChunk(hsize_t row_bytes) {
  return std::clamp<hsize_t>(kMostBytesPerChunk / row_bytes, 1, kMostRowsPerChunk);
}

void closeAny(hid_t id) {
  switch (H5Iget_type(id)) {
    case H5I_FILE:
      H5Fclose(id);
      break;
    case H5I_GROUP:
      H5Gclose(id);
      break;
    case H5I_DATASET:
      H5Dclose(id);
      break;
    case H5I_DATASPACE:
      H5Sclose(id);
      break;
    case H5I_ATTR:
      H5Aclose(id);
      break;
    case H5I_DATATYPE:
      H5Tclose(id);
      break;
    default:
      H5Pclose(id);
  }
}

Handle openDataset(hid_t file, const std::string& name) {
  return {H5Dopen2(file, name.c_str(), H5P_DEFAULT), "no dataset " + name};
}

}  // namespace

Handle stringType(std::size_t length) {
  Handle type(H5Tcopy(H5T_C_S1), "string type");
  check(H5Tset_size(type, std::max<std::size_t>(length, 1)), "string type");
  check(H5Tset_strpad(type, H5T_STR_NULLPAD), "string type");
  check(H5Tset_cset(type, H5T_CSET_UTF8), "string type");
  return type;
}

Handle::Handle(hid_t id, const std::string& what) : id_(id) {
  if (id < 0) throw Error(what);
}

Handle& Handle::operator=(Handle&& other) noexcept {
  std::swap(id_, other.id_);
  return *this;
}

Handle::~Handle() {
  if (id_ >= 0) closeAny(id_);
}

void check(herr_t status, const std::string& what) {
  if (status < 0) throw Error(what);
}

void prepareLibrary() {
  // Handles close what they own; HDF5's own clean-up at exit crashes after a failed write.
  H5dont_atexit();
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

Handle timelessCreation() {
  Handle creation(H5Pcreate(H5P_DATASET_CREATE), "HDF5 does not work");
  check(H5Pset_obj_track_times(creation, false), "HDF5 does not work");
  return creation;
}

int descriptorOf(hid_t file) {
  void* handle = nullptr;
  check(H5Fget_vfd_handle(file, H5P_DEFAULT, &handle), "HDF5 does not work");
  return *static_cast<const int*>(handle);
}

void writeMark(hid_t file, const char* name) {
  const Handle space(H5Screate(H5S_SCALAR), name);
  const Handle attribute(H5Acreate2(file, name, H5T_STD_I32LE, space, H5P_DEFAULT, H5P_DEFAULT),
                         name);
  const std::int32_t value = 1;
  check(H5Awrite(attribute, H5T_NATIVE_INT32, &value), name);
}

void writeText(hid_t file, const std::string& name, const std::string& text) {
  writeNames(file, name, {text});
}

std::string readText(hid_t file, const std::string& name) {
  const std::vector<std::string> texts = readNames(file, name);
  if (texts.size() != 1) throw Error(name + " is not one text");
  return texts.front();
}

void writeNames(hid_t file, const std::string& name, const std::vector<std::string>& names) {
  std::size_t longest = 1;
  for (const std::string& text : names) longest = std::max(longest, text.size());
  std::vector<char> packed(longest * names.size(), '\0');
  for (std::size_t i = 0; i < names.size(); ++i)
    std::copy(names[i].begin(), names[i].end(),
              packed.begin() + static_cast<std::ptrdiff_t>(i * longest));

  const Handle type = stringType(longest);
  const hsize_t count = names.size();
  const Handle space(H5Screate_simple(1, &count, nullptr), name);
  const Handle links(H5Pcreate(H5P_LINK_CREATE), name);
  check(H5Pset_create_intermediate_group(links, 1), name);
  const Handle creation = timelessCreation();
  const Handle dataset(H5Dcreate2(file, name.c_str(), type, space, links, creation, H5P_DEFAULT),
                       name);
  if (!packed.empty())
    check(H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, packed.data()), name);
}

std::vector<std::string> readNames(hid_t file, const std::string& name) {
  const Handle dataset = openDataset(file, name);
  const Handle stored_type(H5Dget_type(dataset), name);
  if (H5Tget_class(stored_type) != H5T_STRING || H5Tis_variable_str(stored_type) > 0)
    throw Error(name + " does not hold texts");
  const std::size_t length = H5Tget_size(stored_type);
  const Extent extent = extentOf(file, name);
  std::vector<char> packed(length * extent.rows, '\0');
  if (!packed.empty())
    check(H5Dread(dataset, stringType(length), H5S_ALL, H5S_ALL, H5P_DEFAULT, packed.data()), name);
  std::vector<std::string> names;
  for (hsize_t i = 0; i < extent.rows; ++i) {
    const char* first = packed.data() + i * length;
    names.emplace_back(first, std::find(first, first + length, '\0'));
  }
  return names;
}

Column::Column(hid_t file, const std::string& name, hid_t type, hsize_t width)
    : type_(type), width_(width) {
  // A table of width 0 is kept as an empty one of width 1: chunks must hold something.
  const hsize_t columns = std::max<hsize_t>(width, 1);
  const std::array<hsize_t, 2> start{0, columns}, limit{H5S_UNLIMITED, columns},
      chunk{rowsPerChunk(H5Tget_size(type) * columns), columns};
  const Handle space(H5Screate_simple(2, start.data(), limit.data()), name);
  const Handle creation(H5Pcreate(H5P_DATASET_CREATE), name);
  check(H5Pset_chunk(creation, 2, chunk.data()), name);
  check(H5Pset_shuffle(creation), name);
  check(H5Pset_deflate(creation, kDeflateLevel), name);
  const Handle links(H5Pcreate(H5P_LINK_CREATE), name);
  check(H5Pset_create_intermediate_group(links, 1), name);
  dataset_ =
      Handle(H5Dcreate2(file, name.c_str(), type, space, links, creation, H5P_DEFAULT), name);
}

void Column::append(hsize_t count, const void* rows) {
  if (count == 0 || width_ == 0) return;
  const std::array<hsize_t, 2> first{rows_, 0}, added{count, width_}, extent{rows_ + count, width_};
  check(H5Dset_extent(dataset_, extent.data()), kCannotWrite);
  const Handle target(H5Dget_space(dataset_), "dataspace");
  check(H5Sselect_hyperslab(target, H5S_SELECT_SET, first.data(), nullptr, added.data(), nullptr),
        "dataspace");
  const Handle source(H5Screate_simple(2, added.data(), nullptr), "dataspace");
  check(H5Dwrite(dataset_, type_, source, target, H5P_DEFAULT, rows), kCannotWrite);
  check(H5Dflush(dataset_), kCannotWrite);
  rows_ += count;
}

Extent extentOf(hid_t file, const std::string& name) {
  const Handle dataset = openDataset(file, name);
  const Handle space(H5Dget_space(dataset), name);
  std::array<hsize_t, 2> size{0, 1};
  if (H5Sget_simple_extent_ndims(space) > 2) throw Error(name + " has too many dimensions");
  check(H5Sget_simple_extent_dims(space, size.data(), nullptr), name);
  return {size[0], size[1]};
}

void readRows(hid_t file, const std::string& name, hid_t type, hsize_t first, hsize_t count,
              void* out) {
  const Handle dataset = openDataset(file, name);
  const hsize_t width = extentOf(file, name).width;
  const Handle source(H5Dget_space(dataset), name);
  const std::array<hsize_t, 2> from{first, 0}, size{count, width};
  check(H5Sselect_hyperslab(source, H5S_SELECT_SET, from.data(), nullptr, size.data(), nullptr),
        name);
  const Handle target(H5Screate_simple(2, size.data(), nullptr), name);
  check(H5Dread(dataset, type, target, source, H5P_DEFAULT, out), "damaged: cannot read " + name);
}

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
