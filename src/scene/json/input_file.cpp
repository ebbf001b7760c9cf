#include "scene/json/input_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>

#include "stickslip/input_error.hpp"

namespace stickslip {
namespace {

[[noreturn]] void refuseInput(const std::filesystem::path& file, const char* why) {
  throw InputError(fmt::format("{}: {}", file.string(), why));
}

void expectRegular(const std::filesystem::path& file, const struct stat& status) {
  if (S_ISDIR(status.st_mode)) refuseInput(file, "is a folder, not a file");
  if (!S_ISREG(status.st_mode))
    refuseInput(file, "is a device, a pipe or the like; only regular files are read");
}

}  // namespace

void expectInputFile(const std::filesystem::path& file) {
  struct stat status {};
  if (stat(file.c_str(), &status) != 0) {
    const bool missing = errno == ENOENT || errno == ENOTDIR;
    refuseInput(file, missing ? "no such file" : std::strerror(errno));
  }
  // Looked at before it is opened, since that alone can move a device; and again after, since it
  // may be another one by then.
  expectRegular(file, status);
  const int descriptor = open(file.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  if (descriptor < 0) throw InputError(fmt::format("{}: cannot be read", file.string()));
  const bool known = fstat(descriptor, &status) == 0;
  close(descriptor);
  if (!known) refuseInput(file, "cannot be read");
  expectRegular(file, status);
}

std::string textOf(const std::filesystem::path& file) {
  expectInputFile(file);
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  if (!stream) throw InputError(fmt::format("{}: cannot be read", file.string()));
  return text.str();
}

}  // namespace stickslip
