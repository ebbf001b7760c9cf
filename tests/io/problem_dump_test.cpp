// Dumped problems: everything comes back bit by bit, and dumps of running scenes solve to the same
// answer.
#include "stickslip/io/problem_dump.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "stickslip/certificate.hpp"
#include "stickslip/input_error.hpp"
#include "stickslip/io/stored_solution.hpp"
#include "stickslip/stepper.hpp"
#include "support/contact_problems.hpp"
#include "support/problem_files.hpp"
#include "support/scenes.hpp"
#include "support/spatial_problems.hpp"

namespace stickslip {
namespace {

using testing::Random;
using testing::temporaryProblem;

ContactSolution noSolution(const ContactProblem& problem) {
  return {problem.v_free, std::vector<double>(problem.b.size(), 0.0),
          std::vector<double>(problem.g.size(), 0.0)};
}

void expectSame(const ContactProblem& a, const ContactProblem& b) {
  EXPECT_EQ(testing::everythingIn(a), testing::everythingIn(b));
  EXPECT_EQ(a.contact_id, b.contact_id);
}

TEST(ProblemDump, GivesBackEveryBit) {
  Random random(1);
  const auto path = temporaryProblem("dump");
  for (int repetition = 0; repetition < 12; ++repetition) {
    testing::SpatialShape shape;
    shape.polyhedral = repetition % 2 == 1;
    shape.circular = repetition % 3 == 0;
    shape.joints = repetition % 3;
    shape.springs = repetition % 2;
    shape.motors = repetition % 4;
    shape.frictionless = repetition % 5 == 0;
    shape.torsion = repetition % 4 == 1 ? 0.1 : 0;
    shape.rolling = repetition % 4 == 2 ? 0.2 : 0;
    shape.load_independent = repetition % 6 == 3;
    ContactProblem problem = testing::randomSpatialProblem(random, shape);
    for (double& gap : problem.gap) gap = random.uniform();
    for (double& drive : problem.drive) drive = random.uniform();
    for (double& gap : problem.joint_gap) gap = random.uniform();
    problem.contact_id.clear();
    for (int i = 0; i < problem.contactCount(); ++i)
      problem.contact_id.push_back(std::numeric_limits<std::uint64_t>::max() -
                                   static_cast<std::uint64_t>(i));
    problem.sets.changeAll([](ImpulseSet& set) {
      if (set.kind == ImpulseSet::Kind::interval)
        set.upper = std::numeric_limits<double>::infinity();
    });
    problem.law = repetition % 2 == 0 ? Law::coulomb : Law::relaxed;
    ProblemDump dump{problem, {}, "a scene", 17};
    dump.method.tolerance = 1e-7;
    dump.method.budget = 123456789012;
    dump.method.cone = shape.polyhedral ? FrictionCone::polyhedral : FrictionCone::circular;
    dump.method.solver = problem.law == Law::relaxed ? "convex" : "auto";
    writeProblemDump(path, dump, noSolution(problem));
    EXPECT_EQ(problemKindOf(path), ProblemKind::dump);
    const ProblemDump again = readProblemDump(path);
    expectSame(again.problem, problem);
    EXPECT_EQ(again.scene, "a scene");
    EXPECT_EQ(again.step, 17);
    EXPECT_EQ(again.method.tolerance, 1e-7);
    EXPECT_EQ(again.method.budget, 123456789012);
    EXPECT_EQ(again.method.cone, dump.method.cone);
    EXPECT_EQ(again.method.solver, dump.method.solver);
    EXPECT_EQ(readStoredSolution(path).v, problem.v_free);
  }
}

TEST(ProblemDump, EqualProblemsMakeEqualFiles) {
  Random random(2);
  const ContactProblem problem = testing::randomContactProblem(random, {});
  const auto first = temporaryProblem("dump_1"), second = temporaryProblem("dump_2");
  writeProblemDump(first, {problem, {}, "", 1}, noSolution(problem));
  writeProblemDump(second, {problem, {}, "", 1}, noSolution(problem));
  EXPECT_EQ(testing::bytesOf(first), testing::bytesOf(second));
}

// A solver that has never seen the problem finds the velocity of the run.
TEST(ProblemDump, ProblemsOfScenesSolveToTheSameVelocity) {
  const auto path = temporaryProblem("scene");
  for (const char* name : {"box-stack.json", "woodpecker.json", "four-bar.json", "wedge.json",
                           "rocking-block.json", "coupled-carts.json", "cradle.json"}) {
    SCOPED_TRACE(name);
    const Scene scene = testing::repositoryScene(name);
    Stepper stepper(scene.model);
    State state = scene.initial;
    for (long n = 1; n <= 40; ++n) {
      stepper.step(state, scene.run.time.step);
      if (n % 20 != 0) continue;
      writeProblemDump(path, {stepper.problem(), scene.model.method, scene.name, n},
                       stepper.solution());
      const ProblemDump dump = readProblemDump(path);
      expectSame(dump.problem, stepper.problem());
      ContactSolution solution;
      makeSolver(dump.method)->solve(dump.problem, solution);
      EXPECT_TRUE(Certifier().certify(dump.problem, solution).holds(1e-8));
      const StoredSolution stored = readStoredSolution(path);
      EXPECT_EQ(stored.v, stepper.solution().v);
      EXPECT_EQ(stored.r, stepper.solution().p);
      double speed = 0;
      for (const double v : stored.v) speed = std::max(speed, std::abs(v));
      for (std::size_t k = 0; k < solution.v.size(); ++k)
        EXPECT_NEAR(solution.v[k], stored.v[k], 1e-8 * std::max(speed, 1.0));
    }
  }
}

TEST(ProblemDump, SaysWhatAFileIsInstead) {
  const auto path = temporaryProblem("kind");
  testing::writeBytes(path, "no HDF5");
  EXPECT_THROW(problemKindOf(path), InputError);
  EXPECT_THROW(problemKindOf(path.parent_path()), InputError);
  EXPECT_THROW(problemKindOf("none.hdf5"), InputError);
}

// Directions of friction are written once for all contacts that share them, without units; those of
// a circle of some size are not one up to rounding when they are read.
TEST(ProblemDump, HoldsDirectionsOfFriction) {
  Random random(7);
  const auto path = temporaryProblem("directions");
  using Direction = FrictionDirections::Direction;
  const auto flat =
      FrictionDirections::make(std::vector<Direction>{{0.3, 0.1}, {-0.2, 0.35}, {-0.1, -0.45}});
  const auto spins = FrictionDirections::make(
      std::vector<Direction>{{0.3, 0.1, 0.01}, {-0.2, 0.35, -0.03}, {-0.1, -0.45, 0.02}});
  const auto rolls = FrictionDirections::make(
      std::vector<Direction>{{0.3, 0.1, 0.01, 0.7, 0.1}, {-0.3, -0.1, -0.01, -0.7, -0.1}});
  for (const auto& given : {flat, spins, rolls}) {
    ContactProblem problem =
        testing::randomSpatialProblem(random, {.patches = 4,
                                               .polyhedral = true,
                                               .directions = 5,
                                               .frictionless = true,
                                               .torsion = given->spins() ? 0.1 : 0,
                                               .rolling = given->rolls() ? 0.1 : 0});
    problem.sets.changeAll([&](ImpulseSet& set) {
      if (set.tangents() == 2) set.given = given;
    });
    ProblemDump dump{problem, {}, "a scene", 1};
    dump.method.cone = FrictionCone::circular;
    writeProblemDump(path, dump, noSolution(problem));
    expectSame(readProblemDump(path).problem, problem);
  }
}

}  // namespace
}  // namespace stickslip
