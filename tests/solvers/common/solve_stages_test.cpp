// What solvers say about their stages: sums that add up, equal for any number of threads, and
// traces that change no result.
#include "stickslip/solve_stages.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "solvers/exact/exact_solver.hpp"
#include "stickslip/threads.hpp"
#include "support/contact_problems.hpp"
#include "support/local_problems.hpp"
#include "support/pile_problems.hpp"
#include "support/spatial_problems.hpp"

namespace stickslip {
namespace {

using testing::Random;

std::int64_t solvedIn(const StageSummary& stages) {
  std::int64_t sum = 0;
  for (const StageEffort& effort : stages.efforts()) sum += effort.solved;
  return sum;
}

std::int64_t iterationsIn(const StageSummary& stages) {
  std::int64_t sum = 0;
  for (const StageEffort& effort : stages.efforts()) sum += effort.iterations;
  return sum;
}

std::string asText(const StageSummary& stages) {
  std::string text;
  for (const StageEffort& e : stages.efforts())
    text += std::string(e.name) + " " + std::to_string(e.solved) + " " + std::to_string(e.tried) +
            " " + std::to_string(e.iterations) + ";";
  return text;
}

// Many islands: bodies that touch the floor only, and some that touch each other.
ContactProblem manyIslands() {
  Random random(7);
  return testing::randomSpatialProblem(random, {.bodies = 80, .patches = 60, .points = 2});
}

TEST(StageSummary, AddsUpByName) {
  StageSummary a, b;
  a.add({"newton", 1, 2, 10});
  a.add({"sweeps", 0, 1, 5});
  b.add({"newton", 2, 3, 7});
  b.add({"path", 1, 1, 100});
  a.add(b);
  EXPECT_EQ(asText(a), "newton 3 5 17;sweeps 0 1 5;path 1 1 100;");
  StageSummary discarded;
  discarded.addCost(a);
  EXPECT_EQ(asText(discarded), "newton 0 5 17;sweeps 0 1 5;path 0 1 100;");
}

TEST(StageSummary, CountsWhatFindsNoRoomUnderOther) {
  static const std::string kNames = "abcdefghijklmnopqrstuvwxyz";
  StageSummary stages;
  for (std::size_t k = 0; k < kNames.size(); ++k)
    stages.add({std::string_view(kNames).substr(k, 1), 1, 1, 1});
  EXPECT_EQ(stages.efforts().size(), std::size_t{StageSummary::kMost});
  EXPECT_EQ(stages.efforts().back().name, "other");
  EXPECT_EQ(solvedIn(stages), std::int64_t(kNames.size()));
  stages.add({"z", 1, 1, 1});
  EXPECT_EQ(stages.efforts().back().solved, 1 + std::int64_t(kNames.size()) - 19);
}

TEST(SolveStages, EverySolvedIslandHasOneStage) {
  const ContactProblem problem = manyIslands();
  for (const char* name : {"exact", "auto", "fixed-point-1"}) {
    ContactSolution solution;
    const SolveReport report =
        makeSolver({.cone = FrictionCone::circular, .solver = name})->solve(problem, solution);
    ASSERT_EQ(report.status, SolveStatus::solved) << name;
    Islands islands;
    islands.find(problem);
    EXPECT_EQ(solvedIn(report.stages), islands.count()) << name;
    EXPECT_EQ(iterationsIn(report.stages), report.iterations) << name;
  }
}

TEST(SolveStages, AreTheSameForAnyNumberOfThreads) {
  const ContactProblem problem = manyIslands();
  std::vector<std::string> texts;
  for (const int threads : {1, 2, 4}) {
    setThreadCount(threads);
    ContactSolution solution;
    texts.push_back(asText(ExactSolver(Method{}).solve(problem, solution).stages));
  }
  setThreadCount(0);
  EXPECT_EQ(texts[0], texts[1]);
  EXPECT_EQ(texts[0], texts[2]);
}

TEST(SolveStages, ATraceChangesNoResultAndAgreesWithTheSums) {
  const ContactProblem problem = manyIslands();
  for (const char* name :
       {"exact", "auto", "fixed-point-2", "accelerated", "sweeps", "one-step", "convex"}) {
    Method method{.cone = FrictionCone::circular, .solver = name};
    ContactProblem asked = problem;
    if (method.solver == "convex") {
      method.law = Law::relaxed;
      asked.law = Law::relaxed;
    }
    ContactSolution plain, traced;
    const SolveReport report = makeSolver(method)->solve(asked, plain);
    StageTrace trace;
    const auto solver = makeSolver(method);
    solver->setTrace(&trace);
    const SolveReport same = solver->solve(asked, traced);
    EXPECT_EQ(plain.p, traced.p) << name;
    EXPECT_EQ(asText(report.stages), asText(same.stages)) << name;
    StageSummary sums;
    for (const StageRecord& record : trace)
      sums.add({record.stage, record.solved, 1, record.iterations});
    EXPECT_EQ(iterationsIn(sums), iterationsIn(report.stages)) << name;
    EXPECT_EQ(solvedIn(sums), solvedIn(report.stages)) << name;
    EXPECT_TRUE(std::is_sorted(
        trace.begin(), trace.end(),
        [](const StageRecord& a, const StageRecord& b) { return a.island < b.island; }))
        << name;
    const std::size_t records = trace.size();
    solver->setTrace(nullptr);
    solver->solve(asked, traced);
    EXPECT_EQ(trace.size(), records) << name;
  }
}

TEST(SolveStages, AnAttemptThatIsNotKeptSolvesNothing) {
  // Lemke's method ends in a ray or finds a solution; whichever, islands count once.
  Random random(3);
  for (int trial = 0; trial < 20; ++trial) {
    const ContactProblem problem = testing::cannonballPile(8, 0.3, 0.05, 0.1, random);
    ContactSolution solution;
    const SolveReport report = makeSolver(Method{})->solve(problem, solution);
    ASSERT_EQ(report.status, SolveStatus::solved);
    Islands islands;
    islands.find(problem);
    EXPECT_EQ(solvedIn(report.stages), islands.count()) << trial;
    EXPECT_EQ(iterationsIn(report.stages), report.iterations) << trial;
  }
}

TEST(SolveStages, ALocalProblemThatSweepsSolveNamesThem) {
  // One body on a floor: sweeps over two contacts that hardly know of each other.
  Random random(5);
  const ContactProblem problem =
      testing::randomSpatialProblem(random, {.bodies = 3, .patches = 1, .points = 1});
  std::vector<double> p;
  const SolveReport report = makeSolver(Method{.cone = FrictionCone::circular})
                                 ->solveLocal(testing::localForm(problem), p);
  ASSERT_EQ(report.status, SolveStatus::solved);
  EXPECT_EQ(report.solved_by, "local sweeps");
  ASSERT_EQ(report.stages.efforts().size(), std::size_t{1});
  EXPECT_EQ(report.stages.efforts()[0].name, "local sweeps");
}

TEST(ExactStages, WhatIsLeftOutIsNotTried) {
  const ContactProblem problem = manyIslands();
  ContactSolution solution;
  const SolveReport all = ExactSolver(Method{}).solve(problem, solution);
  const SolveReport report =
      ExactSolver(Method{}, {ExactStage::sweeps, ExactStage::newton}).solve(problem, solution);
  const auto tried = [](const SolveReport& of, std::string_view name) {
    const auto efforts = of.stages.efforts();
    return std::any_of(efforts.begin(), efforts.end(),
                       [&](const StageEffort& effort) { return effort.name == name; });
  };
  EXPECT_TRUE(tried(all, "newton") && tried(all, "sweeps"));
  EXPECT_FALSE(tried(report, "newton") || tried(report, "sweeps"));
}

}  // namespace
}  // namespace stickslip
