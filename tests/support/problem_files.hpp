// Files with contact problems: where tests put theirs, how to damage them, and where those are that
// others have made.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "stickslip/contact_problem.hpp"
#include "support/random.hpp"

namespace stickslip::testing {

/// A file for this test alone in the folder of temporary ones, which is not there yet.
std::filesystem::path temporaryProblem(const std::string& name);

/// FCLIB's problems in $STICKSLIP_FCLIB, or in ../shared/fclib beside the source; none if neither
/// exists.
std::vector<std::filesystem::path> foreignProblems();

/// Names of all datasets of a file, sorted.
std::vector<std::string> datasetsOf(const std::filesystem::path& file);
void dropDataset(const std::filesystem::path& file, const std::string& name);
/// Replaces a dataset by another one, or adds it.
void putIntegers(const std::filesystem::path& file, const std::string& name,
                 const std::vector<int>& values);
void putNumbers(const std::filesystem::path& file, const std::string& name,
                const std::vector<double>& values);

std::string bytesOf(const std::filesystem::path& file);
void writeBytes(const std::filesystem::path& file, const std::string& bytes);

/// Everything that a problem holds, for comparisons bit by bit.
std::vector<double> everythingIn(const ContactProblem& problem);

}  // namespace stickslip::testing
