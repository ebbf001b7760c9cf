// What a system of bodies tells beside what a step needs: states, energies, names.
#include <algorithm>
#include <cmath>

#include "model/body_system_impl.hpp"

namespace stickslip {

const BodySystemData& BodySystem::data() const {
  return impl_->data;
}

State BodySystem::initialState() const {
  return impl_->initialState();
}

BodyState BodySystem::bodyState(int body, const State& state) const {
  const MovingFrame moving =
      impl_->layout.movingFrame(impl_->data, body, state.t, state.q, state.u);
  BodyState result = stateOf(impl_->data.bodies[static_cast<std::size_t>(body)], moving);
  if (moving.frame.isDynamic() && impl_->data.dimension == 3) {
    const double* q = state.q.data() + impl_->layout.dynamicIndex(body) * 7 + 3;
    result.orientation = {q[0], q[1], q[2], q[3]};
  }
  return result;
}

double BodySystem::jointCoordinate(int joint, int k, const State& state) const {
  return impl_->joints.coordinate(joint, k, impl_->framesAt(state.t, state.q), state.q).value;
}

std::vector<Overlap> BodySystem::overlaps(const State& state, double share) const {
  return impl_->contacts.overlaps(impl_->framesAt(state.t, state.q), share);
}

std::pair<int, int> BodySystem::contactBodies(std::uint64_t id) const {
  const JointRows::DriveId drive = JointRows::driveOf(id);
  if (drive.joint < 0) return impl_->contacts.bodiesOf(id);
  const Joint& joint = impl_->attached.joints[static_cast<std::size_t>(drive.joint)];
  return {joint.body_a, joint.body_b};
}

double BodySystem::distance(std::span<const double> q_a, std::span<const double> q_b) const {
  const auto per_body = static_cast<std::size_t>(impl_->layout.positionsPerBody());
  const std::size_t lengths = impl_->data.dimension == 2 ? 2 : 3;
  double most = 0;
  for (int k = 0; k < impl_->layout.dynamicCount(); ++k) {
    const int body = impl_->layout.dynamicBody(k);
    const MassProperties& mass = impl_->data.bodies[static_cast<std::size_t>(body)].mass;
    const std::size_t first = static_cast<std::size_t>(k) * per_body;
    double way = 0, same = 0, opposite = 0;
    for (std::size_t i = 0; i < per_body; ++i) {
      const double a = q_a[first + i], b = q_b[first + i];
      (i < lengths ? way : same) += (a - b) * (a - b);
      if (i >= lengths) opposite += (a + b) * (a + b);
    }
    // Two unit quaternions are half the angle apart, and q and -q are one attitude.
    const double turn = lengths == 2 ? std::sqrt(same) : 2 * std::sqrt(std::min(same, opposite));
    const double inertia = std::max({mass.inertia(0, 0), mass.inertia(1, 1), mass.inertia(2, 2)});
    most = std::max(most, std::sqrt(way) + std::sqrt(inertia / mass.mass) * turn);
  }
  return most;
}

bool BodySystem::touches() const {
  return impl_->contacts.anyMayMeet();
}

bool BodySystem::bounces() const {
  const auto surface_bounces = [](const auto& of) {
    return of.surface.restitution > 0 || of.surface.tangential_restitution > 0;
  };
  const auto limit_bounces = [](const Joint& joint) {
    return std::any_of(joint.drives.begin(), joint.drives.end(),
                       [](const JointDrive& drive) { return drive.limit_restitution > 0; });
  };
  const BodySystemData& data = impl_->data;
  return std::any_of(data.materials.begin(), data.materials.end(), surface_bounces) ||
         std::any_of(data.material_pairs.begin(), data.material_pairs.end(), surface_bounces) ||
         std::any_of(data.joints.begin(), data.joints.end(), limit_bounces);
}

double BodySystem::potentialEnergy(double t, std::span<const double> q) const {
  const BodyFrames& frames = impl_->framesAt(t, q);
  return impl_->forces.potentialEnergy(frames) + impl_->joints.potentialEnergy(frames, q);
}

std::string BodySystem::positionName(int i) const {
  constexpr const char* kPlanar[] = {".x", ".y", ".angle"};
  constexpr const char* kSpatial[] = {".x", ".y", ".z", ".qw", ".qx", ".qy", ".qz"};
  const BodyLayout& layout = impl_->layout;
  if (i >= layout.positionCount()) {
    const int joint = impl_->joints.jointOfAngle(i - layout.positionCount());
    const Joint& description = impl_->data.joints[static_cast<std::size_t>(joint)];
    if (description.type != Joint::Type::universal) return description.name + ".angle";
    const int k = impl_->joints.coordinateOfAngle(i - layout.positionCount());
    return description.name + (k == 0 ? ".angle_1" : ".angle_2");
  }
  const int body = layout.dynamicBody(i / layout.positionsPerBody());
  const int k = i % layout.positionsPerBody();
  return impl_->data.bodies[static_cast<std::size_t>(body)].name +
         (layout.dimension() == 2 ? kPlanar[k] : kSpatial[k]);
}

std::string BodySystem::velocityName(int i) const {
  constexpr const char* kPlanar[] = {".vx", ".vy", ".omega"};
  constexpr const char* kSpatial[] = {".vx", ".vy", ".vz", ".w1", ".w2", ".w3"};
  constexpr const char* kOfBall[] = {".vx", ".vy", ".vz", ".wx", ".wy", ".wz"};
  const BodyLayout& layout = impl_->layout;
  const int dynamic = i / layout.velocitiesPerBody(), k = i % layout.velocitiesPerBody();
  const int body = layout.dynamicBody(dynamic);
  const char* const name = layout.dimension() == 2        ? kPlanar[k]
                           : layout.spinsInWorld(dynamic) ? kOfBall[k]
                                                          : kSpatial[k];
  return impl_->data.bodies[static_cast<std::size_t>(body)].name + name;
}

std::string BodySystem::contactName(std::uint64_t id) const {
  const JointRows::DriveId drive = JointRows::driveOf(id);
  if (drive.joint >= 0)
    return impl_->data.joints[static_cast<std::size_t>(drive.joint)].name + " " + drive.what;
  const auto [a, b] = impl_->contacts.bodiesOf(id);
  return impl_->data.bodies[static_cast<std::size_t>(a)].name + "/" +
         impl_->data.bodies[static_cast<std::size_t>(b)].name;
}

}  // namespace stickslip
