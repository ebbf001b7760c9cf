// Bullet 3.24 with doubles: sequential impulses with a fixed number of iterations. Two directions
// of friction, since with one, which is the default, piles are under-frictioned. Split impulses are
// for overlaps over 40 mm, as by default; using them for all cost 40 % more time on spheres and,
// with 10 iterations, doubled the overlaps. The other parameters are the defaults, but for the
// margin of hulls.
#include <LinearMath/btConvexHullComputer.h>
#include <btBulletDynamicsCommon.h>

#include <cmath>
#include <stdexcept>

#include "peers/peer_world.hpp"

namespace stickslip::peers {
namespace {

btVector3 bulletVector(Vec3 a) {
  return {a.x, a.y, a.z};
}

Vec3 vectorOf(const btVector3& a) {
  return {a.x(), a.y(), a.z()};
}

// Bullet puts a margin around hulls: the hull inside is smaller by it, so that faces are in place.
// Corners are rounded off by it, hence a quarter of the default: with 40 mm rocks overlap by 70.
constexpr double kHullMargin = 0.01;

std::unique_ptr<btCollisionShape> shrunkenHull(const ConvexHull& hull) {
  std::vector<btScalar> coordinates;
  for (const Vec3& x : hull.points) coordinates.insert(coordinates.end(), {x.x, x.y, x.z});
  btConvexHullComputer computer;
  computer.compute(coordinates.data(), 3 * sizeof(btScalar), static_cast<int>(hull.points.size()),
                   kHullMargin, 0);
  auto shape = std::make_unique<btConvexHullShape>();
  for (int k = 0; k < computer.vertices.size(); ++k) shape->addPoint(computer.vertices[k], false);
  shape->setMargin(kHullMargin);
  shape->recalcLocalAabb();
  return shape;
}

std::unique_ptr<btCollisionShape> makeShape(const Shape& shape) {
  if (std::holds_alternative<HalfSpace>(shape))
    return std::make_unique<btStaticPlaneShape>(btVector3(0, 0, 1), 0);
  if (const auto* sphere = std::get_if<Sphere>(&shape))
    return std::make_unique<btSphereShape>(sphere->radius);
  if (const auto* box = std::get_if<Box>(&shape))
    return std::make_unique<btBoxShape>(bulletVector(0.5 * box->size));
  if (const auto* hull = std::get_if<ConvexHull>(&shape)) return shrunkenHull(*hull);
  throw std::logic_error("a shape that Bullet does not get");
}

class BulletWorld final : public PeerWorld {
 public:
  BulletWorld(const PeerScene& scene, int iterations)
      : step_(scene.step), friction_(scene.friction()) {
    btContactSolverInfo& info = world_.getSolverInfo();
    info.m_numIterations = iterations;
    info.m_solverMode |= SOLVER_USE_2_FRICTION_DIRECTIONS;
    world_.setGravity(bulletVector(scene.data.gravity));
    for (const Body& body : scene.data.bodies) addBody(body);
  }
  ~BulletWorld() override {
    for (const auto& body : all_) world_.removeRigidBody(body.get());
  }
  BulletWorld(const BulletWorld&) = delete;
  BulletWorld& operator=(const BulletWorld&) = delete;

  void step() override { world_.stepSimulation(step_, 0); }

  BodyState bodyState(int i) const override {
    const btRigidBody& body = *moving_[i];
    const btQuaternion q = body.getWorldTransform().getRotation();
    return {vectorOf(body.getWorldTransform().getOrigin()),
            {q.w(), q.x(), q.y(), q.z()},
            0,
            vectorOf(body.getLinearVelocity()),
            vectorOf(body.getAngularVelocity())};
  }

 private:
  void addBody(const Body& body) {
    const bool moves = body.type == Body::Type::dynamic;
    const Mat3& I = body.mass.inertia;
    shapes_.push_back(makeShape(body.shapes.front().shape));
    btRigidBody::btRigidBodyConstructionInfo info(
        moves ? body.mass.mass : 0, nullptr, shapes_.back().get(),
        moves ? btVector3(I.x.x, I.y.y, I.z.z) : btVector3(0, 0, 0));
    const Quaternion q = body.orientation;
    info.m_startWorldTransform.setRotation({q.x, q.y, q.z, q.w});
    info.m_startWorldTransform.setOrigin(bulletVector(body.position));
    info.m_friction = std::sqrt(friction_);  // those of two bodies are multiplied
    all_.push_back(std::make_unique<btRigidBody>(info));
    btRigidBody& added = *all_.back();
    added.setActivationState(DISABLE_DEACTIVATION);
    world_.addRigidBody(&added);
    if (!moves) return;
    added.setLinearVelocity(bulletVector(body.velocity));
    added.setAngularVelocity(bulletVector(body.angular_velocity));
    moving_.push_back(&added);
  }

  btDefaultCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_{&configuration_};
  btDbvtBroadphase broad_phase_;
  btSequentialImpulseConstraintSolver solver_;
  btDiscreteDynamicsWorld world_{&dispatcher_, &broad_phase_, &solver_, &configuration_};
  double step_, friction_;
  std::vector<std::unique_ptr<btCollisionShape>> shapes_;
  std::vector<std::unique_ptr<btRigidBody>> all_;
  std::vector<btRigidBody*> moving_;
};

Contender contender(int iterations) {
  Contender c;
  c.engine = "Bullet";
  c.setting = std::to_string(iterations);
  c.space = true;
  c.make = [=](const PeerScene& scene) { return std::make_unique<BulletWorld>(scene, iterations); };
  return c;
}

}  // namespace

std::vector<Contender> bulletContenders() {
  return {contender(10), contender(50), contender(200)};
}

}  // namespace stickslip::peers
