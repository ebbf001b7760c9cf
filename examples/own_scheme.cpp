// A scheme of one's own: a semi-implicit Euler step that keeps gaps from closing within the step,
// registered by name, and chosen by a scene.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <vector>

#include "stickslip/scene/scene.hpp"
#include "stickslip/stickslip.hpp"

using namespace stickslip;

namespace {

// Everything is taken at the start of the step: v_free = u + h M^-1 k, b_n = gap / h, q := q + h v.
// The builder makes the problem; only the offsets are this scheme's.
class EulerScheme final : public Scheme {
 public:
  explicit EulerScheme(const Method& method) : Scheme(method) {}

  std::string_view name() const override { return "euler"; }

  void reserve(const System& system, ContactProblem& problem) override {
    builder_.reserve(system, problem);
    way_.reserve(system.velocityCount());
  }

  void formulate(const System& system, const State& state, double h,
                 ContactProblem& problem) override {
    const Configuration here{state.t, state.q};
    builder_.freeMotion(system, here, here, state.u, h, problem);
    way_.resize(problem.v_free.size());
    for (std::size_t k = 0; k < way_.size(); ++k)
      way_[k] = h * (std::abs(state.u[k]) + std::abs(problem.v_free[k]));
    builder_.contacts(system, here, {.way = way_, .time = h}, h, problem);
    for (int i = 0; i < problem.contactCount() && h > 0; ++i)
      if (builder_.parametersOf(i).isUnilateral())
        problem.b[problem.J.firstRow(i)] += std::max(0.0, problem.gap[i]) / h;
    builder_.joints(system, here, problem);  // at velocity level
  }

  void advance(const System& system, double h, std::span<const double> v, State& state) override {
    system.move(state.t, v, h, state.q);
    state.u.assign(v.begin(), v.end());
    state.t += h;
  }

 private:
  std::vector<double> way_;
};

constexpr const char* kScene = R"({
  "stickslip": 1, "name": "ball",
  "system": {"type": "spatial", "gravity": [0, 0, -9.81],
             "materials": {"wood": {"density": 600, "friction": 0.3}},
             "bodies": [
               {"name": "floor", "type": "static", "shape": {"type": "half-space"}, "material": "wood"},
               {"name": "ball", "shape": {"type": "sphere", "radius": 0.1}, "material": "wood",
                "position": [0, 0, 1], "velocity": [1, 0, 0]}]},
  "method": {"scheme": "euler", "cone": "circular"},
  "time": {"step": 0.001, "end": 1}
})";

}  // namespace

int main() {
  registerScheme({.name = "euler",
                  .traits = {.gaps_at_start = true},
                  .make = [](const Method& method, const SolverTraits&) {
                    return std::make_unique<EulerScheme>(method);
                  }});
  const Scene scene = parseScene(kScene, "ball");
  Stepper stepper(scene.model);
  const RunSummary summary = run(stepper, scene.initial, scene.run);
  const double height = summary.final_state.q[2];
  std::printf("%s: the ball rests at %.6f m, deepest overlap %.1e m, worst residual %.1e\n",
              scene.model.method.scheme.c_str(), height, summary.penetration_max,
              summary.residual_max);
  return summary.certified() && std::abs(height - 0.1) < 1e-6 ? 0 : 1;
}
