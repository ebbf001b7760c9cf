// The little of HDF5's C interface that recordings need, with handles that close themselves and
// errors that are exceptions.
#pragma once

#include <hdf5.h>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace stickslip::hdf5 {

/// An HDF5 call failed: a full disk, a damaged file.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Owns one HDF5 identifier of any kind.
class Handle {
 public:
  Handle() = default;
  /// Takes `id`; a negative one is an error, which `what` describes.
  Handle(hid_t id, const std::string& what);
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, H5I_INVALID_HID)) {}
  Handle& operator=(Handle&& other) noexcept;
  ~Handle();

  operator hid_t() const { return id_; }

 private:
  hid_t id_ = H5I_INVALID_HID;
};

/// Throws Error(what) if an HDF5 call returned a negative status.
void check(herr_t status, const std::string& what);

/// To be called before anything else: keeps HDF5 from printing its own error stack (our errors say
/// what matters) and from its own clean-up at exit.
void prepareLibrary();

/// How datasets are created: without the time of day, so that equal content makes equal files.
Handle timelessCreation();

/// The system's number of an open file.
int descriptorOf(hid_t file);

/// An attribute of the file's root that says that it is there, and no more.
void writeMark(hid_t file, const char* name);

/// Texts of up to so many bytes, in UTF-8, filled up with zeros.
Handle stringType(std::size_t length);

void writeText(hid_t file, const std::string& name, const std::string& text);
std::string readText(hid_t file, const std::string& name);
void writeNames(hid_t file, const std::string& name, const std::vector<std::string>& names);
std::vector<std::string> readNames(hid_t file, const std::string& name);

/// A growing table of numbers: rows of fixed width.
class Column {
 public:
  /// Creates the dataset `name`; `type` is an HDF5 native type whose size is that of a value.
  Column(hid_t file, const std::string& name, hid_t type, hsize_t width);

  /// Writes so many rows after those that are there.
  void append(hsize_t count, const void* rows);

 private:
  Handle dataset_;
  hid_t type_;
  hsize_t width_;
  hsize_t rows_ = 0;
};

/// Number of rows and width of a dataset.
struct Extent {
  hsize_t rows;
  hsize_t width;
};
Extent extentOf(hid_t file, const std::string& name);

/// Reads rows [first, first + count) of a dataset into `out`, row by row.
void readRows(hid_t file, const std::string& name, hid_t type, hsize_t first, hsize_t count,
              void* out);

// Lists of numbers in HDF5 files, written at once.

/// Creates the dataset `name` and the groups above it. Throws Error.
void writeVector(hid_t file, const std::string& name, std::span<const int> values);
void writeVector(hid_t file, const std::string& name, std::span<const double> values);
void writeVector(hid_t file, const std::string& name, std::span<const std::uint64_t> values);

}  // namespace stickslip::hdf5
