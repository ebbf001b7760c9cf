// A simulation that is restored goes on as the one that was saved, bit for bit, and shows the same
// last step; what cannot be restored is refused and changes nothing.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/sealed_bytes.hpp"
#include "stickslip/body_system.hpp"
#include "stickslip/linear_system.hpp"
#include "stickslip/memory_stream.hpp"
#include "stickslip/simulation.hpp"
#include "support/input_errors.hpp"
#include "support/scenes.hpp"

namespace stickslip::checkpoint {
namespace {

using Bytes = std::vector<std::byte>;

Simulation simulationOf(const Scene& scene) {
  return {scene.model, scene.initial, scene.run};
}

Simulation simulationOf(const std::string& name, std::vector<std::string> overrides = {}) {
  return simulationOf(testing::repositoryScene(name, overrides));
}

void steps(Simulation& simulation, int count) {
  for (int k = 0; k < count; ++k) simulation.step();
}

template <class T>
Bytes bytesOf(const T& value) {
  MemoryWriter to;
  to(value);
  return {to.bytes().begin(), to.bytes().end()};
}

// Every bit of what can be seen of a certificate.
std::vector<double> numbersOf(const Certificate& c) {
  return {c.residual,
          c.fclib_error,
          c.momentum_residual,
          c.joint_residual,
          c.geometry_residual,
          c.friction_residual,
          c.energy_residual,
          c.worst_gap,
          c.joint_drift,
          c.kinetic_energy_start,
          c.kinetic_energy_free,
          c.kinetic_energy_end,
          c.contact_work,
          c.forced_energy,
          c.overlap_work,
          c.lift,
          c.impulses_unique ? 1.0 : 0.0};
}

void expectSameReport(const StepReport* a, const StepReport* b) {
  ASSERT_EQ(a == nullptr, b == nullptr);
  if (a == nullptr) return;
  EXPECT_EQ(bytesOf(numbersOf(a->certificate)), bytesOf(numbersOf(b->certificate)));
  EXPECT_EQ(a->solve.iterations, b->solve.iterations);
  EXPECT_EQ(a->solve.status, b->solve.status);
  EXPECT_EQ(a->solve.solved_by, b->solve.solved_by);
  EXPECT_EQ(a->solver, b->solver);
  EXPECT_EQ(a->stages, b->stages);
  EXPECT_EQ(explain(*a), explain(*b));
  const auto x = a->solve.stages.efforts(), y = b->solve.stages.efforts();
  ASSERT_EQ(x.size(), y.size());
  for (std::size_t k = 0; k < x.size(); ++k) {
    EXPECT_EQ(x[k].name, y[k].name);
    EXPECT_EQ(x[k].solved, y[k].solved);
    EXPECT_EQ(x[k].tried, y[k].tried);
    EXPECT_EQ(x[k].iterations, y[k].iterations);
  }
}

void expectSameNow(const Simulation& a, const Simulation& b) {
  EXPECT_EQ(fingerprint(a.state()), fingerprint(b.state()));
  expectSameReport(a.report(), b.report());
}

void expectSameContacts(const Simulation& a, const Simulation& b) {
  const auto x = a.stepper().contacts(), y = b.stepper().contacts();
  ASSERT_EQ(x.size(), y.size());
  const auto numbers = [](const ContactView& v) {
    std::vector<double> out{v.gap};
    for (const Vec3& part : {v.point, v.normal, v.impulse, v.force, v.slip_velocity})
      out.insert(out.end(), {part.x, part.y, part.z});
    out.insert(out.end(), v.p.begin(), v.p.end());
    out.insert(out.end(), v.gamma.begin(), v.gamma.end());
    return out;
  };
  for (std::size_t k = 0; k < x.size(); ++k) {
    EXPECT_EQ(x[k].id, y[k].id);
    EXPECT_EQ(x[k].index, y[k].index);
    EXPECT_EQ(x[k].state, y[k].state);
    EXPECT_EQ(x[k].body_a, y[k].body_a);
    EXPECT_EQ(x[k].body_b, y[k].body_b);
    EXPECT_EQ(x[k].is_placed, y[k].is_placed);
    EXPECT_EQ(bytesOf(numbers(x[k])), bytesOf(numbers(y[k])));
  }
}

void expectSameSummary(const RunSummary& a, const RunSummary& b) {
  EXPECT_EQ(a.steps, b.steps);
  EXPECT_EQ(a.iterations, b.iterations);
  EXPECT_EQ(a.residual_max, b.residual_max);
  EXPECT_EQ(a.penetration_max, b.penetration_max);
  EXPECT_EQ(a.energy_start, b.energy_start);
  EXPECT_EQ(a.energy_end, b.energy_end);
  EXPECT_EQ(a.rejected_steps, b.rejected_steps);
  EXPECT_EQ(a.shortest_step, b.shortest_step);
  EXPECT_EQ(a.contacts_max, b.contacts_max);
  EXPECT_EQ(a.collisions, b.collisions);
  EXPECT_EQ(a.drift_kept_steps, b.drift_kept_steps);
  EXPECT_EQ(a.uncertified_steps, b.uncertified_steps);
  EXPECT_EQ(a.first_uncertified_residual, b.first_uncertified_residual);
  EXPECT_EQ(a.stages.efforts().size(), b.stages.efforts().size());
  EXPECT_EQ(fingerprint(a.final_state), fingerprint(b.final_state));
}

// One goes on, one is new, one has been elsewhere, one was never saved.
void expectGoesOn(const std::function<Simulation()>& make, int before, int after) {
  Simulation one = make(), elsewhere = make(), unsaved = make();
  steps(one, before);
  steps(unsaved, before);
  steps(elsewhere, before / 2 + 3);
  const Bytes saved = one.save();
  Simulation other = make();
  for (Simulation* restored : {&other, &elsewhere}) {
    restored->restore(saved);
    EXPECT_EQ(restored->save(), saved);
    expectSameNow(one, *restored);
    expectSameContacts(one, *restored);
    expectSameSummary(one.summary(), restored->summary());
    EXPECT_EQ(one.stepper().asleepCount(), restored->stepper().asleepCount());
  }
  for (int k = 0; k < after && !::testing::Test::HasFailure(); ++k) {
    SCOPED_TRACE("step " + std::to_string(k + 1) + " after it");
    for (Simulation* simulation : {&one, &other, &elsewhere, &unsaved}) simulation->step();
    for (Simulation* simulation : {&other, &elsewhere, &unsaved}) expectSameNow(one, *simulation);
  }
  for (Simulation* simulation : {&other, &elsewhere, &unsaved})
    EXPECT_EQ(one.save(), simulation->save());
}

struct Case {
  std::string name;
  std::string scene;
  std::vector<std::string> overrides;
  int before = 40;
  int after = 12;
};

class SavedScene : public ::testing::TestWithParam<Case> {};

TEST_P(SavedScene, GoesOnBitForBit) {
  const Case& c = GetParam();
  expectGoesOn([&] { return simulationOf(c.scene, c.overrides); }, c.before, c.after);
}

std::vector<Case> cases() {
  const auto method = [](const std::string& fields) {
    return std::vector<std::string>{R"(method={"preset": "stickslip", )" + fields + "}"};
  };
  std::vector<Case> out{
      {"Start", "box-stack.json", {}, 0},
      {"BoxStack", "box-stack.json", {}},
      {"Cards", "scale/card-house.json", {}, 20, 6},
      {"Dominoes", "scale/dominoes.json", {}, 60},
      {"Balls", "scale/sphere-pile.json", {}, 90, 6},
      {"Rocks", "scale/rock-pile.json", {}, 30, 4},
      {"Cannonball", "cannonball.json", {}, 10, 3},
      {"Basis", "papers/basis-disks.json", {}},
      {"Lemke", "papers/four-balls.json", {}, 12},
      {"Exact", "incline-stack.json", method(R"("solver": "exact")")},
      {"LemkeStack", "incline-stack.json", method(R"("solver": "lemke", "cone": "polyhedral")")},
      // What the first solver of `auto` cannot do the second one is asked for, then for a while.
      {"AutoWinner", "rocking-block.json", method(R"("scheme": "midpoint", "tolerance": 1e-15)"), 4,
       6},
      {"Convex", "box-stack.json",
       method(R"("scheme": "position", "law": "relaxed", "solver": "convex")")},
      {"FixedPoint1", "incline-stack.json", method(R"("solver": "fixed-point-1")")},
      {"FixedPoint2", "incline-stack.json", method(R"("solver": "fixed-point-2")")},
      {"OneStep2", "box-stack.json", method(R"("solver": "one-step-2", "tolerance": 0.1)")},
      {"Accelerated", "scale/dominoes.json", method(R"("solver": "accelerated")")},
      {"RealTime", "scale/shaken-box.json", {R"(method={"preset": "realtime"})"}, 90},
      {"Asleep", "box-stack.json", method(R"("scheme": "position", "sleep_time": 0.05)"), 200},
      {"Resting", "box-stack.json", method(R"("scheme": "position", "sleep_time": 0.3)"), 25, 15},
      {"Implicit", "wedge.json", method(R"("scheme": "position", "implicit": true)")},
      {"Velocity", "rocking-block.json", method(R"("scheme": "velocity")"), 70},
      {"VelocityJoints", "four-bar.json", method(R"("scheme": "velocity")")},
      {"Bouncing", "papers/bouncing-ball.json", {}, 150},
      {"Midpoint", "double-pendulum.json", method(R"("scheme": "midpoint")")},
      {"StepsByError", "cradle.json", {"time.error=1e-7"}, 126, 20},
      {"VelocityByError",
       "cradle.json",
       {R"(method={"preset": "stickslip", "scheme": "velocity"})", "time.error=1e-5"},
       30},
      {"FrictionCurve", "stick-slip.json", {}, 120},
      {"Woodpecker", "woodpecker.json", {}, 150},
      {"Elements", "elements/prestressed-spring.json", {}},
      {"Ratchet", "elements/ratchet.json", {}, 80},
      {"Motor", "slider-crank.json", {}, 80},
      {"Spinning", "dzhanibekov.json", {}},
      {"HeightField", "shapes/spatial-on-height-field.json", {}, 90, 5},
      {"Mesh", "shapes/spatial-on-mesh.json", {}, 90, 5},
      {"Polyline", "shapes/planar-on-polyline.json", {}, 120}};
  return out;
}

INSTANTIATE_TEST_SUITE_P(Scenes, SavedScene, ::testing::ValuesIn(cases()),
                         [](const auto& tested) { return tested.param.name; });

Scene sceneOf(const std::string& method, const std::string& surface, const std::string& system) {
  return parseScene(
      R"({"stickslip": 1, "name": "s", "time": {"step": 0.001, "end": 1}, "method": )" + method +
          R"(, "system": {"materials": {"default": )" + surface + "}, " + system + "}}",
      "s");
}

// What is kept of a jam for the next steps: a peg between walls that are too near.
TEST(Checkpoint, KeepsWhatAJamHasGivenUp) {
  const auto make = [] {
    return simulationOf(sceneOf(R"({"scheme": "position"})",
                                R"({"friction": 0.5, "restitution": 0.2})", R"("type": "planar",
      "bodies": [
        {"name": "left", "type": "static", "position": [-1, 0], "shape": {"type": "box", "size": [1, 2]}},
        {"name": "right", "type": "static", "position": [1, 0], "shape": {"type": "box", "size": [1, 2]}},
        {"name": "peg", "mass": 1, "position": [0, 0.6], "shape": {"type": "box", "size": [1.001, 1]}}])"));
  };
  for (const int before : {1, 2, 4, 5, 30}) expectGoesOn(make, before, 20);
}

TEST(Checkpoint, KeepsSurfacesOfEveryKind) {
  for (
      const char* surface :
      {R"({"friction": 0.4, "anisotropy":
            {"direction": [1, 0, 0], "friction_directions": [[1, 0], [-0.5, 0.5], [-0.5, -0.5]]}})",
       R"({"friction": 0.4, "rolling_friction": 0.01, "torsional_friction": 0.02})",
       R"({"friction": 0.4, "anisotropy": {"direction": [1, 0, 0], "friction_across": 0.2}})",
       R"({"friction_force": 3})",
       R"({"friction": 0.4, "kinetic_friction": 0.2, "transition": {"type": "smooth", "speed": 0.05}})"}) {
    SCOPED_TRACE(surface);
    const auto make = [&] {
      return simulationOf(sceneOf(R"({"scheme": "position", "cone": "polyhedral"})", surface,
                                  R"("type": "spatial", "bodies": [
        {"name": "floor", "type": "static", "shape": {"type": "half-space"}},
        {"name": "box", "mass": 1, "position": [0, 0, 0.5], "velocity": [1, 0.3, 0],
         "shape": {"type": "box", "size": [1, 1, 1]}},
        {"name": "ball", "mass": 1, "position": [3, 0, 0.5], "velocity": [1, 0, 0],
         "shape": {"type": "sphere", "radius": 0.5}}])"));
    };
    expectGoesOn(make, 20, 8);
  }
}

// A controller that holds on to its inputs finds them where they were.
TEST(Checkpoint, KeepsInputs) {
  const auto make = [] { return simulationOf("slider-crank.json"); };
  const auto bodiesOf = [](Simulation& simulation) -> const BodySystem& {
    return dynamic_cast<const BodySystem&>(*simulation.stepper().model().system);
  };
  Simulation one = make(), other = make(), third = make();
  const std::vector<double>* const forces = other.stepper().inputForces().get();
  BodyInputs& others = *bodiesOf(other).inputs();
  others.bodies.back().force.x = -7;
  one.stepper().inputForces()->back() = 0.25;
  BodyInputs& inputs = *bodiesOf(one).inputs();
  inputs.bodies.back().force = {1, 2, 0};
  inputs.joints[0].force[0] = 0.5;
  steps(one, 30);
  other.restore(one.save());
  third.restore(one.save());
  EXPECT_EQ(other.stepper().inputForces().get(), forces);
  EXPECT_EQ(bodiesOf(other).inputs().get(), &others);
  EXPECT_TRUE(others.bodies.back().force == (Vec3{1, 2, 0}));
  EXPECT_EQ(others.joints[0].force[0], 0.5);
  for (int k = 0; k < 20; ++k) {
    for (Simulation* simulation : {&one, &other, &third}) simulation->step();
    expectSameNow(one, other);
    expectSameNow(one, third);
  }
  EXPECT_EQ(one.save(), third.save());
  // Nothing is set where nothing was.
  other.restore(make().save());
  EXPECT_TRUE(others.bodies.back().force == Vec3{});
  EXPECT_EQ(forces->back(), 0);
}

// Numbers of steps, not times, decide how long the next one is.
TEST(Checkpoint, KeepsTheCountOfSteps) {
  Simulation one = simulationOf("box-stack.json");
  while (one.stepTowards(0.0105)) continue;
  steps(one, 2);
  Simulation other = simulationOf("box-stack.json");
  other.restore(one.save());
  while (one.stepTowards(0.0477)) continue;
  while (other.stepTowards(0.0477)) continue;
  EXPECT_EQ(one.state().t, other.state().t);
  EXPECT_EQ(one.save(), other.save());
}

// A state from outside is not the one that a step has left, and the restored one knows it.
TEST(Checkpoint, KnowsThatAStateWasGiven) {
  const auto make = [] {
    return simulationOf("bouncing-ball.json",
                        {R"(method={"preset": "stickslip", "scheme": "velocity"})"});
  };
  Simulation one = make();
  steps(one, 5);
  State moved = one.state();
  moved.u[0] += 0.125;
  one.setState(moved);
  Simulation other = make();
  other.restore(one.save());
  for (int k = 0; k < 20; ++k) {
    one.step();
    other.step();
    expectSameNow(one, other);
  }
}

TEST(Checkpoint, AStepperCanBeSavedByItself) {
  const Scene scene = testing::repositoryScene("scale/dominoes.json");
  Stepper one(scene.model);
  Stepper other(testing::repositoryScene("scale/dominoes.json").model);
  State state = scene.initial;
  for (int k = 0; k < 40; ++k) one.step(state, scene.run.time.step);
  other.restore(one.save());
  State same = state;
  for (int k = 0; k < 10; ++k) {
    const StepReport a = one.step(state, scene.run.time.step);
    const StepReport b = other.step(same, scene.run.time.step);
    expectSameReport(&a, &b);
    EXPECT_EQ(fingerprint(state), fingerprint(same));
  }
  EXPECT_EQ(one.save(), other.save());
}

TEST(Checkpoint, IsRefusedByWhatIsNotTheSame) {
  Simulation simulation = simulationOf("bouncing-ball.json");
  steps(simulation, 3);
  const Bytes saved = simulation.save();
  const auto refusal = [&](Simulation other) {
    other.step();
    const Bytes before = other.save();
    const std::string message = testing::messageOf([&] { other.restore(saved); });
    EXPECT_EQ(other.save(), before);
    return message;
  };
  EXPECT_EQ(refusal(simulationOf("cradle.json")),
            "saved state: it is of another model: the number of positions is 1 in it, "
            "and 9 here");
  EXPECT_EQ(refusal(simulationOf("bouncing-ball.json", {"method.tolerance=1e-6"})),
            "saved state: it is of another model: method.tolerance is 1e-08 in it, and "
            "1e-06 here");
  EXPECT_NE(refusal(simulationOf("bouncing-ball.json", {"time.step=0.5"})).find("time.step"),
            std::string::npos);
  EXPECT_NE(refusal(simulationOf("bouncing-ball.json", {"time.error=0.5"})).find("time.error"),
            std::string::npos);
  EXPECT_EQ(testing::messageOf([&] { simulation.restore(simulation.stepper().save()); }),
            "saved state: it is that of a stepper, not of a simulation");
  // Until when a run goes is not of what was so far.
  simulationOf("bouncing-ball.json", {"time.end=77"}).restore(saved);
}

TEST(Checkpoint, IsRefusedIfIncompleteOrDamaged) {
  Simulation simulation = simulationOf("papers/bouncing-ball.json");
  steps(simulation, 30);
  const Bytes saved = simulation.save();
  Simulation other = simulationOf("papers/bouncing-ball.json");
  other.step();
  const Bytes before = other.save();
  for (std::size_t size = 0; size < saved.size(); ++size) {
    const std::string message =
        testing::messageOf([&] { other.restore(std::span(saved).first(size)); });
    EXPECT_EQ(message, size < 16 ? "saved state: these bytes are something else: they do not begin "
                                   "as it does"
                                 : "saved state: it is not complete")
        << size;
  }
  Bytes longer = saved;
  longer.push_back({});
  EXPECT_EQ(testing::messageOf([&] { other.restore(longer); }),
            "saved state: there are bytes behind its end");
  for (std::size_t k = 0; k < saved.size(); ++k)
    for (const std::byte flip : {std::byte{1}, std::byte{0x80}, std::byte{0xff}}) {
      Bytes damaged = saved;
      damaged[k] ^= flip;
      EXPECT_NE(testing::messageOf([&] { other.restore(damaged); }), "") << k;
    }
  EXPECT_EQ(other.save(), before);
}

// Bytes whose seal is right, and which are wrong all the same: refused, or a simulation that can be
// looked at.
TEST(Checkpoint, WrongNumbersUnderARightSealDoNoHarm) {
  Simulation simulation = simulationOf("elements/rope-catch.json",
                                       {R"(method={"scheme": "position", "sleep_time": 0.01})"});
  steps(simulation, 30);
  const Bytes saved = simulation.save();
  const std::span<const std::byte> content = unsealed(saved);
  Simulation other = simulationOf("elements/rope-catch.json",
                                  {R"(method={"scheme": "position", "sleep_time": 0.01})"});
  const Bytes before = other.save();
  int refused = 0;
  for (std::size_t k = 0; k < content.size(); ++k)
    for (const std::byte flip : {std::byte{1}, std::byte{0x80}, std::byte{0xff}}) {
      Bytes wrong(content.begin(), content.end());
      wrong[k] ^= flip;
      if (testing::messageOf([&] { other.restore(sealed(wrong)); }).empty()) {
        other.summary();
        other.stepper().contacts();
        other.restore(before);
        continue;
      }
      ++refused;
      ASSERT_EQ(other.save(), before);
    }
  EXPECT_GT(refused, 500);
}

// A system, a scheme and a solver of a user's own, which remember something.

constexpr int kRefused = 99;

class Tired final : public GeneralizedSystem {
 public:
  Tired() : GeneralizedSystem(1) {}
  void generalizedMass(double, std::span<const double>, MatrixView M) const override {
    M(0, 0) = 1;
  }
  void generalizedForces(double, std::span<const double>, std::span<const double>,
                         std::span<double> h) const override {
    h[0] = 1.0 / ++asked;
  }
  void saveMemory(MemoryWriter& to) const override { to(asked); }
  void restoreMemory(MemoryReader& from) const override { from(asked); }

  mutable int asked = 0;
};

class Counting final : public Solver {
 public:
  explicit Counting(int* kept) : kept_(kept) {}
  std::string_view name() const override { return "counting"; }
  SolveReport solve(const ContactProblem& problem, ContactSolution& solution) override {
    ++count_;
    solution = {problem.v_free, std::vector<double>(problem.b.size()),
                std::vector<double>(problem.g.size())};
    for (double& v : solution.v) v += 1e-3 * count_;
    return {.iterations = count_};
  }
  void saveMemory(MemoryWriter& to) const override { to(count_, *kept_); }
  void restoreMemory(MemoryReader& from) override {
    from(count_, *kept_);
    from.expect(*kept_ != kRefused, "that number is refused");
  }

 private:
  int count_ = 0;
  int* kept_;
};

struct OwnParts {
  std::shared_ptr<Tired> system = std::make_shared<Tired>();
  std::unique_ptr<int> kept = std::make_unique<int>(0);
  Simulation simulation{{system, {.scheme = "midpoint"}},
                        State{0, {0}, {0}},
                        {{.step = 0.01}},
                        StepperOptions{.solver = std::make_unique<Counting>(kept.get())}};
};

TEST(Checkpoint, PartsOfAUsersOwnTakePart) {
  OwnParts one, other;
  steps(one.simulation, 5);
  steps(other.simulation, 2);
  other.simulation.restore(one.simulation.save());
  EXPECT_EQ(other.system->asked, one.system->asked);
  steps(one.simulation, 5);
  steps(other.simulation, 5);
  expectSameNow(one.simulation, other.simulation);
  EXPECT_EQ(other.simulation.report()->solve.iterations, 10);
}

TEST(Checkpoint, APartThatRefusesChangesNothing) {
  OwnParts one, other;
  steps(one.simulation, 5);
  steps(other.simulation, 2);
  *one.kept = kRefused;
  const Bytes before = other.simulation.save();
  EXPECT_EQ(testing::messageOf([&] { other.simulation.restore(one.simulation.save()); }),
            "saved state: \"solver\": that number is refused");
  EXPECT_EQ(other.simulation.save(), before);
  EXPECT_EQ(other.system->asked, 2);
}

}  // namespace
}  // namespace stickslip::checkpoint
