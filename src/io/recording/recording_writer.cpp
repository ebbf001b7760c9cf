#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>

#include "io/files/output_file.hpp"
#include "io/files/output_folder.hpp"
#include "io/hdf5/hdf5_file.hpp"
#include "io/recording/recording_layout.hpp"
#include "io/recording/stage_columns.hpp"
#include "stickslip/body_system.hpp"
#include "stickslip/input_error.hpp"
#include "stickslip/io/recording.hpp"

namespace stickslip {
namespace {

using hdf5::Column;
using hdf5::Handle;

// Flushes come after 1, 2, 4, ... frames and then every so many, or when so much has been gathered:
// a slow run shows early, a fast one is not slowed down.
constexpr hsize_t kMostFramesPerFlush = 4096;
constexpr std::size_t kMostBytesPerFlush = 1 << 24;

std::vector<std::string> collectNames(int count, const auto& name_of) {
  std::vector<std::string> names;
  for (int i = 0; i < count; ++i) names.push_back(name_of(i));
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
  Column step, q, u, joint_impulse, contact_count, contact_id, contact_gap, contact_impulse;
  std::vector<Column> certificate;
  std::optional<Column> contact_moment, contact_point, contact_normal;
  StageColumns stages;
  Column time;  // written last: a frame counts when its time is there
  hsize_t frames_until_flush = 1;
  std::vector<double> no_joint_impulse;

  Impl(const std::filesystem::path& in, const System& system, ExistingRecording existing)
      : folder(in, labelOf(in)),
        path(in / kRecordingFile),
        output(createOutput(in, existing)),
        file(createFile(output)),
        step(file, layout::kStep, H5T_NATIVE_INT64, 1),
        q(file, layout::kPositions, H5T_NATIVE_DOUBLE, hsize_t(system.positionCount())),
        u(file, layout::kVelocities, H5T_NATIVE_DOUBLE, hsize_t(system.velocityCount())),
        joint_impulse(file, layout::kJointImpulse, H5T_NATIVE_DOUBLE,
                      hsize_t(system.jointCapacity())),
        contact_count(file, layout::kContactCount, H5T_NATIVE_INT32, 1),
        contact_id(file, layout::kContactId, H5T_NATIVE_UINT64, 1),
        contact_gap(file, layout::kContactGap, H5T_NATIVE_DOUBLE, 1),
        contact_impulse(file, layout::kContactImpulse, H5T_NATIVE_DOUBLE, 3),
        stages(file),
        time(file, layout::kTime, H5T_NATIVE_DOUBLE, 1),
        no_joint_impulse(static_cast<std::size_t>(system.jointCapacity()), 0.0) {
    if (system.momentCount() > 0)
      contact_moment.emplace(file, layout::kContactMoment, H5T_NATIVE_DOUBLE, 3);
    if (dynamic_cast<const BodySystem*>(&system) != nullptr && system.touches()) {
      contact_point.emplace(file, layout::kContactPoint, H5T_NATIVE_FLOAT, 3);
      contact_normal.emplace(file, layout::kContactNormal, H5T_NATIVE_FLOAT, 3);
    }
    for (const char* field : layout::kCertificateFields)
      certificate.emplace_back(file, std::string(layout::kCertificate) + field, H5T_NATIVE_DOUBLE,
                               1);
  }

  // Nobody else of us writes to the folder by now.
  static OutputFile createOutput(const std::filesystem::path& in, ExistingRecording existing) {
    expectRecordingFits(in, existing);
    const std::filesystem::path file = in / kRecordingFile;
    return {file, OwnFile::recording, file.string()};
  }
  void appendCertificate(const StepReport& report);
  void appendContacts(const ContactProblem& problem, const ContactSolution& solution);
  void appendPlaces(int contacts, std::span<const ContactView> views);
  std::size_t bufferedBytes() const {
    return q.bufferedBytes() + u.bufferedBytes() + joint_impulse.bufferedBytes() +
           contact_id.bufferedBytes() + contact_gap.bufferedBytes() +
           contact_impulse.bufferedBytes() +
           (contact_point ? contact_point->bufferedBytes() + contact_normal->bufferedBytes() : 0);
  }
  void write();
};

void RecordingWriter::Impl::appendCertificate(const StepReport& report) {
  const Certificate& c = report.certificate;
  const std::array<double, layout::kCertificateFields.size()> values{c.residual,
                                                                     c.fclib_error,
                                                                     c.momentum_residual,
                                                                     c.joint_residual,
                                                                     c.worst_gap,
                                                                     c.joint_drift,
                                                                     c.kinetic_energy_end,
                                                                     c.contact_work,
                                                                     c.impulses_unique ? 1.0 : 0.0,
                                                                     report.certified ? 1.0 : 0.0,
                                                                     c.geometry_residual,
                                                                     c.friction_residual,
                                                                     c.energy_residual};
  for (std::size_t k = 0; k < values.size(); ++k) certificate[k].append(&values[k]);
}

void RecordingWriter::Impl::appendContacts(const ContactProblem& problem,
                                           const ContactSolution& solution) {
  for (int i = 0; i < problem.contactCount(); ++i) {
    const std::size_t k = i;
    const std::size_t row = problem.J.firstRow(i);
    const ImpulseSet& set = problem.sets[k];
    const double* p = solution.p.data() + row;
    double impulse[3] = {0, 0, 0}, moment[3] = {0, 0, 0};
    std::copy_n(p, set.linearRows(), impulse);
    std::copy_n(p + set.linearRows(), set.spinRows(), moment);
    std::copy_n(p + set.linearRows() + set.spinRows(), set.rollingRows(), moment + 1);
    contact_id.append(&problem.contact_id[k]);
    contact_gap.append(&problem.gap[k]);
    contact_impulse.append(impulse);
    if (contact_moment) contact_moment->append(moment);
  }
}

// To look at, in single precision: positions repeat the run bit by bit. Limits and motors of joints
// are nowhere.
void RecordingWriter::Impl::appendPlaces(int contacts, std::span<const ContactView> views) {
  if (!contact_point) return;
  const auto asFloats = [](Vec3 x) {
    return std::array{static_cast<float>(x.x), static_cast<float>(x.y), static_cast<float>(x.z)};
  };
  auto view = views.begin();
  for (int i = 0; i < contacts; ++i) {
    const bool is_here = view != views.end() && view->index == i;
    contact_point->append(asFloats(is_here ? view->point : Vec3{}).data());
    contact_normal->append(asFloats(is_here ? view->normal : Vec3{}).data());
    if (is_here) ++view;
  }
}

// What a frame refers to is written before what refers to it.
void RecordingWriter::Impl::write() {
  for (std::optional<Column>* column : {&contact_moment, &contact_point, &contact_normal})
    if (*column) (*column)->write();
  for (Column* column :
       {&contact_id, &contact_gap, &contact_impulse, &contact_count, &step, &q, &u, &joint_impulse})
    column->write();
  for (Column& column : certificate) column.write();
  stages.write();
  time.write();
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
  Impl& to = *impl_;
  const std::int64_t step_number = step;
  const std::int32_t contact_count = report ? stepper.problem().contactCount() : 0;
  to.step.append(&step_number);
  to.q.append(state.q.data());
  to.u.append(state.u.data());
  to.joint_impulse.append(report ? stepper.solution().c.data() : to.no_joint_impulse.data());
  to.contact_count.append(&contact_count);
  if (report) {
    to.appendContacts(stepper.problem(), stepper.solution());
    to.appendPlaces(contact_count, stepper.contacts());
  }
  StepReport no_step;
  no_step.certified = true;
  to.appendCertificate(report ? *report : no_step);
  to.stages.append(report ? report->solve.stages : no_step.solve.stages);
  to.time.append(&state.t);
  if (to.time.bufferedRows() < to.frames_until_flush && to.bufferedBytes() < kMostBytesPerFlush)
    return;
  flush();
  to.frames_until_flush = std::min(2 * to.frames_until_flush, kMostFramesPerFlush);
}

void RecordingWriter::flush() {
  try {
    impl_->write();
  } catch (const hdf5::Error& error) {
    throw hdf5::Error(fmt::format("{}: {}", impl_->path.string(), error.what()));
  }
}

const std::filesystem::path& RecordingWriter::file() const {
  return impl_->path;
}

}  // namespace stickslip
