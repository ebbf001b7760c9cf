// A simulation has the steps of a run, and can be looked at and changed between them.
#include "stickslip/simulation.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "stickslip/body_system.hpp"
#include "stickslip/input_error.hpp"
#include "stickslip/solver.hpp"
#include "support/input_errors.hpp"

namespace stickslip {
namespace {

// A box that falls on the floor, and a ball that rolls.
Model boxAndBall() {
  BodySystemData data{.gravity = {0, 0, -9.81}, .materials = {{.surface = {.friction = 0.5}}}};
  data.bodies = {
      {.name = "floor", .type = Body::Type::fixed, .shapes = {{HalfSpace{}}}},
      {.name = "box", .position = {0, 0, 0.6}, .shapes = {{Box{{1, 1, 1}}}}},
      {.name = "ball", .position = {2, 0, 0.5}, .velocity = {1, 0, 0}, .shapes = {{Sphere{0.5}}}}};
  auto system = std::make_shared<BodySystem>(data);
  return {system, defaultMethod(*system)};
}

State initialOf(const Model& model) {
  return dynamic_cast<const BodySystem&>(*model.system).initialState();
}

Simulation simulationOf(const RunSettings& settings) {
  const Model model = boxAndBall();
  return {model, initialOf(model), settings};
}

TEST(Simulation, HasTheBitsOfARun) {
  for (const double end : {0.3, 0.3005, 0.0}) {
    for (const double error : {0.0, 1e-4}) {
      const RunSettings settings{{.step = 1e-3, .end = end, .error = error}, true};
      const Model model = boxAndBall();
      Stepper stepper(model);
      const RunSummary expected = run(stepper, initialOf(model), settings);
      Simulation simulation = simulationOf(settings);
      while (simulation.stepTowards(end)) continue;
      EXPECT_EQ(simulation.state().t, end);
      EXPECT_EQ(fingerprint(simulation.state()), fingerprint(expected.final_state));
      EXPECT_EQ(simulation.summary().steps, expected.steps);
      EXPECT_EQ(simulation.summary().iterations, expected.iterations);
      EXPECT_EQ(simulation.summary().energy_end, expected.energy_end);
    }
  }
}

TEST(Simulation, GoesOnWhereARunEnds) {
  Simulation simulation = simulationOf({{.step = 1e-3, .end = 0}});
  while (simulation.stepTowards(0.1)) continue;
  while (simulation.stepTowards(0.2)) continue;
  Simulation at_once = simulationOf({{.step = 1e-3, .end = 0}});
  while (at_once.stepTowards(0.2)) continue;
  EXPECT_EQ(fingerprint(simulation.state()), fingerprint(at_once.state()));
  EXPECT_EQ(simulation.summary().steps, 200);
  // A step in part, and then whole ones from there.
  while (simulation.stepTowards(0.2005)) continue;
  EXPECT_EQ(simulation.state().t, 0.2005);
  simulation.step();
  EXPECT_EQ(simulation.state().t, 0.2005 + 1e-3);
}

TEST(Simulation, ARemainderThatIsRoundingIsNoStep) {
  Simulation simulation = simulationOf({{.step = 0.1, .end = 0}});
  for (int i = 0; i < 3; ++i) simulation.step();
  EXPECT_EQ(simulation.state().t, 3 * 0.1);
  const double just_after = std::nextafter(3 * 0.1, 1);
  EXPECT_FALSE(simulation.stepTowards(just_after));
  EXPECT_FALSE(simulation.stepTowards(0.3));
  EXPECT_EQ(simulation.summary().steps, 3);
}

TEST(Simulation, GoesOnFromAStateThatIsSet) {
  Simulation simulation = simulationOf({{.step = 1e-3, .end = 0}});
  EXPECT_EQ(simulation.report(), nullptr);
  simulation.step();
  ASSERT_NE(simulation.report(), nullptr);
  EXPECT_TRUE(simulation.report()->certified);
  State state = initialOf(simulation.stepper().model());
  state.t = 5;
  state.u[2] = 3;
  simulation.setState(state);
  simulation.step();
  EXPECT_EQ(simulation.state().t, 5.001);
  EXPECT_NEAR(simulation.state().u[2], 3 - 9.81e-3, 1e-12);
}

TEST(Simulation, RefusesWhatDoesNotFit) {
  Simulation simulation = simulationOf({{.step = 1e-3, .end = 0}});
  const State before = simulation.state();
  State state = before;
  state.q.pop_back();
  EXPECT_EQ(testing::messageOf([&] { simulation.setState(state); }),
            "state: q has 13 numbers; the system has 14");
  state = before;
  state.u[3] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(testing::messageOf([&] { simulation.setState(state); }),
            "state: t, q and u must be finite");
  EXPECT_EQ(fingerprint(simulation.state()), fingerprint(before));
  EXPECT_EQ(testing::messageOf([] { simulationOf({{.step = 0, .end = 0}}); }),
            "time.step: expected a finite number > 0");
  EXPECT_EQ(testing::messageOf([] { Simulation({}, {}, {{.step = 1, .end = 0}}); }),
            "model: there is no system");
}

// Another solver, which throws when it first sees so many contacts.
class Interrupted final : public Solver {
 public:
  Interrupted(const Method& method, int contacts)
      : solver_(makeSolver(method)), contacts_(contacts) {}
  std::string_view name() const override { return solver_->name(); }
  void reserve(int velocities, int contacts, int tangents, int joint_rows) override {
    solver_->reserve(velocities, contacts, tangents, joint_rows);
  }
  SolveReport solve(const ContactProblem& problem, ContactSolution& solution) override {
    if (problem.contactCount() >= contacts_) {
      contacts_ = std::numeric_limits<int>::max();
      throw std::runtime_error("interrupted");
    }
    return solver_->solve(problem, solution);
  }

 private:
  std::unique_ptr<Solver> solver_;
  int contacts_;
};

TEST(Simulation, GoesOnAfterAnException) {
  const RunSettings settings{{.step = 1e-3, .end = 0}};
  const Model model = boxAndBall();
  Simulation simulation(model, initialOf(model), settings,
                        {.solver = std::make_unique<Interrupted>(model.method, 2)});
  State before;
  try {
    for (int k = 0; k < 300; ++k) {
      before = simulation.state();
      simulation.step();
    }
    ADD_FAILURE() << "the box did not fall";
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "interrupted");
  }
  // Its contacts are of a problem that nobody has solved.
  EXPECT_EQ(fingerprint(simulation.state()), fingerprint(before));
  EXPECT_TRUE(simulation.stepper().contacts().empty());
  EXPECT_TRUE(simulation.stepper().solution().p.empty());
  while (simulation.stepTowards(0.3)) continue;
  Simulation whole(model, initialOf(model), settings);
  while (whole.stepTowards(0.3)) continue;
  EXPECT_EQ(fingerprint(simulation.state()), fingerprint(whole.state()));
  EXPECT_EQ(simulation.summary().steps, whole.summary().steps);
  EXPECT_EQ(simulation.stepper().contacts().size(), 5u);
}

TEST(Simulation, KineticEnergyIsThatOfTheMasses) {
  Simulation simulation = simulationOf({{.step = 1e-3, .end = 0}});
  // The ball has the density of water.
  const double mass = 1000 * 4 / 3. * std::acos(-1.0) * 0.125;
  EXPECT_NEAR(kineticEnergy(*simulation.stepper().model().system, simulation.state()), mass / 2,
              1e-12 * mass);
}

}  // namespace
}  // namespace stickslip
