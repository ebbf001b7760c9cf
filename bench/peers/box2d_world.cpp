// Box2D 2.4: sequential impulses, then positions by pseudo-impulses (NGS), in single precision. 8
// and 3 iterations are what its manual recommends. Walls are edges, which have no thickness.
#include <box2d/box2d.h>

#include <stdexcept>

#include "peers/peer_world.hpp"

namespace stickslip::peers {
namespace {

b2Vec2 box2dVector(Vec3 a) {
  return {static_cast<float>(a.x), static_cast<float>(a.y)};
}

class Box2dWorld final : public PeerWorld {
 public:
  Box2dWorld(const PeerScene& scene, int velocity_iterations, int position_iterations)
      : world_(box2dVector(scene.data.gravity)),
        step_(static_cast<float>(scene.step)),
        friction_(static_cast<float>(scene.friction())),
        velocity_iterations_(velocity_iterations),
        position_iterations_(position_iterations) {
    world_.SetAllowSleeping(false);
    for (const Body& body : scene.data.bodies) addBody(body);
  }

  void step() override { world_.Step(step_, velocity_iterations_, position_iterations_); }

  BodyState bodyState(int i) const override {
    const b2Body& body = *bodies_[i];
    const b2Vec2 x = body.GetPosition(), v = body.GetLinearVelocity();
    const double angle = body.GetAngle();
    return {{x.x, x.y, 0},
            rotationBy({0, 0, angle}),
            angle,
            {v.x, v.y, 0},
            {0, 0, body.GetAngularVelocity()}};
  }

 private:
  void addBody(const Body& body) {
    const bool moves = body.type == Body::Type::dynamic;
    b2BodyDef definition;
    definition.type = moves ? b2_dynamicBody : b2_staticBody;
    definition.position = box2dVector(body.position);
    definition.angle = static_cast<float>(rotationVector(body.orientation).z);
    definition.linearVelocity = box2dVector(body.velocity);
    definition.angularVelocity = static_cast<float>(body.angular_velocity.z);
    b2Body* added = world_.CreateBody(&definition);
    addShape(*added, body.shapes.front().shape);
    if (!moves) return;
    const b2MassData mass{
        static_cast<float>(body.mass.mass), {0, 0}, static_cast<float>(body.mass.inertia(2, 2))};
    added->SetMassData(&mass);
    bodies_.push_back(added);
  }

  void addShape(b2Body& body, const Shape& shape) {
    constexpr float kWallReach = 100;
    if (std::holds_alternative<HalfPlane>(shape)) {
      b2EdgeShape edge;
      edge.SetTwoSided({-kWallReach, 0}, {kWallReach, 0});
      addFixture(body, edge);
    } else if (const auto* disc = std::get_if<Disk>(&shape)) {
      b2CircleShape circle;
      circle.m_radius = static_cast<float>(disc->radius);
      addFixture(body, circle);
    } else if (const auto* box = std::get_if<PlanarBox>(&shape)) {
      b2PolygonShape polygon;
      polygon.SetAsBox(static_cast<float>(box->width / 2), static_cast<float>(box->height / 2));
      addFixture(body, polygon);
    } else {
      throw std::logic_error("a shape that Box2D does not get");
    }
  }

  void addFixture(b2Body& body, const b2Shape& shape) {
    b2FixtureDef fixture;
    fixture.shape = &shape;
    fixture.friction = friction_;
    fixture.density = 1;
    body.CreateFixture(&fixture);
  }

  b2World world_;
  float step_, friction_;
  int velocity_iterations_, position_iterations_;
  std::vector<const b2Body*> bodies_;
};

Contender contender(int velocity_iterations, int position_iterations) {
  Contender c;
  c.engine = "Box2D";
  c.setting = std::to_string(velocity_iterations) + "/" + std::to_string(position_iterations);
  c.plane = true;
  c.make = [=](const PeerScene& scene) {
    return std::make_unique<Box2dWorld>(scene, velocity_iterations, position_iterations);
  };
  return c;
}

}  // namespace

std::vector<Contender> box2dContenders() {
  return {contender(8, 3), contender(20, 10), contender(100, 50)};
}

}  // namespace stickslip::peers
