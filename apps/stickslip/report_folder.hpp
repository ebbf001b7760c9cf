// The folder of a report: a page, and its numbers as JSON.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "io/files/output_folder.hpp"

namespace stickslip::cli {

class ReportFolder {
 public:
  /// Creates the folder if need be and holds it. Made before the work, so that what is in the way
  /// of report.html or one of the `numbers` (names of files) costs nothing. Throws InputError.
  ReportFolder(const std::string& folder, const std::vector<std::string>& numbers);

  std::filesystem::path page() const { return path_ / "report.html"; }
  /// Throw InputError if the file cannot be written.
  void writePage(const std::string& html) const;
  void writeNumbers(const std::string& name, const std::string& json) const;

 private:
  std::filesystem::path path_;
  std::optional<OutputFolder> held_;
};

}  // namespace stickslip::cli
