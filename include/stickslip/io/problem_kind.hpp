// What kind of contact problem a file holds, by its content.
#pragma once

#include <filesystem>
#include <string_view>

namespace stickslip {

enum class ProblemKind {
  fclib_local,
  fclib_global,  ///< also if the file holds a local problem besides
  dump,          ///< our own format, see problem_dump.hpp
};

/// "fclib_local", "fclib_global", "dump".
std::string_view toString(ProblemKind kind);

/// Throws InputError if the file cannot be read or holds no problem.
ProblemKind problemKindOf(const std::filesystem::path& file);

}  // namespace stickslip
