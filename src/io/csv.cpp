#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <span>
#include <utility>

#include "stickslip/input_error.hpp"
#include "stickslip/io/recording.hpp"

namespace stickslip {
namespace {

constexpr long kFramesPerBlock = 8192;

[[noreturn]] void failToWrite(const std::filesystem::path& path) {
  throw InputError(
      fmt::format("--csv {}: cannot be written ({})", path.string(), std::strerror(errno)));
}

// A file that gets its name when it is complete, and vanishes if it never is.
class FileInTheMaking {
 public:
  explicit FileInTheMaking(const std::filesystem::path& path)
      : path_(path), draft_(path.string() + ".part"), file_(std::fopen(draft_.c_str(), "wb")) {
    if (file_ == nullptr) failToWrite(path_);
  }
  ~FileInTheMaking() {
    if (file_ == nullptr) return;
    std::fclose(file_);
    std::remove(draft_.c_str());
  }
  FileInTheMaking(const FileInTheMaking&) = delete;
  FileInTheMaking& operator=(const FileInTheMaking&) = delete;

  std::FILE* get() { return file_; }
  void complete() {
    const bool closed = std::fclose(std::exchange(file_, nullptr)) == 0;
    if (!closed || std::rename(draft_.c_str(), path_.c_str()) != 0) {
      std::remove(draft_.c_str());
      failToWrite(path_);
    }
  }

 private:
  std::filesystem::path path_;
  std::string draft_;
  std::FILE* file_;
};

void appendRow(fmt::memory_buffer& line, std::span<const double> values) {
  for (const double value : values) fmt::format_to(std::back_inserter(line), ",{}", value);
}

void writeText(const fmt::memory_buffer& text, std::FILE* file, const std::filesystem::path& path) {
  if (std::fwrite(text.data(), 1, text.size(), file) != text.size()) failToWrite(path);
}

void writeFrames(const RecordingReader& recording, std::FILE* file,
                 const std::filesystem::path& path) {
  const std::vector<std::string> q_names = recording.positionNames();
  const std::vector<std::string> u_names = recording.velocityNames();
  fmt::memory_buffer text;
  fmt::format_to(std::back_inserter(text), "t");
  for (const std::string& name : q_names) fmt::format_to(std::back_inserter(text), ",q.{}", name);
  for (const std::string& name : u_names) fmt::format_to(std::back_inserter(text), ",u.{}", name);
  text.push_back('\n');
  writeText(text, file, path);

  const long frames = recording.frameCount();
  for (long first = 0; first < frames; first += kFramesPerBlock) {
    const long count = std::min(kFramesPerBlock, frames - first);
    const std::vector<double> t = recording.times(first, count);
    const std::vector<double> q = recording.positions(first, count);
    const std::vector<double> u = recording.velocities(first, count);
    text.clear();
    for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
      fmt::format_to(std::back_inserter(text), "{}", t[i]);
      appendRow(text, {q.data() + i * q_names.size(), q_names.size()});
      appendRow(text, {u.data() + i * u_names.size(), u_names.size()});
      text.push_back('\n');
    }
    writeText(text, file, path);
  }
}

}  // namespace

void exportCsv(const RecordingReader& recording, const std::filesystem::path& path) {
  if (path == "-") {
    writeFrames(recording, stdout, path);
    if (std::fflush(stdout) != 0) failToWrite(path);
    return;
  }
  std::error_code error;
  if (std::filesystem::equivalent(path, recording.file(), error))
    throw InputError(fmt::format("--csv {}: that is the recording itself", path.string()));
  FileInTheMaking file(path);
  writeFrames(recording, file.get(), path);
  file.complete();
}

}  // namespace stickslip
