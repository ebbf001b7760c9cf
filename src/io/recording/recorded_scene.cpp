#include <fmt/format.h>

#include <system_error>

#include "stickslip/input_error.hpp"
#include "stickslip/io/recording.hpp"
#include "stickslip/io/scene.hpp"

namespace stickslip {

Scene loadScene(const std::filesystem::path& file, std::span<const std::string> overrides) {
  if (isRecording(file))
    return parseScene(RecordingReader(file).sceneText(), file.string(), overrides);
  std::error_code error;
  if (std::filesystem::is_directory(file, error))
    throw InputError(
        fmt::format("{}: a folder without a readable {}; expected a scene file or a "
                    "recording",
                    file.string(), kRecordingFile));
  return readScene(file, overrides);
}

}  // namespace stickslip
