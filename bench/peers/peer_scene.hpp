// Scenes that every engine of the comparison can hold: a few planes, and rigid bodies of one shape
// each with the centre of mass and the principal axes in the body's own frame. Made here, by our
// own generator, the same on every machine; lengths in m, masses in kg.
#pragma once

#include <string>
#include <vector>

#include "stickslip/body_system.hpp"

namespace stickslip::peers {

/// What a scene is for, and hence which of its errors are shown.
enum class Purpose {
  pile,       ///< bodies fall into a box: overlaps, energy at rest
  stuck,      ///< nothing should move: drift
  collision,  ///< free bodies meet: momentum, energy
};

struct PeerScene {
  std::string name;
  Purpose purpose = Purpose::pile;
  /// Fixed bodies are half-spaces or half-planes and come first. One material, no restitution.
  BodySystemData data;
  int walls = 0;  ///< how many of the bodies are fixed
  double step = 0.01;
  int steps = 300;

  int bodyCount() const { return static_cast<int>(data.bodies.size()) - walls; }
  /// Of those that move.
  const Body& body(int i) const { return data.bodies[walls + i]; }
  double friction() const { return data.materials.front().surface.friction; }
};

/// 1,000 spheres, discs, cuboids or rocks over a box; ten slabs of alternating masses on an
/// incline, in space and in the plane; spheres and discs that fly towards each other.
std::vector<PeerScene> peerScenes();

}  // namespace stickslip::peers
