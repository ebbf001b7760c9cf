#include "body_report.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "stickslip/io/scene.hpp"

namespace stickslip::cli {
namespace {

using nlohmann::ordered_json;

constexpr std::size_t kMostLines = 10;

std::string_view typeName(Body::Type type) {
  switch (type) {
    case Body::Type::fixed:
      return "static";
    case Body::Type::kinematic:
      return "kinematic";
    default:
      return "dynamic";
  }
}

ordered_json asList(Vec3 v, int dimension) {
  return dimension == 2 ? ordered_json{v.x, v.y} : ordered_json{v.x, v.y, v.z};
}

ordered_json bodyAsJson(const Body& body, const BodyState& state, int dimension) {
  const Quaternion q = state.orientation;
  ordered_json json{{"name", body.name},
                    {"type", typeName(body.type)},
                    {"position", asList(state.position, dimension)}};
  if (dimension == 2)
    json["orientation"] = state.angle;
  else
    json["orientation"] = {q.w, q.x, q.y, q.z};
  json["velocity"] = asList(state.velocity, dimension);
  if (dimension == 2)
    json["angular_velocity"] = state.angular_velocity.z;
  else
    json["angular_velocity"] = asList(state.angular_velocity, dimension);
  return json;
}

std::string bodyAsLine(const Body& body, const BodyState& state, int dimension) {
  const Vec3 x = state.position, v = state.velocity;
  if (dimension == 2)
    return fmt::format("{:<10} at ({:.6g}, {:.6g}), angle {:.6g}, velocity ({:.4g}, {:.4g})",
                       body.name, x.x, x.y, state.angle, v.x, v.y);
  return fmt::format("{:<10} at ({:.6g}, {:.6g}, {:.6g}), velocity ({:.4g}, {:.4g}, {:.4g})",
                     body.name, x.x, x.y, x.z, v.x, v.y, v.z);
}

}  // namespace

ordered_json bodiesAsJson(const BodySystem& system, const State& state) {
  const BodySystemData& data = system.data();
  ordered_json list = ordered_json::array();
  for (std::size_t i = 0; i < data.bodies.size(); ++i)
    list.push_back(
        bodyAsJson(data.bodies[i], system.bodyState(static_cast<int>(i), state), data.dimension));
  return list;
}

ordered_json jointsAsJson(const BodySystem& system, const State& state) {
  ordered_json list = ordered_json::array();
  const std::vector<Joint>& joints = system.data().joints;
  for (std::size_t i = 0; i < joints.size(); ++i) {
    ordered_json coordinates = ordered_json::object();
    int k = 0;
    for (const std::string_view name : coordinateNames(joints[i].type))
      coordinates[std::string(name)] = system.jointCoordinate(static_cast<int>(i), k++, state);
    list.push_back({{"name", joints[i].name},
                    {"type", jointTypeName(joints[i].type)},
                    {"coordinates", coordinates}});
  }
  return list;
}

std::vector<std::string> bodiesAsLines(const BodySystem& system, const State& state) {
  const BodySystemData& data = system.data();
  std::vector<std::string> lines;
  std::size_t moving = 0;
  for (std::size_t i = 0; i < data.bodies.size(); ++i) {
    if (data.bodies[i].type == Body::Type::fixed) continue;
    ++moving;
    if (moving <= kMostLines)
      lines.push_back(
          bodyAsLine(data.bodies[i], system.bodyState(static_cast<int>(i), state), data.dimension));
  }
  if (moving > kMostLines) lines.push_back(fmt::format("... and {} more", moving - kMostLines));
  return lines;
}

}  // namespace stickslip::cli
