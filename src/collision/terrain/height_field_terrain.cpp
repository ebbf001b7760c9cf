#include "collision/terrain/height_field_terrain.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace stickslip {

HeightFieldTerrain::HeightFieldTerrain(HeightField field) : field_(std::move(field)) {
  prepare();
}

std::array<HeightFieldTerrain::GridPlace, 3> HeightFieldTerrain::placesOf(int triangle) const {
  const int cell = triangle / 2;
  const int i = cell % (field_.columns - 1), j = cell / (field_.columns - 1);
  if (triangle % 2 == 0) return {{{i, j}, {i + 1, j}, {i + 1, j + 1}}};
  return {{{i, j}, {i + 1, j + 1}, {i, j + 1}}};
}

Vec3 HeightFieldTerrain::pointAt(GridPlace p) const {
  return {
      (p.i - 0.5 * (field_.columns - 1)) * field_.spacing_x,
      (p.j - 0.5 * (field_.rows - 1)) * field_.spacing_y,
      field_
          .heights[static_cast<std::size_t>(p.j) * static_cast<std::size_t>(field_.columns) + p.i]};
}

Vec3 HeightFieldTerrain::normalOf(int triangle) const {
  const auto places = placesOf(triangle);
  const Vec3 a = pointAt(places[0]);
  return normalized(cross(pointAt(places[1]) - a, pointAt(places[2]) - a));
}

// The diagonal is side 2 of the lower triangle and side 0 of the upper one.
int HeightFieldTerrain::neighbour(int triangle, int side) const {
  const auto [i, j] = placesOf(triangle)[0];
  if (triangle % 2 == 0) {
    if (side == 0) return hasCell(i, j - 1) ? 2 * cellIndex(i, j - 1) + 1 : -1;
    if (side == 1) return hasCell(i + 1, j) ? 2 * cellIndex(i + 1, j) + 1 : -1;
    return triangle + 1;
  }
  if (side == 0) return triangle - 1;
  if (side == 1) return hasCell(i, j + 1) ? 2 * cellIndex(i, j + 1) : -1;
  return hasCell(i - 1, j) ? 2 * cellIndex(i - 1, j) : -1;
}

TerrainTriangle HeightFieldTerrain::triangle(int index) const {
  TerrainTriangle out;
  const auto places = placesOf(index);
  for (std::size_t i = 0; i < 3; ++i) out.corner[i] = pointAt(places[i]);
  out.normal = normalOf(index);
  for (std::size_t i = 0; i < 3; ++i) {
    TerrainSide& side = out.side[i];
    side.outward = normalized(cross(out.corner[(i + 1) % 3] - out.corner[i], out.normal));
    const int beyond = neighbour(index, static_cast<int>(i));
    side.turn =
        beyond < 0 ? std::numbers::pi / 2 : turnAcross(out.normal, side.outward, normalOf(beyond));
  }
  return out;
}

void HeightFieldTerrain::trianglesWithin(const Bounds& bounds, std::vector<int>& out) const {
  out.clear();
  // Clamped before they become integers, since bounds may be anywhere.
  const auto cellsAlong = [](double low, double high, double spacing, int points) {
    const double middle = 0.5 * (points - 1), last = points - 2;
    const double first = std::floor(low / spacing + middle),
                 end = std::floor(high / spacing + middle);
    if (end < 0 || first > last) return std::array{0, -1};
    return std::array{static_cast<int>(std::max(first, 0.0)),
                      static_cast<int>(std::min(end, last))};
  };
  const auto [i_first, i_last] =
      cellsAlong(bounds.lower.x, bounds.upper.x, field_.spacing_x, field_.columns);
  const auto [j_first, j_last] =
      cellsAlong(bounds.lower.y, bounds.upper.y, field_.spacing_y, field_.rows);
  for (int j = j_first; j <= j_last; ++j)
    for (int i = i_first; i <= i_last; ++i)
      for (int half = 0; half < 2; ++half) {
        const int index = 2 * cellIndex(i, j) + half;
        double low = std::numeric_limits<double>::infinity(), high = -low;
        for (const GridPlace place : placesOf(index)) {
          low = std::min(low, pointAt(place).z);
          high = std::max(high, pointAt(place).z);
        }
        if (low <= bounds.upper.z && high >= bounds.lower.z) out.push_back(index);
      }
}

void HeightFieldTerrain::trianglesAtCorner(int triangle, int corner, std::vector<int>& out) const {
  out.clear();
  const auto [i, j] = placesOf(triangle)[corner];
  const auto add = [&](int ci, int cj, int half) {
    if (hasCell(ci, cj)) out.push_back(2 * cellIndex(ci, cj) + half);
  };
  add(i - 1, j - 1, 0);
  add(i - 1, j - 1, 1);
  add(i, j - 1, 1);
  add(i - 1, j, 0);
  add(i, j, 0);
  add(i, j, 1);
}

double HeightFieldTerrain::farthestFrom(Vec3 point) const {
  double farthest = 0;
  for (int j = 0; j < field_.rows; ++j)
    for (int i = 0; i < field_.columns; ++i)
      farthest = std::max(farthest, norm(pointAt({i, j}) - point));
  return farthest;
}

}  // namespace stickslip
