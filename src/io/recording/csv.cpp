#include "io/recording/csv.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "io/files/output_file.hpp"
#include "scene/json/scene_document.hpp"
#include "stickslip/input_error.hpp"
#include "stickslip/io/recording.hpp"

namespace stickslip {
namespace {

constexpr std::int64_t kFramesPerBlock = 8192;

// With fmt::format_to instead the compiler makes its own copy of all of fmt, in six seconds.
void appendRow(std::string& line, std::span<const double> values) {
  for (const double value : values) line += fmt::format(",{}", value);
}

[[noreturn]] void failToWrite(const std::filesystem::path& path) {
  throw InputError(
      fmt::format("--csv {}: cannot be written ({})", path.string(), std::strerror(errno)));
}

void writeText(const std::string& text, std::FILE* file, const std::filesystem::path& path) {
  if (std::fwrite(text.data(), 1, text.size(), file) != text.size()) failToWrite(path);
}

// What a frame is turned into: the coordinates themselves, or bodies and joints.
class Columns {
 public:
  explicit Columns(const RecordingReader& recording) {
    if (auto system = recordedBodies(recording)) {
      bodies_.emplace(std::move(system));
      names_ = bodies_->names();
      return;
    }
    for (const std::string& name : recording.positionNames()) names_.push_back("q." + name);
    for (const std::string& name : recording.velocityNames()) names_.push_back("u." + name);
  }

  const std::vector<std::string>& names() const { return names_; }

  std::span<const double> valuesOf(const State& state) {
    if (bodies_) {
      bodies_->values(state, values_);
    } else {
      values_ = state.q;
      values_.insert(values_.end(), state.u.begin(), state.u.end());
    }
    return values_;
  }

 private:
  std::optional<BodyColumns> bodies_;
  std::vector<std::string> names_;
  std::vector<double> values_;
};

std::span<const double> rowOf(const std::vector<double>& values, std::size_t row,
                              std::size_t width) {
  return {values.data() + row * width, width};
}

void writeFrames(const RecordingReader& recording, std::FILE* file,
                 const std::filesystem::path& path) {
  Columns columns(recording);
  std::string text = "t";
  for (const std::string& name : columns.names()) text += "," + name;
  text.push_back('\n');
  writeText(text, file, path);

  const std::size_t q_width = recording.positionNames().size();
  const std::size_t u_width = recording.velocityNames().size();
  const std::int64_t frames = recording.frameCount();
  State state;
  for (std::int64_t first = 0; first < frames; first += kFramesPerBlock) {
    const std::int64_t count = std::min(kFramesPerBlock, frames - first);
    const std::vector<double> t = recording.times(first, count);
    const std::vector<double> q = recording.positions(first, count);
    const std::vector<double> u = recording.velocities(first, count);
    for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
      const auto q_row = rowOf(q, i, q_width), u_row = rowOf(u, i, u_width);
      state.t = t[i];
      state.q.assign(q_row.begin(), q_row.end());
      state.u.assign(u_row.begin(), u_row.end());
      text = fmt::format("{}", t[i]);
      appendRow(text, columns.valuesOf(state));
      text.push_back('\n');
      writeText(text, file, path);
    }
  }
}

}  // namespace

void exportCsv(const RecordingReader& recording, const std::filesystem::path& path) {
  if (path == "-") {
    writeFrames(recording, stdout, path);
    if (std::fflush(stdout) != 0) failToWrite(path);
    return;
  }
  std::error_code error;
  if (std::filesystem::equivalent(path, recording.file(), error))
    throw InputError(fmt::format("--csv {}: that is the recording itself", path.string()));
  OutputFile output(path, OwnFile::csv, "--csv " + path.string());
  writeFrames(recording, output.stream(), path);
  output.complete();
}

namespace {

constexpr std::string_view kPlanar[] = {"x", "y", "angle", "vx", "vy", "omega"};
constexpr std::string_view kSpatial[] = {"x",  "y",  "z",  "qw", "qx", "qy", "qz",
                                         "vx", "vy", "vz", "wx", "wy", "wz"};

// Velocities with other names mean something else: other axes.
void checkVelocities(const BodySystem& system, const RecordingReader& recording) {
  const std::vector<std::string> recorded = recording.velocityNames();
  for (int i = 0; i < system.velocityCount(); ++i) {
    const std::size_t k = i;
    if (k < recorded.size() && recorded[k] == system.velocityName(i)) continue;
    throw InputError(
        fmt::format("{}: was recorded by another version of stickslip (its velocity {} is \"{}\", "
                    "here \"{}\"); "
                    "run its scene again with `stickslip run {}`",
                    recording.file().string(), i, k < recorded.size() ? recorded[k] : "missing",
                    system.velocityName(i), recording.file().parent_path().string()));
  }
}

}  // namespace

BodyColumns::BodyColumns(std::shared_ptr<const BodySystem> system) : system_(std::move(system)) {
  const std::vector<Body>& bodies = system_->data().bodies;
  for (std::size_t i = 0; i < bodies.size(); ++i)
    if (bodies[i].type != Body::Type::fixed) bodies_.push_back(static_cast<int>(i));
}

std::vector<std::string> BodyColumns::names() const {
  const BodySystemData& data = system_->data();
  const std::span<const std::string_view> columns =
      data.dimension == 2 ? std::span<const std::string_view>(kPlanar) : kSpatial;
  std::vector<std::string> names;
  for (const int body : bodies_)
    for (const std::string_view column : columns)
      names.push_back(data.bodies[body].name + "." + std::string(column));
  for (const Joint& joint : data.joints)
    for (const std::string_view coordinate : coordinateNames(joint.type))
      names.push_back(joint.name + "." + std::string(coordinate));
  return names;
}

void BodyColumns::appendBody(const BodyState& body, std::vector<double>& out) const {
  const Vec3 x = body.position, v = body.velocity, w = body.angular_velocity;
  const Quaternion q = body.orientation;
  if (system_->data().dimension == 2)
    out.insert(out.end(), {x.x, x.y, body.angle, v.x, v.y, w.z});
  else
    out.insert(out.end(), {x.x, x.y, x.z, q.w, q.x, q.y, q.z, v.x, v.y, v.z, w.x, w.y, w.z});
}

void BodyColumns::values(const State& state, std::vector<double>& out) const {
  out.clear();
  for (const int body : bodies_) appendBody(system_->bodyState(body, state), out);
  const std::vector<Joint>& joints = system_->data().joints;
  for (std::size_t i = 0; i < joints.size(); ++i) {
    const int count = static_cast<int>(coordinateNames(joints[i].type).size());
    for (int k = 0; k < count; ++k)
      out.push_back(system_->jointCoordinate(static_cast<int>(i), k, state));
  }
}

std::shared_ptr<const BodySystem> recordedBodies(const RecordingReader& recording) {
  const std::string text = recording.sceneText();
  const std::string source = recording.file().string();
  if (!SceneDocument(text, source).hasBodies()) return nullptr;
  auto system = std::dynamic_pointer_cast<const BodySystem>(parseScene(text, source).model.system);
  checkVelocities(*system, recording);
  return system;
}

}  // namespace stickslip
