// A shape of one's own: an egg of three different axes, given by its support function, is dropped
// on a slope, rolls down and comes to rest on the floor below.
#include <cmath>
#include <cstdio>

#include "stickslip/stickslip.hpp"

int main() {
  using namespace stickslip;
  const Vec3 axes{0.3, 0.2, 0.15};
  // The point of the ellipsoid that is farthest in direction d is A^2 d / |A d|.
  const SupportShape egg{
      .support = [axes](Vec3 d) -> Vec3 {
        const Vec3 s{axes.x * d.x, axes.y * d.y, axes.z * d.z};
        const double length = norm(s);
        return {axes.x * s.x / length, axes.y * s.y / length, axes.z * s.z / length};
      },
      .extent = axes.x};
  BodySystemData world{.gravity = {0, 0, -9.81},
                       .materials = {{.surface = {.friction = 0.6, .rolling_friction = 0.012}}}};
  world.bodies = {{.name = "floor", .type = Body::Type::fixed, .shapes = {{HalfSpace{}}}},
                  {.name = "slope",
                   .type = Body::Type::fixed,
                   .position = {-1, 0, 0},
                   .orientation = rotationBy({0, 0.4, 0}),
                   .shapes = {{Box{{4, 2, 0.4}}}}},
                  {.name = "egg", .position = {-2, 0, 1.4}, .shapes = {{egg}}}};
  const auto system = std::make_shared<BodySystem>(world);
  Stepper stepper({system, defaultMethod(*system)});
  State state = system->initialState();
  std::printf("%6s %8s %8s %8s %8s\n", "t", "x", "y", "z", "speed");
  for (int step = 0; state.t < 12; ++step) {
    const BodyState egg_now = system->bodyState(2, state);
    if (step % 250 == 0)
      std::printf("%6.2f %8.4f %8.4f %8.4f %8.4f\n", state.t, egg_now.position.x,
                  egg_now.position.y, egg_now.position.z, norm(egg_now.velocity));
    if (!stepper.step(state, 2e-3).certified) return 1;
  }
  const BodyState end = system->bodyState(2, state);
  const bool rests = norm(end.velocity) < 1e-4 && std::abs(end.position.z - axes.z) < 1e-3;
  std::printf("at the end %.1e m/s: ", norm(end.velocity));
  std::printf("%s\n", rests ? "it rests on its flattest side" : "it still moves");
  return rests ? 0 : 1;
}
