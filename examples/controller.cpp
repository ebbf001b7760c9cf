// A controller: between steps it looks at the state and sets what acts in the next one. A pole is
// kept upright by a torque in its foot, and pushed from the side after a second.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>

#include "stickslip/stickslip.hpp"

using namespace stickslip;

int main() {
  BodySystemData world{.dimension = 2, .gravity = {0, -9.81}};
  world.bodies = {{.name = "pole",
                   .position = {0, 0.5, 0},
                   .angular_velocity = {0, 0, 0.3},
                   .mass = {1, {}, diagonal({1, 1, 1.0 / 12})}}};
  world.joints = {{.name = "foot", .body_b = 0, .frame_b = {{0, -0.5, 0}}}};
  const auto system = std::make_shared<BodySystem>(world);
  Simulation simulation({system, defaultMethod(*system)}, system->initialState(), {{.step = 1e-3}});

  const int pole = system->bodyIndex("pole"), foot = system->jointIndex("foot");
  BodyInputs& inputs = *system->inputs();
  double farthest = 0, angle = 0;
  while (simulation.stepTowards(4)) {
    const State& now = simulation.state();
    angle = system->jointCoordinate(foot, 0, now);
    farthest = std::max(farthest, std::abs(angle));
    const double rate = system->bodyState(pole, now).angular_velocity.z;
    inputs.joints[foot].force[0] = -40 * angle - 6 * rate;
    inputs.bodies[pole].force = {now.t > 1 && now.t < 1.1 ? 20.0 : 0.0, 0, 0};
  }
  std::printf("at most %.3f rad from upright, %.0e rad in the end\n", farthest, std::abs(angle));
  const bool stood = farthest > 0.05 && farthest < 0.5 && std::abs(angle) < 1e-3;
  return simulation.summary().certified() && stood ? 0 : 1;
}
