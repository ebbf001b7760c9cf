// MuJoCo 2.2: soft contacts by convex optimization; elliptic cones. Conjugate gradients, since its
// Newton's method factorizes a dense matrix, which piles are too large for; Newton on small scenes.
// Contact parameters are the defaults, whose time constant is the least that this step allows.
// Models are made from XML, the only way in.
#include <mujoco/mujoco.h>

#include <cstdio>
#include <cstring>
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

// Memory is reserved for the most contacts that there may be; boxes have several a pair.
std::string modelText(const PeerScene& scene, const std::string& options) {
  const int contacts = 100 + 12 * scene.bodyCount();
  return "<mujoco><compiler balanceinertia='false'/><option timestep='" + numbers({scene.step}) +
         "' gravity='" + vectorText(scene.data.gravity) + "' cone='elliptic' " + options +
         "/><size nconmax='" + std::to_string(contacts) + "' njmax='" +
         std::to_string(3 * contacts) + "'/><default><geom condim='3' friction='" +
         numbers({scene.friction()}) + "0 0'/></default>\n" + meshes(scene) + bodies(scene) +
         "</mujoco>\n";
}

class MujocoWorld final : public PeerWorld {
 public:
  MujocoWorld(const PeerScene& scene, const std::string& options) {
    const std::string text = modelText(scene, options);
    mjVFS files;
    mj_defaultVFS(&files);
    mj_makeEmptyFileVFS(&files, "scene.xml", static_cast<int>(text.size()));
    std::memcpy(files.filedata[mj_findFileVFS(&files, "scene.xml")], text.data(), text.size());
    char error[1000] = "";
    model_ = mj_loadXML("scene.xml", &files, error, sizeof error);
    mj_deleteVFS(&files);
    if (model_ == nullptr) throw std::runtime_error(std::string("MuJoCo: ") + error);
    data_ = mj_makeData(model_);
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

  mjModel* model_ = nullptr;
  mjData* data_ = nullptr;
};

}  // namespace

std::vector<Contender> mujocoContenders() {
  const MujocoSetting settings[] = {
      {"CG", "solver='CG' iterations='100'", 2000},
      {"CG 10", "solver='CG' iterations='10'", 2000},
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
