#include <memory>

#include "commands.hpp"
#include "stickslip/io/recording.hpp"

namespace stickslip::cli {
namespace {

struct ExportOptions {
  std::string recording;
  std::string csv;
};

}  // namespace

void addExportCommand(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<ExportOptions>();
  CLI::App* command = app.add_subcommand("export", "Write a recording in another format");
  command->add_option("recording", options->recording, "Folder of the recording, or its file")
      ->required();
  command->add_option("--csv", options->csv, "CSV file to write; - is standard output")->required();
  command->callback([options, &exit_code] {
    exportCsv(RecordingReader(options->recording), options->csv);
    exit_code = kFine;
  });
}

}  // namespace stickslip::cli
