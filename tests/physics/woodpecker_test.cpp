// The woodpecker toy of [GS05] section 4: against an event-driven computation that shares nothing
// with the engine, in other units, and over step sizes.
#include <gtest/gtest.h>

#include <cmath>

#include "reference/event_driven_woodpecker.hpp"
#include "stickslip/linear_system.hpp"
#include "support/limit_cycle.hpp"
#include "support/scenes.hpp"

namespace stickslip {
namespace {

using reference::findLimitCycle;
using reference::LimitCycle;
using testing::measureCycle;
using testing::MeasuredCycle;

const LimitCycle& referenceCycle() {
  static const LimitCycle cycle = findLimitCycle();
  return cycle;
}

Scene woodpecker(double step, double end) {
  const std::string overrides[] = {"time.step=" + std::to_string(step),
                                   "time.end=" + std::to_string(end)};
  Scene scene = testing::repositoryScene("woodpecker.json", overrides);
  scene.run.time.step = step;  // to_string rounds
  return scene;
}

double relative(double value, double expected) {
  return std::abs(value / expected - 1);
}

// Largest relative deviation of all quantities from the event-driven limit cycle.
double cycleError(const MeasuredCycle& cycle) {
  const LimitCycle& expected = referenceCycle();
  return std::max({relative(cycle.period, expected.period), relative(cycle.drop, expected.drop),
                   relative(cycle.phi_M.least, expected.phiM.min),
                   relative(cycle.phi_M.most, expected.phiM.max),
                   relative(cycle.phi_S.least, expected.phiS.min),
                   relative(cycle.phi_S.most, expected.phiS.max),
                   relative(cycle.omega_M.least, expected.omegaM.min),
                   relative(cycle.omega_M.most, expected.omegaM.max),
                   relative(cycle.omega_S.least, expected.omegaS.min),
                   relative(cycle.omega_S.most, expected.omegaS.max)});
}

TEST(Woodpecker, TheReferenceItselfIsPeriodicAndBalancesEnergy) {
  const LimitCycle& cycle = referenceCycle();
  ASSERT_EQ(cycle.status, reference::ReferenceStatus::completed);
  EXPECT_LE(cycle.repeatability, 1e-9);
  EXPECT_LE(cycle.energyResidual, 1e-10);
  EXPECT_LT(std::abs(cycle.contraction), 1);
}

TEST(Woodpecker, SceneHoldsTableOne) {
  const Scene scene = woodpecker(1e-5, 3);
  const LinearSystemData& data = dynamic_cast<const LinearSystem&>(*scene.model.system).data();
  const reference::WoodpeckerParameters p;
  const double m = p.bodyMass, lM = p.sleeveToJoint, lG = p.jointToBody;
  const std::vector<double> M{m + p.sleeveMass,
                              m * lM,
                              m * lG,
                              m * lM,
                              p.sleeveInertia + m * lM * lM,
                              m * lM * lG,
                              m * lG,
                              m * lM * lG,
                              p.bodyInertia + m * lG * lG};
  const double c = p.stiffness;
  const std::vector<double> K{0, 0, 0, 0, c, -c, 0, -c, c};
  const std::vector<double> f{-(m + p.sleeveMass) * p.gravity, -m * lM * p.gravity,
                              -m * lG * p.gravity};
  for (std::size_t k = 0; k < 9; ++k) {
    EXPECT_NEAR(data.M[k], M[k], 1e-15 * std::abs(M[k]));
    EXPECT_DOUBLE_EQ(data.K[k], K[k]);
  }
  for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(data.f[k], f[k], 1e-15 * std::abs(f[k]));
  EXPECT_NEAR(data.contacts[0].g0, lM + lG - p.beakLength - p.poleRadius, 1e-17);
  EXPECT_NEAR(data.contacts[1].g0, p.sleeveRadius - p.poleRadius, 1e-17);
  EXPECT_EQ(data.contacts[0].law.e_n, 0.5);
}

TEST(Woodpecker, LimitCycleAgreesWithTheEventDrivenReference) {
  const MeasuredCycle cycle = measureCycle(woodpecker(1e-5, 3.0), 1.0);
  ASSERT_GE(cycle.cycles, 12);
  const LimitCycle& expected = referenceCycle();
  EXPECT_LE(relative(cycle.period, expected.period), 5e-4);
  EXPECT_LE(relative(cycle.drop, expected.drop), 2e-3);
  EXPECT_LE(cycleError(cycle), 5e-3);
  EXPECT_TRUE(cycle.summary.certified());
  EXPECT_LE(cycle.summary.residual_max, 1e-9);
  EXPECT_LE(cycle.summary.energy_max_gain, 1e-15);
}

TEST(Woodpecker, LimitCycleConvergesWithOrderOne) {
  const double finest = 5e-6;
  const double coarse = cycleError(measureCycle(woodpecker(8e-5, 3.0), 1.0));
  const double fine = cycleError(measureCycle(woodpecker(finest, 3.0), 1.0));
  const double order = std::log(coarse / fine) / std::log(8e-5 / finest);
  EXPECT_GT(order, 0.75) << coarse << " " << fine;
  EXPECT_LT(order, 1.25) << coarse << " " << fine;
}

// From the reference's start: the motion itself converges, not only its cycle.
TEST(Woodpecker, MotionConvergesWithOrderOne) {
  const double interval = 1e-3, end = 0.4;
  reference::ReferenceSettings settings;
  settings.sampleInterval = interval;
  const reference::Trajectory expected = reference::simulate(end, settings);
  const reference::WoodpeckerState start = reference::tableOneStart();
  std::vector<double> errors;
  for (const double h : {1e-4, 1e-6}) {
    Scene scene = woodpecker(h, end);
    scene.initial.q.assign(start.q.begin(), start.q.end());
    scene.initial.u.assign(start.u.begin(), start.u.end());
    const long every = std::lround(interval / h);
    double error = 0;
    Stepper stepper(scene.model);
    run(stepper, scene.initial, scene.run,
        [&](long step, const State& state, const Stepper&, const StepReport*) {
          if (step % every != 0) return;
          const std::size_t sample = step / every;
          if (sample >= expected.samples.size()) return;
          for (std::size_t k = 1; k < 3; ++k)
            error = std::max(error, std::abs(state.q[k] - expected.samples[sample].state.q[k]));
        });
    errors.push_back(error);
  }
  EXPECT_LE(errors[0], 2e-1);
  const double order = std::log10(errors[0] / errors[1]) / 2;
  EXPECT_GT(order, 0.8) << errors[0] << " " << errors[1];
  EXPECT_LT(order, 1.3) << errors[0] << " " << errors[1];
}

// Lengths in mm, masses in mg: y, w_T and the gaps scale with length, the rest with mass length^2.
TEST(Woodpecker, UnitsDoNotMatter) {
  const Scene scene = woodpecker(1e-5, 3.0);
  LinearSystemData data = dynamic_cast<const LinearSystem&>(*scene.model.system).data();
  const double length = 1e3, mass = 1e6;
  const double unit[3] = {length, 1, 1};  // of the coordinates
  const double work = mass * length * length;
  for (std::size_t i = 0; i < 3; ++i) {
    data.f[i] *= work / unit[i];
    for (std::size_t j = 0; j < 3; ++j) {
      data.M[3 * i + j] *= work / (unit[i] * unit[j]);
      data.K[3 * i + j] *= work / (unit[i] * unit[j]);
    }
  }
  for (LinearContact& contact : data.contacts) {
    contact.g0 *= length;
    for (std::size_t k = 0; k < 3; ++k) {
      contact.w_N[k] *= length / unit[k];
      contact.w_T[k] *= length / unit[k];
    }
  }
  State initial = scene.initial;
  initial.q[0] *= length;
  initial.u[0] *= length;

  std::vector<State> motion;
  Stepper in_metres(scene.model);
  run(in_metres, scene.initial, scene.run,
      [&](long, const State& state, const Stepper&, const StepReport*) {
        motion.push_back(state);
      });
  Stepper in_millimetres({std::make_shared<LinearSystem>(data), scene.model.method});
  double q_error = 0, u_error = 0;
  const double q_size[3] = {0.4, 0.1, 0.5}, u_size[3] = {0.4, 30, 17};
  const RunSummary summary =
      run(in_millimetres, initial, scene.run,
          [&](long step, const State& state, const Stepper&, const StepReport*) {
            const State& other = motion[step];
            for (std::size_t k = 0; k < 3; ++k) {
              q_error = std::max(q_error, std::abs(state.q[k] / unit[k] - other.q[k]) / q_size[k]);
              u_error = std::max(u_error, std::abs(state.u[k] / unit[k] - other.u[k]) / u_size[k]);
            }
          });
  EXPECT_TRUE(summary.certified());
  EXPECT_LE(q_error, 1e-9);
  EXPECT_LE(u_error, 1e-9);
}

}  // namespace
}  // namespace stickslip
