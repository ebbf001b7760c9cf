// ODE 0.16: projected Gauss-Seidel with a fixed number of iterations (QuickStep), or Dantzig's
// pivoting on the dense problem (WorldStep). Friction is a pyramid that follows the normal force
// (dContactApprox1). Error reduction and softness are the defaults.
#include <ode/ode.h>

#include <stdexcept>

#include "collision/hull/hull_builder.hpp"
#include "peers/peer_world.hpp"

namespace stickslip::peers {
namespace {

enum class OdeStepper { quick, direct };

// What dCreateConvex keeps pointers to.
struct ConvexData {
  std::vector<dReal> planes;
  std::vector<dReal> points;
  std::vector<unsigned int> polygons;
};

ConvexData convexData(const ConvexHull& shape) {
  const Hull hull = buildHull(shape.points).value();
  ConvexData data;
  for (const Vec3& x : hull.vertices) data.points.insert(data.points.end(), {x.x, x.y, x.z});
  for (const std::vector<int>& face : hull.faces) {
    const auto corner = [&](std::size_t k) { return hull.vertices[face[k]]; };
    const Vec3 n = normalized(cross(corner(1) - corner(0), corner(2) - corner(0)));
    data.planes.insert(data.planes.end(), {n.x, n.y, n.z, dot(n, corner(0))});
    data.polygons.push_back(static_cast<unsigned int>(face.size()));
    for (const int vertex : face) data.polygons.push_back(static_cast<unsigned int>(vertex));
  }
  return data;
}

Vec3 vectorOf(const dReal* x) {
  return {x[0], x[1], x[2]};
}

class OdeWorld final : public PeerWorld {
 public:
  OdeWorld(const PeerScene& scene, OdeStepper stepper, int iterations)
      : stepper_(stepper), step_(scene.step), friction_(scene.friction()) {
    dInitODE2(0);
    world_ = dWorldCreate();
    space_ = dHashSpaceCreate(nullptr);
    contacts_ = dJointGroupCreate(0);
    const Vec3 g = scene.data.gravity;
    dWorldSetGravity(world_, g.x, g.y, g.z);
    dWorldSetQuickStepNumIterations(world_, iterations);
    dWorldSetAutoDisableFlag(world_, 0);
    convex_.reserve(scene.data.bodies.size());
    for (const Body& body : scene.data.bodies) addBody(body);
  }
  ~OdeWorld() override {
    dJointGroupDestroy(contacts_);
    dSpaceDestroy(space_);
    dWorldDestroy(world_);
    dCloseODE();
  }
  OdeWorld(const OdeWorld&) = delete;
  OdeWorld& operator=(const OdeWorld&) = delete;

  void step() override {
    dSpaceCollide(space_, this, &OdeWorld::collidePair);
    if (stepper_ == OdeStepper::quick)
      dWorldQuickStep(world_, step_);
    else
      dWorldStep(world_, step_);
    dJointGroupEmpty(contacts_);
  }

  BodyState bodyState(int i) const override {
    const dBodyID body = bodies_[i];
    const dReal* q = dBodyGetQuaternion(body);
    return {vectorOf(dBodyGetPosition(body)),
            {q[0], q[1], q[2], q[3]},
            0,
            vectorOf(dBodyGetLinearVel(body)),
            vectorOf(dBodyGetAngularVel(body))};
  }

 private:
  static void collidePair(void* self, dGeomID a, dGeomID b) {
    constexpr int kMostPoints = 8;
    auto& world = *static_cast<OdeWorld*>(self);
    const dBodyID body_a = dGeomGetBody(a), body_b = dGeomGetBody(b);
    if (body_a == nullptr && body_b == nullptr) return;
    dContact contacts[kMostPoints] = {};
    const int count = dCollide(a, b, kMostPoints, &contacts[0].geom, sizeof(dContact));
    for (int k = 0; k < count; ++k) {
      contacts[k].surface.mode = dContactApprox1;
      contacts[k].surface.mu = world.friction_;
      const dJointID joint = dJointCreateContact(world.world_, world.contacts_, &contacts[k]);
      dJointAttach(joint, body_a, body_b);
    }
  }

  void addBody(const Body& body) {
    const Shape& shape = body.shapes.front().shape;
    if (std::holds_alternative<HalfSpace>(shape)) {
      const Vec3 n = matrixOf(body.orientation) * Vec3{0, 0, 1};
      dCreatePlane(space_, n.x, n.y, n.z, dot(n, body.position));
      return;
    }
    const dBodyID id = dBodyCreate(world_);
    const Mat3& I = body.mass.inertia;
    dMass mass;
    dMassSetParameters(&mass, body.mass.mass, 0, 0, 0, I.x.x, I.y.y, I.z.z, 0, 0, 0);
    dBodySetMass(id, &mass);
    const Quaternion q = body.orientation;
    const dQuaternion orientation = {q.w, q.x, q.y, q.z};
    dBodySetPosition(id, body.position.x, body.position.y, body.position.z);
    dBodySetQuaternion(id, orientation);
    dBodySetLinearVel(id, body.velocity.x, body.velocity.y, body.velocity.z);
    const Vec3 w = body.angular_velocity;
    dBodySetAngularVel(id, w.x, w.y, w.z);
    dGeomSetBody(makeGeometry(shape), id);
    bodies_.push_back(id);
  }

  dGeomID makeGeometry(const Shape& shape) {
    if (const auto* sphere = std::get_if<Sphere>(&shape))
      return dCreateSphere(space_, sphere->radius);
    if (const auto* box = std::get_if<Box>(&shape))
      return dCreateBox(space_, box->size.x, box->size.y, box->size.z);
    if (const auto* hull = std::get_if<ConvexHull>(&shape)) {
      const ConvexData& data = convex_.emplace_back(convexData(*hull));
      return dCreateConvex(space_, data.planes.data(),
                           static_cast<unsigned int>(data.planes.size() / 4), data.points.data(),
                           static_cast<unsigned int>(data.points.size() / 3), data.polygons.data());
    }
    throw std::logic_error("a shape that ODE does not get");
  }

  OdeStepper stepper_;
  double step_, friction_;
  dWorldID world_ = nullptr;
  dSpaceID space_ = nullptr;
  dJointGroupID contacts_ = nullptr;
  std::vector<ConvexData> convex_;
  std::vector<dBodyID> bodies_;
};

Contender contender(const std::string& setting, OdeStepper stepper, int iterations) {
  Contender c;
  c.engine = "ODE";
  c.setting = setting;
  c.space = true;
  if (stepper == OdeStepper::direct) c.most_bodies = 50;
  c.make = [=](const PeerScene& scene) {
    return std::make_unique<OdeWorld>(scene, stepper, iterations);
  };
  return c;
}

}  // namespace

std::vector<Contender> odeContenders() {
  return {contender("QuickStep 20", OdeStepper::quick, 20),
          contender("QuickStep 50", OdeStepper::quick, 50),
          contender("QuickStep 200", OdeStepper::quick, 200),
          contender("WorldStep", OdeStepper::direct, 0)};
}

}  // namespace stickslip::peers
