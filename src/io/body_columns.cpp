#include "io/body_columns.hpp"

#include <fmt/format.h>

#include <span>
#include <string_view>

#include "io/scene_document.hpp"
#include "stickslip/input_error.hpp"

namespace stickslip {
namespace {

constexpr std::string_view kPlanar[] = {"x", "y", "angle", "vx", "vy", "omega"};
constexpr std::string_view kSpatial[] = {"x",  "y",  "z",  "qw", "qx", "qy", "qz",
                                         "vx", "vy", "vz", "wx", "wy", "wz"};

// Velocities with other names mean something else: other axes.
void checkVelocities(const BodySystem& system, const RecordingReader& recording) {
  const std::vector<std::string> recorded = recording.velocityNames();
  for (int i = 0; i < system.velocityCount(); ++i) {
    const auto k = static_cast<std::size_t>(i);
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
      names.push_back(data.bodies[static_cast<std::size_t>(body)].name + "." + std::string(column));
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
