// Bodies that overlap, for warnings about a scene; no step asks for them.
#include <algorithm>
#include <cmath>

#include "model/body_contacts.hpp"

namespace stickslip {

std::vector<Overlap> BodyContacts::overlaps(const BodyFrames& frames, double share) {
  const std::vector<double> no_reach(6 * body_count_, 0.0);
  findPairs(frames, {no_reach});
  std::vector<Overlap> found;
  ContactPoints points;
  for (const CandidatePair& pair : pairs_) {
    if (!mayCollide(pair.a, pair.b)) continue;
    const auto a = static_cast<std::size_t>(pair.a), b = static_cast<std::size_t>(pair.b);
    points.clear();
    collide(*shapes_[a].shape, states_[a].pose, *shapes_[b].shape, states_[b].pose, 0, points);
    Overlap overlap{shapes_[a].body, shapes_[b].body, 0,
                    std::min(smallestExtent(a), smallestExtent(b))};
    for (const ContactPoint& point : points) overlap.depth = std::max(overlap.depth, -point.gap);
    if (overlap.depth > share * overlap.size) found.push_back(overlap);
  }
  // One entry per pair of bodies: the deepest.
  std::stable_sort(found.begin(), found.end(), [](const Overlap& x, const Overlap& y) {
    return std::pair(orderedPair(x.body_a, x.body_b), -x.depth) <
           std::pair(orderedPair(y.body_a, y.body_b), -y.depth);
  });
  const auto last = std::unique(found.begin(), found.end(), [](const Overlap& x, const Overlap& y) {
    return orderedPair(x.body_a, x.body_b) == orderedPair(y.body_a, y.body_b);
  });
  found.erase(last, found.end());
  return found;
}

// Of a shape in its own frame.
double BodyContacts::smallestExtent(std::size_t shape) const {
  // Terrain has no thickness to be compared with.
  if (is_terrain_[shape]) return INFINITY;
  const Bounds bounds = shapes_[shape].shape->boundsAt({});
  const Vec3 extent = bounds.upper - bounds.lower;
  const double in_plane = std::min(extent.x, extent.y);
  return dimension_ == 2 ? in_plane : std::min(in_plane, extent.z);
}

}  // namespace stickslip
