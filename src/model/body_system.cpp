#include "stickslip/body_system.hpp"

#include <algorithm>

#include "model/body_checks.hpp"
#include "model/body_contacts.hpp"
#include "model/body_forces.hpp"
#include "model/body_frames.hpp"
#include "model/joint_rows.hpp"
#include "stickslip/input_error.hpp"

namespace stickslip {
namespace {

// Joints may be open at the start by so much of their size.
constexpr double kMostMisfit = 1e-3;
// Contacts that are made room for in advance, per shape and in all.
constexpr int kContactsPerShape = 4;
constexpr int kMostContactsInAdvance = 64;

/// The data with every point that is fixed to a body taken from its centre of mass.
BodySystemData aboutCenters(BodySystemData data) {
  for (Body& body : data.bodies)
    if (body.type != Body::Type::dynamic) body.mass = {};
  const auto shift = [&](int body, Vec3& point) {
    if (body >= 0) point -= data.bodies[static_cast<std::size_t>(body)].mass.center;
  };
  for (Joint& joint : data.joints) {
    if (joint.type == Joint::Type::gear) continue;
    shift(joint.body_a, joint.frame_a.position);
    shift(joint.body_b, joint.frame_b.position);
  }
  for (PointSpring& spring : data.springs) {
    shift(spring.body_a, spring.point_a);
    shift(spring.body_b, spring.point_b);
  }
  for (BodyLoad& load : data.loads) shift(load.body, load.point);
  return data;
}

const BodySystemData& checked(const BodySystemData& data) {
  checkBodySystem(data);
  return data;
}

}  // namespace

struct BodySystem::Impl {
  BodySystemData data;      ///< as given
  BodySystemData centered;  ///< about the centres of mass
  BodyLayout layout;
  JointRows joints;
  BodyForces forces;
  BodyContacts contacts;
  BodyFrames frames;  ///< workspace

  explicit Impl(BodySystemData given)
      : data(std::move(given)),
        centered(aboutCenters(checked(data))),
        layout(centered),
        joints(centered.joints, centered.dimension, layout.positionCount()),
        forces(centered, layout),
        contacts(centered) {
    const State start = initialState();
    joints.start(framesAt(start.t, start.q), start.q);
    checkFit(start.q);
  }

  const BodyFrames& framesAt(double t, std::span<const double> q) {
    layout.evaluate(centered, t, q, frames);
    return frames;
  }
  State initialState();
  void checkFit(std::span<const double> q) const;
  void checkLimits(std::size_t joint, std::span<const double> q) const;
  void countTurns(double t, std::span<const double> u, double dt, std::span<double> q);
};

// Joints close what is open by so little; beyond, they would throw their bodies.
void BodySystem::Impl::checkFit(std::span<const double> q) const {
  for (std::size_t j = 0; j < centered.joints.size(); ++j) {
    const Joint& joint = centered.joints[j];
    checkLimits(j, q);
    if (joint.type != Joint::Type::gear &&
        !(relativeMisfit(joint, frames, centered.dimension) <= kMostMisfit))
      throw InputError("joint \"" + joint.name +
                       "\": its two frames (or its length) do not fit where the bodies start");
  }
}

// A limit that is passed already would never be enforced: impulses stop, they do not pull back.
void BodySystem::Impl::checkLimits(std::size_t joint, std::span<const double> q) const {
  const Joint& description = centered.joints[joint];
  for (std::size_t k = 0; k < description.drives.size(); ++k) {
    const JointDrive& drive = description.drives[k];
    if (!drive.lower && !drive.upper) continue;
    const double x =
        joints.coordinate(static_cast<int>(joint), static_cast<int>(k), frames, q).value;
    const double lower = drive.lower.value_or(x), upper = drive.upper.value_or(x);
    const double slack = kMostMisfit * std::max({std::abs(lower), std::abs(upper), std::abs(x)});
    if (x < lower - slack || x > upper + slack)
      throw InputError("joint \"" + description.name +
                       "\": its coordinate starts outside of its limits");
  }
}

State BodySystem::Impl::initialState() {
  State state;
  for (int k = 0; k < layout.dynamicCount(); ++k) {
    const Body& body = centered.bodies[static_cast<std::size_t>(layout.dynamicBody(k))];
    const Mat3 rotation = matrixOf(body.orientation);
    const Vec3 arm = rotation * body.mass.center;
    const Vec3 position = body.position + arm;
    const Vec3 velocity = body.velocity + cross(body.angular_velocity, arm);
    if (centered.dimension == 2) {
      state.q.insert(state.q.end(), {position.x, position.y, startAngle(body)});
      state.u.insert(state.u.end(), {velocity.x, velocity.y, body.angular_velocity.z});
      continue;
    }
    const Quaternion turn = normalized(body.orientation);
    const Vec3 omega = transposedTimes(rotation, body.angular_velocity);
    state.q.insert(state.q.end(),
                   {position.x, position.y, position.z, turn.w, turn.x, turn.y, turn.z});
    state.u.insert(state.u.end(), {velocity.x, velocity.y, velocity.z, omega.x, omega.y, omega.z});
  }
  framesAt(0, state.q);
  for (int k = 0; k < joints.angleCount(); ++k)
    state.q.push_back(joints.angleWithoutTurns(k, frames));
  return state;
}

// The angles that q keeps beside the bodies follow them, each to the turn next to where its rate
// takes it.
void BodySystem::Impl::countTurns(double t, std::span<const double> u, double dt,
                                  std::span<double> q) {
  if (joints.angleCount() == 0) return;
  framesAt(t + dt, q);
  for (int k = 0; k < layout.dynamicCount(); ++k) {
    const int body = layout.dynamicBody(k);
    frames[body] = layout.withVelocity(frames[body], u);
  }
  for (int k = 0; k < joints.angleCount(); ++k) {
    double& angle = q[static_cast<std::size_t>(layout.positionCount() + k)];
    angle =
        nearestTurn(joints.angleWithoutTurns(k, frames), angle + dt * joints.angleRate(k, frames));
  }
}

BodySystem::BodySystem(BodySystemData data) : impl_(std::make_unique<Impl>(std::move(data))) {}
BodySystem::~BodySystem() = default;

const BodySystemData& BodySystem::data() const {
  return impl_->data;
}

State BodySystem::initialState() const {
  return impl_->initialState();
}

BodyState BodySystem::bodyState(int body, const State& state) const {
  const BodyFrame& frame = impl_->framesAt(state.t, state.q)[body];
  const Body& description = impl_->centered.bodies[static_cast<std::size_t>(body)];
  if (!frame.isDynamic()) return stateOf(description, frame);
  BodyState result = stateOf(description, impl_->layout.withVelocity(frame, state.u));
  if (impl_->centered.dimension == 3) {
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
  const Joint& joint = impl_->centered.joints[static_cast<std::size_t>(drive.joint)];
  return {joint.body_a, joint.body_b};
}

std::span<const int> BodySystem::velocityBlocks() const {
  return impl_->layout.velocityBlocks();
}

int BodySystem::positionCount() const {
  return impl_->layout.positionCount() + impl_->joints.angleCount();
}

int BodySystem::tangentCount() const {
  return impl_->centered.dimension - 1;
}

int BodySystem::momentCount() const {
  return impl_->contacts.momentCount();
}

int BodySystem::contactCapacity() const {
  return impl_->joints.driveCount() +
         std::min(kMostContactsInAdvance, kContactsPerShape * impl_->contacts.shapeCount());
}

int BodySystem::jointCapacity() const {
  return impl_->joints.equationCount() + impl_->forces.springRowCount();
}

void BodySystem::massMatrix(double, std::span<const double>, BlockDiagonal& M) const {
  for (int k = 0; k < impl_->layout.dynamicCount(); ++k) {
    const int body = impl_->layout.dynamicBody(k);
    const MassProperties& mass = impl_->centered.bodies[static_cast<std::size_t>(body)].mass;
    const MatrixView block = M.block(k);
    const bool is_planar = impl_->centered.dimension == 2;
    for (int i = 0; i < (is_planar ? 2 : 3); ++i) block(i, i) = mass.mass;
    if (is_planar) {
      block(2, 2) = mass.inertia(2, 2);
      continue;
    }
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) block(3 + i, 3 + j) = mass.inertia(i, j);
  }
}

void BodySystem::forces(double t, std::span<const double> q, std::span<const double> u, double h,
                        std::span<double> out) const {
  impl_->forces.evaluate(t, impl_->framesAt(t, q), u, h, out);
}

bool BodySystem::coasts() const {
  return impl_->forces.anyGyroscope();
}

void BodySystem::coast(double dt, std::span<double> u) const {
  impl_->forces.coast(dt, u);
}

void BodySystem::contacts(double t, std::span<const double> q, const Reach& reach,
                          ContactSet& out) const {
  const BodyFrames& frames = impl_->framesAt(t, q);
  impl_->contacts.add(frames, reach, out);
  impl_->joints.addDrives(t, frames, q, reach, out);
}

void BodySystem::joints(double t, std::span<const double> q, JointSet& out) const {
  const BodyFrames& frames = impl_->framesAt(t, q);
  impl_->joints.addEquations(frames, q, out);
  impl_->forces.addSpringRows(frames, out);
}

void BodySystem::move(double t, std::span<const double> u, double dt, std::span<double> q) const {
  if (dt == 0) return;
  for (int k = 0; k < impl_->layout.dynamicCount(); ++k) impl_->layout.move(k, u, dt, q);
  impl_->countTurns(t, u, dt, q);
}

double BodySystem::distance(std::span<const double> q_a, std::span<const double> q_b) const {
  const auto per_body = static_cast<std::size_t>(impl_->layout.positionsPerBody());
  const std::size_t lengths = impl_->centered.dimension == 2 ? 2 : 3;
  double most = 0;
  for (int k = 0; k < impl_->layout.dynamicCount(); ++k) {
    const int body = impl_->layout.dynamicBody(k);
    const MassProperties& mass = impl_->centered.bodies[static_cast<std::size_t>(body)].mass;
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
  const BodyLayout& layout = impl_->layout;
  const int body = layout.dynamicBody(i / layout.velocitiesPerBody());
  const int k = i % layout.velocitiesPerBody();
  return impl_->data.bodies[static_cast<std::size_t>(body)].name +
         (layout.dimension() == 2 ? kPlanar[k] : kSpatial[k]);
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
