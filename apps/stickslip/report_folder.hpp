// Folders and files of reports.
#pragma once

#include <filesystem>
#include <string>

namespace stickslip::cli {

/// Creates the folder if need be. Called before the work, so that a folder that cannot be written
/// costs nothing. Throws InputError.
void prepareReportFolder(const std::string& folder);
/// Throws InputError if the file cannot be written.
void writeReportFile(const std::filesystem::path& file, const std::string& text);

}  // namespace stickslip::cli
