// The first program: a box falls to the floor in a side wind, is printed as it lands, and every
// step comes with a certificate.
#include <cstdio>
#include <memory>

#include "stickslip/stickslip.hpp"

using namespace stickslip;

namespace {

// From t = 1 s on, 1 kN on the box, which weighs 9.81 kN: friction holds it.
void wind(double t, std::span<const BodyState>, std::span<Wrench> wrenches) {
  if (t > 1) wrenches[1].force.x += 1e3;
}

}  // namespace

int main() {
  BodySystemData world{.gravity = {0, 0, -9.81}, .materials = {{.surface = {.friction = 0.5}}}};
  world.bodies = {{.name = "floor", .type = Body::Type::fixed, .shapes = {{HalfSpace{}}}},
                  {.name = "box", .position = {0, 0, 1}, .shapes = {{Box{{1, 1, 1}}}}}};
  world.user_forces = {wind};
  const auto system = std::make_shared<BodySystem>(world);
  Stepper stepper({system, defaultMethod(*system)});
  bool rests = false;
  for (State s = system->initialState(); s.t < 2;) {
    const StepReport report = stepper.step(s, 1e-3);
    rests = true;
    for (const ContactView& c : stepper.contacts()) {
      rests = rests && c.state == ContactView::State::stick;
      if (c.state == ContactView::State::impact)
        std::printf("t = %.3f: %s hits %s at (%.2f, %.2f, %.2f), impulse %.2f N s\n", s.t,
                    world.bodies[c.body_b].name.c_str(), world.bodies[c.body_a].name.c_str(),
                    c.point.x, c.point.y, c.point.z, c.p[0]);
    }
    if (!report.certified) {
      std::puts(explain(report).c_str());
      return 1;
    }
  }
  return rests && stepper.contacts().size() == 4 ? 0 : 1;
}
