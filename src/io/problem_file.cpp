#include "io/problem_file.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "io/input_file.hpp"
#include "stickslip/input_error.hpp"

namespace stickslip {
namespace {

// The strongest compression that HDF5's deflate filter reaches is 1032 : 1.
constexpr std::uintmax_t kStrongestCompression = 1032;

hdf5::Handle openFile(const std::filesystem::path& file) {
  const std::string name = file.string();
  expectInputFile(file);
  hdf5::prepareLibrary();
  if (H5Fis_hdf5(file.c_str()) <= 0)
    throw InputError(name + ": not an HDF5 file, or it cannot be read; expected a contact problem");
  const hid_t id = H5Fopen(file.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  if (id < 0) throw InputError(name + ": damaged or cut short; get it again");
  return {id, "file"};
}

}  // namespace

ProblemFile::ProblemFile(const std::filesystem::path& file)
    : path_(file.string()), file_(openFile(file)) {
  std::error_code error;
  bytes_ = std::filesystem::file_size(file, error);
}

void ProblemFile::fail(const std::string& name, const std::string& problem) const {
  throw InputError(fmt::format("{}: {}: {}", path_, name, problem));
}

// HDF5 wants to be asked for one part of the path after the other.
bool ProblemFile::has(const std::string& name) const {
  for (std::size_t end = name.find('/', 1);; end = name.find('/', end + 1)) {
    const std::string part = name.substr(0, end);
    if (H5Lexists(file_, part.c_str(), H5P_DEFAULT) <= 0) return false;
    if (end == std::string::npos) break;
  }
  return H5Oexists_by_name(file_, name.c_str(), H5P_DEFAULT) > 0;
}

bool ProblemFile::hasGroup(const std::string& name) const {
  if (!has(name)) return false;
  const hid_t id = H5Gopen2(file_, name.c_str(), H5P_DEFAULT);
  if (id < 0) return false;
  H5Gclose(id);
  return true;
}

ProblemFile::Dataset ProblemFile::open(const std::string& name) const {
  if (!has(name)) fail(name, "this dataset is missing");
  const hid_t id = H5Dopen2(file_, name.c_str(), H5P_DEFAULT);
  if (id < 0) fail(name, "damaged, or not a dataset");
  hdf5::Handle dataset(id, name);
  const hid_t space_id = H5Dget_space(dataset), type_id = H5Dget_type(dataset);
  if (space_id < 0 || type_id < 0) fail(name, "damaged");
  const hdf5::Handle space(space_id, name), type(type_id, name);
  if (H5Sget_simple_extent_ndims(space) > 1) fail(name, "has rows and columns; expected one list");
  const hssize_t count = H5Sget_simple_extent_npoints(space);
  if (count < 0) fail(name, "damaged");
  Dataset out{std::move(dataset), H5Tget_class(type), H5Tget_size(type),
              static_cast<std::size_t>(count)};
  expectStored(out, name);
  return out;
}

// A header may claim any length; what is stored for it cannot be longer than the file.
void ProblemFile::expectStored(const Dataset& dataset, const std::string& name) const {
  const std::uintmax_t stored = H5Dget_storage_size(dataset.id);
  if (dataset.count == 0) return;
  if (stored == 0 || stored > bytes_ || dataset.value_bytes == 0 ||
      dataset.count > kStrongestCompression * stored / dataset.value_bytes)
    fail(name,
         fmt::format("damaged: the {} values that it announces are not there", dataset.count));
}

void ProblemFile::read(const Dataset& dataset, const std::string& name, hid_t type,
                       void* out) const {
  if (dataset.count == 0) return;
  if (H5Dread(dataset.id, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, out) < 0)
    fail(name, "damaged: cannot be read");
}

std::vector<std::int64_t> ProblemFile::wideIntegers(const std::string& name) const {
  const Dataset dataset = open(name);
  if (dataset.type != H5T_INTEGER) fail(name, "does not hold whole numbers");
  std::vector<std::int64_t> values(dataset.count);
  read(dataset, name, H5T_NATIVE_INT64, values.data());
  return values;
}

std::vector<int> ProblemFile::integers(const std::string& name) const {
  std::vector<int> values;
  for (const std::int64_t value : wideIntegers(name)) {
    if (value < std::numeric_limits<int>::min() || value > std::numeric_limits<int>::max())
      fail(name, fmt::format("{} is beyond what 32 bits hold", value));
    values.push_back(static_cast<int>(value));
  }
  return values;
}

int ProblemFile::integer(const std::string& name) const {
  const std::vector<int> values = integers(name);
  if (values.size() != 1) fail(name, fmt::format("holds {} numbers; expected one", values.size()));
  return values.front();
}

std::vector<std::uint64_t> ProblemFile::unsignedIntegers(const std::string& name) const {
  const Dataset dataset = open(name);
  if (dataset.type != H5T_INTEGER) fail(name, "does not hold whole numbers");
  std::vector<std::uint64_t> values(dataset.count);
  read(dataset, name, H5T_NATIVE_UINT64, values.data());
  return values;
}

std::vector<double> ProblemFile::numbers(const std::string& name, Numbers kind) const {
  const Dataset dataset = open(name);
  if (dataset.type != H5T_FLOAT && dataset.type != H5T_INTEGER) fail(name, "does not hold numbers");
  std::vector<double> values(dataset.count);
  read(dataset, name, H5T_NATIVE_DOUBLE, values.data());
  for (std::size_t k = 0; k < values.size(); ++k)
    if (std::isnan(values[k]) || (kind == Numbers::finite && std::isinf(values[k])))
      fail(name, fmt::format("entry {} is {}; expected finite numbers", k, values[k]));
  return values;
}

std::vector<double> ProblemFile::numbers(const std::string& name, std::size_t count,
                                         const std::string& reason, Numbers kind) const {
  std::vector<double> values = numbers(name, kind);
  if (values.size() != count)
    fail(name, fmt::format("has length {}; expected {}, {}", values.size(), count, reason));
  return values;
}

std::vector<std::string> ProblemFile::texts(const std::string& name) const {
  if (open(name).type != H5T_STRING) fail(name, "does not hold texts");
  try {
    return hdf5::readNames(file_, name);
  } catch (const hdf5::Error& error) {
    fail(name, error.what());
  }
}

std::string ProblemFile::text(const std::string& name) const {
  std::vector<std::string> values = texts(name);
  if (values.size() != 1) fail(name, fmt::format("holds {} texts; expected one", values.size()));
  return std::move(values.front());
}

}  // namespace stickslip
