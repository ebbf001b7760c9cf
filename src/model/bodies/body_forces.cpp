#include "model/bodies/body_forces.hpp"

#include <cmath>

#include "base/parallel_for.hpp"
#include "model/bodies/body_inputs.hpp"
#include "model/joints/joint_geometry.hpp"

namespace stickslip {
namespace {

constexpr int kBodiesAtOnce = 1024;
constexpr int kMostBisections = 60;
constexpr Vec3 kAxes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

// A spring without a rest length pulls the same in every direction, also where its ends meet: it is
// one linear spring along each axis.
bool isIsotropic(const PointSpring& spring) {
  return spring.rest_length == 0;
}

BodyFunction springLengthOf(const PointSpring& spring, const Kinematics& frames) {
  return distanceBetween(spring.body_a, spring.point_a, spring.body_b, spring.point_b, frames);
}

// Drag -(linear + quadratic |v1|) v1 at the velocity v1 that the step would end with, so that it is
// stable for any coefficients: v1 = v0 + h/m (force + drag) has the direction of v0 + h/m force,
// and its size solves a quadratic equation.
Vec3 implicitDrag(double linear, double quadratic, double inertia, Vec3 v0, Vec3 force, double h) {
  const Vec3 free = v0 + (h / inertia) * force;
  const double a = h / inertia * quadratic, b = 1 + h / inertia * linear, speed = norm(free);
  if (!(speed > 0)) return {};
  const double reduced = 2 * speed / (b + std::sqrt(b * b + 4 * a * speed));
  return -(linear + quadratic * reduced) * (reduced / speed) * free;
}

// The same for a rotation in body axes: (I + h c) w1 = I w0 + h torque with c = linear + quadratic
// |w1|. |w1| falls with c, so that bisection finds the one c that fits.
Vec3 implicitAngularDrag(const Drag& drag, const Mat3& inertia, Vec3 w0, Vec3 torque, double h) {
  const Vec3 momentum = inertia * w0 + h * torque;
  const auto after = [&](double c) { return solve(inertia + h * c * Mat3{}, momentum); };
  const auto wanted = [&](double c) {
    return drag.angular + drag.angular_quadratic * norm(after(c));
  };
  double low = drag.angular, high = wanted(drag.angular);
  for (int k = 0; k < kMostBisections && low < high; ++k) {
    const double middle = (low + high) / 2;
    (wanted(middle) > middle ? low : high) = middle;
  }
  return -high * after(high);
}

}  // namespace

BodyForces::BodyForces(const BodySystemData& data, const Attachments& attached,
                       const BodyLayout& layout, const std::shared_ptr<BodyInputs>& inputs)
    : data_(data), attached_(attached), layout_(layout), inputs_(inputs) {
  masses_.reserve(layout.dynamicCount());
  for (int k = 0; k < layout.dynamicCount(); ++k)
    masses_.push_back(data.bodies[layout.dynamicBody(k)].mass.mass);
  if (!data.user_forces.empty()) states_.resize(data.bodies.size());
  if (data.dimension == 2) return;
  for (int k = 0; k < layout.dynamicCount(); ++k) {
    const Mat3& inertia = data.bodies[layout.dynamicBody(k)].mass.inertia;
    const Mat3 round = inertia.x.x * Mat3{};
    if (inertia != round && !layout.spinsInWorld(k)) gyroscopes_.push_back(k);
  }
}

void BodyForces::coast(double dt, std::span<double> u) const {
  for (const int k : gyroscopes_) {
    double* w = u.data() + k * layout_.velocitiesPerBody() + 3;
    const Mat3& inertia = data_.bodies[layout_.dynamicBody(k)].mass.inertia;
    const Vec3 after = spinAfter(inertia, {w[0], w[1], w[2]}, dt);
    for (int i = 0; i < 3; ++i) w[i] = after[i];
  }
}

bool BodyForces::onlyGravity() const {
  return attached_.springs.empty() && attached_.loads.empty() && data_.drags.empty() &&
         data_.user_forces.empty() && !(inputs_ && anyForce(*inputs_));
}

void BodyForces::gravity(std::span<double> out) const {
  const int size = layout_.velocitiesPerBody();
  parallelFor(layout_.dynamicCount(), kBodiesAtOnce, [&](int begin, int end) {
    for (int k = begin; k < end; ++k) {
      const Vec3 force = masses_[k] * data_.gravity;
      double* to = out.data() + k * size;
      for (int i = 0; i < size; ++i) to[i] = i < layout_.dimension() ? force[i] : 0;
    }
  });
}

void BodyForces::evaluate(double t, const Kinematics& frames, std::span<const double> u, double h,
                          std::span<double> out) {
  const int bodies = static_cast<int>(data_.bodies.size());
  moving_ = frames;
  wrenches_.resize(data_.bodies.size());
  for (int body = 0; body < bodies; ++body) {
    const BodyFrame& frame = frames[body];
    if (frame.isDynamic()) moving_.setVelocity(body, layout_.velocityOf(frame, u));
    const double mass = data_.bodies[body].mass.mass;
    wrenches_[body] = {mass * data_.gravity, {}};
  }
  addExplicitSprings();
  addLoads(t);
  addInputs();
  addUserForces(t);
  addDrag(h);  // last, as it answers to all the others
  for (int k = 0; k < layout_.dynamicCount(); ++k) {
    const int body = layout_.dynamicBody(k);
    const Wrench& wrench = wrenches_[body];
    double* to = out.data() + k * layout_.velocitiesPerBody();
    to[0] = wrench.force.x;
    to[1] = wrench.force.y;
    if (layout_.dimension() == 2) {
      to[2] = wrench.torque.z;
      continue;
    }
    to[2] = wrench.force.z;
    const Vec3 torque = moving_[body].toSpin(wrench.torque);
    for (int i = 0; i < 3; ++i) to[3 + i] = torque[i];
  }
}

void BodyForces::addAlong(const BodyForm& form, double force) {
  for (const BodyForm::Term& term : form.terms()) {
    if (term.body < 0) continue;
    Wrench& wrench = wrenches_[term.body];
    wrench.force += force * term.linear;
    wrench.torque += force * term.angular;
  }
}

void BodyForces::addExplicitSprings() {
  for (const PointSpring& spring : attached_.springs) {
    if (spring.implicit) continue;
    const auto pull = [&](const BodyFunction& x, double rest) {
      addAlong(x.rate, -spring.stiffness * (x.value - rest) - spring.damping * x.rate.at(moving_));
    };
    if (!isIsotropic(spring)) {
      pull(springLengthOf(spring, moving_), spring.rest_length);
      continue;
    }
    for (int k = 0; k < layout_.dimension(); ++k)
      pull(differenceAlong(kAxes[k], spring.body_a, spring.point_a, spring.body_b, spring.point_b,
                           moving_),
           0);
  }
}

void BodyForces::addLoads(double t) {
  for (const BodyLoad& load : attached_.loads) {
    const Pose& pose = moving_[load.body].pose;
    Vec3 force = load.force.at(t), torque = load.torque.at(t);
    if (load.in_body_frame) {
      force = pose.rotation * force;
      torque = pose.rotation * torque;
    }
    Wrench& wrench = wrenches_[load.body];
    wrench.force += force;
    wrench.torque += torque + cross(pose.rotation * load.point, force);
  }
}

void BodyForces::addInputs() {
  if (!inputs_) return;
  for (std::size_t body = 0; body < wrenches_.size(); ++body) {
    wrenches_[body].force += inputs_->bodies[body].force;
    wrenches_[body].torque += inputs_->bodies[body].torque;
  }
  for (std::size_t j = 0; j < attached_.joints.size(); ++j)
    for (std::size_t k = 0; k < 2; ++k) {
      const double force = inputs_->joints[j].force[k];
      if (force == 0) continue;
      const Joint& joint = attached_.joints[j];
      addAlong(coordinateOf(joint, static_cast<int>(k), moving_, layout_.dimension()).rate, force);
    }
}

void BodyForces::addDrag(double h) {
  for (const Drag& drag : data_.drags) {
    const std::size_t body = drag.body;
    const BodyFrame& frame = moving_[drag.body];
    const FrameVelocity& velocity = moving_.velocityOf(frame);
    Wrench& wrench = wrenches_[body];
    wrench.force += implicitDrag(drag.linear, drag.quadratic, data_.bodies[body].mass.mass,
                                 velocity.linear, wrench.force, h);
    const Mat3& given = data_.bodies[body].mass.inertia;
    const Mat3 inertia = layout_.dimension() == 2 ? given(2, 2) * Mat3{} : given;
    const Mat3& rotation = frame.pose.rotation;
    wrench.torque +=
        rotation * implicitAngularDrag(drag, inertia, transposedTimes(rotation, velocity.angular),
                                       transposedTimes(rotation, wrench.torque), h);
  }
}

void BodyForces::addUserForces(double t) {
  if (data_.user_forces.empty()) return;
  for (std::size_t body = 0; body < states_.size(); ++body)
    states_[body] = stateOf(data_.bodies[body], moving_.moving(static_cast<int>(body)));
  for (const UserForce& force : data_.user_forces) force(t, states_, wrenches_);
}

int BodyForces::springRowCount() const {
  int rows = 0;
  for (const PointSpring& spring : attached_.springs)
    if (spring.implicit) rows += isIsotropic(spring) ? layout_.dimension() : 1;
  return rows;
}

void BodyForces::addSpringRows(const Kinematics& frames, JointSet& out) const {
  const auto add = [&](const BodyFunction& x, const PointSpring& spring) {
    double drive = 0;
    writeGroup(frames, layout_.dimension(), {&x.rate, 1}, out.directions, {&drive, 1});
    out.addSpring(x.value, drive, spring.stiffness, spring.damping);
  };
  for (const PointSpring& spring : attached_.springs) {
    if (!spring.implicit) continue;
    if (!isIsotropic(spring)) {
      BodyFunction x = springLengthOf(spring, frames);
      x.value -= spring.rest_length;
      add(x, spring);
      continue;
    }
    for (int k = 0; k < layout_.dimension(); ++k)
      add(differenceAlong(kAxes[k], spring.body_a, spring.point_a, spring.body_b, spring.point_b,
                          frames),
          spring);
  }
}

double BodyForces::potentialEnergy(const Kinematics& frames) const {
  double energy = 0;
  for (int k = 0; k < layout_.dynamicCount(); ++k) {
    const int body = layout_.dynamicBody(k);
    energy -= data_.bodies[body].mass.mass * dot(data_.gravity, frames[body].pose.position);
  }
  for (const PointSpring& spring : attached_.springs) {
    const double stretch = springLengthOf(spring, frames).value - spring.rest_length;
    energy += spring.stiffness * stretch * stretch / 2;
  }
  return energy;
}

BodyState stateOf(const Body& body, const MovingFrame& moving) {
  const Pose& pose = moving.frame.pose;
  const Vec3 arm = pose.rotation * body.mass.center;
  return {pose.position - arm, quaternionOf(pose.rotation), moving.frame.angle,
          moving.velocity.linear - cross(moving.velocity.angular, arm), moving.velocity.angular};
}

namespace {

// Largest turn of a substep [rad].
constexpr double kLargestTurn = 0.25;
// A body that turns further than this many substeps is beyond all resolution: its gyroscopic torque
// is left out, which keeps its energy too.
constexpr double kMostSubsteps = 1000;
constexpr int kMostIterations = 12;

Mat3 crossMatrix(Vec3 a) {
  return {{0, a.z, -a.y}, {-a.z, 0, a.x}, {a.y, -a.x, 0}};
}

Vec3 midpointStep(const Mat3& inertia, Vec3 w0, double h) {
  Vec3 w1 = w0;
  double last_change = INFINITY;
  for (int k = 0; k < kMostIterations; ++k) {
    const Vec3 wm = 0.5 * (w0 + w1), momentum = inertia * wm;
    const Vec3 residual = inertia * (w1 - w0) + h * cross(wm, momentum);
    const Mat3 slope =
        inertia + (h / 2) * (crossMatrix(wm) * inertia + -1.0 * crossMatrix(momentum));
    const Vec3 step = solve(slope, residual);
    w1 -= step;
    const double change = norm(step);
    // Quadratic convergence: once steps stop shrinking they are rounding.
    if (change == 0 || (k > 1 && change >= last_change / 2)) break;
    last_change = change;
  }
  return w1;
}

}  // namespace

Vec3 spinAfter(const Mat3& inertia, Vec3 w, double dt) {
  const double substeps = std::ceil(dt * norm(w) / kLargestTurn);
  if (!(substeps <= kMostSubsteps)) return w;
  for (int k = 0; k < static_cast<int>(substeps); ++k) w = midpointStep(inertia, w, dt / substeps);
  return w;
}

}  // namespace stickslip
