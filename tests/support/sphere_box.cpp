#include "support/sphere_box.hpp"

#include <cmath>
#include <numbers>

#include "stickslip/scheme.hpp"
#include "support/gauss_seidel.hpp"
#include "support/random.hpp"

namespace stickslip::testing {
namespace {

constexpr double kStep = 0.01;
constexpr double kBallRadius = 0.5;
constexpr int kSweeps = 20;

const Method kMethod{.cone = FrictionCone::circular, .solver = "exact"};

Body wall(const std::string& name, Vec3 position, Vec3 turn) {
  Body body;
  body.name = name;
  body.type = Body::Type::fixed;
  body.position = position;
  body.orientation = rotationBy(turn);
  body.shapes.push_back({HalfSpace{}, {}, 0});
  return body;
}

// Half-spaces are below their own z axis; a quarter turn points it into the box.
void addWalls(BodySystemData& data, double width) {
  const double half = width / 2, quarter = std::numbers::pi / 2;
  data.bodies.push_back(wall("floor", {}, {}));
  data.bodies.push_back(wall("left", {-half, 0, 0}, {0, quarter, 0}));
  data.bodies.push_back(wall("right", {half, 0, 0}, {0, -quarter, 0}));
  data.bodies.push_back(wall("front", {0, -half, 0}, {-quarter, 0, 0}));
  data.bodies.push_back(wall("back", {0, half, 0}, {quarter, 0, 0}));
}

// Layers with room between the spheres, each displaced a little.
void addSpheres(BodySystemData& data, int side) {
  Random random(1);
  const int along = std::max(1, static_cast<int>(std::lround(0.8 * side)));
  const double spacing = static_cast<double>(side) / along;
  const double slack = 0.4 * (spacing - 2 * kBallRadius);
  const double inertia = 0.4 * kBallRadius * kBallRadius;
  for (int k = 0; k < side * side * side; ++k) {
    Body body;
    body.name = "sphere" + std::to_string(k);
    const double x = k % along + 0.5, y = k / along % along + 0.5, z = k / (along * along);
    body.position = {spacing * x - side / 2.0 + random.uniform(-slack, slack),
                     spacing * y - side / 2.0 + random.uniform(-slack, slack),
                     0.7 + 1.1 * z + random.uniform(-0.04, 0.04)};
    body.mass = {1, {}, diagonal({inertia, inertia, inertia})};
    body.shapes.push_back({Sphere{kBallRadius}, {}, 0});
    data.bodies.push_back(std::move(body));
  }
}

}  // namespace

ContactProblem SphereBox::nextProblem() const {
  ContactProblem problem;
  makeScheme(kMethod)->formulate(*system, state, step, problem);
  return problem;
}

SphereBox settledSpheres(int side, double mu, int steps) {
  BodySystemData data;
  data.gravity = {0, 0, -9.81};
  data.materials.push_back({.name = "default", .surface = {.friction = mu}});
  addWalls(data, side);
  addSpheres(data, side);
  SphereBox box;
  box.system = std::make_shared<BodySystem>(std::move(data));
  box.state = box.system->initialState();
  box.step = kStep;

  const std::unique_ptr<Scheme> scheme = makeScheme(kMethod);
  GaussSeidel solver;
  ContactProblem problem;
  ContactSolution solution;
  for (int n = 0; n < steps; ++n) {
    scheme->formulate(*box.system, box.state, kStep, problem);
    solver.solve(problem, kSweeps, solution);
    scheme->advance(*box.system, kStep, solution.v, box.state);
  }
  return box;
}

}  // namespace stickslip::testing
