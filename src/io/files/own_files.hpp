// Files that this program wrote, recognized by their content: only those are ever replaced.
#pragma once

#include <filesystem>
#include <string>

namespace stickslip {

/// What the program writes.
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

}  // namespace stickslip
