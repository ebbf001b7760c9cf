// Every collision on the way of a step of scheme `velocity` is found, also of contacts that have
// opened again when the step ends: spinning bodies in long steps, against overlaps at the ends of
// steps and a fine scan of the way. Bodies of space that lie and turn far in a step sink in where
// they touch; that is bounded.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "support/bodies.hpp"
#include "support/random.hpp"

namespace stickslip::testing {
namespace {

constexpr int kScan = 400;
constexpr double kSinks = 0.05;

struct Obstacle {
  const char* name;
  Shape shape;
  double top;        ///< where the surface is
  double least;      ///< overlaps up to this part of the way of a step are not looked for
  double sinks = 0;  ///< part of the way by which bodies that lie may sink in
};

struct Study {
  int steps = 0, collisions = 0, flagged = 0;
  // In parts of the way that the bodies can go in a step:
  double deepest_end = 0;  ///< overlap at the end of a step that started free and was of one stage
  double deepest_way = 0;  ///< and on its way
  double sunk = 0;         ///< by how much overlaps grew in any step
};

double wayOf(const State& state, int dimension, double radius, double h) {
  double way = 0;
  for (std::size_t k = 0; k < state.u.size(); k += dimension == 2 ? 3 : 6) {
    const double* u = state.u.data() + k;
    way +=
        h * (dimension == 2 ? std::hypot(u[0], u[1]) + radius * std::abs(u[2])
                            : std::hypot(u[0], u[1], u[2]) + radius * std::hypot(u[3], u[4], u[5]));
  }
  return way;
}

// One run of so many steps of a body, or two of them.
void follow(const BodySystemData& data, double radius, double h, int steps, Study& study) {
  const auto system = std::make_shared<BodySystem>(data);
  Method method = presetMethod("anitescu-potra", *system);
  method.solver = "auto";
  Stepper stepper({system, method});
  State state = system->initialState();
  ContactSet room;
  const std::vector<double> no_way(state.u.size(), 0.0);
  const auto overlap = [&](double t, std::span<const double> q) {
    return system->deepestOverlap(t, q, {no_way}, room);
  };
  for (int k = 0; k < steps; ++k) {
    const State before = state;
    const double way = wayOf(before, data.dimension, radius, h);
    const StepReport report = stepper.step(state, h);
    ++study.steps;
    study.collisions += static_cast<int>(report.scheme.collisions);
    if (report.scheme.contacts_missed || report.scheme.collisions_cut) {
      ++study.flagged;
      continue;
    }
    const double at_start = overlap(before.t, before.q), at_end = overlap(state.t, state.q);
    study.sunk = std::max(study.sunk, (at_end - at_start) / way);
    // Of one stage: bodies went on with the velocity they had.
    if (report.stages > 1 || at_start > 1e-8 * way) continue;
    study.deepest_end = std::max(study.deepest_end, at_end / way);
    for (int i = 1; i < kScan; ++i) {
      std::vector<double> q = before.q;
      const double s = h * i / kScan;
      system->move(before.t, before.u, s, q);
      study.deepest_way = std::max(study.deepest_way, overlap(before.t + s, q) / way);
    }
  }
}

Body thrown(Random& random, const Shape& shape, int dimension, double height, double spin) {
  Body body;
  body.name = "thrown" + std::to_string(height);
  body.mass = massProperties(shape, 1000);
  body.position = dimension == 2 ? Vec3{0, height, 0} : Vec3{0, 0, height};
  body.shapes.push_back({shape, {}, 0});
  const Vec3 turn{random.uniform(), random.uniform(), random.uniform()};
  body.orientation = dimension == 2 ? aboutZ(random.uniform(-3, 3)) : rotationBy(3 * turn);
  const double fall = random.uniform(-2, -1);
  body.velocity = dimension == 2 ? Vec3{random.uniform(), fall, 0}
                                 : Vec3{random.uniform(), random.uniform(), fall};
  const Vec3 axis{random.uniform(), random.uniform(), random.uniform()};
  body.angular_velocity = dimension == 2 ? Vec3{0, 0, spin * random.uniform()} : spin * axis;
  return body;
}

Study throwAt(const Obstacle& obstacle, std::span<const Shape> shapes, int dimension,
              std::uint64_t seed, int trials, bool two = false) {
  Random random(seed);
  Study study;
  for (int trial = 0; trial < trials; ++trial) {
    const double h = std::vector{0.1, 0.15, 0.01}[static_cast<std::size_t>(trial % 3)];
    BodySystemData data;
    data.dimension = dimension;
    data.gravity = {};
    data.materials.resize(1);
    data.materials[0].surface.friction = random.uniform(0, 0.5);
    data.materials[0].surface.restitution = random.uniform(0.2, 1);
    Body ground;
    ground.name = "ground";
    ground.type = Body::Type::fixed;
    ground.shapes.push_back({obstacle.shape, {}, 0});
    data.bodies.push_back(ground);
    const auto pick = [&]() -> const Shape& {
      return shapes[random.integer(0, static_cast<int>(shapes.size()) - 1)];
    };
    const double spin = h < 0.05 ? 40 : 8;
    data.bodies.push_back(thrown(random, pick(), dimension, obstacle.top + 0.5, spin));
    if (two) data.bodies.push_back(thrown(random, pick(), dimension, obstacle.top + 1.5, spin));
    follow(data, 0.35, h, h < 0.05 ? 60 : 12, study);
  }
  return study;
}

void expectAllFound(const Study& study, const Obstacle& obstacle, int at_least) {
  EXPECT_GE(study.collisions, at_least) << obstacle.name;
  EXPECT_LE(study.deepest_end, obstacle.least) << obstacle.name;
  EXPECT_LE(study.deepest_way, obstacle.least) << obstacle.name;
  EXPECT_LE(study.sunk, std::max(obstacle.least, obstacle.sinks)) << obstacle.name;
  EXPECT_LE(study.flagged, study.steps / 100) << obstacle.name << ", of " << study.steps;
}

const std::vector<Shape> kPlanarShapes{PlanarBox{0.6, 0.05}, PlanarBox{0.5, 0.4},
                                       PlanarCapsule{0.4, 0.08},
                                       Polygon{{{-0.3, -0.1}, {0.25, -0.2}, {0.1, 0.3}}}};
const std::vector<Shape> kSpatialShapes{
    Box{{0.6, 0.1, 0.05}}, Box{{0.4, 0.3, 0.35}}, Capsule{0.4, 0.08},
    ConvexHull{{{-0.3, 0, 0}, {0.3, 0.1, 0}, {0, -0.2, 0.1}, {0, 0.1, -0.2}, {0.1, 0.1, 0.25}}}};

TEST(ClosingContacts, SpinningBodiesOnAPlane) {
  const Obstacle floor{"half-plane", HalfPlane{}, 0, 1e-5};
  expectAllFound(throwAt(floor, kPlanarShapes, 2, 1, 90), floor, 60);
}

TEST(ClosingContacts, SpinningBodiesOnAHalfSpace) {
  const Obstacle floor{"half-space", HalfSpace{}, 0, 1e-5, kSinks};
  expectAllFound(throwAt(floor, kSpatialShapes, 3, 2, 90), floor, 60);
}

TEST(ClosingContacts, SpinningCylindersOnAHalfSpace) {
  const std::vector<Shape> cylinders{Cylinder{0.3, 0.1}, Cylinder{0.1, 0.6}};
  const Obstacle floor{"half-space", HalfSpace{}, 0, 4e-3, kSinks};
  expectAllFound(throwAt(floor, cylinders, 3, 3, 60), floor, 40);
}

TEST(ClosingContacts, SpinningBodiesOnABlock) {
  const Obstacle planar{"planar box", PlanarBox{20, 0.5}, 0.25, 4e-3};
  expectAllFound(throwAt(planar, kPlanarShapes, 2, 4, 60), planar, 40);
  const Obstacle spatial{"box", Box{{20, 20, 0.5}}, 0.25, 4e-3, kSinks};
  expectAllFound(throwAt(spatial, kSpatialShapes, 3, 5, 60), spatial, 40);
}

TEST(ClosingContacts, SpinningBodiesOnTerrain) {
  const Obstacle chain{"polyline",
                       Polyline{{{-20, 0.2}, {-0.5, 0}, {-0.2, 0.1}, {0.3, -0.1}, {20, 0.3}}}, 0.1,
                       4e-3};
  expectAllFound(throwAt(chain, kPlanarShapes, 2, 6, 60), chain, 40);
}

TEST(ClosingContacts, TwoSpinningBodiesAndAPlane) {
  const Obstacle floor{"half-plane, two", HalfPlane{}, 0, 4e-3};
  expectAllFound(throwAt(floor, kPlanarShapes, 2, 7, 60, true), floor, 80);
  const Obstacle space{"half-space, two", HalfSpace{}, 0, 4e-3, kSinks};
  expectAllFound(throwAt(space, kSpatialShapes, 3, 8, 45, true), space, 60);
}

}  // namespace
}  // namespace stickslip::testing
