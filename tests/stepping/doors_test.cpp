// What a program adds: solvers and schemes of its own, handed over or registered by name.
#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <thread>

#include "stickslip/input_error.hpp"
#include "stickslip/io/scene.hpp"
#include "stickslip/stickslip.hpp"
#include "support/scenes.hpp"

namespace stickslip {
namespace {

// One of the library's solvers under another name, which counts its solves.
class CountingSolver : public Solver {
 public:
  explicit CountingSolver(const Method& method, SolverTraits traits = {}) : traits_(traits) {
    Method inner = method;
    inner.solver = "exact";
    inner_ = makeSolver(inner);
  }
  std::string_view name() const override { return "counting"; }
  SolverTraits traits() const override { return traits_; }
  SolveReport solve(const ContactProblem& problem, ContactSolution& solution) override {
    ++solves();
    return inner_->solve(problem, solution);
  }
  static int& solves() {
    static int count = 0;
    return count;
  }

 private:
  SolverTraits traits_;
  std::unique_ptr<Solver> inner_;
};

// Fails always, as its traits say.
class FailingSolver final : public CountingSolver {
 public:
  using CountingSolver::CountingSolver;
  SolveReport solve(const ContactProblem& problem, ContactSolution& solution) override {
    ++solves();
    solution.v = problem.v_free;
    solution.p.assign(problem.b.size(), 0);
    solution.c.assign(problem.g.size(), 0);
    return {.status = SolveStatus::inaccurate};
  }
};

Scene fallingBoxes(const std::vector<std::string>& overrides = {}) {
  return testing::repositoryScene("box-stack.json", overrides);
}

State after(Stepper stepper, const Scene& scene, int steps) {
  State state = scene.initial;
  for (int k = 0; k < steps; ++k) stepper.step(state, scene.run.time.step);
  return state;
}

TEST(OwnSolver, IsHandedToAStepper) {
  Scene scene = fallingBoxes();
  scene.model.method.solver = "exact";
  const std::uint64_t reference = fingerprint(after(Stepper(scene.model), scene, 50));
  scene.model.method.solver = "of no meaning here";
  CountingSolver::solves() = 0;
  Stepper stepper(scene.model, {.solver = std::make_unique<CountingSolver>(scene.model.method)});
  EXPECT_EQ(stepper.model().method.solver, "counting");
  EXPECT_EQ(fingerprint(after(std::move(stepper), scene, 50)), reference);
  EXPECT_GE(CountingSolver::solves(), 50);
}

TEST(OwnSolver, IsRegisteredByNameForScenesAndMethods) {
  registerSolver({.name = "counting-by-name",
                  .aliases = {"counts"},
                  .traits = {.takes_relaxed = false},
                  .make = [](const Method& m) { return std::make_unique<CountingSolver>(m); }});
  const std::vector<std::string_view> names = solverNames();
  EXPECT_NE(std::find(names.begin(), names.end(), "counting-by-name"), names.end());
  EXPECT_FALSE(solverTraits("counts").takes_relaxed);
  CountingSolver::solves() = 0;
  const Scene scene = fallingBoxes({"method.solver=counts"});
  after(Stepper(scene.model), scene, 3);
  EXPECT_GE(CountingSolver::solves(), 3);
  EXPECT_THROW(fallingBoxes({"method.solver=counts", "method.law=relaxed"}), InputError);
}

TEST(OwnSolver, SaysByItsTraitsWhatAFailureMeans) {
  for (const auto doubt : {SolverTraits::Doubt::never, SolverTraits::Doubt::after_inaccurate}) {
    const SolverTraits traits{.doubt = doubt};
    Scene scene = testing::repositoryScene("bouncing-sphere.json");
    scene.initial.q[2] = 0.01;
    scene.initial.u[2] = -1;  // it bounces: there is something to give up
    Stepper stepper(scene.model,
                    {.solver = std::make_unique<FailingSolver>(scene.model.method, traits)});
    State state = scene.initial;
    CountingSolver::solves() = 0;
    const StepReport report = stepper.step(state, scene.run.time.step);
    EXPECT_FALSE(report.certified);
    EXPECT_EQ(report.restitution_dropped, doubt != SolverTraits::Doubt::never);
  }
}

TEST(OwnSolver, NeedsNothingForProblemsWithoutBodies) {
  Method method{.cone = FrictionCone::circular, .solver = "exact"};
  LocalProblem local;
  local.W.rows = local.W.columns = 3;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      local.W.column.push_back(j);
      local.W.value.push_back(i == j ? 2 : 0.5);
    }
    local.W.start.push_back(local.W.value.size());
  }
  local.q = {-1, 0.7, -0.2};
  local.sets.push_back({.kind = ImpulseSet::Kind::elliptic, .mu = 0.4, .mu_2 = 0.4});
  std::vector<double> p;
  CountingSolver solver(method);
  EXPECT_EQ(solver.solveLocal(local, p).status, SolveStatus::solved);
  EXPECT_LE(certifyLocal(local, p).worstResidual(), 1e-8);
  EXPECT_GT(p[0], 0.1);
}

// The scheme of the library under another name.
TEST(OwnScheme, IsHandedOverOrRegistered) {
  class Renamed final : public Scheme {
   public:
    Renamed(const Method& method, std::string name) : Scheme(method), name_(std::move(name)) {}
    std::string_view name() const override { return name_; }
    SchemeTraits traits() const override { return {.gaps_at_start = true}; }
    void reserve(const System& system, ContactProblem& problem) override {
      builder_.reserve(system, problem);
    }
    void formulate(const System& system, const State& state, double h,
                   ContactProblem& problem) override {
      const Configuration here{state.t, state.q};
      builder_.freeMotion(system, here, here, state.u, h, problem);
      nowhere_.assign(state.u.size(), 0.0);
      builder_.contacts(system, here, {nowhere_}, h, problem);
      builder_.joints(system, here, problem);
    }
    void advance(const System& system, double h, std::span<const double> v, State& state) override {
      system.move(state.t, v, h, state.q);
      state.u.assign(v.begin(), v.end());
      state.t += h;
    }

   private:
    std::string name_;
    std::vector<double> nowhere_;
  };
  registerScheme({.name = "plain", .make = [](const Method& method, const SolverTraits&) {
                    return std::make_unique<Renamed>(method, "plain");
                  }});
  const Scene by_name = fallingBoxes({"method.scheme=plain"});
  Stepper named_one(by_name.model);
  Stepper handed(fallingBoxes().model,
                 {.scheme = std::make_unique<Renamed>(fallingBoxes().model.method, "mine")});
  EXPECT_EQ(handed.model().method.scheme, "mine");
  EXPECT_TRUE(handed.schemeTraits().gaps_at_start);
  EXPECT_FALSE(named_one.schemeTraits().gaps_at_start);  // as registered
  EXPECT_EQ(fingerprint(after(std::move(named_one), by_name, 100)),
            fingerprint(after(std::move(handed), by_name, 100)));
  EXPECT_THROW(fallingBoxes({"method.scheme=plain", "method.theta=0.6"}), InputError);
}

TEST(Registry, RefusesWhatItCannotUseAndNamesWhatItKnows) {
  const auto make = [](const Method& m) { return std::make_unique<CountingSolver>(m); };
  EXPECT_THROW(registerSolver({.name = "", .make = make}), InputError);
  EXPECT_THROW(registerSolver({.name = "makes-nothing"}), InputError);
  EXPECT_THROW(registerSolver({.name = "exact", .make = make}), InputError);
  EXPECT_THROW(registerSolver({.name = "new", .aliases = {"gradient"}, .make = make}), InputError);
  EXPECT_FALSE(isSolver("new"));
  try {
    Stepper stepper({fallingBoxes().model.system, {.solver = "oracle"}});
    FAIL();
  } catch (const InputError& error) {
    for (const std::string_view name : solverNames())
      EXPECT_NE(std::string(error.what()).find("\"" + std::string(name) + "\""), std::string::npos)
          << name;
  }
}

TEST(Registry, TakesNewNamesWhileOthersAreLookedUp) {
  std::atomic<int> found = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([t, &found] {
      for (int k = 0; k < 50; ++k) {
        const std::string name = "thread-" + std::to_string(t) + "-" + std::to_string(k);
        registerSolver({.name = name, .make = [](const Method& m) {
                          return std::make_unique<CountingSolver>(m);
                        }});
        found += isSolver(name) && isSolver("gradient") ? 1 : 0;
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(found, 200);
}

TEST(Method, NamesOfClosedSetsGoBothWays) {
  EXPECT_EQ(nameOf(FrictionCone::polyhedral), "polyhedral");
  EXPECT_EQ(named<JointStabilization>("baumgarte"), JointStabilization::baumgarte);
  EXPECT_EQ(namesOf<Law>().size(), 2u);
  try {
    named<GeometryAt>("middel", "geometry");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("\"middle\""), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace stickslip
