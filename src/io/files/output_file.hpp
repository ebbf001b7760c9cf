// The one way in which this program writes a file.
//
// A file is made under a name that nobody else has, in the folder where it is to be, and gets its
// own name when it is complete: what was there stays until then, and readers never see half a file.
// What is there is replaced only if it is a regular file of ours of the same kind (own_files). A
// symbolic link is neither followed nor replaced; nor are folders, devices, FIFOs and sockets, and
// what belongs to somebody else. The folder itself may be reached by a link: its path is the
// user's own word.
#pragma once

#include <cstdio>
#include <filesystem>
#include <string>

#include "io/files/own_files.hpp"

namespace stickslip {

/// Throws InputError, which begins with `label`, if the file could not be written now: to be asked
/// before the work, and changes nothing. True if there is a file that would be replaced. A regular
/// file that is also `known` may be replaced whatever it is.
bool expectReplaceable(const std::filesystem::path& file, OwnFile kind, const std::string& label,
                       const std::filesystem::path& known = {});

class OutputFile {
 public:
  /// Creates the draft. Throws InputError as above.
  OutputFile(const std::filesystem::path& file, OwnFile kind, std::string label,
             std::filesystem::path known = {});
  /// Removes the draft unless it is complete.
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  /// To write text to.
  std::FILE* stream() { return stream_; }
  /// For libraries that open files by name.
  std::filesystem::path draft() const { return folder_ / draft_; }
  /// Throws InputError if this open file is not the draft: somebody has put another in its place.
  void expectDraft(int descriptor) const;

  /// Writes what is buffered and gives the file its name. Throws InputError.
  void complete();

  /// Throws InputError that says that the file cannot be written, and why.
  [[noreturn]] void fail(const std::string& why) const;

 private:
  std::filesystem::path file_, folder_;
  OwnFile kind_;
  std::string label_;
  std::filesystem::path known_;
  std::string draft_;
  int folder_descriptor_ = -1;
  std::FILE* stream_ = nullptr;
};

}  // namespace stickslip
