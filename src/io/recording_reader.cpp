#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "io/hdf5_file.hpp"
#include "io/recording_layout.hpp"
#include "stickslip/input_error.hpp"
#include "stickslip/io/recording.hpp"

namespace stickslip {
namespace {

using hdf5::Handle;

std::filesystem::path recordingFile(const std::filesystem::path& path) {
  std::error_code error;
  return std::filesystem::is_directory(path, error) ? path / kRecordingFile : path;
}

}  // namespace

struct RecordingReader::Impl {
  std::string path;
  Handle file;
  long frames = 0;

  std::vector<double> rows(const std::string& name, long first, long count) const;
  template <class Action>
  auto guarded(Action action) const {
    try {
      return action();
    } catch (const hdf5::Error& error) {
      throw InputError(fmt::format("{}: not a readable recording: {}", path, error.what()));
    }
  }
};

bool isRecording(const std::filesystem::path& path) {
  const std::filesystem::path file = recordingFile(path);
  std::error_code error;
  if (!std::filesystem::is_regular_file(file, error)) return false;
  hdf5::silenceErrorStack();
  return H5Fis_hdf5(file.c_str()) > 0;
}

RecordingReader::RecordingReader(const std::filesystem::path& path)
    : impl_(std::make_unique<Impl>()) {
  const std::filesystem::path file = recordingFile(path);
  impl_->path = file.string();
  if (!std::filesystem::exists(file))
    throw InputError(fmt::format("{}: no such recording", file.string()));
  hdf5::silenceErrorStack();
  impl_->guarded([&] {
    // A run that was killed, or still goes on, left the file marked as being written.
    hid_t id = H5Fopen(file.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
    if (id < 0) id = H5Fopen(file.c_str(), H5F_ACC_RDONLY | H5F_ACC_SWMR_READ, H5P_DEFAULT);
    impl_->file = Handle(id, "not an HDF5 file, or damaged");
    hsize_t frames = hdf5::extentOf(impl_->file, layout::kTime).rows;
    for (const char* name : {layout::kPositions, layout::kVelocities, layout::kContactCount})
      frames = std::min(frames, hdf5::extentOf(impl_->file, name).rows);
    impl_->frames = static_cast<long>(frames);
  });
}

RecordingReader::~RecordingReader() = default;

std::string RecordingReader::sceneText() const {
  return impl_->guarded([&] { return hdf5::readText(impl_->file, layout::kScene); });
}
std::vector<std::string> RecordingReader::positionNames() const {
  return impl_->guarded([&] { return hdf5::readNames(impl_->file, layout::kPositionNames); });
}
std::vector<std::string> RecordingReader::velocityNames() const {
  return impl_->guarded([&] { return hdf5::readNames(impl_->file, layout::kVelocityNames); });
}
std::vector<std::string> RecordingReader::contactNames() const {
  return impl_->guarded([&] { return hdf5::readNames(impl_->file, layout::kContactNames); });
}

long RecordingReader::frameCount() const {
  return impl_->frames;
}

std::vector<double> RecordingReader::Impl::rows(const std::string& name, long first,
                                                long count) const {
  return guarded([&] {
    const hsize_t width = hdf5::extentOf(file, name).width;
    std::vector<double> values(static_cast<std::size_t>(count) * width);
    if (!values.empty())
      hdf5::readRows(file, name, H5T_NATIVE_DOUBLE, hsize_t(first), hsize_t(count), values.data());
    return values;
  });
}

std::vector<double> RecordingReader::times(long first, long count) const {
  return impl_->rows(layout::kTime, first, count);
}
std::vector<double> RecordingReader::positions(long first, long count) const {
  return impl_->rows(layout::kPositions, first, count);
}
std::vector<double> RecordingReader::velocities(long first, long count) const {
  return impl_->rows(layout::kVelocities, first, count);
}
std::vector<double> RecordingReader::certificate(const std::string& name, long first,
                                                 long count) const {
  return impl_->rows(layout::kCertificate + name, first, count);
}

RecordedContacts RecordingReader::contacts(long frame) const {
  return impl_->guarded([&] {
    std::vector<int> counts(static_cast<std::size_t>(frame) + 1);
    hdf5::readRows(impl_->file, layout::kContactCount, H5T_NATIVE_INT, 0, counts.size(),
                   counts.data());
    const auto count = static_cast<std::size_t>(counts.back());
    const auto first = static_cast<hsize_t>(std::accumulate(counts.begin(), counts.end() - 1, 0L));
    RecordedContacts out;
    if (count == 0) return out;
    out.id.resize(count);
    out.gap.resize(count);
    std::vector<double> impulse(2 * count);
    hdf5::readRows(impl_->file, layout::kContactId, H5T_NATIVE_INT, first, count, out.id.data());
    hdf5::readRows(impl_->file, layout::kContactGap, H5T_NATIVE_DOUBLE, first, count,
                   out.gap.data());
    hdf5::readRows(impl_->file, layout::kContactImpulse, H5T_NATIVE_DOUBLE, first, count,
                   impulse.data());
    for (std::size_t i = 0; i < count; ++i) {
      out.normal_impulse.push_back(impulse[2 * i]);
      out.tangential_impulse.push_back(impulse[2 * i + 1]);
    }
    return out;
  });
}

}  // namespace stickslip
