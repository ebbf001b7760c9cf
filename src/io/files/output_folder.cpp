#include "io/files/output_folder.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <vector>

#include "stickslip/input_error.hpp"

namespace stickslip {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuseFolder(const std::string& label, const std::string& why) {
  throw InputError(fmt::format("{}: not a folder that can be written ({})", label, why));
}

// The folder, and those above it, that are not there yet; the outermost comes last.
std::vector<fs::path> missingFolders(const fs::path& folder, const std::string& label) {
  std::vector<fs::path> missing;
  fs::path at = folder;
  if (!at.has_filename()) at = at.parent_path();  // "a/" is "a"
  for (;; at = at.has_parent_path() ? at.parent_path() : fs::path(".")) {
    struct stat status {};
    if (stat(at.c_str(), &status) == 0) {
      if (!S_ISDIR(status.st_mode))
        refuseFolder(label, fmt::format("{} is a file in the way", at.string()));
      break;
    }
    if (errno != ENOENT) refuseFolder(label, std::strerror(errno));
    if (lstat(at.c_str(), &status) == 0)
      refuseFolder(label, fmt::format("{} is a symbolic link to nowhere", at.string()));
    missing.push_back(at);
  }
  if (faccessat(AT_FDCWD, at.c_str(), W_OK | X_OK, AT_EACCESS) != 0)
    refuseFolder(label, fmt::format("{}: {}", at.string(), std::strerror(errno)));
  return missing;
}

void makeFolders(const std::vector<fs::path>& missing, const std::string& label) {
  for (auto next = missing.rbegin(); next != missing.rend(); ++next) {
    // A path may name one folder twice ("a/../a"), and somebody else may make it meanwhile.
    if (mkdir(next->c_str(), 0777) == 0 || errno == EEXIST) continue;
    const int error = errno;
    while (next != missing.rbegin()) rmdir((--next)->c_str());
    refuseFolder(label, std::strerror(error));
  }
}

}  // namespace

bool expectFolder(const fs::path& folder, const std::string& label) {
  return missingFolders(folder, label).empty();
}

OutputFolder::OutputFolder(const fs::path& folder, const std::string& label) : path_(folder) {
  makeFolders(missingFolders(folder, label), label);
  // Where a folder cannot be locked, as on some network file systems, runs do not mix either: each
  // one writes to a file of its own (output_file). They are not told of each other, that is all.
  descriptor_ = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor_ < 0 || flock(descriptor_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return;
  close(descriptor_);
  throw InputError(fmt::format(
      "{}: another run is writing there; wait for its end, or choose another folder", label));
}

OutputFolder::~OutputFolder() {
  if (descriptor_ >= 0) close(descriptor_);
}

}  // namespace stickslip
