// What went wrong in a run, from poses and velocities alone: one measure for all engines.
//
// Overlaps are those of the shapes as the scene gives them, by our own narrow phase (closed forms
// for spheres and discs), whatever margins an engine works with.
#pragma once

#include <memory>
#include <vector>

#include "collision/broad/broad_phase.hpp"
#include "collision/collision_shape.hpp"
#include "peers/peer_world.hpp"

namespace stickslip::peers {

/// Plain data. Lengths in m, energies in J.
struct SceneErrors {
  double overlap_end = 0;   ///< deepest overlap after the last step
  double overlap_peak = 0;  ///< and of all steps
  double rest_energy = 0;   ///< kinetic energy after the last step per mass
  double drift = 0;         ///< farthest that a body's centre is from its start, at the end
  double creep = 0;         ///< the same since the end of the first second
  /// Largest change of the momentum, relative to the sum of the bodies' momenta at the start, or of
  /// the moment of momentum, relative to the same times the scene's extent.
  double momentum = 0;
  /// Most kinetic energy that was gained since the start, relative to that at the start.
  double energy_gain = 0;
  bool finite = true;
};

class SceneCheck {
 public:
  explicit SceneCheck(const PeerScene& scene);

  /// After step n, counted from 1.
  void observe(int n, const PeerWorld& world);
  const SceneErrors& errors() const { return errors_; }

 private:
  struct Motion {
    Vec3 momentum{};
    Vec3 moment{};
    double kinetic_energy = 0;
  };

  void read(const PeerWorld& world);
  Motion motion() const;
  double deepestOverlap();
  double farthestFrom(const std::vector<Vec3>& places) const;
  void compareMotion(const Motion& now);

  const PeerScene& scene_;
  std::vector<std::shared_ptr<const CollisionShape>> shapes_;  ///< of all bodies, walls first
  std::vector<Pose> poses_;                                    ///< likewise
  std::vector<BodyState> states_;                              ///< of those that move
  std::vector<Vec3> start_, settled_;
  Motion start_motion_;
  double mass_ = 0, momentum_scale_ = 0, extent_ = 0;
  SceneErrors errors_;

  BroadPhase broad_phase_;
  std::vector<Bounds> bounds_;
  std::vector<char> movable_;
  PairList pairs_;
  ContactPoints points_;
};

}  // namespace stickslip::peers
