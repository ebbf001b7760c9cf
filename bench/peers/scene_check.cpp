#include "peers/scene_check.hpp"

#include <algorithm>
#include <cmath>

namespace stickslip::peers {
namespace {

Pose poseOf(Vec3 position, Quaternion orientation) {
  return {position, matrixOf(orientation)};
}

bool isFinite(Vec3 a) {
  return std::isfinite(a.x) && std::isfinite(a.y) && std::isfinite(a.z);
}

}  // namespace

SceneCheck::SceneCheck(const PeerScene& scene) : scene_(scene) {
  for (const Body& body : scene.data.bodies) {
    shapes_.push_back(makeCollisionShape(body.shapes.front().shape));
    poses_.push_back(poseOf(body.position, body.orientation));
    movable_.push_back(body.type == Body::Type::dynamic);
  }
  bounds_.resize(shapes_.size());
  for (int i = 0; i < scene.bodyCount(); ++i) {
    const Body& body = scene.body(i);
    states_.push_back({body.position, body.orientation, 0, body.velocity, body.angular_velocity});
    start_.push_back(body.position);
    mass_ += body.mass.mass;
    momentum_scale_ += body.mass.mass * norm(body.velocity);
    extent_ = std::max(extent_, norm(body.position));
  }
  settled_ = start_;
  start_motion_ = motion();
}

void SceneCheck::observe(int n, const PeerWorld& world) {
  read(world);
  if (!errors_.finite) return;
  errors_.overlap_end = deepestOverlap();
  errors_.overlap_peak = std::max(errors_.overlap_peak, errors_.overlap_end);
  const Motion now = motion();
  errors_.rest_energy = now.kinetic_energy / mass_;
  if (scene_.purpose == Purpose::collision) compareMotion(now);
  if (n == static_cast<int>(std::lround(1 / scene_.step)))
    for (std::size_t i = 0; i < states_.size(); ++i) settled_[i] = states_[i].position;
  errors_.drift = farthestFrom(start_);
  errors_.creep = farthestFrom(settled_);
}

void SceneCheck::read(const PeerWorld& world) {
  for (std::size_t i = 0; i < states_.size(); ++i) {
    states_[i] = world.bodyState(static_cast<int>(i));
    errors_.finite = errors_.finite && isFinite(states_[i].position) &&
                     isFinite(states_[i].velocity) && isFinite(states_[i].angular_velocity);
    poses_[scene_.walls + i] = poseOf(states_[i].position, states_[i].orientation);
  }
}

SceneCheck::Motion SceneCheck::motion() const {
  Motion sum;
  for (std::size_t i = 0; i < states_.size(); ++i) {
    const MassProperties& body = scene_.body(static_cast<int>(i)).mass;
    const BodyState& state = states_[i];
    const Mat3 R = matrixOf(state.orientation);
    const Vec3 momentum = body.mass * state.velocity;
    const Vec3 spin = R * (body.inertia * transposedTimes(R, state.angular_velocity));
    sum.momentum += momentum;
    sum.moment += cross(state.position, momentum) + spin;
    sum.kinetic_energy += 0.5 * (dot(momentum, state.velocity) + dot(spin, state.angular_velocity));
  }
  return sum;
}

double SceneCheck::deepestOverlap() {
  for (std::size_t i = 0; i < shapes_.size(); ++i) bounds_[i] = shapes_[i]->boundsAt(poses_[i]);
  broad_phase_.findPairs(bounds_, movable_, pairs_);
  points_.clear();
  for (const CandidatePair pair : pairs_) {
    const auto a = static_cast<std::size_t>(pair.a), b = static_cast<std::size_t>(pair.b);
    collide(*shapes_[a], poses_[a], *shapes_[b], poses_[b], 0, points_);
  }
  double depth = 0;
  for (const ContactPoint& point : points_) depth = std::max(depth, -point.gap);
  return depth;
}

double SceneCheck::farthestFrom(const std::vector<Vec3>& places) const {
  double farthest = 0;
  for (std::size_t i = 0; i < states_.size(); ++i)
    farthest = std::max(farthest, norm(states_[i].position - places[i]));
  return farthest;
}

void SceneCheck::compareMotion(const Motion& now) {
  const double linear = norm(now.momentum - start_motion_.momentum) / momentum_scale_;
  const double angular = norm(now.moment - start_motion_.moment) / (momentum_scale_ * extent_);
  errors_.momentum = std::max({errors_.momentum, linear, angular});
  const double gain = now.kinetic_energy / start_motion_.kinetic_energy - 1;
  errors_.energy_gain = std::max(errors_.energy_gain, gain);
}

}  // namespace stickslip::peers
