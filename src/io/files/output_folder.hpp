// A folder for what a command writes, held by one process at a time.
#pragma once

#include <filesystem>
#include <string>

namespace stickslip {

/// Throws InputError, which begins with `label`, if the folder neither can be written nor be made.
/// Changes nothing. True if it is there.
bool expectFolder(const std::filesystem::path& folder, const std::string& label);

/// Makes the folder if need be, and holds a lock on it as long as it lives. The system frees the
/// lock of a process that was killed.
class OutputFolder {
 public:
  /// Throws InputError, after which no new folder is left behind; also if another process holds
  /// the folder.
  OutputFolder(const std::filesystem::path& folder, const std::string& label);
  ~OutputFolder();
  OutputFolder(const OutputFolder&) = delete;
  OutputFolder& operator=(const OutputFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  int descriptor_ = -1;
};

}  // namespace stickslip
