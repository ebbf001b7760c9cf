#include "convergence/child_processes.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <set>
#include <stdexcept>

namespace stickslip {
namespace {

TEST(ChildProcesses, ResultsComeInTheOrderOfTheJobs) {
  std::vector<ChildJob> jobs;
  jobs.reserve(7);
  for (int k = 0; k < 7; ++k)
    jobs.push_back([k] {
      usleep(static_cast<useconds_t>(1000 * (7 - k)));
      return "job " + std::to_string(k);
    });
  for (const int at_once : {1, 3, 20}) {
    std::set<std::size_t> seen;
    const auto results =
        runInChildren(jobs, at_once, [&](std::size_t k, std::size_t done, const ChildResult&) {
          seen.insert(k);
          EXPECT_EQ(done, seen.size());
        });
    ASSERT_EQ(results.size(), jobs.size());
    EXPECT_EQ(seen.size(), jobs.size());
    for (std::size_t k = 0; k < jobs.size(); ++k) {
      EXPECT_TRUE(results[k].finished);
      EXPECT_EQ(results[k].text, "job " + std::to_string(k));
    }
  }
}

TEST(ChildProcesses, SendsMoreThanAPipeHolds) {
  const std::vector<ChildJob> jobs = {[] { return std::string(5'000'000, 'x'); }};
  EXPECT_EQ(runInChildren(jobs, 1).front().text, std::string(5'000'000, 'x'));
}

TEST(ChildProcesses, WhatGoesWrongStaysInItsProcess) {
  const std::vector<ChildJob> jobs = {[]() -> std::string { throw std::runtime_error("no luck"); },
                                      []() -> std::string {
                                        std::signal(SIGTERM, SIG_DFL);
                                        std::raise(SIGTERM);
                                        return "not reached";
                                      },
                                      []() -> std::string { _exit(7); },
                                      [] { return std::string("fine"); }};
  const auto results = runInChildren(jobs, 2);
  EXPECT_FALSE(results[0].finished);
  EXPECT_EQ(results[0].text, "no luck");
  EXPECT_FALSE(results[1].finished);
  EXPECT_NE(results[1].text.find("signal 15"), std::string::npos) << results[1].text;
  EXPECT_FALSE(results[2].finished);
  EXPECT_NE(results[2].text.find("7"), std::string::npos) << results[2].text;
  EXPECT_TRUE(results[3].finished);
  EXPECT_EQ(results[3].text, "fine");
}

TEST(ChildProcesses, NoJobsAreNoWork) {
  EXPECT_TRUE(runInChildren({}, 2).empty());
}

}  // namespace
}  // namespace stickslip
