#include <cstdio>
#include <stickslip/stickslip.hpp>

int main() {
  stickslip::LinearSystemData ball;
  ball.coordinates = {"height"};
  ball.M = {0.1};
  ball.f = {-0.1 * 9.81};
  ball.contacts = {{.name = "floor", .w_N = {1}, .w_T = {}, .law = {.e_n = 0.5}}};

  auto system = std::make_shared<stickslip::LinearSystem>(ball);
  stickslip::Stepper stepper({system, stickslip::presetMethod("glocker-studer", *system)});
  stickslip::State state{.t = 0, .q = {1}, .u = {0}};
  while (state.t < 2) {
    if (!stepper.step(state, 1e-3).certified) return 1;
  }
  std::printf("the ball rests at %.3f m\n", state.q[0]);
}
