// Our own format for contact problems (HDF5): everything that a ContactProblem holds, bit by bit,
// the method that it was solved with, and where it comes from. docs/problem-format.md lists the
// datasets; for the solution see stored_solution.hpp. And what kind of contact problem a file
// holds.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "stickslip/contact_problem.hpp"
#include "stickslip/method.hpp"

namespace stickslip {

/// A contact problem, and where it comes from.
struct ProblemDump {
  ContactProblem problem;
  Method method;
  std::string scene;      ///< name of the scene
  std::int64_t step = 0;  ///< counted from 1; 0 is the impact at the start
};

/// Writes a new file with the solution that was found; one that is there is replaced. Throws
/// InputError if that is not possible.
void writeProblemDump(const std::filesystem::path& file, const ProblemDump& dump,
                      const ContactSolution& solution);

/// Throws InputError with one line that names file, dataset and remedy.
ProblemDump readProblemDump(const std::filesystem::path& file);

/// What kind of contact problem a file holds, by its content.
enum class ProblemKind {
  fclib_local,
  fclib_global,  ///< also if the file holds a local problem besides
  dump,          ///< our own format
};

/// "fclib_local", "fclib_global", "dump".
std::string_view toString(ProblemKind kind);

/// Throws InputError if the file cannot be read or holds no problem.
ProblemKind problemKindOf(const std::filesystem::path& file);

}  // namespace stickslip
