#include "peers/peer_run.hpp"

#include <algorithm>

namespace stickslip::peers {
namespace {

PeerResult runHere(const Contender& contender, const PeerScene& scene, double limit_seconds,
                   bool check) {
  PeerResult result;
  const std::unique_ptr<PeerWorld> world = contender.make(scene);
  SceneCheck scene_check(scene);
  while (result.steps < scene.steps && result.seconds < limit_seconds) {
    const double before = study::cpuSeconds();
    world->step();
    const double seconds = study::cpuSeconds() - before;
    result.seconds += seconds;
    result.worst_step = std::max(result.worst_step, seconds);
    ++result.steps;
    if (check) scene_check.observe(result.steps, *world);
  }
  result.residual = world->worstResidual();
  result.errors = scene_check.errors();
  return result;
}

}  // namespace

study::Ending runPeer(const Contender& contender, const PeerScene& scene, double limit_seconds,
                      bool check, PeerResult& result) {
  // Set-up and check are not in the limit; what hangs in them is stopped as well.
  constexpr double kRest = 60;
  return study::runIsolated<PeerResult>(3 * limit_seconds + kRest, result, [&] {
    return runHere(contender, scene, limit_seconds, check);
  });
}

}  // namespace stickslip::peers
