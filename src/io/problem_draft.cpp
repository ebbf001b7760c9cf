#include "io/problem_draft.hpp"

#include "io/hdf5_vectors.hpp"
#include "io/output_file.hpp"
#include "io/problem_file.hpp"
#include "stickslip/input_error.hpp"

namespace stickslip {
namespace {

namespace fs = std::filesystem;

hdf5::Handle createIn(const OutputFile& output) {
  const hid_t id = H5Fcreate(output.draft().c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  if (id < 0) output.fail("is the disk full?");
  return {id, "file"};
}

hdf5::Handle copyTo(const OutputFile& output, const fs::path& original) {
  std::error_code error;
  fs::copy_file(original, output.draft(), fs::copy_options::overwrite_existing, error);
  // A copy of a read-only file is one, too.
  if (!error) fs::permissions(output.draft(), fs::perms::owner_write, fs::perm_options::add, error);
  if (error) output.fail(error.message());
  const hid_t id = H5Fopen(output.draft().c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  if (id < 0) output.fail("the copy cannot be opened");
  return {id, "file"};
}

}  // namespace

void writeProblemFile(const fs::path& file, const fs::path& original,
                      const std::function<void(hid_t)>& fill) {
  hdf5::prepareLibrary();
  OutputFile output(file, OwnFile::problem, file.string(), original);
  std::error_code error;
  // A problem that gets a solution remains whose it was.
  const bool is_original = !original.empty() && fs::equivalent(file, original, error);
  const bool is_marked = !original.empty() && ProblemFile(original).hasAttribute(kProblemMark);
  try {
    const hdf5::Handle open = original.empty() ? createIn(output) : copyTo(output, original);
    output.expectDraft(hdf5::descriptorOf(open));
    fill(open);
    if (!is_original && !is_marked) hdf5::writeMark(open, kProblemMark);
    hdf5::check(H5Fflush(open, H5F_SCOPE_LOCAL), "is the disk full?");
  } catch (const hdf5::Error& failure) {
    output.fail(failure.what());
  }
  output.complete();
}

}  // namespace stickslip
