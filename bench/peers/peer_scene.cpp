#include "peers/peer_scene.hpp"

#include <cmath>
#include <functional>
#include <numbers>

#include "peers/rocks.hpp"
#include "support/random.hpp"
#include "support/random_rotation.hpp"

namespace stickslip::peers {
namespace {

constexpr double kFriction = 0.5, kGravity = 9.81;
constexpr double kRadius = 0.5;
constexpr double kSpacing = 1.2, kJitter = 0.05;  // of what is dropped

PeerScene emptyScene(std::string name, Purpose purpose, int dimension) {
  PeerScene scene;
  scene.name = std::move(name);
  scene.purpose = purpose;
  scene.data.dimension = dimension;
  scene.data.materials.push_back({.name = "default", .surface = {.friction = kFriction}});
  return scene;
}

// Solid below its own z axis, or y axis in the plane.
void addWall(PeerScene& scene, Vec3 position, Vec3 turn) {
  Body wall;
  wall.name = "wall" + std::to_string(scene.walls++);
  wall.type = Body::Type::fixed;
  wall.position = position;
  wall.orientation = rotationBy(turn);
  wall.shapes.push_back(
      {scene.data.dimension == 2 ? Shape(HalfPlane{}) : Shape(HalfSpace{}), {}, 0});
  scene.data.bodies.push_back(std::move(wall));
}

void addBody(PeerScene& scene, Body body) {
  body.name = "body" + std::to_string(scene.bodyCount());
  scene.data.bodies.push_back(std::move(body));
}

Body sphere(double mass) {
  Body body;
  const double inertia = 0.4 * mass * kRadius * kRadius;
  body.mass = {mass, {}, diagonal({inertia, inertia, inertia})};
  body.shapes.push_back({Sphere{kRadius}, {}, 0});
  return body;
}

Body disc(double mass) {
  Body body;
  body.mass = {mass, {}, diagonal({1, 1, 0.5 * mass * kRadius * kRadius})};
  body.shapes.push_back({Disk{kRadius}, {}, 0});
  return body;
}

Body cuboid(double mass, Vec3 size) {
  Body body;
  const Vec3 s{size.x * size.x, size.y * size.y, size.z * size.z};
  body.mass = {mass, {}, diagonal((mass / 12) * Vec3{s.y + s.z, s.z + s.x, s.x + s.y})};
  body.shapes.push_back({Box{size}, {}, 0});
  return body;
}

Body rectangle(double mass, double width, double height) {
  Body body;
  body.mass = {mass, {}, diagonal({1, 1, mass / 12 * (width * width + height * height)})};
  body.shapes.push_back({PlanarBox{width, height}, {}, 0});
  return body;
}

// `make` sets shape, mass and orientation. The layers have room between the bodies, which fit into
// balls of kRadius or a little more; each is displaced a little.
PeerScene pileInSpace(const std::string& name, int count,
                      const std::function<Body(testing::Random&)>& make) {
  constexpr int kAlong = 8;
  PeerScene scene = emptyScene(name, Purpose::pile, 3);
  scene.data.gravity = {0, 0, -kGravity};
  const double quarter = std::numbers::pi / 2, half = 5;
  addWall(scene, {}, {});
  addWall(scene, {-half, 0, 0}, {0, quarter, 0});
  addWall(scene, {half, 0, 0}, {0, -quarter, 0});
  addWall(scene, {0, -half, 0}, {-quarter, 0, 0});
  addWall(scene, {0, half, 0}, {quarter, 0, 0});
  testing::Random random(1);
  const auto place = [&](int k) {
    return kSpacing * (k - 0.5 * (kAlong - 1)) + random.uniform(-kJitter, kJitter);
  };
  for (int k = 0; k < count; ++k) {
    Body body = make(random);
    const double x = place(k % kAlong), y = place(k / kAlong % kAlong);
    body.position = {x, y,
                     0.7 + kSpacing * (k / (kAlong * kAlong)) + random.uniform(-kJitter, kJitter)};
    addBody(scene, std::move(body));
  }
  return scene;
}

PeerScene pileOfDiscs(int count) {
  constexpr int kAlong = 32;
  PeerScene scene = emptyScene("discs", Purpose::pile, 2);
  scene.data.gravity = {0, -kGravity, 0};
  const double quarter = std::numbers::pi / 2, half = 20;
  addWall(scene, {}, {});
  addWall(scene, {-half, 0, 0}, {0, 0, -quarter});
  addWall(scene, {half, 0, 0}, {0, 0, quarter});
  testing::Random random(1);
  for (int k = 0; k < count; ++k) {
    Body body = disc(1);
    const double x = kSpacing * (k % kAlong - 0.5 * (kAlong - 1));
    body.position = {x + random.uniform(-kJitter, kJitter),
                     0.7 + kSpacing * (k / kAlong) + random.uniform(-kJitter, kJitter), 0};
    addBody(scene, std::move(body));
  }
  return scene;
}

// Slabs, since a stack of cubes would topple there. Every other one, from the second on, is heavier
// than the rest by `ratio`.
PeerScene stackOnIncline(const std::string& name, int dimension, double ratio) {
  constexpr double kWidth = 1, kHeight = 0.2, kSlope = std::numbers::pi / 9;
  constexpr int kSlabs = 10;
  const bool planar = dimension == 2;
  PeerScene scene = emptyScene(name, Purpose::stuck, dimension);
  scene.steps = 6000;
  scene.data.gravity = planar ? Vec3{0, -kGravity, 0} : Vec3{0, 0, -kGravity};
  const Vec3 turn = planar ? Vec3{0, 0, kSlope} : Vec3{0, kSlope, 0};
  const Quaternion orientation = rotationBy(turn);
  const Vec3 up = matrixOf(orientation) * (planar ? Vec3{0, 1, 0} : Vec3{0, 0, 1});
  addWall(scene, {}, turn);
  for (int k = 0; k < kSlabs; ++k) {
    const double mass = k % 2 == 0 ? 1 : ratio;
    Body body = planar ? rectangle(mass, kWidth, kHeight) : cuboid(mass, {kWidth, kWidth, kHeight});
    body.position = (kHeight * (k + 0.5)) * up;
    body.orientation = orientation;
    addBody(scene, std::move(body));
  }
  return scene;
}

// A lattice that flies to its middle, each body with a velocity and a spin of its own on top.
PeerScene freeCollision(int dimension) {
  constexpr int kAlong = 5;
  constexpr double kDistance = 1.5, kRate = 1, kNoise = 1;
  const bool planar = dimension == 2;
  PeerScene scene =
      emptyScene(planar ? "collision-2d" : "collision", Purpose::collision, dimension);
  testing::Random random(2);
  const auto noise = [&] { return random.uniform(-kNoise, kNoise); };
  for (int k = 0; k < (planar ? 1 : kAlong) * kAlong * kAlong; ++k) {
    Body body = planar ? disc(1) : sphere(1);
    const double middle = 0.5 * (kAlong - 1);
    body.position = kDistance * Vec3{k % kAlong - middle, k / kAlong % kAlong - middle,
                                     planar ? 0 : k / (kAlong * kAlong) - middle};
    body.velocity = -kRate * body.position + Vec3{noise(), noise(), planar ? 0 : noise()};
    body.angular_velocity = {planar ? 0 : noise(), planar ? 0 : noise(), noise()};
    addBody(scene, std::move(body));
  }
  return scene;
}

}  // namespace

std::vector<PeerScene> peerScenes() {
  const auto spheres = [](testing::Random&) { return sphere(1); };
  const auto cuboids = [](testing::Random& random) {
    Body body = cuboid(1, {0.8, 0.6, 0.4});
    body.orientation = quaternionOf(testing::randomRotation(random));
    return body;
  };
  const auto rocks = [](testing::Random& random) {
    Body body;
    makeRock(1, kRadius, random, body);
    body.orientation = quaternionOf(testing::randomRotation(random));
    return body;
  };
  return {pileInSpace("spheres", 1000, spheres),
          pileInSpace("boxes", 1000, cuboids),
          pileInSpace("rocks", 1000, rocks),
          pileOfDiscs(1000),
          stackOnIncline("incline", 3, 1000),
          stackOnIncline("incline-equal", 3, 1),
          stackOnIncline("incline-2d", 2, 1000),
          stackOnIncline("incline-2d-equal", 2, 1),
          freeCollision(3),
          freeCollision(2)};
}

}  // namespace stickslip::peers
