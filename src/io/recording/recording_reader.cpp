#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "io/hdf5/hdf5_file.hpp"
#include "io/recording/recording_layout.hpp"
#include "io/recording/stage_columns.hpp"
#include "scene/json/input_file.hpp"
#include "stickslip/input_error.hpp"
#include "stickslip/io/recording.hpp"

namespace stickslip {
namespace {

using hdf5::Handle;

constexpr unsigned kReadAttempts = 20;

std::filesystem::path recordingFile(const std::filesystem::path& path) {
  std::error_code error;
  return std::filesystem::is_directory(path, error) ? path / kRecordingFile : path;
}

}  // namespace

struct RecordingReader::Impl {
  std::string path;
  Handle file;
  std::int64_t frames = 0;
  mutable std::vector<hsize_t>
      first_contact;  ///< of each frame, and the end; empty until asked for

  void findFirstContacts() const;
  std::vector<double> rows(const std::string& name, std::int64_t first, std::int64_t count) const;
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
  hdf5::prepareLibrary();
  return H5Fis_hdf5(file.c_str()) > 0;
}

RecordingReader::RecordingReader(const std::filesystem::path& path)
    : impl_(std::make_unique<Impl>()) {
  const std::filesystem::path file = recordingFile(path);
  impl_->path = file.string();
  if (!std::filesystem::exists(file))
    throw InputError(fmt::format("{}: no such recording", file.string()));
  expectInputFile(file);
  hdf5::prepareLibrary();
  impl_->guarded([&] {
    // A run that was killed, or still goes on, left the file marked as being written. A damaged
    // file must not be tried for ever, as HDF5 does with one that is being written.
    const Handle access(H5Pcreate(H5P_FILE_ACCESS), "HDF5 does not work");
    hdf5::check(H5Pset_metadata_read_attempts(access, kReadAttempts), "HDF5");
    hid_t id = H5Fopen(file.c_str(), H5F_ACC_RDONLY, access);
    if (id < 0) id = H5Fopen(file.c_str(), H5F_ACC_RDONLY | H5F_ACC_SWMR_READ, access);
    impl_->file = Handle(id, "not an HDF5 file, or damaged");
    hsize_t frames = hdf5::extentOf(impl_->file, layout::kTime).rows;
    for (const char* name : {layout::kPositions, layout::kVelocities, layout::kContactCount})
      frames = std::min(frames, hdf5::extentOf(impl_->file, name).rows);
    impl_->frames = static_cast<std::int64_t>(frames);
  });
}

RecordingReader::~RecordingReader() = default;

std::filesystem::path RecordingReader::file() const {
  return impl_->path;
}

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

std::int64_t RecordingReader::frameCount() const {
  return impl_->frames;
}

std::vector<double> RecordingReader::Impl::rows(const std::string& name, std::int64_t first,
                                                std::int64_t count) const {
  return guarded([&] {
    const hsize_t width = hdf5::extentOf(file, name).width;
    std::vector<double> values(static_cast<std::size_t>(count) * width);
    if (!values.empty())
      hdf5::readRows(file, name, H5T_NATIVE_DOUBLE, hsize_t(first), hsize_t(count), values.data());
    return values;
  });
}

std::vector<double> RecordingReader::times(std::int64_t first, std::int64_t count) const {
  return impl_->rows(layout::kTime, first, count);
}
std::vector<double> RecordingReader::positions(std::int64_t first, std::int64_t count) const {
  return impl_->rows(layout::kPositions, first, count);
}
std::vector<double> RecordingReader::velocities(std::int64_t first, std::int64_t count) const {
  return impl_->rows(layout::kVelocities, first, count);
}
std::vector<double> RecordingReader::certificate(const std::string& name, std::int64_t first,
                                                 std::int64_t count) const {
  return impl_->rows(layout::kCertificate + name, first, count);
}

std::vector<std::int64_t> RecordingReader::steps(std::int64_t first, std::int64_t count) const {
  return impl_->guarded([&] {
    std::vector<std::int64_t> values(static_cast<std::size_t>(count));
    if (count > 0)
      hdf5::readRows(impl_->file, layout::kStep, H5T_NATIVE_INT64, hsize_t(first), hsize_t(count),
                     values.data());
    return values;
  });
}
std::vector<double> RecordingReader::jointImpulses(std::int64_t first, std::int64_t count) const {
  const bool has_joints =
      impl_->guarded([&] { return hdf5::extentOf(impl_->file, layout::kJointImpulse).rows > 0; });
  return has_joints ? impl_->rows(layout::kJointImpulse, first, count) : std::vector<double>();
}

std::vector<std::vector<RecordedStage>> RecordingReader::stages(std::int64_t first,
                                                                std::int64_t count) const {
  return impl_->guarded([&] { return readStages(impl_->file, hsize_t(first), hsize_t(count)); });
}

void RecordingReader::Impl::findFirstContacts() const {
  std::vector<int> counts(static_cast<std::size_t>(frames));
  if (frames > 0)
    hdf5::readRows(file, layout::kContactCount, H5T_NATIVE_INT, 0, counts.size(), counts.data());
  first_contact.assign(1, 0);
  for (const int count : counts) {
    if (count < 0) throw hdf5::Error("damaged: a negative number of contacts");
    first_contact.push_back(first_contact.back() + static_cast<hsize_t>(count));
  }
}

RecordedContacts RecordingReader::contacts(std::int64_t frame) const {
  return impl_->guarded([&] {
    if (impl_->first_contact.empty()) impl_->findFirstContacts();
    const hsize_t first = impl_->first_contact[frame];
    const std::size_t count = impl_->first_contact[frame + 1] - first;
    RecordedContacts out;
    if (count == 0) return out;
    out.id.resize(count);
    out.gap.resize(count);
    out.impulse.resize(count);
    hdf5::readRows(impl_->file, layout::kContactId, H5T_NATIVE_UINT64, first, count, out.id.data());
    hdf5::readRows(impl_->file, layout::kContactGap, H5T_NATIVE_DOUBLE, first, count,
                   out.gap.data());
    hdf5::readRows(impl_->file, layout::kContactImpulse, H5T_NATIVE_DOUBLE, first, count,
                   out.impulse.data());
    if (H5Lexists(impl_->file, layout::kContactMoment, H5P_DEFAULT) > 0) {
      out.moment.resize(count);
      hdf5::readRows(impl_->file, layout::kContactMoment, H5T_NATIVE_DOUBLE, first, count,
                     out.moment.data());
    }
    const auto readPlaces = [&](const char* name, std::vector<std::array<double, 3>>& to) {
      if (H5Lexists(impl_->file, name, H5P_DEFAULT) <= 0) return;
      to.resize(count);
      hdf5::readRows(impl_->file, name, H5T_NATIVE_DOUBLE, first, count, to.data());
    };
    readPlaces(layout::kContactPoint, out.point);
    readPlaces(layout::kContactNormal, out.normal);
    return out;
  });
}

}  // namespace stickslip
