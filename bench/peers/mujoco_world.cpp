// MuJoCo: soft contacts by convex optimization, conjugate gradients or Newton's method; elliptic
// cones. Contact parameters are the defaults, whose time constant is the least that this step
// allows. Models are made from XML, which every version reads. Versions before 3 have room for
// dense matrices of all rows, which piles are too large for.
#include <mujoco/mujoco.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "peers/peer_world.hpp"

namespace stickslip::peers {
namespace {

struct MujocoSetting {
  std::string name;
  std::string options;  ///< attributes of <option>
  int most_bodies;
};

std::string numbers(std::initializer_list<double> values) {
  std::string text;
  char number[32];
  for (const double value : values) {
    std::snprintf(number, sizeof number, "%.17g ", value);
    text += number;
  }
  return text;
}

std::string vectorText(Vec3 a) {
  return numbers({a.x, a.y, a.z});
}

std::string placeText(const Body& body) {
  const Quaternion q = body.orientation;
  return " pos='" + vectorText(body.position) + "' quat='" + numbers({q.w, q.x, q.y, q.z}) + "'";
}

std::string geometryText(const Shape& shape, const std::string& mesh) {
  if (const auto* sphere = std::get_if<Sphere>(&shape))
    return "type='sphere' size='" + numbers({sphere->radius}) + "'";
  if (const auto* box = std::get_if<Box>(&shape))
    return "type='box' size='" + vectorText(0.5 * box->size) + "'";
  if (std::holds_alternative<ConvexHull>(shape)) return "type='mesh' mesh='" + mesh + "'";
  throw std::logic_error("a shape that MuJoCo does not get");
}

std::string meshes(const PeerScene& scene) {
  std::string text = "<asset>\n";
  for (int i = 0; i < scene.bodyCount(); ++i) {
    const Body& body = scene.body(i);
    const auto* hull = std::get_if<ConvexHull>(&body.shapes.front().shape);
    if (hull == nullptr) continue;
    text += "<mesh name='" + body.name + "' vertex='";
    for (const Vec3& x : hull->points) text += vectorText(x);
    text += "'/>\n";
  }
  return text + "</asset>\n";
}

std::string bodies(const PeerScene& scene) {
  std::string text = "<worldbody>\n";
  for (const Body& body : scene.data.bodies) {
    if (body.type == Body::Type::fixed) {
      text += "<geom type='plane' size='0 0 1'" + placeText(body) + "/>\n";
      continue;
    }
    const Mat3& I = body.mass.inertia;
    text += "<body" + placeText(body) + "><freejoint/><inertial pos='0 0 0' mass='" +
            numbers({body.mass.mass}) + "' diaginertia='" + numbers({I.x.x, I.y.y, I.z.z}) +
            "'/><geom " + geometryText(body.shapes.front().shape, body.name) + "/></body>\n";
  }
  return text + "</worldbody>\n";
}

constexpr bool kHoldsPiles = mjVERSION_HEADER >= 300;

std::string sizeText(const PeerScene& scene) {
  if (kHoldsPiles) return "<size memory='1G'/>";
  const int contacts = 100 + 12 * scene.bodyCount();
  return "<size nconmax='" + std::to_string(contacts) + "' njmax='" + std::to_string(3 * contacts) +
         "'/>";
}

std::string modelText(const PeerScene& scene, const std::string& options) {
  return "<mujoco><option timestep='" + numbers({scene.step}) + "' gravity='" +
         vectorText(scene.data.gravity) + "' cone='elliptic' " + options + "/>" + sizeText(scene) +
         "<default><geom condim='3' friction='" + numbers({scene.friction()}) +
         "0 0'/></default>\n" + meshes(scene) + bodies(scene) + "</mujoco>\n";
}

// The one way to load a model that all versions share is a file.
mjModel* load(const std::string& text) {
  const std::filesystem::path file =
      std::filesystem::temp_directory_path() / ("peer_bench." + std::to_string(getpid()) + ".xml");
  std::ofstream(file) << text;
  char error[1000] = "";
  mjModel* model = mj_loadXML(file.c_str(), nullptr, error, sizeof error);
  std::filesystem::remove(file);
  if (model == nullptr) throw std::runtime_error(std::string("MuJoCo: ") + error);
  return model;
}

class MujocoWorld final : public PeerWorld {
 public:
  MujocoWorld(const PeerScene& scene, const std::string& options)
      : model_(load(modelText(scene, options))), data_(mj_makeData(model_)) {
    for (int i = 0; i < scene.bodyCount(); ++i) setVelocity(i, scene.body(i));
  }
  ~MujocoWorld() override {
    mj_deleteData(data_);
    mj_deleteModel(model_);
  }
  MujocoWorld(const MujocoWorld&) = delete;
  MujocoWorld& operator=(const MujocoWorld&) = delete;

  void step() override { mj_step(model_, data_); }

  // Angular velocities of free bodies are in the body's own axes.
  BodyState bodyState(int i) const override {
    const mjtNum *q = data_->qpos + 7 * i, *v = data_->qvel + 6 * i;
    const Quaternion orientation = normalized(Quaternion{q[3], q[4], q[5], q[6]});
    return {{q[0], q[1], q[2]},
            orientation,
            0,
            {v[0], v[1], v[2]},
            matrixOf(orientation) * Vec3{v[3], v[4], v[5]}};
  }

 private:
  void setVelocity(int i, const Body& body) {
    const Vec3 spin = transposedTimes(matrixOf(body.orientation), body.angular_velocity);
    mjtNum* v = data_->qvel + 6 * i;
    for (int k = 0; k < 3; ++k) {
      v[k] = body.velocity[k];
      v[3 + k] = spin[k];
    }
  }

  mjModel* model_;
  mjData* data_;
};

}  // namespace

std::vector<Contender> mujocoContenders() {
  constexpr int kMost = kHoldsPiles ? 2000 : 200;
  const MujocoSetting settings[] = {
      {"CG", "solver='CG'", kMost},
      {"CG 10", "solver='CG' iterations='10'", kMost},
      {"Newton", "solver='Newton'", 200},
      {"Newton noslip 10", "solver='Newton' noslip_iterations='10'", 50},
  };
  std::vector<Contender> list;
  for (const MujocoSetting& setting : settings) {
    Contender c;
    c.engine = "MuJoCo";
    c.setting = setting.name;
    c.space = true;
    c.most_bodies = setting.most_bodies;
    c.make = [options = setting.options](const PeerScene& scene) {
      return std::make_unique<MujocoWorld>(scene, options);
    };
    list.push_back(std::move(c));
  }
  return list;
}

}  // namespace stickslip::peers
