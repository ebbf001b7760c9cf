#include "commands.hpp"
#include "stickslip/io/recording.hpp"

namespace stickslip::cli {

int exportRecording(const ExportOptions& options) {
  exportCsv(RecordingReader(options.recording), options.csv);
  return kFine;
}

}  // namespace stickslip::cli
