#include "report_folder.hpp"

#include <cstdio>

#include "io/files/output_file.hpp"

namespace stickslip::cli {
namespace {

void writeReportFile(const std::filesystem::path& file, OwnFile kind, const std::string& text) {
  OutputFile output(file, kind, file.string());
  std::fwrite(text.data(), 1, text.size(), output.stream());
  output.complete();
}

}  // namespace

ReportFolder::ReportFolder(const std::string& folder, const std::vector<std::string>& numbers)
    : path_(folder) {
  const std::string label = "--out " + folder;
  const bool is_new = !expectFolder(path_, label);
  held_.emplace(path_, label);
  if (is_new) return;
  expectReplaceable(page(), OwnFile::report, page().string());
  for (const std::string& name : numbers)
    expectReplaceable(path_ / name, OwnFile::numbers, (path_ / name).string());
}

void ReportFolder::writePage(const std::string& html) const {
  writeReportFile(page(), OwnFile::report, html);
}

void ReportFolder::writeNumbers(const std::string& name, const std::string& json) const {
  writeReportFile(path_ / name, OwnFile::numbers, json);
}

}  // namespace stickslip::cli
