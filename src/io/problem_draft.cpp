#include "io/problem_draft.hpp"

#include <fmt/format.h>

#include "stickslip/input_error.hpp"

namespace stickslip {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void failToWrite(const fs::path& file, const std::string& reason) {
  throw InputError(fmt::format("{}: cannot be written ({})", file.string(), reason));
}

class Draft {
 public:
  explicit Draft(const fs::path& file) : file_(file), draft_(file.string() + ".part") {}
  ~Draft() {
    std::error_code ignored;
    if (!complete_) fs::remove(draft_, ignored);
  }
  Draft(const Draft&) = delete;
  Draft& operator=(const Draft&) = delete;

  hdf5::Handle create() const {
    const hid_t id = H5Fcreate(draft_.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    if (id < 0) failToWrite(file_, "is there such a folder, and is it not read-only?");
    return {id, "file"};
  }

  hdf5::Handle copy(const fs::path& original) const {
    std::error_code error;
    fs::copy_file(original, draft_, fs::copy_options::overwrite_existing, error);
    // A copy of a read-only file is one, too.
    if (!error) fs::permissions(draft_, fs::perms::owner_write, fs::perm_options::add, error);
    if (error) failToWrite(file_, error.message());
    const hid_t id = H5Fopen(draft_.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
    if (id < 0) failToWrite(file_, "the copy cannot be opened");
    return {id, "file"};
  }

  void complete() {
    std::error_code error;
    fs::rename(draft_, file_, error);
    if (error) failToWrite(file_, error.message());
    complete_ = true;
  }

 private:
  fs::path file_;
  fs::path draft_;
  bool complete_ = false;
};

}  // namespace

void writeProblemFile(const fs::path& file, const fs::path& original,
                      const std::function<void(hid_t)>& fill) {
  hdf5::prepareLibrary();
  Draft draft(file);
  try {
    const hdf5::Handle open = original.empty() ? draft.create() : draft.copy(original);
    fill(open);
    hdf5::check(H5Fflush(open, H5F_SCOPE_LOCAL), "is the disk full?");
  } catch (const hdf5::Error& error) {
    failToWrite(file, error.what());
  }
  draft.complete();
}

}  // namespace stickslip
