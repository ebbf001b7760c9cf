// Painleve's rod ([ST00] 1.4; critical friction (tan^2 + 4) / (3 tan)): below and above the
// critical friction every step is certified, no step has more kinetic energy than free motion would
// give it ([AP97] Thm 2.3), and above the critical friction the tip jams.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "../examples/rod.hpp"
#include "stickslip/stickslip.hpp"
#include "support/effort.hpp"

namespace stickslip {
namespace {

State slidingRod(double theta) {
  return {0, {0, Rod::kHalfLength * std::sin(theta), theta}, {-1, 0, 0}};
}

double tipVelocity(const State& state) {
  return state.u[0] + Rod::kHalfLength * std::sin(state.q[2]) * state.u[2];
}

TEST(Painleve, DirectionsAreTheDerivativesOfTheGaps) {
  const Rod rod(0.5);
  const std::vector<double> q{0.3, 0.7, 0.9};
  for (int tip = 0; tip < 2; ++tip) {
    std::vector<double> w(3, 0.0);
    rod.normalDirection(tip, 0, q, w);
    for (std::size_t k = 0; k < 3; ++k) {
      std::vector<double> ahead = q, behind = q;
      ahead[k] += 1e-6;
      behind[k] -= 1e-6;
      EXPECT_NEAR(w[k], (rod.gap(tip, 0, ahead) - rod.gap(tip, 0, behind)) / 2e-6, 1e-9);
    }
  }
}

TEST(Painleve, EveryStepIsCertifiedOnBothSidesOfTheCriticalFriction) {
  for (int degrees = 20; degrees <= 85; degrees += testing::kSanitized ? 13 : 5) {
    const double theta = degrees * std::numbers::pi / 180;
    for (const double mu : {0.1, 0.5, 1.0, 1.3, 1.4, 2.0, 5.0, 20.0}) {
      Stepper stepper({std::make_shared<Rod>(mu), {}});
      double most_over_free = 0;
      const RunSummary summary = run(
          stepper, slidingRod(theta), {{1e-3, 2.0}, false},
          [&](long, const State&, const Stepper&, const StepReport* report) {
            if (report == nullptr) return;
            const Certificate& c = report->certificate;
            most_over_free = std::max(most_over_free, c.kinetic_energy_end - c.kinetic_energy_free);
          });
      EXPECT_TRUE(summary.certified())
          << degrees << " degrees, mu " << mu << ", residual " << summary.residual_max;
      EXPECT_LE(most_over_free, 1e-14) << "[AP97] Theorem 2.3";
      EXPECT_LE(summary.energy_end, summary.energy_start * (1 + 1e-3));
    }
  }
}

TEST(Painleve, TheTipJamsAboveTheCriticalFrictionOnly) {
  const double theta = 65 * std::numbers::pi / 180;
  const double critical = Rod::criticalFriction(theta);
  for (const double ratio : {0.5, 0.95, 1.05, 3.0}) {
    Stepper stepper({std::make_shared<Rod>(ratio * critical), {}});
    State state = slidingRod(theta);
    const double h = 1e-6;
    ASSERT_TRUE(stepper.step(state, h).certified);
    if (ratio < 1)
      EXPECT_NEAR(tipVelocity(state), -1, 0.01) << ratio;  // a finite force for a short time
    else
      EXPECT_NEAR(tipVelocity(state), 0, 10 * h) << ratio;  // an impulse
  }
}

}  // namespace
}  // namespace stickslip
