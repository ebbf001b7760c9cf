// Counts heap allocations: after warm-up a step makes none.
#include <gtest/gtest.h>

#include <cmath>

#include "solvers/exact/exact_solver.hpp"
#include "solvers/lemke/lemke_solver.hpp"
#include "stickslip/certificate.hpp"
#include "stickslip/io/scene.hpp"
#include "stickslip/linear_system.hpp"
#include "support/bodies.hpp"
#include "support/counting_allocator.hpp"
#include "support/particle_on_plane.hpp"
#include "support/scenes.hpp"
#include "support/spatial_problems.hpp"

namespace stickslip {
namespace {

long allocationsOfSteps(const std::string& scene_name, double warm_up_time, int steps,
                        const std::vector<std::string>& overrides = {}) {
  const Scene scene = testing::repositoryScene(scene_name, overrides);
  Stepper stepper(scene.model);
  State state = scene.initial;
  const double h = scene.run.time.step;
  while (state.t < warm_up_time) stepper.step(state, h);
  const long before = testing::allocationCount();
  for (int i = 0; i < steps; ++i) stepper.step(state, h);
  return testing::allocationCount() - before;
}

TEST(Allocation, TheCounterCounts) {
  const long before = testing::allocationCount();
  std::vector<double> v(100);
  EXPECT_EQ(testing::allocationCount() - before, 1) << v.size();
}

// One cycle of the toy is warm-up enough; the next cycles meet every combination of contacts.
TEST(Allocation, WoodpeckerStepsAllocateNothing) {
  EXPECT_EQ(allocationsOfSteps("woodpecker.json", 0.15, 50000), 0);
}

TEST(Allocation, StepsWithJointsAllocateNothing) {
  EXPECT_EQ(allocationsOfSteps("coupled-carts.json", 1.1, 500), 0);
}

// Bodies: resting, swinging, driven, and tumbling over terrain once all have landed.
TEST(Allocation, StepsOfBodiesAllocateNothing) {
  for (const char* scene : {"box-stack.json", "four-bar.json", "slider-crank.json",
                            "joints/prismatic.json", "joints/universal.json"})
    EXPECT_EQ(allocationsOfSteps(scene, 0.5, 300), 0) << scene;
  for (const char* scene : {"shapes/planar-on-polyline.json", "shapes/planar-on-half-plane.json",
                            "shapes/spatial-on-half-space.json", "shapes/spatial-on-mesh.json"})
    EXPECT_EQ(allocationsOfSteps(scene, 1.2, 150), 0) << scene;
}

TEST(Allocation, LookingAtContactsAllocatesNothing) {
  const Scene scene = testing::repositoryScene("box-stack.json");
  Stepper stepper(scene.model);
  State state = scene.initial;
  for (int k = 0; k < 200; ++k) {
    stepper.step(state, scene.run.time.step);
    stepper.contacts();
  }
  const long before = testing::allocationCount();
  std::size_t seen = 0;
  for (int k = 0; k < 100; ++k) {
    stepper.step(state, scene.run.time.step);
    seen += stepper.contacts().size();
  }
  EXPECT_EQ(testing::allocationCount() - before, 0);
  EXPECT_GT(seen, 0u);
}

// Forces and drives that change in every step.
TEST(Allocation, InputsAllocateNothing) {
  const Scene scene = testing::repositoryScene("slider-crank.json");
  const auto& system = dynamic_cast<const BodySystem&>(*scene.model.system);
  Stepper stepper(scene.model);
  State state = scene.initial;
  const auto step = [&](int count) {
    for (int k = 0; k < count; ++k) {
      const double force = std::sin(0.1 * k);
      for (std::size_t b = 0; b < system.data().bodies.size(); ++b)
        if (system.data().bodies[b].type == Body::Type::dynamic)
          system.inputs()->bodies[b].force.x = force;
      for (JointInput& joint : system.inputs()->joints) joint.force[0] = 0.1 * force;
      stepper.inputForces()->front() = force;
      stepper.step(state, scene.run.time.step);
    }
  };
  step(200);
  const long before = testing::allocationCount();
  step(200);
  EXPECT_EQ(testing::allocationCount() - before, 0);
}

// Stages of a step: motions, compressions and decompressions, some without the contacts that
// collide.
TEST(Allocation, StepsWithLocatedCollisionsAllocateNothing) {
  const std::vector<std::string> preset{"method.preset=anitescu-potra"};
  EXPECT_EQ(allocationsOfSteps("woodpecker.json", 0.15, 20000, preset), 0);
  EXPECT_EQ(allocationsOfSteps("bouncing-sphere.json", 0.6, 1500, preset), 0);
  EXPECT_EQ(allocationsOfSteps("rocking-block.json", 0.5, 2000, preset), 0);
  EXPECT_EQ(allocationsOfSteps("cradle.json", 0.8, 600, preset), 0);
}

// Ropes that become taut, clutches, prestressed springs, in every scheme; loads over time.
TEST(Allocation, StepsWithForceElementsAllocateNothing) {
  for (const char* scene : {"elements/rope-catch.json", "elements/ratchet.json",
                            "elements/prestressed-spring.json", "elements/driven-friction.json"})
    for (const char* scheme : {"midpoint", "position", "velocity"})
      EXPECT_EQ(allocationsOfSteps(scene, 0.7, 600, {std::string("method.scheme=") + scheme}), 0)
          << scene << " " << scheme;
  EXPECT_EQ(allocationsOfSteps("elements/prestressed-spring.json", 0.7, 600,
                               {"method.scheme=midpoint", "method.theta=0.7"}),
            0);
}

// Sticking, slipping, and the change between the two.
TEST(Allocation, IterationsForFrictionAllocateNothing) {
  EXPECT_EQ(allocationsOfSteps("stick-slip.json", 0.9, 2000), 0);
}

// A particle between walls that overlap it: every step gives up taking that back, and some of the
// steps ask for it first.
TEST(Allocation, StepsWithoutASolutionAllocateNothing) {
  LinearSystemData data;
  data.coordinates = {"x", "y"};
  data.M = {1, 0, 0, 1};
  data.f = {0, -1};
  data.contacts = {{"left", -1e-3, {1, 0}, {0, 1}, 0, 0, {0.5, 0, 0}},
                   {"right", -1e-3, {-1, 0}, {0, 1}, 0, 0, {0.5, 0, 0}}};
  Method method;
  method.scheme = "position";
  Stepper stepper({std::make_shared<LinearSystem>(data), method});
  State state{0, {0, 0}, {0, 0}};
  const auto steps = [&](int count) {
    for (int i = 0; i < count; ++i) {
      const StepReport report = stepper.step(state, 1e-2);
      EXPECT_TRUE(report.drift_kept && report.certified);
    }
  };
  // Paths that fail begin anew from other starts, and some of those are longer than others.
  steps(200);
  const long before = testing::allocationCount();
  steps(60);
  EXPECT_EQ(testing::allocationCount() - before, 0);
}

// Workspaces are sized at set-up: even the first contacts allocate little or nothing.
TEST(Allocation, ALandingBallAllocatesNothingAfterItsFirstContact) {
  EXPECT_EQ(allocationsOfSteps("bouncing-ball.json", 0.5, 5000), 0);
}

// Blocks that land one after the other: the number of contacts grows, the memory does not.
TEST(Allocation, MoreContactsThanBeforeAllocateNothing) {
  LinearSystemData data;
  const int blocks = 6;
  const std::size_t n = 2 * blocks;
  data.M.assign(n * n, 0.0);
  data.f.assign(n, 0.0);
  State state{0, std::vector<double>(n, 0.0), std::vector<double>(n, 0.0)};
  for (std::size_t i = 0; i < blocks; ++i) {
    data.coordinates.push_back("x");
    data.coordinates.push_back("y");
    data.M[2 * i * n + 2 * i] = data.M[(2 * i + 1) * n + 2 * i + 1] = 1;
    data.f[2 * i + 1] = -9.81;
    LinearContact floor{
        "floor", 0, std::vector<double>(n, 0.0), std::vector<double>(n, 0.0), 0, 0, {0.3, 0, 0}};
    floor.w_N[2 * i + 1] = floor.w_T[2 * i] = 1;
    data.contacts.push_back(floor);
    state.q[2 * i + 1] = 0.1 * double(i);
    state.u[2 * i] = 1;
  }
  Stepper stepper({std::make_shared<LinearSystem>(data), {}});
  for (int k = 0; k < 3; ++k) stepper.step(state, 1e-3);
  ASSERT_EQ(stepper.problem().contactCount(), 1);
  const long before = testing::allocationCount();
  for (int k = 0; k < 500; ++k) stepper.step(state, 1e-3);
  EXPECT_EQ(testing::allocationCount() - before, 0);
  EXPECT_EQ(stepper.problem().contactCount(), blocks);
}

// A blow through a row of disks, whose contacts are missed at first, and once more from the start.
TEST(Allocation, RoundsForMissedContactsAllocateNothing) {
  BodySystemData data;
  data.dimension = 2;
  data.materials.resize(1);
  for (int k = 0; k < 6; ++k) {
    Body disk = testing::planarBody("d" + std::to_string(k), 1, 0.005, {0.201 * k, 0});
    if (k == 0) disk.velocity = {30, 0, 0};
    disk.shapes.push_back({Disk{0.1}, {}, 0});
    data.bodies.push_back(disk);
  }
  const auto system = std::make_shared<BodySystem>(data);
  Method method = presetMethod("stickslip", *system);
  method.scheme = "position";
  Stepper stepper({system, method});
  long before = 0, rounds = 0;
  for (int pass = 0; pass < 2; ++pass) {
    State state = system->initialState();
    before = testing::allocationCount();
    rounds = 0;
    for (int k = 0; k < 20; ++k) rounds += stepper.step(state, 1e-3).scheme.contact_rounds;
  }
  EXPECT_EQ(testing::allocationCount() - before, 0);
  EXPECT_GT(rounds, 0);
}

// Problems that need every part of the solver, over and over.
TEST(Allocation, SolversInSpaceAllocateNothingOnceWarm) {
  testing::Random random(1);
  std::vector<ContactProblem> round, polyhedral, given;
  const auto directions = FrictionDirections::make(
      std::vector<FrictionDirections::Direction>{{1, 0}, {-0.5, 0.7}, {-0.6, 0.1}, {0, -1}});
  for (int k = 0; k < 40; ++k) {
    testing::SpatialShape shape{.bodies = 2, .patches = 10, .springs = 2, .motors = 2};
    round.push_back(testing::randomSpatialProblem(random, shape));
    shape.polyhedral = true;
    polyhedral.push_back(testing::randomSpatialProblem(random, shape));
    given.push_back(polyhedral.back());
    for (std::size_t i = 0; i < given.back().sets.size(); ++i)
      if (given.back().sets[i].tangents() == 2) given.back().sets.own(i).given = directions;
  }
  ContactSolution solution;
  Certifier certifier;
  const auto solveAll = [&](Solver& solver, const std::vector<ContactProblem>& problems) {
    const long before = testing::allocationCount();
    for (const ContactProblem& problem : problems) {
      solver.solve(problem, solution);
      certifier.certify(problem, solution);
    }
    return testing::allocationCount() - before;
  };
  ExactSolver exact(Method{});
  solveAll(exact, round);
  EXPECT_EQ(solveAll(exact, round), 0);
  LemkeSolver lemke(0);
  solveAll(lemke, polyhedral);
  EXPECT_EQ(solveAll(lemke, polyhedral), 0);
  for (Solver* solver : std::initializer_list<Solver*>{&exact, &lemke}) {
    solveAll(*solver, given);
    EXPECT_EQ(solveAll(*solver, given), 0) << solver->name();
  }
}

TEST(Allocation, SlidingInSpaceAllocatesNothingAfterTheFirstContact) {
  const auto particle = std::make_shared<testing::ParticleOnPlane>(0.3, 0.5, 0.1);
  Stepper stepper({particle, defaultMethod(*particle)});
  State state{0, {0, 0, 0.1}, {1, 0.5, 0}};
  do stepper.step(state, 1e-3);
  while (stepper.problem().contactCount() == 0);
  const long before = testing::allocationCount();
  for (int k = 0; k < 500; ++k) stepper.step(state, 1e-3);
  EXPECT_EQ(testing::allocationCount() - before, 0);
  EXPECT_EQ(stepper.problem().contactCount(), 1);
}

}  // namespace
}  // namespace stickslip
