// Recordings: one folder per run with the file recording.h5 (HDF5) in it.
//
// Layout (frames along the first dimension; docs/recording-format.md has the whole table):
//   /scene                       the scene as JSON: the run can be repeated from the recording
//   /names/{positions,velocities,contacts}
//   /time, /step, /q, /u         one row per frame
//   /certificate/...             the certificate of the recorded step
//   /contacts/count              contacts active in the recorded step
//   /contacts/{id,gap,impulse}   their rows, frame after frame; and moment, if there are any; of
//                                bodies point and normal
//   /joints/impulse              one row per frame
//   /stages/...                  what the stages of the solver did in the recorded step
//
// The file is written in HDF5's single-writer mode and flushed as it grows, so that it is readable
// while the run goes on and, if the program is killed, up to the last flush.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "stickslip/io/scene.hpp"
#include "stickslip/stepper.hpp"

namespace stickslip {

inline constexpr const char* kRecordingFile = "recording.h5";

/// True if `path` is a recording file or a folder that holds one.
bool isRecording(const std::filesystem::path& path);

/// What becomes of a recording that is in the folder already. Anything else by that name is never
/// replaced.
enum class ExistingRecording { refuse, replace };

/// Throws InputError if no recording could be made in the folder: it cannot be written, or holds
/// something that is in the way. Changes nothing.
void expectRecordingFolder(const std::filesystem::path& folder,
                           ExistingRecording existing = ExistingRecording::refuse);

/// Writes the frames of a run.
class RecordingWriter {
 public:
  /// Creates the folder if need be and a new recording in it, and holds the folder: nobody else
  /// records there. Throws InputError if that is not possible.
  RecordingWriter(const std::filesystem::path& folder, const Scene& scene,
                  ExistingRecording existing = ExistingRecording::refuse);
  ~RecordingWriter();
  RecordingWriter(const RecordingWriter&) = delete;
  RecordingWriter& operator=(const RecordingWriter&) = delete;

  /// Appends a frame. `report` and the stepper's problem and solution are those of the step that
  /// led to `state`; without a report the frame has no contacts and an empty certificate.
  void append(std::int64_t step, const State& state, const Stepper& stepper,
              const StepReport* report);
  /// Writes what is buffered; readers see it from then on.
  void flush();

  const std::filesystem::path& file() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Contacts of one recorded frame.
struct RecordedContacts {
  std::vector<std::uint64_t> id;
  std::vector<double> gap;
  /// Normal component, then along the tangents (zero where there are fewer than two).
  std::vector<std::array<double, 3>> impulse;
  /// Moments times time: about the normal, then about the tangents (in the plane about z, in the
  /// second place). Empty where no contact of the system has any.
  std::vector<std::array<double, 3>> moment;
  /// Where contacts of bodies are, and the unit normals from the first body to the second, in
  /// single precision; zeros for limits and motors of joints. Empty in recordings of other systems,
  /// and in those of version 0.1.
  std::vector<std::array<double, 3>> point;
  std::vector<std::array<double, 3>> normal;
};

/// What one stage of the solver did in a recorded step, as in StageEffort.
struct RecordedStage {
  std::string name;
  std::int64_t solved = 0;
  std::int64_t tried = 0;
  std::int64_t iterations = 0;
};

/// Reads a recording, finished or not.
class RecordingReader {
 public:
  /// Opens a recording file or the folder it is in, finished or not. Throws InputError.
  explicit RecordingReader(const std::filesystem::path& path);
  ~RecordingReader();
  RecordingReader(const RecordingReader&) = delete;
  RecordingReader& operator=(const RecordingReader&) = delete;

  std::filesystem::path file() const;
  std::string sceneText() const;
  std::vector<std::string> positionNames() const;
  std::vector<std::string> velocityNames() const;
  std::vector<std::string> contactNames() const;

  /// Number of frames that are complete.
  std::int64_t frameCount() const;
  /// Frames [first, first + count): times, and q and u row by row.
  std::vector<double> times(std::int64_t first, std::int64_t count) const;
  std::vector<std::int64_t> steps(std::int64_t first, std::int64_t count) const;
  std::vector<double> positions(std::int64_t first, std::int64_t count) const;
  std::vector<double> velocities(std::int64_t first, std::int64_t count) const;
  /// One value per frame of /certificate/`name`.
  std::vector<double> certificate(const std::string& name, std::int64_t first,
                                  std::int64_t count) const;
  RecordedContacts contacts(std::int64_t frame) const;
  /// Stages of the solver, frame by frame; none in recordings of versions before 0.2.
  std::vector<std::vector<RecordedStage>> stages(std::int64_t first, std::int64_t count) const;
  /// Impulses of the joints row by row; empty if the system has none.
  std::vector<double> jointImpulses(std::int64_t first, std::int64_t count) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Writes a recording as CSV, one line a frame, numbers with all their digits: "t", then "q.<name>"
/// and "u.<name>" of every coordinate; of body scenes instead position, orientation and velocities
/// of every body that moves and the coordinates of joints. "-" is standard output. The file appears
/// when it is complete. One that is there is replaced if it is such a table. Throws InputError.
void exportCsv(const RecordingReader& recording, const std::filesystem::path& file);

}  // namespace stickslip
