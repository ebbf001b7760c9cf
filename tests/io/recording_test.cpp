// Recordings: what was written is read, also after the program was killed, and damage is refused.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "io/hdf5/hdf5_file.hpp"
#include "stickslip/input_error.hpp"
#include "stickslip/io/recording.hpp"
#include "support/scenes.hpp"

namespace stickslip {
namespace {

std::filesystem::path freshFolder(const std::string& name) {
  const std::filesystem::path folder =
      std::filesystem::path(::testing::TempDir()) / ("recording_test_" + name);
  std::filesystem::remove_all(folder);
  return folder;
}

Scene shortWoodpecker(const std::string& end) {
  const std::string overrides[] = {"time.end=" + end};
  return testing::repositoryScene("woodpecker.json", overrides);
}

// Runs the scene and records every frame; kills the process at a step if asked to.
std::vector<State> record(const Scene& scene, RecordingWriter& writer, long die_at_step = -1) {
  std::vector<State> states;
  Stepper stepper(scene.model);
  run(stepper, scene.initial, scene.run,
      [&](long step, const State& state, const Stepper& at, const StepReport* report) {
        if (step == die_at_step) raise(SIGKILL);
        writer.append(step, state, at, report);
        states.push_back(state);
      });
  return states;
}

TEST(Recording, GivesBackEveryFrame) {
  const auto folder = freshFolder("roundtrip");
  const Scene scene = shortWoodpecker("0.06");
  std::vector<State> states;
  {
    RecordingWriter writer(folder, scene);
    states = record(scene, writer);
  }
  const RecordingReader reader(folder);
  ASSERT_EQ(reader.frameCount(), 6001);
  EXPECT_EQ(reader.sceneText(), scene.text);
  EXPECT_EQ(reader.positionNames(), (std::vector<std::string>{"y", "phi_M", "phi_S"}));
  EXPECT_EQ(reader.velocityNames(), reader.positionNames());
  EXPECT_EQ(reader.contactNames(),
            (std::vector<std::string>{"beak", "sleeve_lower", "sleeve_upper"}));
  const auto t = reader.times(0, 6001), q = reader.positions(0, 6001),
             u = reader.velocities(0, 6001);
  for (std::size_t i = 0; i < states.size(); ++i) {
    ASSERT_EQ(t[i], states[i].t);
    for (std::size_t k = 0; k < 3; ++k) {
      ASSERT_EQ(q[3 * i + k], states[i].q[k]);
      ASSERT_EQ(u[3 * i + k], states[i].u[k]);
    }
  }
  for (const double residual : reader.certificate("residual", 0, 6001)) ASSERT_LE(residual, 1e-9);
  for (const double certified : reader.certificate("certified", 0, 6001)) ASSERT_EQ(certified, 1);
}

TEST(Recording, HoldsContactsWithImpulsesInsideTheirCones) {
  const auto folder = freshFolder("contacts");
  const Scene scene = shortWoodpecker("0.01");
  {
    RecordingWriter writer(folder, scene);
    record(scene, writer);
  }
  const RecordingReader reader(folder);
  EXPECT_TRUE(reader.contacts(0).id.empty());
  long loaded = 0;
  for (long frame = 1; frame < reader.frameCount(); frame += 50) {
    const RecordedContacts contacts = reader.contacts(frame);
    for (std::size_t i = 0; i < contacts.id.size(); ++i) {
      EXPECT_EQ(contacts.id[i], 1);  // the lower edge of the sleeve
      EXPECT_LE(contacts.gap[i], 0);
      EXPECT_LE(std::abs(contacts.impulse[i][1]), 0.3000001 * contacts.impulse[i][0]);
      loaded += contacts.impulse[i][0] > 0 ? 1 : 0;
    }
  }
  EXPECT_GT(loaded, 10);
}

TEST(Recording, HoldsTheStagesOfTheSolver) {
  const auto folder = freshFolder("stages");
  const std::string overrides[] = {"time.end=0.01", "method.solver=exact"};
  const Scene scene = testing::repositoryScene("woodpecker.json", overrides);
  std::vector<StageSummary> expected;
  {
    RecordingWriter writer(folder, scene);
    Stepper stepper(scene.model);
    run(stepper, scene.initial, scene.run,
        [&](long step, const State& state, const Stepper& at, const StepReport* report) {
          writer.append(step, state, at, report);
          expected.push_back(report ? report->solve.stages : StageSummary{});
        });
  }
  const RecordingReader reader(folder);
  const auto stages = reader.stages(0, reader.frameCount());
  ASSERT_EQ(stages.size(), expected.size());
  long solved = 0;
  for (std::size_t frame = 0; frame < stages.size(); ++frame) {
    const auto efforts = expected[frame].efforts();
    ASSERT_EQ(stages[frame].size(), efforts.size());
    for (std::size_t k = 0; k < efforts.size(); ++k) {
      ASSERT_EQ(stages[frame][k].name, efforts[k].name);
      ASSERT_EQ(stages[frame][k].iterations, efforts[k].iterations);
      ASSERT_EQ(stages[frame][k].tried, efforts[k].tried);
      solved += stages[frame][k].solved;
    }
  }
  EXPECT_GT(solved, 100);
  const auto last = reader.stages(reader.frameCount() - 1, 1);
  EXPECT_EQ(last.front().size(), stages.back().size());
}

// As recordings of versions before 0.2 were written.
TEST(Recording, IsReadableWithoutStages) {
  const auto folder = freshFolder("no_stages");
  const Scene scene = shortWoodpecker("0.001");
  {
    RecordingWriter writer(folder, scene);
    record(scene, writer);
  }
  {
    const std::string file = (folder / kRecordingFile).string();
    const hdf5::Handle opened(H5Fopen(file.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), "open");
    hdf5::check(H5Ldelete(opened, "/stages", H5P_DEFAULT), "delete");
  }
  const RecordingReader reader(folder);
  EXPECT_EQ(reader.frameCount(), 101);
  for (const auto& stages : reader.stages(0, 101)) EXPECT_TRUE(stages.empty());
  EXPECT_NO_THROW(reader.contacts(100));
}

// Joint impulses: the rod of the carts carries what accelerates the light one.
TEST(Recording, RecordsSystemsWithJoints) {
  const auto folder = freshFolder("joints");
  const Scene scene = testing::repositoryScene("coupled-carts.json");
  {
    RecordingWriter writer(folder, scene);
    record(scene, writer);
  }
  EXPECT_EQ(RecordingReader(folder).frameCount(), 2001);
}

// To be drawn, hence in single precision.
TEST(Recording, HoldsWhereBodiesTouch) {
  const auto folder = freshFolder("points");
  const std::string overrides[] = {"time.end=0.05"};
  const Scene scene = testing::repositoryScene("box-stack.json", overrides);
  std::vector<std::vector<ContactView>> views;
  {
    RecordingWriter writer(folder, scene);
    Stepper stepper(scene.model);
    run(stepper, scene.initial, scene.run,
        [&](long step, const State& state, const Stepper& at, const StepReport* report) {
          writer.append(step, state, at, report);
          const auto contacts = report ? at.contacts() : std::span<const ContactView>();
          views.emplace_back(contacts.begin(), contacts.end());
        });
  }
  const RecordingReader reader(folder);
  std::size_t seen = 0;
  for (std::size_t frame = 0; frame < views.size(); ++frame) {
    const RecordedContacts contacts = reader.contacts(static_cast<std::int64_t>(frame));
    ASSERT_EQ(contacts.point.size(), contacts.id.size());
    ASSERT_EQ(contacts.normal.size(), contacts.id.size());
    for (const ContactView& view : views[frame]) {
      const std::size_t i = view.index;
      EXPECT_EQ(contacts.id[i], view.id);
      EXPECT_EQ(contacts.point[i][0], static_cast<float>(view.point.x));
      EXPECT_EQ(contacts.point[i][1], static_cast<float>(view.point.y));
      EXPECT_EQ(contacts.normal[i][1], static_cast<float>(view.normal.y));
      ++seen;
    }
  }
  EXPECT_GT(seen, 0u);
}

// As those of version 0.1: coordinates know no points, and neither do their recordings.
TEST(Recording, OpensWithoutPoints) {
  const auto folder = freshFolder("no_points");
  const Scene scene = shortWoodpecker("0.06");
  {
    RecordingWriter writer(folder, scene);
    record(scene, writer);
  }
  const RecordingReader reader(folder);
  bool any = false;
  for (std::int64_t frame = 0; frame < reader.frameCount(); ++frame) {
    const RecordedContacts contacts = reader.contacts(frame);
    any = any || !contacts.id.empty();
    ASSERT_TRUE(contacts.point.empty() && contacts.normal.empty());
  }
  EXPECT_TRUE(any);
}

TEST(Recording, IsReadableUpToTheLastFlushAfterAKill) {
  const auto folder = freshFolder("killed");
  const Scene scene = shortWoodpecker("1");
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    RecordingWriter writer(folder, scene);
    record(scene, writer, 50000);
    _exit(0);  // not reached
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFSIGNALED(status));

  const RecordingReader reader(folder);
  const long frames = reader.frameCount();
  EXPECT_GE(frames, 40000);
  EXPECT_LE(frames, 50000);
  const auto t = reader.times(0, frames);
  EXPECT_DOUBLE_EQ(t.back(), 1e-5 * double(frames - 1));
  EXPECT_EQ(reader.positions(0, frames).size(), std::size_t(3 * frames));
  EXPECT_NO_THROW(reader.contacts(frames - 1));
  EXPECT_EQ(loadScene(folder).name, "woodpecker");
}

// HDF5 shares what one process has open, so the second look must come from another process.
TEST(Recording, IsReadableWhileTheRunGoesOn) {
  const auto folder = freshFolder("live");
  const Scene scene = shortWoodpecker("0.06");
  int ready[2], done[2];
  ASSERT_EQ(pipe(ready), 0);
  ASSERT_EQ(pipe(done), 0);
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  char token = 'x';
  if (child == 0) {
    RecordingWriter writer(folder, scene);
    record(scene, writer);
    writer.flush();
    if (write(ready[1], &token, 1) != 1 || read(done[0], &token, 1) != 1) _exit(1);
    _exit(0);
  }
  ASSERT_EQ(read(ready[0], &token, 1), 1);
  EXPECT_EQ(RecordingReader(folder).frameCount(), 6001);
  ASSERT_EQ(write(done[1], &token, 1), 1);
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

TEST(Recording, RefusesDamagedAndForeignFiles) {
  const auto folder = freshFolder("damaged");
  const Scene scene = shortWoodpecker("0.01");
  {
    RecordingWriter writer(folder, scene);
    record(scene, writer);
  }
  const auto file = folder / kRecordingFile;
  std::stringstream content;
  content << std::ifstream(file, std::ios::binary).rdbuf();
  const std::string bytes = content.str();
  for (const std::size_t keep : {std::size_t(0), std::size_t(100), bytes.size() / 2}) {
    std::ofstream(file, std::ios::binary | std::ios::trunc) << bytes.substr(0, keep);
    EXPECT_THROW(
        {
          const RecordingReader reader(folder);
          reader.sceneText();
          reader.positions(0, reader.frameCount());
        },
        InputError)
        << keep;
  }
  std::ofstream(file, std::ios::trunc) << "hello";
  EXPECT_THROW(RecordingReader{folder}, InputError);
  EXPECT_THROW(RecordingReader{folder / "nothing.h5"}, InputError);
}

TEST(Recording, RefusesFoldersThatCannotBeMade) {
  const auto folder = freshFolder("blocked");
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "file") << "in the way";
  EXPECT_THROW(RecordingWriter(folder / "file", shortWoodpecker("0.01")), InputError);
  EXPECT_THROW(RecordingWriter(folder / "file" / "below", shortWoodpecker("0.01")), InputError);
}

TEST(Recording, ReplacesARecordingOnlyIfToldSo) {
  const auto folder = freshFolder("replaced");
  const Scene scene = shortWoodpecker("0.001");
  {
    RecordingWriter writer(folder, scene);
    record(scene, writer);
    EXPECT_THROW(RecordingWriter(folder, scene, ExistingRecording::replace), InputError)
        << "it is being written";
  }
  EXPECT_THROW(RecordingWriter(folder, scene), InputError);
  EXPECT_THROW(expectRecordingFolder(folder), InputError);
  EXPECT_EQ(RecordingReader(folder).frameCount(), 101);
  expectRecordingFolder(folder, ExistingRecording::replace);
  { RecordingWriter writer(folder, scene, ExistingRecording::replace); }
  EXPECT_EQ(RecordingReader(folder).frameCount(), 0);
  std::ofstream(folder / kRecordingFile, std::ios::trunc) << "my notes";
  EXPECT_THROW(RecordingWriter(folder, scene, ExistingRecording::replace), InputError);
}

// A recording in which the spin of a ball has the name that it has in its own axes.
TEST(Csv, RefusesVelocitiesThatMeanSomethingElse) {
  const auto folder = freshFolder("other_axes");
  const Scene scene = parseScene(
      R"({"stickslip": 1, "name": "ball", "time": {"step": 0.01, "end": 0.02}, "system": {
          "type": "spatial", "bodies": [{"name": "ball", "angular_velocity": [1, 2, 3],
          "shape": {"type": "sphere", "radius": 1}}]}})",
      "ball");
  {
    RecordingWriter writer(folder, scene);
    record(scene, writer);
  }
  exportCsv(RecordingReader(folder), folder / "out.csv");
  const auto file = folder / kRecordingFile;
  std::stringstream content;
  content << std::ifstream(file, std::ios::binary).rdbuf();
  std::string bytes = content.str();
  const std::size_t place = bytes.find("ball.wx");
  ASSERT_NE(place, std::string::npos);
  bytes.replace(place, 7, "ball.w1");
  std::ofstream(file, std::ios::binary | std::ios::trunc) << bytes;
  EXPECT_EQ(RecordingReader(folder).velocityNames()[3], "ball.w1");
  EXPECT_THROW(exportCsv(RecordingReader(folder), folder / "out.csv"), InputError);
}

TEST(Csv, HasAHeaderAndARowPerFrameWithAllDigits) {
  const auto folder = freshFolder("csv");
  const Scene scene = shortWoodpecker("0.001");
  std::vector<State> states;
  {
    RecordingWriter writer(folder, scene);
    states = record(scene, writer);
  }
  exportCsv(RecordingReader(folder), folder / "out.csv");
  std::ifstream stream(folder / "out.csv");
  std::string line;
  std::getline(stream, line);
  EXPECT_EQ(line, "t,q.y,q.phi_M,q.phi_S,u.y,u.phi_M,u.phi_S");
  for (const State& state : states) {
    ASSERT_TRUE(std::getline(stream, line));
    std::istringstream cells(line);
    std::vector<double> values;
    for (std::string cell; std::getline(cells, cell, ',');) values.push_back(std::stod(cell));
    ASSERT_EQ(values.size(), 7u);
    EXPECT_EQ(values[0], state.t);
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_EQ(values[1 + k], state.q[k]);
      EXPECT_EQ(values[4 + k], state.u[k]);
    }
  }
  EXPECT_FALSE(std::getline(stream, line));
  EXPECT_THROW(exportCsv(RecordingReader(folder), folder / "no" / "such" / "place.csv"),
               InputError);
}

}  // namespace
}  // namespace stickslip
