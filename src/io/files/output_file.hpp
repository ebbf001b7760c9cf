// The one way in which this program writes a file.
//
// A file is made under a name that nobody else has, in the folder where it is to be, and gets its
// own name when it is complete: what was there stays until then, and readers never see half a file.
// What is there is replaced only if it is a regular file of ours of the same kind (OwnFile). A
// symbolic link is neither followed nor replaced; nor are folders, devices, FIFOs and sockets, and
// what belongs to somebody else. The folder itself may be reached by a link: its path is the
// user's own word.
#pragma once

#include <cstdio>
#include <filesystem>
#include <string>

namespace stickslip {

/// What the program writes. Its files are recognized by their content: only those are replaced.
enum class OwnFile {
  recording,  ///< HDF5 with the scene and the frames of a run
  csv,        ///< a recording as a table: a header "t,<name>.<column>,..."
  problem,    ///< HDF5 with a contact problem: a dump, or FCLIB's form with our mark
  vector,     ///< Matrix Market, with our comment
  report,     ///< HTML, with our name as its generator
  numbers,    ///< JSON of `converge` or `reproduce`
};

/// "a recording", "a CSV table of a recording", ...
std::string describe(OwnFile kind);

/// True if the regular file is of this kind and ours. False also if it cannot be read.
bool isOwn(const std::filesystem::path& file, OwnFile kind);

/// The second line of Matrix Market files, and the line of HTML pages, by which they are known.
inline constexpr const char* kVectorMark = "% written by stickslip\n";
inline constexpr const char* kReportMark = "<meta name=\"generator\" content=\"stickslip\">\n";
/// The attribute of an HDF5 file's root by which FCLIB problems of ours are known.
inline constexpr const char* kProblemMark = "written_by_stickslip";

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
