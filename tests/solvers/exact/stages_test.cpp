// Each stage of solver `exact` earns its place: for each there are problems that are not solved, or
// with several times the iterations, when it is left out. docs/stages.md says what they are for.
#include "solvers/exact/exact_solver.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "stickslip/certificate.hpp"
#include "support/pile_problems.hpp"
#include "support/planar_problems.hpp"
#include "support/spatial_problems.hpp"

namespace stickslip {
namespace {

using testing::Random;

struct Witness {
  ExactStage stage;
  std::string problems;
  int trials;
  double times;  ///< iterations without the stage, if all are solved, to those with it
  std::function<ContactProblem(Random&, int trial)> make;
};

struct Effort {
  int solved = 0;
  double iterations = 0;
};

Effort effortOn(const Witness& witness, ExactStages left_out) {
  Effort effort;
  Random random(11);
  for (int trial = 0; trial < witness.trials; ++trial) {
    const ContactProblem problem = witness.make(random, trial);
    ContactSolution solution;
    const SolveReport report =
        ExactSolver(Method{.cone = FrictionCone::circular}, left_out).solve(problem, solution);
    effort.iterations += static_cast<double>(report.iterations);
    if (Certifier().certify(problem, solution).worstResidual() <= 1e-8) ++effort.solved;
  }
  return effort;
}

std::vector<Witness> witnesses() {
  return {
      {ExactStage::sweeps, "contacts that hardly know of each other", 10, 2,
       [](Random& random, int) {
         return testing::randomSpatialProblem(random, {.bodies = 30, .patches = 12});
       }},
      {ExactStage::newton, "a few bodies with joints and motors", 10, 1.3,
       [](Random& random, int) {
         return testing::randomSpatialProblem(
             random, {.bodies = 3, .patches = 4, .points = 2, .circular = false, .motors = 1});
       }},
      {ExactStage::interior_point, "friction against turning and rolling", 10, 5,
       [](Random& random, int) {
         return testing::randomSpatialProblem(
             random, {.bodies = 12, .patches = 18, .torsion = 0.1, .rolling = 0.1});
       }},
      {ExactStage::interior_point, "towers of masses 1e6:1", 1, 1.3,
       [](Random&, int) { return testing::towerProblem(20, 2.07, 0.5, 0.1); }},
      {ExactStage::corners, "wedged bodies that rebound", 40, 1,
       [](Random& random, int) { return testing::jammedReboundProblem(random, 8); }},
      {ExactStage::interior_point, "a pile of disks in motion", 1, 2.5,
       [](Random& random, int) { return testing::cannonballPile(6, 0.5, 0.05, 0, random); }},
      {ExactStage::convex_start, "a pile of disks that stands", 1, 20,
       [](Random& random, int) { return testing::cannonballPile(20, 0.8, 0.05, 0, random); }},
      {ExactStage::pair_path, "a pile of disks near rest", 2, 3,
       [](Random& random, int trial) {
         return testing::cannonballPile(20, 0.4, 0.05, 0.03 + 0.07 * trial, random);
       }},
      {ExactStage::central_path, "redundant contacts, masses 1e4:1", 40, 1,
       [](Random& random, int) {
         return testing::randomSpatialProblem(
             random, {.bodies = 3, .patches = 4, .points = 4, .mass_ratio = 1e4});
       }},
      {ExactStage::theta_path, "elliptic cones, joints, motors", 40, 1,
       [](Random& random, int) {
         return testing::randomSpatialProblem(random, {.bodies = 40,
                                                       .patches = 60,
                                                       .points = 2,
                                                       .circular = false,
                                                       .largest_mu = 2,
                                                       .restitution = true,
                                                       .joints = 13,
                                                       .motors = 13});
       }},
  };
}

TEST(ExactStages, EachEarnsItsPlace) {
  for (const Witness& witness : witnesses()) {
    SCOPED_TRACE(std::string(toString(witness.stage)) + ": " + witness.problems);
    const Effort all = effortOn(witness, {});
    const Effort without = effortOn(witness, {witness.stage});
    EXPECT_LE(without.solved, all.solved);
    const bool is_needed = without.solved < all.solved;
    EXPECT_TRUE(is_needed || without.iterations >= witness.times * all.iterations)
        << all.solved << " and " << without.solved << " solved, " << all.iterations << " and "
        << without.iterations << " iterations";
  }
}

}  // namespace
}  // namespace stickslip
