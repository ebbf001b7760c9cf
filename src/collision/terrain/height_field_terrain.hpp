// Height field: triangles are made from the grid when they are asked for.
#pragma once

#include "collision/terrain/terrain.hpp"

namespace stickslip {

/// Triangle 2 c lies below the diagonal of cell c = j (columns - 1) + i, triangle 2 c + 1 above.
class HeightFieldTerrain final : public Terrain {
 public:
  explicit HeightFieldTerrain(HeightField field);

  int triangleCount() const override { return 2 * (field_.columns - 1) * (field_.rows - 1); }
  TerrainTriangle triangle(int index) const override;
  void trianglesWithin(const Bounds& bounds, std::vector<int>& out) const override;
  void trianglesAtCorner(int triangle, int corner, std::vector<int>& out) const override;
  double farthestFrom(Vec3 point) const override;

 private:
  struct GridPlace {
    int i, j;
  };

  int cellIndex(int i, int j) const { return j * (field_.columns - 1) + i; }
  bool hasCell(int i, int j) const {
    return i >= 0 && j >= 0 && i < field_.columns - 1 && j < field_.rows - 1;
  }
  std::array<GridPlace, 3> placesOf(int triangle) const;
  Vec3 pointAt(GridPlace place) const;
  Vec3 normalOf(int triangle) const;
  /// The triangle beyond a side, -1 at the border.
  int neighbour(int triangle, int side) const;

  HeightField field_;
};

}  // namespace stickslip
