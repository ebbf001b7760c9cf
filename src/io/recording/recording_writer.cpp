#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>

#include "io/files/output_file.hpp"
#include "io/files/output_folder.hpp"
#include "io/hdf5/hdf5_file.hpp"
#include "io/recording/recording_layout.hpp"
#include "io/recording/stage_columns.hpp"
#include "stickslip/frame_rows.hpp"
#include "stickslip/input_error.hpp"
#include "stickslip/io/recording.hpp"

namespace stickslip {
namespace {

using hdf5::Column;
using hdf5::Handle;

std::vector<std::string> collectNames(int count, const auto& name_of) {
  std::vector<std::string> names(count);
  for (int i = 0; i < count; ++i) names[i] = name_of(i);
  return names;
}

std::string labelOf(const std::filesystem::path& folder) {
  return "--out " + folder.string();
}

// Whatever is in the way of the recording, except another process.
void expectRecordingFits(const std::filesystem::path& folder, ExistingRecording existing) {
  const std::filesystem::path file = folder / kRecordingFile;
  if (!expectReplaceable(file, OwnFile::recording, file.string()) ||
      existing == ExistingRecording::replace)
    return;
  throw InputError(
      fmt::format("{}: holds a recording already, of {} frames; --force replaces it, or choose "
                  "another folder",
                  labelOf(folder), RecordingReader(file).frameCount()));
}

Handle createFile(const OutputFile& output) {
  hdf5::prepareLibrary();
  const Handle access(H5Pcreate(H5P_FILE_ACCESS), "HDF5 does not work");
  // Single-writer mode needs the newest file format.
  hdf5::check(H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST), "HDF5");
  const hid_t id = H5Fcreate(output.draft().c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access);
  if (id < 0) output.fail("is the disk full?");
  Handle file(id, "file");
  output.expectDraft(hdf5::descriptorOf(file));
  return file;
}

}  // namespace

struct RecordingWriter::Impl {
  OutputFolder folder;
  std::filesystem::path path;
  OutputFile output;
  Handle file;
  FrameRows rows;
  Column step, q, u, joint_impulse, contact_count, contact_id, contact_gap, contact_impulse;
  std::vector<Column> certificate;
  std::optional<Column> contact_moment, contact_point, contact_normal;
  StageColumns stages;
  Column time;          // written last: a frame counts when its time is there
  std::string failure;  ///< of a flush, after which nothing is written

  Impl(const std::filesystem::path& in, const System& system, ExistingRecording existing)
      : folder(in, labelOf(in)),
        path(in / kRecordingFile),
        output(createOutput(in, existing)),
        file(createFile(output)),
        rows(system),
        step(file, layout::kStep, H5T_NATIVE_INT64, 1),
        q(file, layout::kPositions, H5T_NATIVE_DOUBLE, rows.positions),
        u(file, layout::kVelocities, H5T_NATIVE_DOUBLE, rows.velocities),
        joint_impulse(file, layout::kJointImpulse, H5T_NATIVE_DOUBLE, rows.joint_rows),
        contact_count(file, layout::kContactCount, H5T_NATIVE_INT32, 1),
        contact_id(file, layout::kContactId, H5T_NATIVE_UINT64, 1),
        contact_gap(file, layout::kContactGap, H5T_NATIVE_DOUBLE, 1),
        contact_impulse(file, layout::kContactImpulse, H5T_NATIVE_DOUBLE, 3),
        stages(file),
        time(file, layout::kTime, H5T_NATIVE_DOUBLE, 1) {
    if (rows.has_moments)
      contact_moment.emplace(file, layout::kContactMoment, H5T_NATIVE_DOUBLE, 3);
    if (rows.has_places) {
      contact_point.emplace(file, layout::kContactPoint, H5T_NATIVE_FLOAT, 3);
      contact_normal.emplace(file, layout::kContactNormal, H5T_NATIVE_FLOAT, 3);
    }
    for (const char* field : FrameRows::kCertificate)
      certificate.emplace_back(file, std::string(layout::kCertificate) + field, H5T_NATIVE_DOUBLE,
                               1);
  }

  // Nobody else of us writes to the folder by now.
  static OutputFile createOutput(const std::filesystem::path& in, ExistingRecording existing) {
    expectRecordingFits(in, existing);
    const std::filesystem::path file = in / kRecordingFile;
    return {file, OwnFile::recording, file.string()};
  }
  void write();
};

// What a frame refers to is written before what refers to it.
void RecordingWriter::Impl::write() {
  const std::size_t frames = rows.frames(), contacts = rows.contact_id.size();
  if (contact_moment) contact_moment->append(contacts, rows.contact_moment.data());
  if (contact_point) contact_point->append(contacts, rows.contact_point.data());
  if (contact_normal) contact_normal->append(contacts, rows.contact_normal.data());
  contact_id.append(contacts, rows.contact_id.data());
  contact_gap.append(contacts, rows.contact_gap.data());
  contact_impulse.append(contacts, rows.contact_impulse.data());
  contact_count.append(frames, rows.contact_count.data());
  step.append(frames, rows.step.data());
  q.append(frames, rows.q.data());
  u.append(frames, rows.u.data());
  joint_impulse.append(frames, rows.joint_impulse.data());
  for (std::size_t k = 0; k < certificate.size(); ++k)
    certificate[k].append(frames, rows.certificate[k].data());
  stages.append(rows);
  time.append(frames, rows.time.data());
  rows.clear();
}

void expectRecordingFolder(const std::filesystem::path& folder, ExistingRecording existing) {
  if (!expectFolder(folder, labelOf(folder))) return;
  const OutputFolder held(folder, labelOf(folder));
  expectRecordingFits(folder, existing);
}

RecordingWriter::RecordingWriter(const std::filesystem::path& folder, const Scene& scene,
                                 ExistingRecording existing) {
  const System& system = *scene.model.system;
  impl_ = std::make_unique<Impl>(folder, system, existing);
  hdf5::writeText(impl_->file, layout::kScene, scene.text);
  hdf5::writeNames(
      impl_->file, layout::kPositionNames,
      collectNames(system.positionCount(), [&](int i) { return system.positionName(i); }));
  hdf5::writeNames(
      impl_->file, layout::kVelocityNames,
      collectNames(system.velocityCount(), [&](int i) { return system.velocityName(i); }));
  hdf5::writeNames(impl_->file, layout::kContactNames,
                   collectNames(system.fixedContactCount(),
                                [&](int i) { return system.contactName(std::uint64_t(i)); }));
  hdf5::check(H5Fstart_swmr_write(impl_->file), "cannot start to record");
  // From here on a reader can make sense of it, whenever the run ends.
  impl_->output.complete();
}

RecordingWriter::~RecordingWriter() {
  try {
    flush();
  } catch (const hdf5::Error&) {
    // Only reached when a flush has failed before and was reported then.
  }
}

void RecordingWriter::append(std::int64_t step, const State& state, const Stepper& stepper,
                             const StepReport* report) {
  impl_->rows.append(step, state, stepper, report);
  if (impl_->rows.areDue()) flush();
}

void RecordingWriter::flush() {
  // After a failure columns have different lengths: another attempt would mix up the rows.
  if (!impl_->failure.empty()) throw hdf5::Error(impl_->failure);
  try {
    impl_->write();
  } catch (const hdf5::Error& error) {
    impl_->failure = fmt::format("{}: {}", impl_->path.string(), error.what());
    throw hdf5::Error(impl_->failure);
  }
}

const std::filesystem::path& RecordingWriter::file() const {
  return impl_->path;
}

}  // namespace stickslip
