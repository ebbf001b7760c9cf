// Sorting brings equal vertices together, then equal triangles, then the triangles of each edge:
// O(n log n) for n triangles, whatever their order, and always the same first complaint.
#include "model/mesh_edges.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <tuple>
#include <vector>

namespace stickslip {
namespace {

using Corners = std::array<int, 3>;

// For every vertex the first one at the same place.
std::vector<int> firstAtSamePlace(const std::vector<Vec3>& vertices) {
  const auto place = [&](int i) {
    const Vec3& v = vertices[static_cast<std::size_t>(i)];
    return std::array{v.x, v.y, v.z};
  };
  std::vector<int> order(vertices.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return place(a) < place(b); });
  std::vector<int> first(vertices.size());
  for (std::size_t k = 0; k < order.size(); ++k) {
    const bool repeats = k > 0 && place(order[k]) == place(order[k - 1]);
    first[static_cast<std::size_t>(order[k])] =
        repeats ? first[static_cast<std::size_t>(order[k - 1])] : order[k];
  }
  return first;
}

std::vector<Corners> cornersOf(const TriangleMesh& mesh) {
  const std::vector<int> first = firstAtSamePlace(mesh.vertices);
  const auto at = [&](int i) { return first[static_cast<std::size_t>(i)]; };
  std::vector<Corners> corners;
  corners.reserve(mesh.triangles.size());
  for (const TriangleMesh::Triangle& t : mesh.triangles)
    corners.push_back({at(t.a), at(t.b), at(t.c)});
  return corners;
}

// The same three corners, in the same direction.
std::string problemOfRepetition(const std::vector<Corners>& corners) {
  std::vector<std::pair<Corners, std::size_t>> sorted;
  sorted.reserve(corners.size());
  for (std::size_t k = 0; k < corners.size(); ++k) {
    Corners c = corners[k];
    std::rotate(c.begin(), std::min_element(c.begin(), c.end()), c.end());
    sorted.emplace_back(c, k);
  }
  std::sort(sorted.begin(), sorted.end());
  for (std::size_t k = 1; k < sorted.size(); ++k)
    if (sorted[k].first == sorted[k - 1].first)
      return "triangle " + std::to_string(sorted[k].second) + " repeats triangle " +
             std::to_string(sorted[k - 1].second) + "; leave one of them out";
  return {};
}

// An edge as one triangle sees it.
struct Side {
  int low, high;  ///< its vertices
  std::size_t triangle;
  bool ascends;  ///< runs from low to high
};

std::vector<Side> sortedSides(const std::vector<Corners>& corners) {
  std::vector<Side> sides;
  sides.reserve(3 * corners.size());
  for (std::size_t k = 0; k < corners.size(); ++k)
    for (std::size_t i = 0; i < 3; ++i) {
      const int from = corners[k][i], to = corners[k][(i + 1) % 3];
      sides.push_back({std::min(from, to), std::max(from, to), k, from < to});
    }
  const auto key = [](const Side& s) { return std::tie(s.low, s.high, s.triangle); };
  std::sort(sides.begin(), sides.end(),
            [&](const Side& a, const Side& b) { return key(a) < key(b); });
  return sides;
}

bool sameEdge(const Side& a, const Side& b) {
  return a.low == b.low && a.high == b.high;
}

std::string edgeText(const Side& side) {
  return "the edge between vertices " + std::to_string(side.low) + " and " +
         std::to_string(side.high);
}

std::string problemOfSides(const std::vector<Side>& sides) {
  for (std::size_t k = 2; k < sides.size(); ++k)
    if (sameEdge(sides[k], sides[k - 2]))
      return "triangles " + std::to_string(sides[k - 2].triangle) + ", " +
             std::to_string(sides[k - 1].triangle) + " and " + std::to_string(sides[k].triangle) +
             " share " + edgeText(sides[k]) +
             ", which can have two: leave one out, or make two shapes of the mesh";
  for (std::size_t k = 1; k < sides.size(); ++k)
    if (sameEdge(sides[k], sides[k - 1]) && sides[k].ascends == sides[k - 1].ascends)
      return "triangles " + std::to_string(sides[k - 1].triangle) + " and " +
             std::to_string(sides[k].triangle) + " run along " + edgeText(sides[k]) +
             " in the same direction, so that one of them is inside out: swap two of its corners";
  return {};
}

}  // namespace

std::string problemOfEdges(const TriangleMesh& mesh) {
  const std::vector<Corners> corners = cornersOf(mesh);
  const std::string repetition = problemOfRepetition(corners);
  return repetition.empty() ? problemOfSides(sortedSides(corners)) : repetition;
}

}  // namespace stickslip
