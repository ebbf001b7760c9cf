// Rigid bodies as the engine sees them: what a step asks of a System.

#include "model/bodies/body_system.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <string>
#include <tuple>

#include "base/parallel_for.hpp"
#include "model/bodies/body_checks.hpp"
#include "model/bodies/body_inputs.hpp"
#include "stickslip/body_system.hpp"
#include "stickslip/contact_problem.hpp"
#include "stickslip/input_error.hpp"

namespace stickslip {
namespace {

// Contacts that are made room for in advance, per shape and in all.
constexpr int kContactsPerShape = 4;
constexpr int kMostContactsInAdvance = 64;
// Bodies of a chunk.
constexpr int kBodyGrain = 512;

}  // namespace

BodySystem::BodySystem(BodySystemData data) : impl_(std::make_unique<Impl>(std::move(data))) {}
BodySystem::~BodySystem() = default;

std::span<const int> BodySystem::velocityBlocks() const {
  return impl_->layout.velocityBlocks();
}

int BodySystem::positionCount() const {
  return impl_->layout.positionCount() + impl_->joints.angleCount();
}

int BodySystem::tangentCount() const {
  return impl_->data.dimension - 1;
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
  const bool is_planar = impl_->data.dimension == 2;
  parallelFor(impl_->layout.dynamicCount(), kBodyGrain, [&](int begin, int end) {
    for (int k = begin; k < end; ++k) {
      if (!M.isOriginal(k)) continue;
      const int body = impl_->layout.dynamicBody(k);
      const MassProperties& mass = impl_->data.bodies[body].mass;
      const MatrixView block = M.block(k);
      for (int i = 0; i < (is_planar ? 2 : 3); ++i) block(i, i) = mass.mass;
      if (is_planar) {
        block(2, 2) = mass.inertia(2, 2);
        continue;
      }
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) block(3 + i, 3 + j) = mass.inertia(i, j);
    }
  });
}

std::span<const int> BodySystem::massLike() const {
  return impl_->mass_like;
}

void BodySystem::checkInputs() const {
  if (impl_->inputs) stickslip::checkInputs(*impl_->inputs, impl_->data);
}

void BodySystem::saveMemory(MemoryWriter& to) const {
  saveInputs(impl_->inputs.get(), to);
}

void BodySystem::restoreMemory(MemoryReader& from) const {
  restoreInputs(from, *this, impl_->inputs.get());
}

void BodySystem::forces(double t, std::span<const double> q, std::span<const double> u, double h,
                        std::span<double> out) const {
  if (impl_->forces.onlyGravity()) return impl_->forces.gravity(out);
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
  impl_->addContacts(t, q, impl_->framesAt(t, q), reach, {}, out);
}

// The bodies are where they were.
void BodySystem::contactsOf(std::span<const char> blocks, double t, std::span<const double> q,
                            const Reach& reach, ContactSet& out) const {
  impl_->addContacts(t, q, impl_->frames, reach, blocks, out);
}

void BodySystem::Impl::addContacts(double t, std::span<const double> q, const Kinematics& at,
                                   const Reach& reach, std::span<const char> blocks,
                                   ContactSet& out) {
  contacts.add(at, reach, blocks, out);
  joints.addDrives(t, at, q, reach, out);
}

// Rows begin with linear velocities in world axes, along which the second body goes and the first
// goes back.
ContactAxes BodySystem::contactAxes(std::uint64_t contact, const BlockRows& rows, int group,
                                    int linear) const {
  ContactAxes out;
  out.of_joint = JointRows::driveOf(contact).joint >= 0;
  std::tie(out.body_a, out.body_b) = contactBodies(contact);
  const std::span<const BlockRows::Strip> strips = rows.stripsOf(group);
  // A problem that has been restored may have been changed in the meantime.
  if (out.of_joint || out.body_a < 0 || strips.empty() ||
      strips.front().columns < impl_->data.dimension)
    return out;
  const double sign = impl_->layout.dynamicIndex(out.body_a) >= 0 ? -1 : 1;
  const StripValues entries = rows.values(group, strips.front());
  const bool is_planar = impl_->data.dimension == 2;
  out.count = std::min(linear, static_cast<int>(out.axes.size()));
  for (int k = 0; k < out.count; ++k)
    out.axes[k] = {sign * entries(k, 0), sign * entries(k, 1),
                   is_planar ? 0 : sign * entries(k, 2)};
  return out;
}

double BodySystem::farthestMove(int block, std::span<const double> way) const {
  const std::size_t turning = impl_->data.dimension == 2 ? 2 : 3;
  const double lever = impl_->levers[block];
  double places = 0, turns = 0;
  for (std::size_t k = 0; k < turning; ++k) places += way[k] * way[k];
  for (std::size_t k = turning; k < way.size(); ++k) turns += way[k] * way[k];
  // Without 0 times infinity.
  return std::sqrt(places) + (turns > 0 ? lever * std::sqrt(turns) : 0);
}

double BodySystem::deepestOverlap(double t, std::span<const double> q, const Reach& at_rest,
                                  ContactSet& workspace) const {
  const Kinematics& frames = impl_->framesAt(t, q);
  workspace.clear();
  impl_->joints.addDrives(t, frames, q, at_rest, workspace);
  return std::max(impl_->contacts.deepestOverlap(frames, at_rest), workspace.deepestOverlap());
}

bool BodySystem::meetsAhead(std::uint64_t contact, double t, std::span<const double> q,
                            std::span<const double> u, double dt) const {
  if (JointRows::driveOf(contact).joint >= 0) return true;
  const auto moving = [&](int body) {
    return impl_->layout.movingFrame(impl_->data, body, t, q, u);
  };
  const auto [a, b] = impl_->contacts.bodiesOf(contact);
  return impl_->contacts.meetAhead(contact, moving(a), moving(b), dt);
}

Closing BodySystem::firstClosing(const Way& way, const ClosingScale& scale) const {
  return impl_->contacts.firstClosing(impl_->data, impl_->layout, impl_->framesAt(way.t, way.q),
                                      way, scale);
}

// Limits of joints.
void BodySystem::contactsNotFollowed(double t, std::span<const double> q, const Reach& reach,
                                     ContactSet& out) const {
  if (impl_->joints.driveCount() > 0)
    impl_->joints.addDrives(t, impl_->framesAt(t, q), q, reach, out);
}

void BodySystem::joints(double t, std::span<const double> q, JointSet& out) const {
  if (jointCapacity() == 0) return;
  const Kinematics& frames = impl_->framesAt(t, q);
  impl_->joints.addEquations(frames, q, out);
  impl_->forces.addSpringRows(frames, out);
}

void BodySystem::move(double t, std::span<const double> u, double dt, std::span<double> q) const {
  if (dt == 0) return;
  parallelFor(impl_->layout.dynamicCount(), kBodyGrain, [&](int begin, int end) {
    for (int k = begin; k < end; ++k) impl_->layout.move(k, u, dt, q);
  });
  impl_->countTurns(t, u, dt, q);
}

// Set-up of a system of bodies, and the angles that it keeps.

namespace {

// Joints may be open at the start by so much of their size.
constexpr double kMostMisfit = 1e-3;

// The mass of a body that does not move freely means nothing, its centre neither.
BodySystemData checked(BodySystemData data) {
  completeBodySystem(data);
  for (Body& body : data.bodies)
    if (body.type != Body::Type::dynamic) body.mass = {};
  data.bodies.shrink_to_fit();
  shareEqualShapes(data.bodies);
  return data;
}

Attachments aboutCenters(const BodySystemData& data) {
  Attachments out{data.joints, data.springs, data.loads};
  const auto shift = [&](int body, Vec3& point) {
    if (body >= 0) point -= data.bodies[body].mass.center;
  };
  for (Joint& joint : out.joints) {
    if (joint.type == Joint::Type::gear) continue;
    shift(joint.body_a, joint.frame_a.position);
    shift(joint.body_b, joint.frame_b.position);
  }
  for (PointSpring& spring : out.springs) {
    shift(spring.body_a, spring.point_a);
    shift(spring.body_b, spring.point_b);
  }
  for (BodyLoad& load : out.loads) shift(load.body, load.point);
  return out;
}

// Of each dynamic body the first one with the same mass and inertia; nothing if all differ.
std::vector<int> firstOfEqualMass(const BodySystemData& data, const BodyLayout& layout) {
  std::map<std::array<double, 10>, int> first;
  std::vector<int> like;
  for (int k = 0; k < layout.dynamicCount(); ++k) {
    const MassProperties& mass = data.bodies[layout.dynamicBody(k)].mass;
    std::array<double, 10> entries{mass.mass};
    for (int i = 0; i < 9; ++i) entries[1 + i] = mass.inertia(i / 3, i % 3);
    like.push_back(first.emplace(entries, k).first->second);
  }
  if (first.size() == like.size()) like.clear();
  return like;
}

// Limits of joints count in units of their own, and no lever says what they feel of a turn.
std::vector<double> leversOf(const BodySystemData& data, const BodyLayout& layout,
                             std::vector<double> of_bodies) {
  for (const Joint& joint : data.joints)
    for (const int body : {joint.body_a, joint.body_b})
      if (!joint.drives.empty() && body != Joint::kWorld)
        of_bodies[body] = std::numeric_limits<double>::infinity();
  std::vector<double> out(layout.dynamicCount());
  for (int k = 0; k < layout.dynamicCount(); ++k) out[k] = of_bodies[layout.dynamicBody(k)];
  return out;
}

}  // namespace

BodySystem::Impl::Impl(BodySystemData given)
    : data(checked(std::move(given))),
      attached(aboutCenters(data)),
      layout(data),
      joints(attached.joints, data.dimension, layout.positionCount(), inputs),
      forces(data, attached, layout, inputs),
      contacts(data),
      mass_like(firstOfEqualMass(data, layout)),
      levers(leversOf(data, layout, contacts.levers())) {
  const State start = initialState();
  joints.start(framesAt(start.t, start.q), start.q);
  checkFit(start.q);
}

// Joints close what is open by so little; beyond, they would throw their bodies.
void BodySystem::Impl::checkFit(std::span<const double> q) const {
  for (std::size_t j = 0; j < attached.joints.size(); ++j) {
    const Joint& joint = attached.joints[j];
    checkLimits(j, q);
    if (joint.type != Joint::Type::gear &&
        !(relativeMisfit(joint, frames, data.dimension) <= kMostMisfit))
      throw InputError("joint \"" + joint.name +
                       "\": its two frames (or its length) do not fit where the bodies start");
  }
}

// A limit that is passed already would never be enforced: impulses stop, they do not pull back.
void BodySystem::Impl::checkLimits(std::size_t joint, std::span<const double> q) const {
  const Joint& description = attached.joints[joint];
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

void BodySystem::Impl::place(int k, const BodyState& at, State& state) const {
  const MassProperties& mass = data.bodies[layout.dynamicBody(k)].mass;
  double* q = state.q.data() + static_cast<std::ptrdiff_t>(k) * layout.positionsPerBody();
  double* u = state.u.data() + static_cast<std::ptrdiff_t>(k) * layout.velocitiesPerBody();
  const Mat3 rotation = matrixOf(at.orientation);
  const Vec3 arm = rotation * mass.center;
  const Vec3 position = at.position + arm;
  const Vec3 velocity = at.velocity + cross(at.angular_velocity, arm);
  if (data.dimension == 2) {
    std::ranges::copy(std::array{position.x, position.y, at.angle}, q);
    std::ranges::copy(std::array{velocity.x, velocity.y, at.angular_velocity.z}, u);
    return;
  }
  const Quaternion turn = normalized(at.orientation);
  const Vec3 omega =
      layout.spinsInWorld(k) ? at.angular_velocity : transposedTimes(rotation, at.angular_velocity);
  std::ranges::copy(std::array{position.x, position.y, position.z, turn.w, turn.x, turn.y, turn.z},
                    q);
  std::ranges::copy(std::array{velocity.x, velocity.y, velocity.z, omega.x, omega.y, omega.z}, u);
}

State BodySystem::Impl::initialState() {
  State state;
  state.q.reserve(layout.positionCount() + joints.angleCount());
  state.q.resize(layout.positionCount());
  state.u.resize(layout.dynamicCount() * layout.velocitiesPerBody());
  for (int k = 0; k < layout.dynamicCount(); ++k) {
    const Body& body = data.bodies[layout.dynamicBody(k)];
    place(k,
          {body.position, body.orientation, data.dimension == 2 ? startAngle(body) : 0,
           body.velocity, body.angular_velocity},
          state);
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
    frames.setVelocity(body, layout.velocityOf(frames[body], u));
  }
  for (int k = 0; k < joints.angleCount(); ++k) {
    double& angle = q[layout.positionCount() + k];
    angle =
        nearestTurn(joints.angleWithoutTurns(k, frames), angle + dt * joints.angleRate(k, frames));
  }
}

// What a system of bodies tells beside what a step needs: states, energies, names.

const BodySystemData& BodySystem::data() const {
  return impl_->data;
}

namespace {

int indexOf(std::string_view name, const auto& all, const std::string& kind) {
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const auto& one) { return one.name == name; });
  if (found == all.end())
    throw InputError("there is no " + kind + " \"" + std::string(name) + "\" among the " +
                     std::to_string(all.size()));
  return static_cast<int>(found - all.begin());
}

}  // namespace

int BodySystem::bodyIndex(std::string_view name) const {
  return indexOf(name, impl_->data.bodies, "body");
}

int BodySystem::jointIndex(std::string_view name) const {
  return indexOf(name, impl_->data.joints, "joint");
}

const std::shared_ptr<BodyInputs>& BodySystem::inputs() const {
  if (!impl_->inputs)
    impl_->inputs =
        std::make_shared<BodyInputs>(impl_->data.bodies.size(), impl_->data.joints.size());
  return impl_->inputs;
}

State BodySystem::initialState() const {
  return impl_->initialState();
}

BodyState BodySystem::bodyState(int body, const State& state) const {
  const MovingFrame moving =
      impl_->layout.movingFrame(impl_->data, body, state.t, state.q, state.u);
  BodyState result = stateOf(impl_->data.bodies[body], moving);
  if (moving.frame.isDynamic() && impl_->data.dimension == 3) {
    const double* q = state.q.data() + impl_->layout.dynamicIndex(body) * 7 + 3;
    result.orientation = {q[0], q[1], q[2], q[3]};
  }
  return result;
}

void BodySystem::place(int body, const BodyState& at, State& state) const {
  const int count = static_cast<int>(impl_->data.bodies.size());
  if (body < 0 || body >= count)
    throw InputError("there is no body " + std::to_string(body) + "; expected 0 to " +
                     std::to_string(count - 1));
  const int k = impl_->layout.dynamicIndex(body);
  const std::string name = "body \"" + impl_->data.bodies[body].name + "\"";
  if (k < 0) throw InputError(name + " does not move freely: only dynamic bodies can be placed");
  BodyState there = at;
  if (impl_->data.dimension == 2)
    there.orientation = rotationBy({0, 0, at.angle});
  else if (const Quaternion& r = at.orientation;
           !(r.w * r.w + r.x * r.x + r.y * r.y + r.z * r.z > 0))
    throw InputError(name + ": the quaternion of its orientation must not be zero");
  else
    there.orientation = normalized(r);
  impl_->place(k, there, state);
  impl_->countTurns(state.t, state.u, 0, state.q);
}

double BodySystem::jointCoordinate(int joint, int k, const State& state) const {
  return impl_->joints.coordinate(joint, k, impl_->framesAt(state.t, state.q), state.q).value;
}

std::vector<JointForce> BodySystem::jointForces(const State& state, const ContactProblem& problem,
                                                const ContactSolution& solution) const {
  std::vector<JointForce> forces(impl_->data.joints.size());
  if (forces.empty() || !(problem.duration > 0)) return forces;
  if (problem.G.rowCount() != jointCapacity() || !impl_->joints.mayBeEquations(problem.G) ||
      static_cast<int>(solution.c.size()) != problem.G.rowCount() ||
      static_cast<int>(solution.p.size()) != problem.J.rowCount())
    throw InputError("joint forces: the contact problem is not one of this system");
  const double per_time = 1 / problem.duration;
  std::vector<double> force(solution.c);
  for (double& f : force) f *= per_time;
  impl_->joints.addEquationForces(impl_->framesAt(state.t, state.q), problem.G, force, forces);
  for (int i = 0; i < problem.contactCount(); ++i)
    impl_->joints.addDriveForce(problem.contact_id[i], per_time * solution.p[problem.J.firstRow(i)],
                                forces);
  return forces;
}

std::vector<Overlap> BodySystem::overlaps(const State& state, double share) const {
  return impl_->contacts.overlaps(impl_->framesAt(state.t, state.q), share);
}

std::pair<int, int> BodySystem::contactBodies(std::uint64_t id) const {
  const JointRows::DriveId drive = JointRows::driveOf(id);
  if (drive.joint < 0) return impl_->contacts.bodiesOf(id);
  if (!impl_->joints.has(drive)) return {-1, -1};
  const Joint& joint = impl_->attached.joints[drive.joint];
  return {joint.body_a, joint.body_b};
}

double BodySystem::distance(std::span<const double> q_a, std::span<const double> q_b) const {
  const std::size_t per_body = impl_->layout.positionsPerBody();
  const std::size_t lengths = impl_->data.dimension == 2 ? 2 : 3;
  double most = 0;
  for (int k = 0; k < impl_->layout.dynamicCount(); ++k) {
    const int body = impl_->layout.dynamicBody(k);
    const MassProperties& mass = impl_->data.bodies[body].mass;
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
  const Kinematics& frames = impl_->framesAt(t, q);
  return impl_->forces.potentialEnergy(frames) + impl_->joints.potentialEnergy(frames, q);
}

std::string BodySystem::positionName(int i) const {
  constexpr const char* kPlanar[] = {".x", ".y", ".angle"};
  constexpr const char* kSpatial[] = {".x", ".y", ".z", ".qw", ".qx", ".qy", ".qz"};
  const BodyLayout& layout = impl_->layout;
  if (i >= layout.positionCount()) {
    const int joint = impl_->joints.jointOfAngle(i - layout.positionCount());
    const Joint& description = impl_->data.joints[joint];
    if (description.type != Joint::Type::universal) return description.name + ".angle";
    const int k = impl_->joints.coordinateOfAngle(i - layout.positionCount());
    return description.name + (k == 0 ? ".angle_1" : ".angle_2");
  }
  const int body = layout.dynamicBody(i / layout.positionsPerBody());
  const int k = i % layout.positionsPerBody();
  return impl_->data.bodies[body].name + (layout.dimension() == 2 ? kPlanar[k] : kSpatial[k]);
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
  return impl_->data.bodies[body].name + name;
}

std::string BodySystem::contactName(std::uint64_t id) const {
  const JointRows::DriveId drive = JointRows::driveOf(id);
  if (drive.joint >= 0) return impl_->data.joints[drive.joint].name + " " + drive.what;
  const auto [a, b] = impl_->contacts.bodiesOf(id);
  return impl_->data.bodies[a].name + "/" + impl_->data.bodies[b].name;
}

}  // namespace stickslip
