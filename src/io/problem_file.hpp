// An HDF5 file with a contact problem in it, opened for reading by somebody who does not trust it:
// every complaint is an InputError that names the file, the dataset and what would be right, and no
// dataset makes the reader allocate more than the file can hold.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "io/hdf5_file.hpp"

namespace stickslip {

class ProblemFile {
 public:
  enum class Numbers {
    finite,
    not_nan,  ///< infinite ones too, as bounds may be
  };

  /// Throws InputError if there is no such file or it is not HDF5.
  explicit ProblemFile(const std::filesystem::path& file);

  /// True if there is a group or dataset of this name, written "/a/b/c".
  bool has(const std::string& name) const;
  bool hasGroup(const std::string& name) const;
  /// True if the file's root has an attribute of this name.
  bool hasAttribute(const char* name) const { return H5Aexists(file_, name) > 0; }

  int integer(const std::string& name) const;
  std::vector<int> integers(const std::string& name) const;
  std::vector<std::uint64_t> unsignedIntegers(const std::string& name) const;
  std::vector<double> numbers(const std::string& name, Numbers kind = Numbers::finite) const;
  /// The same, with a complaint if there are not `count` of them; `reason` says why there should.
  std::vector<double> numbers(const std::string& name, std::size_t count, const std::string& reason,
                              Numbers kind = Numbers::finite) const;
  std::string text(const std::string& name) const;
  std::vector<std::string> texts(const std::string& name) const;

  /// Throws InputError("<file>: <name>: <problem>").
  [[noreturn]] void fail(const std::string& name, const std::string& problem) const;

 private:
  struct Dataset {
    hdf5::Handle id;
    H5T_class_t type;
    std::size_t value_bytes;
    std::size_t count;
  };
  Dataset open(const std::string& name) const;
  void expectStored(const Dataset& dataset, const std::string& name) const;
  void read(const Dataset& dataset, const std::string& name, hid_t type, void* out) const;
  std::vector<std::int64_t> wideIntegers(const std::string& name) const;

  std::string path_;
  std::uintmax_t bytes_ = 0;
  hdf5::Handle file_;
};

}  // namespace stickslip
