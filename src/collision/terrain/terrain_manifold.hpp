// Fewer points for the contact of a shape with many triangles.
#pragma once

#include <vector>

#include "collision/terrain/terrain_patch.hpp"

namespace stickslip {

struct OwnedTerrainPoint {
  TerrainPoint point;
  int triangle = 0;
};

/// Memory that is used again.
struct OutlineScratch {
  std::vector<int> group;
  std::vector<int> chain;
  std::vector<int> members;
  std::vector<Vec2> flat;
  std::vector<char> kept;
};

/// Of points with the same normal in the same plane, leaves the corners of their outline and the
/// one with the smallest gap. `size` is that of the convex shape.
void keepOutlines(std::vector<OwnedTerrainPoint>& points, double size, OutlineScratch& scratch);

}  // namespace stickslip
