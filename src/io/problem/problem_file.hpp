// An HDF5 file with a contact problem in it, opened for reading by somebody who does not trust it:
// every complaint is an InputError that names the file, the dataset and what would be right, and no
// dataset makes the reader allocate more than the file can hold.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "io/hdf5/hdf5_file.hpp"
#include "stickslip/block_matrix.hpp"
#include "stickslip/io/stored_solution.hpp"
#include "stickslip/local_problem.hpp"

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

// The mass matrix of a problem that comes without bodies: where its blocks are.

/// Sizes of the smallest blocks of neighbouring velocities that M couples to no other. If they fit
/// into blocks of a rigid body's size (6 in space or 3 in both), they are joined to such.
std::vector<int> massBlockSizes(const SparseRows& M, int space_dimension);

/// Largest |M_ij - M_ji| relative to sqrt(M_ii M_jj), or infinity if a diagonal entry is not
/// positive.
double asymmetry(const SparseRows& M);

/// The mean of M and its transpose in blocks; the sizes are those of massBlockSizes.
void fillBlocks(const SparseRows& M, std::span<const int> sizes, BlockDiagonal& blocks);

// An HDF5 file with a contact problem in the making (output_file).

/// Writes `file` by `fill`, which gets the open draft: a new file, or a copy of `original` if that
/// is not empty; `file` may then be the original itself. Throws InputError, after which what was
/// there before is still there.
void writeProblemFile(const std::filesystem::path& file, const std::filesystem::path& original,
                      const std::function<void(hid_t)>& fill);

// The group /solution of an open file.

/// Throws hdf5::Error.
void writeSolutionGroup(hid_t file, const StoredSolution& solution);

}  // namespace stickslip
