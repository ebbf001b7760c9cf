// Steps have the same bits for any number of threads: all but the solver, and islands.
#include <gtest/gtest.h>

#include <bit>
#include <cstring>

#include "stickslip/body_system.hpp"
#include "stickslip/certificate.hpp"
#include "stickslip/scheme.hpp"
#include "stickslip/stepper.hpp"
#include "stickslip/threads.hpp"
#include "support/gauss_seidel.hpp"
#include "support/sphere_box.hpp"

namespace stickslip {
namespace {

class StepOnThreads : public ::testing::Test {
 protected:
  void TearDown() override { setThreadCount(1); }
};

struct StepResult {
  ContactProblem problem;
  Certificate certificate;
  State next;
};

// The certificate is that of a poor solution, so that none of its numbers is zero.
StepResult stepOf(const testing::SphereBox& box, int threads) {
  setThreadCount(threads);
  const Method method{.scheme = "position", .cone = FrictionCone::circular};
  const std::unique_ptr<Scheme> scheme = makeScheme(method);
  StepResult result;
  result.next = box.state;
  ContactSolution solution;
  scheme->formulate(*box.system, box.state, box.step, result.problem);
  testing::GaussSeidel().solve(result.problem, 3, solution);
  Certifier certifier;
  result.certificate = certifier.certify(result.problem, solution);
  scheme->advance(*box.system, box.step, solution.v, result.next);
  return result;
}

bool sameBits(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

void expectSame(const ContactProblem& a, const ContactProblem& b) {
  EXPECT_EQ(a.contact_id, b.contact_id);
  EXPECT_EQ(a.gap, b.gap);
  EXPECT_EQ(a.b, b.b);
  EXPECT_EQ(a.v_free, b.v_free);
  ASSERT_EQ(a.J.rowCount(), b.J.rowCount());
  for (int i = 0; i < a.contactCount(); ++i) {
    ASSERT_EQ(a.J.stripsOf(i).size(), b.J.stripsOf(i).size());
    for (std::size_t k = 0; k < a.J.stripsOf(i).size(); ++k) {
      const StripValues x = a.J.values(i, a.J.stripsOf(i)[k]);
      const StripValues y = b.J.values(i, b.J.stripsOf(i)[k]);
      EXPECT_EQ(a.J.stripsOf(i)[k].first_column, b.J.stripsOf(i)[k].first_column);
      const auto bytes =
          static_cast<std::size_t>(x.view().rows * x.view().columns) * sizeof(double);
      ASSERT_EQ(std::memcmp(x.view().data, y.view().data, bytes), 0);
    }
  }
}

TEST_F(StepOnThreads, ContactsCertificateAndMotionHaveTheSameBits) {
  const testing::SphereBox box = testing::settledSpheres(9, 0.5, 40);
  const StepResult one = stepOf(box, 1);
  EXPECT_GT(one.problem.contactCount(), 500);
  EXPECT_GT(one.certificate.residual, 1e-3);
  for (const int threads : {2, 3, 8}) {
    const StepResult many = stepOf(box, threads);
    expectSame(one.problem, many.problem);
    EXPECT_TRUE(sameBits(one.certificate.residual, many.certificate.residual));
    EXPECT_TRUE(sameBits(one.certificate.fclib_error, many.certificate.fclib_error));
    EXPECT_TRUE(sameBits(one.certificate.momentum_residual, many.certificate.momentum_residual));
    EXPECT_TRUE(sameBits(one.certificate.contact_work, many.certificate.contact_work));
    EXPECT_TRUE(sameBits(one.certificate.kinetic_energy_end, many.certificate.kinetic_energy_end));
    EXPECT_EQ(fingerprint(one.next), fingerprint(many.next));
  }
}

// Towers of cubes of different masses that stand apart on a slope, so that some of them slide.
std::shared_ptr<const BodySystem> towersApart(int count) {
  BodySystemData data;
  data.gravity = {2.5, 0, -9.5};
  data.materials = {{.name = "default", .surface = {.friction = 0.25}}};
  data.bodies.push_back({.name = "ground", .type = Body::Type::fixed});
  data.bodies.back().shapes.push_back({HalfSpace{}, {}, 0});
  for (int tower = 0; tower < count; ++tower)
    for (int level = 0; level < 3; ++level) {
      Body cube{.name = std::to_string(tower) + "/" + std::to_string(level)};
      cube.position = {0, 2.0 * tower, 0.5 + level};
      cube.velocity = {0, 0.01 * tower * level, 0};
      cube.mass = massProperties(Box{{1, 1, 1}}, 1 + tower % 5);
      cube.shapes.push_back({Box{{1, 1, 1}}, {}, 0});
      data.bodies.push_back(cube);
    }
  return std::make_shared<BodySystem>(data);
}

TEST_F(StepOnThreads, IslandsHaveTheSameBits) {
  const auto system = towersApart(20);
  for (const char* solver : {"exact", "convex", "fixed-point-1"}) {
    std::uint64_t of_one = 0;
    for (const int threads : {1, 2, 8}) {
      setThreadCount(threads);
      Method method{.scheme = "position", .cone = FrictionCone::circular, .solver = solver};
      method.law = std::string(solver) == "convex" ? Law::relaxed : Law::coulomb;
      Stepper stepper({system, method});
      State state = system->initialState();
      for (int k = 0; k < 5; ++k) {
        const StepReport report = stepper.step(state, 0.01);
        EXPECT_TRUE(report.certified) << solver << " " << report.certificate.worstResidual();
      }
      EXPECT_GE(stepper.problem().contactCount(), 20 * 12);
      if (threads == 1) of_one = fingerprint(state);
      EXPECT_EQ(fingerprint(state), of_one) << solver << ", " << threads << " threads";
    }
  }
}

// Spheres that touch each other on all sides, of several masses, pushed against the ground.
std::shared_ptr<const BodySystem> packedSpheres(int side) {
  BodySystemData data;
  data.gravity = {0.5, 0.3, -9.81};
  data.materials = {{.name = "default", .surface = {.friction = 0.4}}};
  data.bodies.push_back({.name = "ground", .type = Body::Type::fixed});
  data.bodies.back().shapes.push_back({HalfSpace{}, {}, 0});
  for (int k = 0; k < side * side * side; ++k) {
    const int x = k % side, y = k / side % side, z = k / (side * side);
    Body ball{.name = std::to_string(k)};
    ball.position = {1.0 * x, 1.0 * y, 0.5 + z};
    ball.velocity = {0.01 * (x % 3), 0.01 * (y % 5), -0.1};
    ball.mass = massProperties(Sphere{0.5}, 1 + k % 7);
    ball.shapes.push_back({Sphere{0.5}, {}, 0});
    data.bodies.push_back(ball);
  }
  return std::make_shared<BodySystem>(data);
}

// So many contacts that regions are swept side by side (sweeps/sweep_order.hpp).
TEST_F(StepOnThreads, RegionsOfManyContactsHaveTheSameBits) {
  const auto system = packedSpheres(14);
  for (const char* solver : {"sweeps", "accelerated"}) {
    std::uint64_t of_one = 0;
    for (const int threads : {1, 2, 4, 8}) {
      setThreadCount(threads);
      const Method method{
          .scheme = "position", .cone = FrictionCone::circular, .solver = solver, .budget = 12};
      Stepper stepper({system, method});
      State state = system->initialState();
      for (int k = 0; k < 3; ++k) stepper.step(state, 0.01);
      EXPECT_GE(stepper.problem().contactCount(), 6000);
      if (threads == 1) of_one = fingerprint(state);
      EXPECT_EQ(fingerprint(state), of_one) << solver << ", " << threads << " threads";
    }
  }
}

}  // namespace
}  // namespace stickslip
