#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include "stickslip/input_error.hpp"
#include "stickslip/io/recording.hpp"

namespace stickslip {
namespace {

constexpr long kFramesPerBlock = 8192;

using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

File openForWriting(const std::filesystem::path& path) {
  if (path == "-") return {stdout, [](std::FILE* f) { return std::fflush(f); }};
  File file(std::fopen(path.c_str(), "wb"), std::fclose);
  if (!file)
    throw InputError(
        fmt::format("--csv {}: cannot be written ({})", path.string(), std::strerror(errno)));
  return file;
}

void appendRow(fmt::memory_buffer& line, std::span<const double> values) {
  for (const double value : values) fmt::format_to(std::back_inserter(line), ",{}", value);
}

}  // namespace

void exportCsv(const RecordingReader& recording, const std::filesystem::path& path) {
  const std::vector<std::string> q_names = recording.positionNames();
  const std::vector<std::string> u_names = recording.velocityNames();
  fmt::memory_buffer text;
  fmt::format_to(std::back_inserter(text), "t");
  for (const std::string& name : q_names) fmt::format_to(std::back_inserter(text), ",q.{}", name);
  for (const std::string& name : u_names) fmt::format_to(std::back_inserter(text), ",u.{}", name);
  text.push_back('\n');

  const File file = openForWriting(path);
  const long frames = recording.frameCount();
  bool written = std::fwrite(text.data(), 1, text.size(), file.get()) == text.size();
  for (long first = 0; first < frames && written; first += kFramesPerBlock) {
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
    written = std::fwrite(text.data(), 1, text.size(), file.get()) == text.size();
  }
  if (!written || std::fflush(file.get()) != 0)
    throw InputError(
        fmt::format("--csv {}: cannot be written ({})", path.string(), std::strerror(errno)));
}

}  // namespace stickslip
