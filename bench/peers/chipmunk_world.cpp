// Chipmunk 7.0: sequential impulses with a fixed number of iterations. Its defaults are for pixels;
// in metres the allowed overlap (slop) is set to 5 mm, as in Box2D. Debian's build has its asserts
// on. Walls are segments. The tree of bounding boxes that it uses by default is kept.
#include <chipmunk/chipmunk.h>

#include <cmath>
#include <stdexcept>

#include "peers/peer_world.hpp"

namespace stickslip::peers {
namespace {

constexpr double kSlop = 0.005;
constexpr double kWallReach = 100;

cpVect chipmunkVector(Vec3 a) {
  return cpv(a.x, a.y);
}

class ChipmunkWorld final : public PeerWorld {
 public:
  ChipmunkWorld(const PeerScene& scene, int iterations)
      : space_(cpSpaceNew()), step_(scene.step), friction_(scene.friction()) {
    cpSpaceSetGravity(space_, chipmunkVector(scene.data.gravity));
    cpSpaceSetIterations(space_, iterations);
    cpSpaceSetCollisionSlop(space_, kSlop);
    for (const Body& body : scene.data.bodies) addBody(body);
  }
  ~ChipmunkWorld() override {
    for (cpShape* shape : shapes_) {
      cpSpaceRemoveShape(space_, shape);
      cpShapeFree(shape);
    }
    for (cpBody* body : bodies_) {
      cpSpaceRemoveBody(space_, body);
      cpBodyFree(body);
    }
    cpSpaceFree(space_);
  }
  ChipmunkWorld(const ChipmunkWorld&) = delete;
  ChipmunkWorld& operator=(const ChipmunkWorld&) = delete;

  void step() override { cpSpaceStep(space_, step_); }

  BodyState bodyState(int i) const override {
    const cpBody* body = bodies_[i];
    const cpVect x = cpBodyGetPosition(body), v = cpBodyGetVelocity(body);
    const double angle = cpBodyGetAngle(body);
    return {{x.x, x.y, 0},
            rotationBy({0, 0, angle}),
            angle,
            {v.x, v.y, 0},
            {0, 0, cpBodyGetAngularVelocity(body)}};
  }

 private:
  void addBody(const Body& body) {
    const Shape& shape = body.shapes.front().shape;
    if (std::holds_alternative<HalfPlane>(shape)) {
      const Vec3 along = matrixOf(body.orientation) * Vec3{kWallReach, 0, 0};
      addShape(cpSegmentShapeNew(cpSpaceGetStaticBody(space_),
                                 chipmunkVector(body.position - along),
                                 chipmunkVector(body.position + along), 0));
      return;
    }
    cpBody* added = cpSpaceAddBody(space_, cpBodyNew(body.mass.mass, body.mass.inertia(2, 2)));
    cpBodySetPosition(added, chipmunkVector(body.position));
    cpBodySetAngle(added, rotationVector(body.orientation).z);
    cpBodySetVelocity(added, chipmunkVector(body.velocity));
    cpBodySetAngularVelocity(added, body.angular_velocity.z);
    bodies_.push_back(added);
    addShape(makeShape(added, shape));
  }

  static cpShape* makeShape(cpBody* body, const Shape& shape) {
    if (const auto* disc = std::get_if<Disk>(&shape))
      return cpCircleShapeNew(body, disc->radius, cpvzero);
    if (const auto* box = std::get_if<PlanarBox>(&shape))
      return cpBoxShapeNew(body, box->width, box->height, 0);
    throw std::logic_error("a shape that Chipmunk does not get");
  }

  void addShape(cpShape* shape) {
    cpShapeSetFriction(shape, std::sqrt(friction_));  // those of two shapes are multiplied
    cpShapeSetElasticity(shape, 0);
    shapes_.push_back(cpSpaceAddShape(space_, shape));
  }

  cpSpace* space_;
  double step_, friction_;
  std::vector<cpBody*> bodies_;
  std::vector<cpShape*> shapes_;
};

Contender contender(int iterations) {
  Contender c;
  c.engine = "Chipmunk";
  c.setting = std::to_string(iterations);
  c.plane = true;
  c.make = [=](const PeerScene& scene) {
    return std::make_unique<ChipmunkWorld>(scene, iterations);
  };
  return c;
}

}  // namespace

std::vector<Contender> chipmunkContenders() {
  return {contender(10), contender(30), contender(100)};
}

}  // namespace stickslip::peers
