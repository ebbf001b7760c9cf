// Bodies that overlap, where they are, for warnings about a scene, or on their way.
#include <algorithm>
#include <cmath>

#include "model/bodies/body_contacts.hpp"

namespace stickslip {
namespace {

// Bodies are looked at so often that they move by this part of the smaller one's size between two
// looks, but no less often than kFewestLooks, and no more often than kMostLooksAhead.
constexpr double kLookEvery = 0.1;
constexpr double kFewestLooks = 4;
constexpr double kMostLooksAhead = 100;

}  // namespace

std::vector<Overlap> BodyContacts::overlaps(const Kinematics& frames, double share) {
  const std::vector<double> no_reach(6 * body_count_, 0.0);
  std::vector<Overlap> found;
  ContactPoints points;
  for (const CandidatePair pair : near_.findPairs(frames, {no_reach})) {
    if (!near_.mayCollide(pair)) continue;
    const BodyShape &a = shapes()[pair.a], &b = shapes()[pair.b];
    points.clear();
    collide(shapes().preparedOf(a), shapes().poseOf(a, frames[a.body].pose), shapes().preparedOf(b),
            shapes().poseOf(b, frames[b.body].pose), 0, points);
    Overlap overlap{a.body, b.body, 0, std::min(smallestExtent(pair.a), smallestExtent(pair.b))};
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

bool BodyContacts::meetAhead(std::uint64_t id, const MovingFrame& a, const MovingFrame& b,
                             double dt) {
  const auto [shape_a, shape_b] = shapesOf(id);
  const auto spin = [&](const MovingFrame& moving, int shape) {
    const double turning = norm(moving.velocity.angular);
    return turning > 0 ? turning * shapes()[shape].radius : 0;
  };
  const double way =
      dt * (norm(b.velocity.linear - a.velocity.linear) + spin(a, shape_a) + spin(b, shape_b));
  const double size = std::min(smallestExtent(shape_a), smallestExtent(shape_b));
  const double looks =
      std::clamp(std::ceil(way / (kLookEvery * size)), kFewestLooks, kMostLooksAhead);
  for (double k = 1; k <= looks; ++k) {
    const double time = dt * k / looks;
    ahead_.clear();
    collide(shapes().preparedOf(shapes()[shape_a]), poseAhead(shape_a, a, time),
            shapes().preparedOf(shapes()[shape_b]), poseAhead(shape_b, b, time), 0, ahead_);
    if (std::any_of(ahead_.begin(), ahead_.end(),
                    [](const ContactPoint& point) { return point.gap <= 0; }))
      return true;
  }
  return false;
}

Pose BodyContacts::poseAhead(int shape, const MovingFrame& moving, double time) const {
  Pose body = moving.frame.pose;
  body.position += time * moving.velocity.linear;
  if (moving.velocity.angular != Vec3{})
    body.rotation = matrixOf(rotationBy(time * moving.velocity.angular)) * body.rotation;
  return shapes().poseOf(shapes()[shape], body);
}

}  // namespace stickslip
