#include "io/files/own_files.hpp"

#include <fcntl.h>
#include <hdf5.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string_view>

#include "io/hdf5/hdf5_file.hpp"
#include "io/problem/problem_dump.hpp"
#include "io/problem/problem_file.hpp"
#include "stickslip/input_error.hpp"
#include "stickslip/io/recording.hpp"

namespace stickslip {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kHead = 1 << 16;
constexpr std::uintmax_t kMostNumbers = 1 << 28;

// The first bytes, at most so many. A link is not followed, a FIFO not waited for.
std::string headOf(const fs::path& file, std::size_t most) {
  const int descriptor = open(file.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (descriptor < 0) return {};
  std::string head(most, '\0');
  std::size_t size = 0;
  while (size < most) {
    const ssize_t n = read(descriptor, head.data() + size, most - size);
    if (n <= 0) break;
    size += static_cast<std::size_t>(n);
  }
  close(descriptor);
  head.resize(size);
  return head;
}

// "t", and names of columns with a dot in them; the last one may be cut off.
bool isTableHead(std::string_view head) {
  const std::size_t line_end = head.find('\n');
  if (line_end == std::string_view::npos && head.size() < kHead) return false;
  std::string_view rest = head.substr(0, line_end);
  if (rest != "t" && !rest.starts_with("t,")) return false;
  rest.remove_prefix(std::min<std::size_t>(2, rest.size()));
  while (!rest.empty()) {
    const std::size_t end = rest.find(',');
    if (end == std::string_view::npos && line_end == std::string_view::npos) break;
    const std::string_view name = rest.substr(0, end);
    const std::size_t dot = name.rfind('.');
    if (dot == std::string_view::npos || dot == 0 || dot + 1 == name.size()) return false;
    if (end == std::string_view::npos) break;
    rest.remove_prefix(end + 1);
  }
  return true;
}

bool isVector(std::string_view head) {
  const std::size_t second = head.find('\n') + 1;  // 0 if there is one line only
  return head.starts_with("%%MatrixMarket ") && second > 0 &&
         head.substr(second).starts_with(kVectorMark);
}

// What `converge` and `reproduce` print; a scene is another object.
bool isNumbers(const fs::path& file) {
  std::error_code error;
  const std::uintmax_t size = fs::file_size(file, error);
  if (error || size > kMostNumbers) return false;
  const nlohmann::json json =
      nlohmann::json::parse(headOf(file, static_cast<std::size_t>(size)), nullptr, false);
  if (!json.is_object() || json.contains("stickslip")) return false;
  return (json.contains("scene") && json.contains("studies")) ||
         (json.contains("paper") && json.contains("verdict") && json.contains("command"));
}

bool isProblem(const fs::path& path) try {
  const ProblemFile file(path);
  return file.has(dump_layout::kGroup) || file.hasAttribute(kProblemMark);
} catch (const InputError&) {
  return false;
}

bool isReadableRecording(const fs::path& path) try {
  return !RecordingReader(path).sceneText().empty();
} catch (const InputError&) {
  return false;
}

}  // namespace

std::string describe(OwnFile kind) {
  switch (kind) {
    case OwnFile::recording:
      return "a recording";
    case OwnFile::csv:
      return "a CSV table of a recording";
    case OwnFile::problem:
      return "a contact problem";
    case OwnFile::vector:
      return "a Matrix Market vector";
    case OwnFile::report:
      return "a report";
    default:
      return "the numbers of a study";
  }
}

bool isOwn(const fs::path& file, OwnFile kind) {
  switch (kind) {
    case OwnFile::recording:
      return isReadableRecording(file);
    case OwnFile::csv:
      return isTableHead(headOf(file, kHead));
    case OwnFile::problem:
      return isProblem(file);
    case OwnFile::vector:
      return isVector(headOf(file, kHead));
    case OwnFile::report:
      return headOf(file, kHead).find(kReportMark) != std::string::npos;
    default:
      return isNumbers(file);
  }
}

}  // namespace stickslip
