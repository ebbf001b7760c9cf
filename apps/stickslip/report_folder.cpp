#include "report_folder.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <fstream>

#include "stickslip/input_error.hpp"

namespace stickslip::cli {

void prepareReportFolder(const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error || !std::filesystem::is_directory(folder))
    throw InputError(fmt::format("--out {}: not a folder that can be written ({})", folder,
                                 error ? error.message() : "a file is in the way"));
  if (access(folder.c_str(), W_OK) != 0)
    throw InputError(fmt::format("--out {}: this folder is read-only", folder));
}

void writeReportFile(const std::filesystem::path& file, const std::string& text) {
  std::ofstream stream(file, std::ios::binary);
  stream << text;
  stream.close();
  if (!stream) throw InputError(fmt::format("{}: cannot be written", file.string()));
}

}  // namespace stickslip::cli
