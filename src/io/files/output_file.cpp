#include "io/files/output_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <hdf5.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

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

namespace {

namespace fs = std::filesystem;

// Names of drafts are longer than names of files, which may be as long as the system allows.
constexpr std::size_t kMostOfName = 200;

[[noreturn]] void refuse(const std::string& label, const std::string& why) {
  throw InputError(fmt::format("{}: {}", label, why));
}

[[noreturn]] void failToWrite(const std::string& label, const std::string& why) {
  refuse(label, fmt::format("cannot be written ({})", why));
}

fs::path folderOf(const fs::path& file) {
  return file.has_parent_path() ? file.parent_path() : fs::path(".");
}

// A descriptor that stands for the folder whatever becomes of its path; it needs no right to list.
int openFolder(const fs::path& folder, const std::string& label) {
  const int descriptor = open(folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0)
    failToWrite(label, errno == ENOENT    ? fmt::format("there is no folder {}", folder.string())
                       : errno == ENOTDIR ? fmt::format("{} is no folder, or a file is in the way",
                                                        folder.string())
                                          : std::strerror(errno));
  return descriptor;
}

const char* nameOfKind(mode_t mode) {
  if (S_ISLNK(mode)) return "a symbolic link, which is not followed";
  if (S_ISDIR(mode)) return "a folder";
  if (S_ISFIFO(mode)) return "a FIFO";
  if (S_ISSOCK(mode)) return "a socket";
  return "a device";
}

bool isSameFile(const struct stat& status, const fs::path& other) {
  struct stat known {};
  return !other.empty() && stat(other.c_str(), &known) == 0 && known.st_dev == status.st_dev &&
         known.st_ino == status.st_ino;
}

bool expectReplaceableIn(int folder, const fs::path& file, OwnFile kind, const std::string& label,
                         const fs::path& known) {
  const std::string name = file.filename().string();
  if (name.empty() || name == "." || name == "..") refuse(label, "names a folder, not a file");
  if (faccessat(folder, ".", W_OK | X_OK, AT_EACCESS) != 0)
    failToWrite(label, fmt::format("folder {}: {}", folderOf(file).string(), std::strerror(errno)));
  struct stat status {};
  if (fstatat(folder, name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) {
    if (errno == ENOENT) return false;
    failToWrite(label, std::strerror(errno));
  }
  if (!S_ISREG(status.st_mode))
    refuse(label,
           fmt::format("is {}; only regular files are written, so move it away, or write elsewhere",
                       nameOfKind(status.st_mode)));
  if (faccessat(folder, name.c_str(), W_OK, AT_EACCESS) != 0)
    failToWrite(label, std::strerror(errno));
  if (!isSameFile(status, known) && !isOwn(file, kind))
    refuse(label,
           fmt::format("is there, and is not {} that stickslip wrote, so it is not replaced; move "
                       "it away, or write elsewhere",
                       describe(kind)));
  return true;
}

}  // namespace

bool expectReplaceable(const fs::path& file, OwnFile kind, const std::string& label,
                       const fs::path& known) {
  const int folder = openFolder(folderOf(file), label);
  try {
    const bool there = expectReplaceableIn(folder, file, kind, label, known);
    close(folder);
    return there;
  } catch (...) {
    close(folder);
    throw;
  }
}

OutputFile::OutputFile(const fs::path& file, OwnFile kind, std::string label, fs::path known)
    : file_(file),
      folder_(folderOf(file)),
      kind_(kind),
      label_(std::move(label)),
      known_(std::move(known)) {
  expectReplaceable(file_, kind_, label_, known_);
  folder_descriptor_ = openFolder(folder_, label_);
  int descriptor = -1;
  // A name that is taken belongs to a process that was killed: the next one then.
  for (int n = 0; descriptor < 0; ++n) {
    draft_ =
        fmt::format("{}.{}-{}.part", file_.filename().string().substr(0, kMostOfName), getpid(), n);
    descriptor = openat(folder_descriptor_, draft_.c_str(),
                        O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (descriptor >= 0 || errno == EEXIST) continue;
    const int error = errno;
    close(folder_descriptor_);
    failToWrite(label_, std::strerror(error));
  }
  stream_ = fdopen(descriptor, "wb");
}

OutputFile::~OutputFile() {
  if (stream_ != nullptr) {
    std::fclose(stream_);
    unlinkat(folder_descriptor_, draft_.c_str(), 0);
  }
  close(folder_descriptor_);
}

void OutputFile::expectDraft(int descriptor) const {
  struct stat draft {
  }, other{};
  if (fstat(fileno(stream_), &draft) != 0 || fstat(descriptor, &other) != 0 ||
      draft.st_dev != other.st_dev || draft.st_ino != other.st_ino)
    fail("another process interferes with its draft");
}

void OutputFile::complete() {
  expectReplaceableIn(folder_descriptor_, file_, kind_, label_, known_);
  if (std::ferror(stream_) != 0 || std::fflush(stream_) != 0) fail(std::strerror(errno));
  if (renameat(folder_descriptor_, draft_.c_str(), folder_descriptor_, file_.filename().c_str()) !=
      0)
    fail(std::strerror(errno));
  std::fclose(std::exchange(stream_, nullptr));
}

void OutputFile::fail(const std::string& why) const {
  failToWrite(label_, why);
}

}  // namespace stickslip
