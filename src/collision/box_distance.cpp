#include "collision/box_distance.hpp"

#include <array>
#include <cmath>
#include <limits>

namespace stickslip {
namespace {

// As in separating_axes.cpp: a face is preferred near a tie, and parallel edges have no axis.
constexpr double kPreferFace = 1e-11;
constexpr double kParallelSides = 1e-20;

Vec3 magnitudes(Vec3 a) {
  return {std::abs(a.x), std::abs(a.y), std::abs(a.z)};
}

/// Box b with axes r as seen from box a, whose axes are those of the frame.
struct Boxes {
  explicit Boxes(const CorePair& pair)
      : half_a(pair.a.measure()),
        half_b(pair.b.measure()),
        center(pair.b_in_a.position),
        r{pair.b_in_a.rotation.x, pair.b_in_a.rotation.y, pair.b_in_a.rotation.z},
        size{magnitudes(r[0]), magnitudes(r[1]), magnitudes(r[2])} {}

  Vec3 half_a, half_b, center;
  std::array<Vec3, 3> r;
  std::array<Vec3, 3> size;  ///< |r| by components
};

/// An axis: a face of a (edge_b < 0), of b (edge_a < 0), or two edges.
struct Axis {
  SignedDistance along;
  int of_a = -1;
  int of_b = -1;
};

void tryFacesOfA(const Boxes& boxes, Axis& best) {
  const Vec3 reach = boxes.half_b.x * boxes.size[0] + boxes.half_b.y * boxes.size[1] +
                     boxes.half_b.z * boxes.size[2];
  for (int i = 0; i < 3; ++i) {
    const double gap = std::abs(boxes.center[i]) - boxes.half_a[i] - reach[i];
    if (!(gap > best.along.gap)) continue;
    best = {{gap, {}}, i, -1};
    best.along.normal[i] = boxes.center[i] > 0 ? 1 : -1;
  }
}

void tryFacesOfB(const Boxes& boxes, Axis& best) {
  for (int j = 0; j < 3; ++j) {
    const auto k = static_cast<std::size_t>(j);
    const double along = dot(boxes.r[k], boxes.center);
    const double gap = std::abs(along) - boxes.half_b[j] - dot(boxes.size[k], boxes.half_a);
    if (!(gap > best.along.gap)) continue;
    best = {{gap, along < 0 ? -boxes.r[k] : boxes.r[k]}, -1, j};
  }
}

// The common normal e_i x r_j of an edge of each.
void tryEdges(const Boxes& boxes, Axis& best) {
  constexpr std::array<int, 3> after{1, 2, 0}, before{2, 0, 1};
  for (std::size_t j = 0; j < 3; ++j) {
    const std::size_t k = j == 2 ? 0 : j + 1, l = j == 0 ? 2 : j - 1;
    for (int i = 0; i < 3; ++i) {
      const int p = after[static_cast<std::size_t>(i)], q = before[static_cast<std::size_t>(i)];
      const double u = -boxes.r[j][q], v = boxes.r[j][p];
      const double squared = u * u + v * v;
      if (squared <= kParallelSides) continue;
      const double inverse = 1 / std::sqrt(squared);
      const double along = u * boxes.center[p] + v * boxes.center[q];
      const double reach_a =
          boxes.half_a[p] * boxes.size[j][q] + boxes.half_a[q] * boxes.size[j][p];
      // |(e_i x r_j).r_k| = |e_i.r_l| and the other way round.
      const double reach_b = boxes.half_b[static_cast<int>(k)] * boxes.size[l][i] +
                             boxes.half_b[static_cast<int>(l)] * boxes.size[k][i];
      const double gap = (std::abs(along) - reach_a - reach_b) * inverse;
      if (!(gap > best.along.gap)) continue;
      best = {{gap, {}}, i, static_cast<int>(j)};
      const double sign = along < 0 ? -inverse : inverse;
      best.along.normal[p] = sign * u;
      best.along.normal[q] = sign * v;
    }
  }
}

Vec3 cornerOfA(const Boxes& boxes, Vec3 n) {
  Vec3 corner;
  for (int i = 0; i < 3; ++i) corner[i] = n[i] > 0 ? boxes.half_a[i] : -boxes.half_a[i];
  return corner;
}

// In the direction of -n.
Vec3 cornerOfB(const Boxes& boxes, Vec3 n) {
  Vec3 corner = boxes.center;
  for (int j = 0; j < 3; ++j) {
    const Vec3 r = boxes.r[static_cast<std::size_t>(j)];
    corner += (dot(n, r) > 0 ? -boxes.half_b[j] : boxes.half_b[j]) * r;
  }
  return corner;
}

// Does the corner of b next to the face of a lie over it?
bool isOverFaceOfA(const Boxes& boxes, const Axis& axis) {
  const Vec3 corner = cornerOfB(boxes, axis.along.normal);
  for (int i = 0; i < 3; ++i)
    if (i != axis.of_a && std::abs(corner[i]) > boxes.half_a[i]) return false;
  return true;
}

bool isOverFaceOfB(const Boxes& boxes, const Axis& axis) {
  const Vec3 arm = cornerOfA(boxes, axis.along.normal) - boxes.center;
  for (int j = 0; j < 3; ++j)
    if (j != axis.of_b &&
        std::abs(dot(arm, boxes.r[static_cast<std::size_t>(j)])) > boxes.half_b[j])
      return false;
  return true;
}

// Do the lines of the two edges come closest between their ends? Both from their middles.
bool edgesMeet(const Boxes& boxes, const Axis& axis) {
  const Vec3 r = boxes.r[static_cast<std::size_t>(axis.of_b)];
  Vec3 middle_a = cornerOfA(boxes, axis.along.normal);
  middle_a[axis.of_a] = 0;
  Vec3 between = cornerOfB(boxes, axis.along.normal) - middle_a;
  const double half_b = boxes.half_b[axis.of_b];
  between += (dot(axis.along.normal, r) > 0 ? half_b : -half_b) * r;
  const double cosine = r[axis.of_a];
  const double on_b = (cosine * between[axis.of_a] - dot(between, r)) / (1 - cosine * cosine);
  const double on_a = between[axis.of_a] + cosine * on_b;
  return std::abs(on_b) <= half_b && std::abs(on_a) <= boxes.half_a[axis.of_a];
}

}  // namespace

BoxDistance boxDistance(const CorePair& pair, double cutoff) {
  const Boxes boxes(pair);
  Axis face{{-std::numeric_limits<double>::infinity(), {}}};
  tryFacesOfA(boxes, face);
  if (face.along.gap > cutoff) return {face.along};
  tryFacesOfB(boxes, face);
  if (face.along.gap > cutoff) return {face.along};
  const double bias = kPreferFace * pair.size();
  Axis best = face;
  best.along.gap += bias;
  tryEdges(boxes, best);
  const bool is_edge = best.of_a >= 0 && best.of_b >= 0;
  if (!is_edge) best = face;
  if (best.along.gap > cutoff || best.along.gap <= 0) return {best.along};
  return {best.along, is_edge         ? edgesMeet(boxes, best)
                      : best.of_b < 0 ? isOverFaceOfA(boxes, best)
                                      : isOverFaceOfB(boxes, best)};
}

}  // namespace stickslip
