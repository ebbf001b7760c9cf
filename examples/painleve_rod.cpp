// Painleve's rod: pushes a rod along the floor below and above the critical friction, and shows
// what one time step does with it.
#include <cstdio>
#include <memory>
#include <numbers>

#include "rod.hpp"
#include "stickslip/elementary.hpp"
#include "stickslip/stickslip.hpp"

int main() {
  using namespace stickslip;
  const double theta = 65 * std::numbers::pi / 180;
  const double critical = Rod::criticalFriction(theta);
  std::printf("critical friction at 65 degrees: %.4f\n", critical);
  std::printf("%6s %14s %14s %12s %10s\n", "mu", "tip before", "tip after", "impulse", "residual");
  for (const double mu : {0.5 * critical, 0.99 * critical, 1.01 * critical, 2 * critical}) {
    const auto rod = std::make_shared<Rod>(mu);
    Stepper stepper({rod, presetMethod("glocker-studer", *rod)});
    // The lower tip touches the floor and slides to the left, the rod does not turn.
    State state{0, {0, Rod::kHalfLength * math::sin(theta), theta}, {-1, 0, 0}};
    const StepReport report = stepper.step(state, 1e-4);
    const double tip = state.u[0] + Rod::kHalfLength * math::sin(theta) * state.u[2];
    std::printf("%6.3f %14.6f %14.6f %12.6f %10.1e\n", mu, -1.0, tip, stepper.solution().p[0],
                report.certificate.worstResidual());
    if (!report.certified) return 1;
  }
}
