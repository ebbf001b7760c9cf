// One run of one engine on one scene, in a process of its own: time, and errors by the common
// check.
#pragma once

#include "peers/scene_check.hpp"
#include "solver_study/isolated_run.hpp"

namespace stickslip::peers {

/// Plain data.
struct PeerResult {
  int steps = 0;          ///< done when the time was up
  double seconds = 0;     ///< CPU time of all steps, without set-up and check
  double worst_step = 0;  ///< [s]
  double residual = 0;    ///< PeerWorld::worstResidual()
  SceneErrors errors;     ///< if they were asked for
};

/// Steps until the scene's end or until the steps have taken `limit_seconds`. With `check`, errors
/// are computed after every step.
study::Ending runPeer(const Contender& contender, const PeerScene& scene, double limit_seconds,
                      bool check, PeerResult& result);

}  // namespace stickslip::peers
