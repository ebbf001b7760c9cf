// Runs of the scenes of the repository, with some of their fields changed, and where bodies are
// then.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "stickslip/body_system.hpp"
#include "support/scenes.hpp"

namespace stickslip::testing {

using BodyObserver = std::function<void(const BodySystem&, const State&)>;

struct BodySceneRun {
  Scene scene;
  RunSummary summary;

  const BodySystem& system() const { return static_cast<const BodySystem&>(*scene.model.system); }
  const std::vector<Body>& bodies() const { return system().data().bodies; }
  BodyState state(std::size_t body) const {
    return system().bodyState(static_cast<int>(body), summary.final_state);
  }
  /// The farthest that any body is from where it started.
  double drift() const {
    double farthest = 0;
    for (std::size_t i = 0; i < bodies().size(); ++i)
      farthest = std::max(farthest, norm(state(i).position - bodies()[i].position));
    return farthest;
  }
};

/// `observer` sees the start and the end of every step.
inline BodySceneRun runBodyScene(const std::string& name, std::vector<std::string> overrides = {},
                                 const BodyObserver& observer = {}) {
  BodySceneRun result{repositoryScene(name, overrides), {}};
  Stepper stepper(result.scene.model);
  result.summary = run(stepper, result.scene.initial, result.scene.run,
                       [&](long, const State& state, const Stepper&, const StepReport*) {
                         if (observer) observer(result.system(), state);
                       });
  return result;
}

}  // namespace stickslip::testing
