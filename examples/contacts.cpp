// Contacts of the last step: where two boxes on the floor are carried, one at rest and one that
// slides.
#include <cstdio>
#include <memory>

#include "stickslip/stickslip.hpp"

using namespace stickslip;

namespace {

Body boxAt(const char* name, double x, Vec3 velocity) {
  return {.name = name,
          .position = {x, 0, 0.25},
          .velocity = velocity,
          .shapes = {{Box{{0.5, 0.5, 0.5}}}}};
}

}  // namespace

int main() {
  BodySystemData world{.gravity = {0, 0, -9.81}, .materials = {{.surface = {.friction = 0.4}}}};
  world.bodies = {{.name = "floor", .type = Body::Type::fixed, .shapes = {{HalfSpace{}}}},
                  boxAt("still", 0, {}),
                  boxAt("pushed", 2, {1, 0, 0})};
  const auto system = std::make_shared<BodySystem>(world);
  Stepper stepper({system, defaultMethod(*system)});
  State state = system->initialState();
  for (int k = 0; k < 10; ++k) stepper.step(state, 1e-3);

  Vec3 on_still, on_pushed;
  bool as_expected = true;
  std::printf("%-8s %-20s %-7s %8s %8s %8s %9s\n", "body", "point", "state", "F_x [N]", "F_y [N]",
              "F_z [N]", "slip [m/s]");
  for (const ContactView& c : stepper.contacts()) {
    const bool is_still = world.bodies[c.body_b].name == "still";
    (is_still ? on_still : on_pushed) += c.force;
    as_expected =
        as_expected && c.state == (is_still ? ContactView::State::stick : ContactView::State::slip);
    std::printf("%-8s (%5.2f, %5.2f, %4.2f)  %-7s %8.2f %8.2f %8.2f %9.4f\n",
                world.bodies[c.body_b].name.c_str(), c.point.x, c.point.y, c.point.z,
                std::string(toString(c.state)).c_str(), c.force.x, c.force.y, c.force.z,
                c.slip_velocity.x);
  }
  const double weight = 1000 * 0.125 * 9.81;
  std::printf("weight %.4f N: forces carry %.4f N and %.4f N, friction is %.4f N and %.4f N\n",
              weight, on_still.z, on_pushed.z, on_still.x, on_pushed.x);
  const auto near = [&](double a, double b) {
    return a - b < 1e-4 * weight && b - a < 1e-4 * weight;
  };
  return as_expected && near(on_still.z, weight) && near(on_pushed.z, weight) &&
                 near(on_still.x, 0) && near(on_pushed.x, -0.4 * weight)
             ? 0
             : 1;
}
