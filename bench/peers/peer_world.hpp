// One engine with one scene in it, and the list of all engines and settings that are compared. An
// engine is one file, <engine>_world.cpp, built where its library is installed.
#pragma once

#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "peers/peer_scene.hpp"

namespace stickslip::peers {

class PeerWorld {
 public:
  virtual ~PeerWorld() = default;
  /// One step of the scene's length: collision detection, solve, new positions.
  virtual void step() = 0;
  /// Of body i of those that move; planar ones with angle and orientation.
  virtual BodyState bodyState(int i) const = 0;
  /// Worst relative residual of all steps so far by our certificate; NaN where there is none.
  virtual double worstResidual() const { return std::numeric_limits<double>::quiet_NaN(); }
};

/// An engine with a setting.
struct Contender {
  std::string engine;
  std::string setting;
  /// Engines for the plane, and engines for space.
  bool plane = false;
  bool space = false;
  /// Most bodies that it is asked to take: direct methods do not end on piles.
  int most_bodies = std::numeric_limits<int>::max();
  std::function<std::unique_ptr<PeerWorld>(const PeerScene&)> make;

  bool accepts(const PeerScene& scene) const {
    return (scene.data.dimension == 2 ? plane : space) && scene.bodyCount() <= most_bodies;
  }
};

std::vector<Contender> stickslipContenders();
std::vector<Contender> odeContenders();
std::vector<Contender> bulletContenders();
std::vector<Contender> mujocoContenders();
std::vector<Contender> box2dContenders();
std::vector<Contender> chipmunkContenders();
std::vector<Contender> siconosContenders();

/// Ours and those that were found when this was built.
std::vector<Contender> contenders();
/// Those that were not: what they are and how to install them.
std::vector<std::string> missingPeers();

}  // namespace stickslip::peers
